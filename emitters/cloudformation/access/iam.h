// IAM roles. They have no names of their own, so CAPABILITY_IAM is enough for the stack, and two stacks never clash.
#pragma once

#include "emitters/cloudformation/template/stack.h"

typedef struct {
    Str id;
    const char *service;        // that takes the role
    Why trust;                  // why it may
    bool is_own_account;        // only on behalf of this account: for services that act for many
    const char *const *actions; // by which it is taken; NULL: sts:AssumeRole
    size_t action_count;
} IamRole;

// A role with its trust policy; returns its properties.
DocNode *iam_role(Stack *stack, IamRole role);

// The comparisons of this operator ("StringEquals") under which a role with these properties is taken: a map.
DocNode *iam_trust_condition(Stack *stack, DocNode *role, const char *operator);

// Adds a statement that allows to the policy `document`, an empty map before the first; returns the statement.
DocNode *iam_statement(Stack *stack, DocNode *document);

// The actions of a statement: one as a text, several as a list.
void iam_put_actions(Stack *stack, DocNode *statement, const char *const *actions, size_t count, Why reason);

// Adds an inline policy to the properties of a role; returns its empty document.
DocNode *iam_policy(Stack *stack, DocNode *role, const char *name, Why reason);

// Policies of AWS's own that nodes cannot do without.
typedef struct {
    const char *const *names; // "AmazonEKSWorkerNodePolicy", "service-role/…"
    size_t count;
    Why reason;
} IamOwnPolicies;

// A list of managed policies, AWS's own by name ("AmazonS3ReadOnlyAccess"), others by ARN, after those of `own`, each
// once. NULL where there are none.
DocNode *iam_managed_policies(Stack *stack, IamOwnPolicies own, const Value *policies);

// Lets a role read one object, "bucket/key": an inline policy of that name.
void iam_allow_object(Stack *stack, DocNode *role, Str object, const char *name, Why reason);

// Adds to a policy's document that verdicts of nodes may be put where they belong, and nothing else; nothing where they
// stay with the nodes.
void iam_allow_verdicts(Stack *stack, DocNode *document, const PlanNodes *nodes);

// An action that a service asks of its nodes, on whatever resource it is.
typedef struct {
    const char *name;   // NULL: none
    const char *policy; // the name of the policy that allows it
    Why reason;
} IamAction;

// What the role of nodes has beside the author's policies.
typedef struct {
    IamOwnPolicies policies;
    Str object;               // "bucket/key" of S3 that it may read; empty: none
    IamAction action;         // and what it may do
    const PlanAccess *access; // what it may read and write in S3; NULL: nothing
    const char *path;         // of role and profile, where the action's service looks for one; NULL: none
} IamNodes;

// A role for instances, with its profile. Returns the profile's id.
Str iam_instance_profile(Stack *stack, const PlanNodes *nodes, IamNodes needs);
