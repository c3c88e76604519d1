// A specification of pods from what a job lays over the template of its runtime.
#pragma once

#include "compiler/plan/model/plan_object.h"

// The pods that `trainer` and the overrides of `job` tell of. `span` is of the key that the trainer stands behind.
const Value *object_overlay(Arena *arena, const Value *trainer, const Value *job, Span span);
