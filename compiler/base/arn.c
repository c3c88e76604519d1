// Finds fields of ARNs.
#include "compiler/base/arn.h"

Str arn_field(Str arn, ArnField field) {
    size_t start = 0;
    for (int i = 0; i < (int)field && start < arn.len; i++) {
        start = str_find(arn, STR(":"), start) + 1;
    }
    return str_starts_with(arn, STR("arn:")) ? str_slice(arn, start, str_find(arn, STR(":"), start)) : STR_NONE;
}
