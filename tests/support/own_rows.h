// dtc's own rows of instance types for tests, which may keep them.
#pragma once

#include "schema/instances.h"
#include "schema/schema.h"

enum { OWN_ROWS_MAX = 4096 };

static inline const InstanceRow *own_row(int index) {
    static InstanceRow rows[OWN_ROWS_MAX];
    assert(index < OWN_ROWS_MAX);
    rows[index] = schema_own_row(index);
    return &rows[index];
}

// NULL where there is none.
static inline const InstanceRow *own_instance(Str name) {
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        if (str_is(name, own_row(i)->name)) {
            return own_row(i);
        }
    }
    return NULL;
}
