// Finds the rows of kinds of Kubernetes objects.
#include "schema/objects.h"

const ObjectKindRow *schema_object(Str name) {
    for (int i = 0; i < OBJECT_KIND_COUNT; i++) {
        if (str_is(name, schema_object_text(OBJECT_KIND_ROWS[i].name))) {
            return &OBJECT_KIND_ROWS[i];
        }
    }
    return NULL;
}

const ObjectTypeRow *schema_object_type(const ObjectKindRow *kind) {
    return &OBJECT_TYPE_ROWS[kind->type];
}

const ObjectFieldRow *schema_object_fields(const ObjectTypeRow *type) {
    return &OBJECT_FIELD_ROWS[type->fields];
}

const ObjectFieldRow *schema_object_field(const ObjectTypeRow *type, Str name) {
    const ObjectFieldRow *fields = schema_object_fields(type);
    for (int i = 0; i < type->field_count; i++) {
        if (str_is(name, schema_object_text(fields[i].name))) {
            return &fields[i];
        }
    }
    return NULL;
}

const char *schema_object_text(uint32_t place) {
    return &OBJECT_TEXTS[place];
}
