// Where pods say by labels on which nodes they run.
#pragma once

#include "compiler/plan/rules/rules.h"

// A key of a label, where it stands, and the values that it is to have: a text, a list of texts, or NULL where the operator
// takes none.
typedef void NodeSelectorUse(void *context, Str key, Span span, const Value *values);

// Calls `use` for each label of a specification of pods: of its nodeSelector, and of its affinity to nodes, which they need
// or would rather have.
void node_selector_each(const Value *pod, NodeSelectorUse *use, void *context);

// The same for a list of requirements, with a key each: those of a pool of Karpenter are written in this way.
void node_selector_each_requirement(const Value *list, NodeSelectorUse *use, void *context);
