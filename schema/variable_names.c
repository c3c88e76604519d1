// The rows of variable_names.def.
#include "schema/variable_names.h"

#include "compiler/base/words.h"

static const char *const ROWS[] = {
#define NAMES_READ(library, names) names,
#include "schema/variable_names.def"
};

// How their names begin.
static const char STARTS[] =
    "NCCL|FI|OFI|NEURON|TORCH|PYTORCH|GLOO|CUDA|OMPI|PMIX|PRTE|MASTER|LD|OMP|RDMAV|XLA|NVIDIA|CCOM|"
    "TOKENIZERS|TP";

// How those of other libraries begin, which are no misspelt ones: UCCL, RCCL of AMD, HCCL of Habana, ACCL, MCCL. They read
// SOCKET_IFNAME and others as NCCL does.
static const char OTHER_STARTS[] = "ACCL|HCCL|MCCL|RCCL|UCCL";

// Whether one letter too much, one too few, another one or two that have changed places make one text of the other.
static bool is_near(Str a, Str b) {
    size_t start = 0;
    while (start < a.len && start < b.len && char_small(a.data[start]) == char_small(b.data[start])) {
        start++;
    }
    size_t end = 0;
    while (end + start < a.len && end + start < b.len &&
           char_small(a.data[a.len - 1 - end]) == char_small(b.data[b.len - 1 - end])) {
        end++;
    }
    const size_t left_a = a.len - start - end;
    const size_t left_b = b.len - start - end;
    const bool is_swapped = left_a == 2 && left_b == 2 && char_small(a.data[start]) == char_small(b.data[start + 1]) &&
                            char_small(a.data[start + 1]) == char_small(b.data[start]);
    return (left_a <= 1 && left_b <= 1) || is_swapped;
}

bool variable_name_may_be(Str name) {
    const Str start = str_slice(name, 0, str_find(name, STR("_"), 0));
    size_t offset = 0;
    Str known;
    if (words_have(str_of(OTHER_STARTS), start)) {
        return false;
    }
    while (start.len < name.len && words_next(str_of(STARTS), &offset, &known)) {
        if (is_near(start, known)) {
            return true;
        }
    }
    return false;
}

bool variable_name_is_read(Str name) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (words_have(str_of(ROWS[i]), name)) {
            return true;
        }
    }
    return false;
}

Str variable_name_next(VariableNames *names) {
    Str name = STR_NONE;
    while (names->row < COUNT_OF(ROWS) && !words_next(str_of(ROWS[names->row]), &names->offset, &name)) {
        names->row++;
        names->offset = 0;
    }
    return names->row < COUNT_OF(ROWS) ? name : STR_NONE;
}
