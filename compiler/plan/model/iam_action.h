// What the reference of IAM says of an action (schema/iam_actions.def).
#pragma once

#include "compiler/base/suggest.h"

typedef struct {
    const char *prefix;  // "ecr"
    const char *arns;    // the services whose ARNs its actions take, with `|` between
    const char *without; // its actions that are about no resource, likewise
    const char *with;    // the others
} IamService;

typedef enum {
    IAM_ACTION_UNKNOWN,
    IAM_ACTION_WITHOUT_ARN, // a statement about it is of all resources
    IAM_ACTION_WITH_ARN,
} IamActionKind;

// By what stands before the colon; NULL where dtc does not have its actions.
const IamService *iam_service(Str prefix);

// Whether any service has the prefix.
bool iam_is_prefix(Str prefix);

// The prefix that is meant by the name of a service: `efs` is `elasticfilesystem`; empty where that is none.
Str iam_prefix_meant(Str name);

// Offers each prefix.
void iam_offer_prefixes(Suggestion *suggestion);

// What an action is, by its name behind the colon: in any case, as IAM reads it, and without `*`.
IamActionKind iam_action_kind(const IamService *service, Str name);

// The action of the service that a name is surely meant for, in any case; empty where that is none, or several.
Str iam_action_near(Session *session, const IamService *service, Str name);
