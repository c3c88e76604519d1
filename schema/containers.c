// The rows of containers.def.
#include "schema/containers.h"

static const struct {
    const char *region;
    const char *account;
} ROWS[] = {
#define DLC_REGISTRY(region, account) { region, account },
#include "schema/containers.def"
#undef DLC_REGISTRY
};

const char *containers_account(Str region) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(region, ROWS[i].region)) {
            return ROWS[i].account;
        }
    }
    return NULL;
}
