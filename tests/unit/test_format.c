#include "compiler/base/format.h"

#include "tests/support/check.h"

#include <limits.h>

static int make(void **state) {
    *state = arena_create();
    return 0;
}

static int drop(void **state) {
    arena_destroy(*state);
    return 0;
}

static bool add(StrBuf *buffer, const char *format, ...) PRINTF_LIKE(2, 3);

static bool add(StrBuf *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const bool is_known = format_add(buffer, format, arguments);
    va_end(arguments);
    return is_known;
}

// Whether it is what snprintf() writes.
#define ASSERT_AS_PRINTF(format, ...)                              \
    do {                                                           \
        char expected[256];                                        \
        StrBuf buffer = { .arena = *state };                       \
        snprintf(expected, sizeof(expected), format, __VA_ARGS__); \
        assert_true(add(&buffer, format, __VA_ARGS__));            \
        assert_text(strbuf_str(&buffer), expected);                \
    } while (false)

static void test_numbers_are_as_printf_writes_them(void **state) {
    static const int64_t NUMBERS[] = { 0, 1, -1, 9, 10, -10, 99, 100, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN };
    for (size_t i = 0; i < COUNT_OF(NUMBERS); i++) {
        ASSERT_AS_PRINTF("%d, %" PRId64 "; %" PRIu32 " of %zu", (int)NUMBERS[i], NUMBERS[i], (uint32_t)NUMBERS[i],
                         (size_t)NUMBERS[i]);
    }
}

static void test_texts_are_as_printf_writes_them(void **state) {
    ASSERT_AS_PRINTF("%s", "");
    ASSERT_AS_PRINTF("a %s, b %.*s%c", "p5", 2, "p4d", '!');
    ASSERT_AS_PRINTF("%.*s|%.*s", 0, "gone", 9, "whole");
    ASSERT_AS_PRINTF("100%% %s", "sure");
}

static void test_empty_text_needs_no_data(void **state) {
    StrBuf buffer = { .arena = *state };

    const char *volatile nothing = NULL; // which the compiler may not know
    assert_true(add(&buffer, "<%.*s>", 0, nothing));

    assert_text(strbuf_str(&buffer), "<>");
}

static void test_other_conversions_add_nothing(void **state) {
    StrBuf buffer = { .arena = *state };
    strbuf_add(&buffer, STR("before"));

    assert_false(add(&buffer, "%d %04x", 1, 2u));
    assert_false(add(&buffer, "%5d", 1));
    assert_false(add(&buffer, "%-*s", 4, "a"));

    assert_text(strbuf_str(&buffer), "before");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_numbers_are_as_printf_writes_them, make, drop),
        cmocka_unit_test_setup_teardown(test_texts_are_as_printf_writes_them, make, drop),
        cmocka_unit_test_setup_teardown(test_empty_text_needs_no_data, make, drop),
        cmocka_unit_test_setup_teardown(test_other_conversions_add_nothing, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
