// Reads ranges of nodes.
#include "compiler/plan/rules/node_range.h"

#include "compiler/plan/model/field.h"

// An end of a range; `otherwise` where nothing is written. False where it is no number.
static bool read_end(Str text, int64_t otherwise, int64_t *end) {
    const PlanField field = { .state = FIELD_KNOWN, .text = text };
    *end = otherwise;
    return text.len == 0 || (field_integer(&field, end) && *end >= 0);
}

bool node_range_read(Str text, int64_t last, NodeRange *range) {
    const size_t colon = str_find(text, STR(":"), 0);
    if (colon == text.len) {
        const bool is_number = text.len > 0 && read_end(text, 0, &range->first);
        range->last = range->first;
        return is_number;
    }
    return read_end(str_slice(text, 0, colon), 0, &range->first) &&
           read_end(str_slice(text, colon + 1, text.len), last, &range->last);
}
