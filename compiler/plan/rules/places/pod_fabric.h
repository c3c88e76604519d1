// How much of its node's EFA a pod takes.
#pragma once

#include "compiler/plan/rules/rules.h"

// The node of a pod, and what names its type.
typedef struct {
    const InstanceRow *row;
    Span span;
} PodNode;

// Reports a container with all GPUs of its node and a part of the node's EFA devices.
void pod_fabric_check(Session *session, const PlanObject *object, const PlanPod *pod, const Value *container,
                      const PodNode *node);

// How many EFA devices a container asks for; -1 where it is not known.
int64_t pod_fabric_count(const Value *container);
