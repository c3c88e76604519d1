// Which nodes of a multi-node job of AWS Batch a range such as `0:3` names.
// Source: AWS Batch API Reference, NodeRangeProperty, targetNodes, read 2026-11.
#pragma once

#include "compiler/base/str.h"

typedef struct {
    int64_t first;
    int64_t last;
} NodeRange;

// "0:3", ":3", "0:", ":" and "3", which is this node alone. An open range ends at `last`. False where the text is none.
bool node_range_read(Str text, int64_t last, NodeRange *range);
