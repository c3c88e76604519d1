// Instance types in files that somebody else wrote.
#pragma once

#include "compiler/plan/rules/rules.h"

// Whether a text is no type that is known, and of a family that is: `p9.48xlarge` may be newer than the rows.
bool rules_type_is_misspelt(Session *session, Str text);

// Reports such a text. `has_choice`: another item of its list may be taken in its place.
void rules_type_misspelt(const Rules *rules, const Subject *subject, Span span, Str text, bool has_choice);

// Reports such texts in a list of an object of Kubernetes. Says nothing of what is no text, or no list.
void rules_type_names(const Rules *rules, const PlanObject *object, const Value *types);

// Reports that none of these types has an architecture that is asked for. Both are a text or a list of texts, or NULL. Says
// nothing where a type is not known.
void rules_types_of_architecture(const Rules *rules, const PlanObject *object, const Value *types, const Value *wanted);
