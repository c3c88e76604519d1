// Finds fields of ARNs.
#include "compiler/base/arn.h"

// The end of the field that begins at `at`. The colons of `${AWS::Partition}` end none.
static size_t field_end(Str arn, size_t at) {
    bool is_variable = false;
    while (at < arn.len && (is_variable || arn.data[at] != ':')) {
        is_variable = is_variable ? arn.data[at] != '}' : arn.data[at] == '$' && str_at(arn, at + 1) == '{';
        at++;
    }
    return at;
}

// Beyond the end of the text where it has no such field, or is no ARN.
static size_t field_start(Str arn, ArnField field) {
    size_t start = str_starts_with(arn, STR("arn:")) ? 0 : arn.len + 1;
    for (unsigned i = 0; i < field && start <= arn.len; i++) {
        start = field_end(arn, start) + 1;
    }
    return start;
}

bool arn_is(Str text) {
    return field_start(text, ARN_ACCOUNT) <= text.len;
}

Str arn_field(Str arn, ArnField field) {
    const size_t start = field_start(arn, field);
    return start <= arn.len ? str_slice(arn, start, field_end(arn, start)) : STR_NONE;
}

Str arn_resource(Str arn) {
    const size_t start = field_start(arn, ARN_RESOURCE);
    return start <= arn.len ? str_slice(arn, start, arn.len) : STR_NONE;
}

Str s3_bucket(Str address) {
    const Str scheme = STR("s3://");
    return str_starts_with(address, scheme) ? str_slice(address, scheme.len, str_find(address, STR("/"), scheme.len))
                                            : STR_NONE;
}
