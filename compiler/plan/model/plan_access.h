// What a job may do, as the Plan has it: its role, the buckets that it reads and writes, and the secrets that it is
// given. How that becomes permissions is the target's: a role of the containers, or what the nodes have.
#pragma once

#include "compiler/plan/model/plan_bucket.h"

// A place in S3: a bucket, or what stands in it under a key. Where only the deployment knows which part of an address
// is the bucket, `uri` has the whole address, and the rest is NULL.
typedef struct {
    const Value *value;      // as the author wrote it, for its span and its origin
    const Value *uri;        // late; NULL: the others say it
    const Value *bucket;     // its name; may be late
    const Value *key;        // without a slash at either end; may be late; NULL: all of the bucket
    bool is_folder;          // the author wrote a slash behind the key: no object has that key itself
    const Value *kms_key;    // that its objects are encrypted with; may be late; NULL: none, or nobody says
    const PlanBucket *block; // that describes the bucket; NULL where none does
} PlanAddress;

typedef VEC(PlanAddress) PlanAddresses;

// What a job may do.
typedef struct {
    const Value *role;     // ARN, may be late; NULL: a role is made where there is something to allow
    const Value *policies; // list
    PlanAddresses reads;
    PlanAddresses writes;
} PlanAccess;

// A variable of a job whose value is kept elsewhere.
typedef struct {
    Str name;
    Span name_span;
    const Value *value;   // as the author wrote it
    bool is_parameter;    // of Systems Manager; else a secret of Secrets Manager
    const Value *id;      // name or ARN; may be late
    const Value *key;     // of the JSON in a secret; may be late; NULL: the whole secret
    const Value *kms_key; // that it is encrypted with; may be late; NULL: a key of the service's own
} PlanSecret;

typedef VEC(PlanSecret) PlanSecrets;
