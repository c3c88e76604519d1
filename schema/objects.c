// Finds the rows of kinds of Kubernetes objects.
#include "schema/objects.h"

const ObjectKindRow *schema_object(Str name) {
    for (int i = 0; i < OBJECT_KIND_COUNT; i++) {
        if (str_is(name, OBJECT_KIND_ROWS[i].name)) {
            return &OBJECT_KIND_ROWS[i];
        }
    }
    return NULL;
}
