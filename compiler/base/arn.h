// ARNs, "arn:aws:fsx:us-east-1:123456789012:…", and addresses in S3, "s3://bucket/key".
#pragma once

#include "compiler/base/str.h"

typedef enum {
    ARN_PARTITION = 1,
    ARN_SERVICE = 2,
    ARN_REGION = 3,
    ARN_ACCOUNT = 4,
    ARN_RESOURCE = 5, // arn_resource() has all of it
} ArnField;

// Whether a text is an ARN. It may end before its account, which something else may give.
bool arn_is(Str text);

// What stands in a field of an ARN: "us-east-1". Empty where the service has none, and of any other text.
Str arn_field(Str arn, ArnField field);

// What stands behind the fifth colon: "log-group:/aws/train:*". Empty where it ends before, and of any other text.
Str arn_resource(Str arn);

// The bucket of an address in S3; empty of any other text.
Str s3_bucket(Str address);
