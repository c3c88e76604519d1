// How a policy of IAM names actions and resources.
#pragma once

#include "compiler/base/str.h"

// Whether a pattern fits the text: `*` is any text, with its slashes, and `?` one letter.
bool iam_matches(Str pattern, Str text);

// The same of actions, which IAM reads in any case: "s3:put*" fits "s3:PutObject".
// source: IAM User Guide, IAM JSON policy elements: Action, 2026-11
bool iam_matches_action(Str pattern, Str action);
