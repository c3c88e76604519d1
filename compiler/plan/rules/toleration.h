// Tolerations of pods, and the taints of nodes that they are for.
#pragma once

#include "compiler/semantics/value.h"

// A taint as Kubernetes writes it. A part that is not known is NULL, and so is a value that nobody wrote.
typedef struct {
    const Value *key;
    const Value *value;
    Str effect;   // empty: not known
    bool is_late; // its value is written, and not known
} Taint;

// From a map with Kubernetes's keys, or from one with those of CloudFormation, whose words for effects are EKS's own, or from
// a taint of infra.dt.
Taint taint_of(const Value *map);

// Whether the scheduler keeps pods off by it.
bool taint_keeps_off(const Taint *taint);

// The item of a pod's `tolerations` whose value or effect is another one than that of the taint, which has its key.
const Value *toleration_near(const Value *pod, const Taint *taint);

// Whether a pod's `tolerations` have one of the taint. True where nobody can tell.
bool toleration_is_in(const Value *pod, const Taint *taint);

// "team" where no toleration has the key, and "team=llm:NoSchedule" where one is near.
Str taint_text(Arena *arena, const Taint *taint, const Value *near);
