// The rows of ami_types.def.
#include "schema/ami_types.h"

static const AmiType ROWS[] = {
#define AMI_TYPE(...) { __VA_ARGS__ },
#include "schema/ami_types.def"
#undef AMI_TYPE
};

const AmiType *ami_type(Str name) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(name, ROWS[i].name)) {
            return &ROWS[i];
        }
    }
    return NULL;
}
