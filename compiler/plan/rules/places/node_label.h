// What nodes of a group have of a label, as far as it is known: what is not known they may have.
#pragma once

#include "compiler/plan/rules/places/pod_places.h"

typedef enum {
    LABEL_OTHER,
    LABEL_NODE_TYPE,
    LABEL_ARCHITECTURE,
    LABEL_ZONE,
    LABEL_GROUP,
    LABEL_CAPACITY
} NodeLabelKind;

NodeLabelKind node_label_kind(Str key);

// Whether Kubernetes, EKS, Karpenter or a device plugin gives it to nodes.
bool node_label_is_given(Str key);

// Whether nodes of the group have, or may have, the label with the value.
bool node_label_has(const PodGroups *groups, const PlanGroup *group, Str key, Str wanted);

// Whether nodes of the group meet, or may meet, an expression of a required affinity with another operator than `In`.
bool node_label_meets(Session *session, const PodGroups *groups, const PlanGroup *group, const Value *expression);
