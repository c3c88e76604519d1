// Instance types in objects of Kubernetes.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports names of no type that is known, if their family is known: `p9.48xlarge` may be newer than the rows. Says
// nothing of what is no text, or no list.
void rules_type_names(const Rules *rules, const PlanObject *object, const Value *types);

// Reports that none of these types has an architecture that is asked for. Both are a text or a list of texts, or NULL. Says
// nothing where a type is not known.
void rules_types_of_architecture(const Rules *rules, const PlanObject *object, const Value *types, const Value *wanted);
