// Lets a role use a KMS key through the one service that it is for.
#pragma once

#include "emitters/cloudformation/template/stack.h"

typedef struct {
    const Value *key; // id, alias or ARN; may be late
    const char *const *actions;
    size_t count;
    const char *service; // "s3": that asks for it in the role's name
    Str region;          // of that; empty: the stack's
    Why reason;
} KmsUse;

// Whether two uses are one, which a policy says once: of the same key, for the same service of the same region.
bool kms_is_same_use(const KmsUse *a, const KmsUse *b);

// Adds a statement to the policy `document`. A key whose form only the deployment knows is every key of the service:
// the key's own policy decides then.
void kms_allow(Stack *stack, DocNode *document, KmsUse use);
