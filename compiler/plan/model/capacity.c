// Words of capacities, and questions about a chain of them.
#include "compiler/plan/model/capacity.h"

typedef struct {
    const char *word;
    CapacityKind kind;
} CapacityRow;

static const CapacityRow CAPACITY_ROWS[] = {
    { "on_demand", CAPACITY_ON_DEMAND },     { "spot", CAPACITY_SPOT },
    { "reservation", CAPACITY_RESERVATION }, { "reservation_group", CAPACITY_RESERVATION_GROUP },
    { "capacity_block", CAPACITY_BLOCK },    { "interruptible", CAPACITY_INTERRUPTIBLE },
};

const char *capacity_name(CapacityKind kind) {
    for (size_t i = 0; i < COUNT_OF(CAPACITY_ROWS); i++) {
        if (CAPACITY_ROWS[i].kind == kind) {
            return CAPACITY_ROWS[i].word;
        }
    }
    return "";
}

CapacityKind capacity_kind(Str word) {
    for (size_t i = 0; i < COUNT_OF(CAPACITY_ROWS); i++) {
        if (str_is(word, CAPACITY_ROWS[i].word)) {
            return CAPACITY_ROWS[i].kind;
        }
    }
    return CAPACITY_ON_DEMAND;
}

bool capacity_has(const PlanCapacity *capacity, CapacityKind kind) {
    for (; capacity != NULL; capacity = capacity->otherwise) {
        if (capacity->kind == kind) {
            return true;
        }
    }
    return false;
}

bool capacity_is_reserved(CapacityKind kind) {
    return kind == CAPACITY_RESERVATION || kind == CAPACITY_RESERVATION_GROUP || kind == CAPACITY_BLOCK ||
           kind == CAPACITY_INTERRUPTIBLE;
}

const PlanCapacity *capacity_last(const PlanCapacity *capacity) {
    while (capacity->otherwise != NULL) {
        capacity = capacity->otherwise;
    }
    return capacity;
}
