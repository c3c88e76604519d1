#include "compiler/base/base64.h"

#include "tests/support/check.h"

static int make(void **state) {
    *state = arena_create();
    return 0;
}

static int drop(void **state) {
    arena_destroy(*state);
    return 0;
}

static Str lines_of(Arena *arena, Str bytes) {
    StrBuf out = { .arena = arena };
    base64_add_lines(&out, bytes);
    return strbuf_str(&out);
}

// RFC 4648, section 10, 2006-10.
static void test_vectors_of_the_standard(void **state) {
    assert_text(lines_of(*state, STR("")), "");
    assert_text(lines_of(*state, STR("f")), "Zg==\n");
    assert_text(lines_of(*state, STR("fo")), "Zm8=\n");
    assert_text(lines_of(*state, STR("foo")), "Zm9v\n");
    assert_text(lines_of(*state, STR("foob")), "Zm9vYg==\n");
    assert_text(lines_of(*state, STR("fooba")), "Zm9vYmE=\n");
    assert_text(lines_of(*state, STR("foobar")), "Zm9vYmFy\n");
}

static void test_bytes_are_unsigned(void **state) {
    assert_text(lines_of(*state, STR("\xff\xfe\x80\x00")), "//6AAA==\n");
}

static void test_full_line_is_followed_by_no_empty_one(void **state) {
    char bytes[BASE64_LINE / 4 * 3 + 1] = { 0 };
    const Str full = lines_of(*state, (Str){ .data = bytes, .len = sizeof(bytes) - 1 });
    const Str more = lines_of(*state, (Str){ .data = bytes, .len = sizeof(bytes) });

    assert_int_equal(full.len, BASE64_LINE + 1);
    assert_int_equal(str_find(full, STR("\n"), 0), BASE64_LINE);
    assert_text(str_slice(more, BASE64_LINE, more.len), "\nAA==\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_vectors_of_the_standard, make, drop),
        cmocka_unit_test_setup_teardown(test_bytes_are_unsigned, make, drop),
        cmocka_unit_test_setup_teardown(test_full_line_is_followed_by_no_empty_one, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
