// The rows of operating_systems.def.
#include "schema/operating_systems.h"

static const OperatingSystem ROWS[] = {
#define OPERATING_SYSTEM(...) { __VA_ARGS__ },
#include "schema/operating_systems.def"
#undef OPERATING_SYSTEM
};

const OperatingSystem *operating_system(Str os) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(os, ROWS[i].os)) {
            return &ROWS[i];
        }
    }
    assert(false && "an operating system that has no row");
    return &ROWS[0];
}

const OperatingSystem *operating_system_of_parallelcluster(Str os) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (ROWS[i].parallelcluster != NULL && str_is(os, ROWS[i].parallelcluster)) {
            return &ROWS[i];
        }
    }
    return NULL;
}
