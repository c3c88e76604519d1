// Finds the rows of bootstrap.def.
#include "compiler/plan/model/bootstrap.h"

const BootstrapCell BOOTSTRAP_CELLS[] = {
#define BOOTSTRAP(os, field, ...) { os, BOOTSTRAP_##field, __VA_ARGS__ },
#include "schema/bootstrap.def"
#undef BOOTSTRAP
};

const size_t BOOTSTRAP_CELL_COUNT = COUNT_OF(BOOTSTRAP_CELLS);

const char *bootstrap_field_name(BootstrapField field) {
    static const char *const NAMES[BOOTSTRAP_FIELD_COUNT] = {
        [BOOTSTRAP_COMMANDS] = "preBootstrapCommands", [BOOTSTRAP_OVERRIDE] = "overrideBootstrapCommand",
        [BOOTSTRAP_NODE_CONFIG] = "NodeConfig",        [BOOTSTRAP_SCRIPTS] = "scripts in user data",
        [BOOTSTRAP_HOLD] = "a failure holds the node", [BOOTSTRAP_IMAGE] = "an ami joins by itself",
        [BOOTSTRAP_TEMPLATE] = "an image without ami",
    };
    assert(field < BOOTSTRAP_FIELD_COUNT);
    return NAMES[field];
}

const BootstrapCell *bootstrap_cell(Str os, BootstrapField field) {
    for (size_t i = 0; i < BOOTSTRAP_CELL_COUNT; i++) {
        if (BOOTSTRAP_CELLS[i].field == field && str_is(os, BOOTSTRAP_CELLS[i].os)) {
            return &BOOTSTRAP_CELLS[i];
        }
    }
    return NULL;
}

bool bootstrap_honours(Str os, BootstrapField field) {
    const BootstrapCell *cell = bootstrap_cell(os, field);
    return cell == NULL || cell->is_honoured;
}
