#include "compiler/base/yaml_scalar.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static void assert_kind(Arena *arena, const char *const *texts, size_t count, DataKind kind) {
    for (size_t i = 0; i < count; i++) {
        const Data *value = yaml_scalar(arena, str_of(texts[i]));
        assert_int_equal(value->kind, kind);
        assert_text(value->string, texts[i]);
    }
}

static void test_null_has_five_spellings(void **state) {
    static const char *const texts[] = { "", "~", "null", "Null", "NULL" };
    assert_kind(*state, texts, COUNT_OF(texts), DATA_NULL);
}

static void test_true_and_false_have_three_spellings_each(void **state) {
    static const char *const texts[] = { "true", "True", "TRUE", "false", "False", "FALSE" };
    assert_kind(*state, texts, COUNT_OF(texts), DATA_BOOL);
    assert_true(yaml_scalar(*state, STR("True"))->boolean);
    assert_false(yaml_scalar(*state, STR("FALSE"))->boolean);
}

static void test_what_only_yaml_1_1_knows_is_a_string(void **state) {
    static const char *const texts[] = { "no",         "on",    "yes", "y",    "NuLL", "tRUE",  "1_000", "22:22",
                                         "2026-11-21", "0b101", "0x",  "0o",   "0o8",  "0xG",   "-0x1",  "+",
                                         "-",          ".",     "1e",  "1e+",  "e5",   "1.2.3", "--1",   "<<",
                                         "=",          "0X1F",  "inf", ".iNF", "1 2" };
    assert_kind(*state, texts, COUNT_OF(texts), DATA_STRING);
}

static void test_integers_are_read_in_three_bases(void **state) {
    static const struct {
        const char *text;
        int64_t value;
    } rows[] = {
        { "0", 0 },
        { "-0", 0 },
        { "+12", 12 },
        { "-12", -12 },
        { "0x1F", 31 },
        { "0xff", 255 },
        { "0o17", 15 },
        { "007", 7 },
        { "9223372036854775807", INT64_MAX },
        { "-9223372036854775808", INT64_MIN },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const Data *value = yaml_scalar(*state, str_of(rows[i].text));
        assert_int_equal(value->kind, DATA_INT);
        assert_true(value->integer == rows[i].value);
        assert_text(value->string, rows[i].text);
    }
}

static void test_reals_are_kept_as_they_were_written(void **state) {
    static const char *const texts[] = { "1.30", ".5",    "5.",   "-1e3",  "+1.5E-3", "0e0",
                                         ".inf", "-.INF", ".nan", "+.Inf", "12e03" };
    assert_kind(*state, texts, COUNT_OF(texts), DATA_REAL);
}

static void test_an_integer_beyond_64_bits_is_no_integer(void **state) {
    static const char *const texts[] = { "9223372036854775808", "-9223372036854775809", "0x8000000000000000",
                                         "99999999999999999999999999999999999999" };
    assert_kind(*state, texts, COUNT_OF(texts), DATA_REAL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null_has_five_spellings),
        cmocka_unit_test(test_true_and_false_have_three_spellings_each),
        cmocka_unit_test(test_what_only_yaml_1_1_knows_is_a_string),
        cmocka_unit_test(test_integers_are_read_in_three_bases),
        cmocka_unit_test(test_reals_are_kept_as_they_were_written),
        cmocka_unit_test(test_an_integer_beyond_64_bits_is_no_integer),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
