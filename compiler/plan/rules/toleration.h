// Tolerations of pods, and the taints of nodes that they are for.
#pragma once

#include "compiler/plan/model/plan_object.h"
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

// The first item of a pod's `tolerations` with the key of the taint, whatever its value and its effect; NULL: none has it.
const Value *toleration_near(const Value *pod, const Taint *taint);

// The first of a list of taints that keeps a pod off its node: it has no toleration of it, and EKS adds none. NULL: there is
// none, or nobody can tell.
const Value *taint_of_no_toleration(const Value *taints, const Value *pod);

// Whether Kueue adds the tolerations of its flavors to the pods of an object.
bool toleration_is_of_queue(const PlanObject *object);

// "team" where no toleration has the key, and "team=llm:NoSchedule" where one is near.
Str taint_text(Arena *arena, const Taint *taint, const Value *near);
