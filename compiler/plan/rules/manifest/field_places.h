// Where the definition of a kind has a field that an author wrote somewhere else.
#pragma once

#include "compiler/plan/rules/rules.h"

// "spec.template.spec.expireAfter": the place of a field with this name that is nearest to where `map` stands; empty where
// there is none, or where several are as near.
Str object_field_place(Arena *arena, const PlanObject *object, const Value *map, Str key);
