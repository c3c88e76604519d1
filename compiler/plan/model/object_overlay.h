// A specification of pods from what a job lays over the template of its runtime.
#pragma once

#include "compiler/plan/model/plan_object.h"

// The pods that the trainer and the overrides in the specification of a job tell of. `span` is of its key.
const Value *object_overlay(Arena *arena, const Value *job, Span span);
