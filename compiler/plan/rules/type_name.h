// Names of instance types in objects of Kubernetes.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports a name of no type that is known, if its family is known: `p9.48xlarge` may be newer than the rows. Says nothing
// of what is no text.
void rules_type_name(const Rules *rules, const PlanObject *object, const Value *name);
