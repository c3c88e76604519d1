// ARNs that stand in a policy.
#pragma once

#include "compiler/plan/rules/rules.h"

// The text of an ARN, which `Fn::Sub` may fill in; empty: none is known.
Str policy_arn(const Data *resource);
