// A policy document of IAM, whoever wrote it and where: a file of its own, a role or a policy of a template, words of
// eksctl, a request. Each way in fills it, and rules about statements ask it alone.
#pragma once

#include "compiler/plan/model/plan_template.h"

typedef enum {
    POLICY_OF_TRUST,    // says who takes a role
    POLICY_OF_IDENTITY, // says what its holder may do
    POLICY_OF_RESOURCE, // of a bucket, a key or an endpoint: says who may do what there
} PlanPolicyKind;

typedef struct PlanPolicy {
    const Subject *subject;
    PlanPolicyKind kind;
    const Data *document;         // its `Version` and its `Statement`; a map
    const PlanTemplate *template; // that it stands in; NULL: none
    const PlanNamed *named;       // the resource that has it; NULL: none
    const Data *holder;           // all that this resource has, or the document
} PlanPolicy;
