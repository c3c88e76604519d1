// What every unit test includes: cmocka with what it needs before it, and a comparison of whole texts.
#pragma once

#include "compiler/base/str.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

// Fails, and shows both, where a Str differs from a C string.
#define assert_text(actual, expected) check_text((actual), (expected), __FILE__, __LINE__)

static inline void check_text(Str actual, const char *expected, const char *file, int line) {
    if (str_is(actual, expected)) {
        return;
    }
    char *copy = calloc(actual.len + 1, 1);
    if (copy != NULL && actual.len > 0) {
        memcpy(copy, actual.data, actual.len);
    }
    _assert_string_equal(copy, expected, file, line);
    free(copy);
    _fail(file, line); // equal up to a zero byte
}
