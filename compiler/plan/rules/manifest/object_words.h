// A text of an object of Kubernetes that is one of a few words.
#pragma once

#include "compiler/plan/model/object.h"
#include "compiler/plan/rules/rules.h"

// Reports a text that is none of `words`, which have `|` between (DT1720); `key` is what takes them. An empty text, and one
// that another program fills in, is not looked at.
void object_check_word(const Rules *rules, const PlanObject *object, Str key, Str words, const Value *value);
