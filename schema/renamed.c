#include "schema/renamed.h"

#include <string.h>

typedef struct {
    const char *kind; // NULL: a tag
    const char *former;
    const char *name;
} Renamed;

static const Renamed RENAMED[] = {
#define RENAMED_ATTRIBUTE(kind, former, name) { kind, former, name },
#define RENAMED_TAG(former, name) { NULL, former, name },
#include "schema/renamed.def"
};

const char *schema_renamed_attribute(const char *kind, Str name) {
    for (size_t i = 0; i < COUNT_OF(RENAMED); i++) {
        if (RENAMED[i].kind != NULL && strcmp(RENAMED[i].kind, kind) == 0 && str_is(name, RENAMED[i].former)) {
            return RENAMED[i].name;
        }
    }
    return NULL;
}

const char *schema_renamed_tag(Str name) {
    for (size_t i = 0; i < COUNT_OF(RENAMED); i++) {
        if (RENAMED[i].kind == NULL && str_is(name, RENAMED[i].former)) {
            return RENAMED[i].name;
        }
    }
    return NULL;
}
