// The rows of ami_types.def.
#include "schema/ami_types.h"

static const AmiType ROWS[] = {
#define AMI_TYPE(...) { __VA_ARGS__ },
#include "schema/ami_types.def"
};

static const char *const NAMES[] = {
#define AMI_TYPE(name, ...) name,
#define AMI_TYPE_OTHER(name) name,
#include "schema/ami_types.def"
};

Str ami_type_name(size_t index) {
    return index < COUNT_OF(NAMES) ? str_of(NAMES[index]) : STR_NONE;
}

const AmiType *ami_type(Str name) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(name, ROWS[i].name)) {
            return &ROWS[i];
        }
    }
    return NULL;
}
