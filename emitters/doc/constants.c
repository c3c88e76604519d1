// The rows of constants.def as origins.
#include "emitters/doc/constants.h"

static const Origin ROWS[] = {
#define WHY(id, row_name, row_text) [WHY_##id] = { .kind = ORIGIN_CONSTANT, .name = (row_name), .text = (row_text) },
#include "emitters/doc/constants.def"
#undef WHY
};

_Static_assert(COUNT_OF(ROWS) == WHY_COUNT, "one origin for each constant");

const Origin *why(Why id) {
    assert(id < WHY_COUNT);
    return &ROWS[id];
}
