// Chooses how a group's nodes on EKS start: the first way that has room for what they run.
#pragma once

#include "emitters/emitter.h"
#include "emitters/node/eks_start.h"

// A group's start in one way, as its writer puts it down. All of it is in the session's arena.
typedef struct {
    EksStartWay way;
    UserDataParts parts;
    Str text;             // the message; empty where eksctl writes it
    size_t size;          // of the message, in bytes, with what eksctl or EKS add
    size_t template_size; // of the template that eksctl makes, about, in bytes; 0 where it makes none
} EksStart;

// Puts it down; `state` is the writer's.
typedef EksStart EksStartWrite(void *state, const PlanNodes *nodes, EksStartWay way);

typedef struct {
    EksStartWrite *write;
    void *state;
    Session *session;
    const Plan *plan;
    Output *output;
    PlanDecisions *decisions;
    DeploymentStep *step;
} EksChoice;

// The first way that has room, else the last one. Reports a check that nobody asked for and that has no room, and what
// is too large in the end. Writes the files that nodes fetch, and has the step wait for them.
EksStart eks_choice_start(const EksChoice *choice, const PlanNodes *nodes);

// Whether eksctl's template is too large for CloudFormation, whatever the user data.
bool eks_choice_template_is_too_large(const EksStart *start);
