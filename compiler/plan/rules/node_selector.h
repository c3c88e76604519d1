// Where pods say by labels on which nodes they run.
#pragma once

#include "compiler/plan/rules/rules.h"

// What a label of nodes is to be.
typedef struct {
    Str key;
    Span span;           // of the key
    Str relation;        // its operator: "In"
    const Value *values; // a text, a list of texts, or NULL where the operator takes none
} NodeSelector;

typedef void NodeSelectorUse(void *context, const NodeSelector *selector);

// Calls `use` for each label of a specification of pods: of its nodeSelector, and of its affinity to nodes, which they need
// or would rather have.
void node_selector_each(const Value *pod, NodeSelectorUse *use, void *context);

// The same for a list of requirements, with a key each: those of a pool of Karpenter are written in this way.
void node_selector_each_requirement(const Value *list, NodeSelectorUse *use, void *context);
