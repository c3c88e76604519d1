// Limits of fields of Kubernetes objects: the words, the numbers and the texts that their definitions take.
#pragma once

#include "compiler/plan/model/plan.h"
#include "compiler/plan/rules/rules.h"

// Reports a value of the right type that its field does not take: no word of it, a number or a count out of its bounds, or
// a text that its pattern does not match. What somebody fills in first is no such value.
void object_check_limit(const Rules *rules, const PlanObject *object, const ObjectLimitRow *limit, Str name,
                        const Value *value);
