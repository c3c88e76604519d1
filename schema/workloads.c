// The rows of workloads.def.
#include "schema/workloads.h"

static const WorkloadKind WORKLOADS[] = {
#define WORKLOAD(name, ...) { .type = (name), __VA_ARGS__ },
#define PODS(...)
#define OLDER(...)
#include "schema/workloads.def"
};

const PodsRow PODS_ROWS[] = {
#define WORKLOAD(...)
#define PODS(...) { __VA_ARGS__ },
#define OLDER(...)
#include "schema/workloads.def"
};

const size_t PODS_ROW_COUNT = COUNT_OF(PODS_ROWS);

typedef struct {
    const char *type;
    const char *newer;
} OlderRow;

static const OlderRow OLDER_ROWS[] = {
#define WORKLOAD(...)
#define PODS(...)
#define OLDER(type, newer) { (type), (newer) },
#include "schema/workloads.def"
};

const WorkloadKind *schema_workload(Str type) {
    for (size_t i = 0; i < COUNT_OF(OLDER_ROWS); i++) {
        type = str_is(type, OLDER_ROWS[i].type) ? str_of(OLDER_ROWS[i].newer) : type;
    }
    for (size_t i = 0; i < COUNT_OF(WORKLOADS); i++) {
        if (str_is(type, WORKLOADS[i].type)) {
            return &WORKLOADS[i];
        }
    }
    return NULL;
}

const PodsRow *schema_pods(Str type) {
    for (size_t i = 0; i < PODS_ROW_COUNT; i++) {
        if (str_is(type, PODS_ROWS[i].type)) {
            return &PODS_ROWS[i];
        }
    }
    return NULL;
}

Str workload_next(const char *words, size_t *at) {
    const Str text = words == NULL ? STR_NONE : str_of(words);
    if (*at >= text.len) {
        return STR_NONE;
    }
    const size_t start = *at;
    const size_t end = str_find(text, STR("|"), start);
    *at = end + 1;
    return str_slice(text, start, end);
}

bool workload_has(const char *words, Str word) {
    size_t at = 0;
    for (Str next = workload_next(words, &at); next.len > 0; next = workload_next(words, &at)) {
        const bool is_end = next.len > 1 && next.data[0] == '*';
        if (str_equal(next, word) || (is_end && str_ends_with(word, str_slice(next, 1, next.len)))) {
            return true;
        }
    }
    return false;
}
