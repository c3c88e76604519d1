// Finds fields of ARNs.
#include "compiler/base/arn.h"

// Beyond the end of the text where it has no such field.
static size_t field_start(Str arn, ArnField field) {
    size_t start = 0;
    for (int i = 0; i < (int)field && start <= arn.len; i++) {
        start = str_find(arn, STR(":"), start) + 1;
    }
    return start;
}

bool arn_is(Str text) {
    return str_starts_with(text, STR("arn:")) && field_start(text, ARN_ACCOUNT) <= text.len;
}

Str arn_field(Str arn, ArnField field) {
    const size_t start = field_start(arn, field);
    if (!str_starts_with(arn, STR("arn:")) || start > arn.len) {
        return STR_NONE;
    }
    return str_slice(arn, start, str_find(arn, STR(":"), start));
}

Str s3_bucket(Str address) {
    const Str scheme = STR("s3://");
    return str_starts_with(address, scheme) ? str_slice(address, scheme.len, str_find(address, STR("/"), scheme.len))
                                            : STR_NONE;
}
