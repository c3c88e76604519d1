#include "compiler/base/str.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static void test_empty_texts_are_equal_whatever_they_point_to(void **state) {
    (void)state;
    assert_true(str_equal(STR_NONE, STR("")));
    assert_true(str_is(STR_NONE, ""));
    assert_true(str_equal(str_of(NULL), STR("")));
    assert_false(str_equal(STR_NONE, STR("a")));
}

static void test_compare_is_by_bytes_then_length(void **state) {
    (void)state;
    assert_true(str_compare(STR("a"), STR("b")) < 0);
    assert_true(str_compare(STR("ab"), STR("a")) > 0);
    assert_true(str_compare(STR_NONE, STR("a")) < 0);
    assert_int_equal(str_compare(STR("ab"), STR("ab")), 0);
    assert_true(str_compare(STR("\xC3\xA9"), STR("z")) > 0);
}

static void test_starts_and_ends(void **state) {
    (void)state;
    assert_true(str_starts_with(STR("network"), STR("net")));
    assert_true(str_starts_with(STR("net"), STR_NONE));
    assert_false(str_starts_with(STR("ne"), STR("net")));
    assert_true(str_ends_with(STR("a.dt"), STR(".dt")));
    assert_false(str_ends_with(STR("dt"), STR(".dt")));
}

static void test_slice_is_cut_to_the_text(void **state) {
    (void)state;
    assert_text(str_slice(STR("abc"), 1, 2), "b");
    assert_text(str_slice(STR("abc"), 1, 99), "bc");
    assert_text(str_slice(STR("abc"), 3, 3), "");
    assert_text(str_slice(STR("abc"), 2, 1), "");
    assert_text(str_slice(STR_NONE, 0, 4), "");
}

static void test_behind_the_end_stands_nothing(void **state) {
    (void)state;
    const Str text = str_slice(STR("abc"), 0, 2);
    assert_int_equal(str_at(text, 1), 'b');
    assert_int_equal(str_at(text, 2), '\0');
    assert_int_equal(str_at(STR_NONE, 0), '\0');
}

static void test_trim_takes_blanks_at_both_ends_only(void **state) {
    (void)state;
    assert_text(str_trim(STR(" \t a b\r\n")), "a b");
    assert_text(str_trim(STR(" \n ")), "");
    assert_text(str_trim(STR("x")), "x");
}

static void test_find_gives_the_length_where_there_is_none(void **state) {
    (void)state;
    assert_int_equal(str_find(STR("a..b..c"), STR(".."), 0), 1);
    assert_int_equal(str_find(STR("a..b..c"), STR(".."), 2), 4);
    assert_int_equal(str_find(STR("a..b..c"), STR(".."), 5), 7);
    assert_int_equal(str_find(STR("ab"), STR("abc"), 0), 2);
    assert_true(str_has(STR("a..b"), ".."));
    assert_false(str_has(STR("ab"), "abc"));
    assert_false(str_has(STR_NONE, "a"));
    assert_int_equal(str_find(STR("ab"), STR_NONE, 1), 1);
    assert_int_equal(str_find(STR("ab"), STR("a"), 99), 2);
}

static void test_each_place_is_replaced(void **state) {
    (void)state;
    Arena *arena = arena_create();
    assert_text(str_replaced(arena, STR("a${X}b${X}"), STR("${X}"), STR("1")), "a1b1");
    assert_text(str_replaced(arena, STR("${X}"), STR("${X}"), STR("${X}${X}")), "${X}${X}");
    assert_text(str_replaced(arena, STR("ab"), STR("abc"), STR("1")), "ab");
    assert_text(str_replaced(arena, STR_NONE, STR("a"), STR("1")), "");
    arena_destroy(arena);
}

static void test_after_last_is_the_whole_where_there_is_no_sign(void **state) {
    (void)state;
    assert_text(str_after_last(STR("a/b/c.dt"), '/'), "c.dt");
    assert_text(str_after_last(STR("c.dt"), '/'), "c.dt");
    assert_text(str_after_last(STR("a/"), '/'), "");
    assert_text(str_after_last(STR_NONE, '/'), "");
}

static void test_copies_outlive_the_original(void **state) {
    char original[] = "text";
    const Str copy = str_copy(*state, str_of(original));
    const char *c = str_c(*state, str_of(original));

    original[0] = 'T';

    assert_text(copy, "text");
    assert_string_equal(c, "text");
    assert_string_equal(str_c(*state, STR_NONE), "");
}

static void test_format_takes_a_str(void **state) {
    assert_text(str_format(*state, "%.*s has %d", STR_ARG(STR("p5")), 32), "p5 has 32");
    assert_text(str_format(*state, "%.*s", STR_ARG(str_slice(STR("a"), 1, 1))), "");
}

static void test_well_formed_utf8_is_accepted(void **state) {
    (void)state;
    size_t bad = 0;
    assert_true(str_is_utf8(STR_NONE, &bad));
    assert_true(str_is_utf8(STR("a\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF"), &bad));
    assert_true(str_is_utf8(STR("\xED\x9F\xBF\xEE\x80\x80"), &bad));
}

static void test_ascii_ends_at_the_first_other_byte(void **state) {
    (void)state;
    static const char TEXT[] = "0123456789abcdef\xC2\xA0"
                               "0123456789\xC2";
    const Str text = STR(TEXT);
    assert_int_equal(str_ascii_end(text, 0), 16);
    assert_int_equal(str_ascii_end(text, 15), 16);
    assert_int_equal(str_ascii_end(text, 16), 16);
    assert_int_equal(str_ascii_end(text, 18), 28);
    assert_int_equal(str_ascii_end(str_slice(text, 0, 16), 3), 16);
    assert_int_equal(str_ascii_end(STR_NONE, 0), 0);
}

static void test_ill_formed_utf8_is_refused_at_its_byte(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t bad;
    } rows[] = {
        { "ab\xFF", 2 },           // no first byte
        { "\x80", 0 },             // a following byte alone
        { "a\xC0\x80", 1 },        // overlong NUL
        { "a\xC1\xBF", 1 },        // overlong
        { "\xE0\x9F\xBF", 0 },     // overlong
        { "\xF0\x8F\xBF\xBF", 0 }, // overlong
        { "\xED\xA0\x80", 0 },     // a surrogate
        { "\xF4\x90\x80\x80", 0 }, // above U+10FFFF
        { "\xF5\x80\x80\x80", 0 }, // above U+10FFFF
        { "abc\xE2\x82", 3 },      // cut short
        { "\xE2\x82\x41", 0 },     // interrupted
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t bad = 99;
        assert_false(str_is_utf8(str_of(rows[i].text), &bad));
        assert_int_equal(bad, rows[i].bad);
    }
}

static void test_code_points_are_written_as_they_are_read(void **state) {
    static const uint32_t code_points[] = { 0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000, 0x10FFFF };
    for (size_t i = 0; i < COUNT_OF(code_points); i++) {
        StrBuf buffer = { .arena = *state };
        uint32_t read = 0;

        strbuf_add_utf8(&buffer, code_points[i]);
        const size_t length = str_utf8_next(strbuf_str(&buffer), 0, &read);

        assert_int_equal(length, buffer.len);
        assert_int_equal(read, code_points[i]);
    }
}

static void test_buffer_grows_by_all_its_ways(void **state) {
    StrBuf buffer = { .arena = *state };

    strbuf_add(&buffer, STR_NONE);
    strbuf_add(&buffer, STR("ab"));
    strbuf_add_char(&buffer, 'c');
    strbuf_add_repeated(&buffer, '-', 3);
    strbuf_add_repeated(&buffer, '-', 0);
    strbuf_add_format(&buffer, "%d", 12);

    assert_text(strbuf_str(&buffer), "abc---12");
}

static void test_buffer_holds_a_large_text(void **state) {
    StrBuf buffer = { .arena = *state };

    for (int i = 0; i < 100000; i++) {
        strbuf_add(&buffer, STR("0123456789"));
    }

    assert_int_equal(buffer.len, 1000000);
    assert_memory_equal(buffer.data + 999990, "0123456789", 10);
}

static void test_case_of_ascii_is_passed_over_where_it_is_asked_for(void **state) {
    (void)state;

    assert_true(str_equal_in_any_case(STR("NCCL_Net"), STR("nccl_nET")));
    assert_false(str_equal_in_any_case(STR("NCCL_Net"), STR("nccl_n")));
    assert_true(str_starts_with_in_any_case(STR("Eth0"), STR("eTH")));
    assert_false(str_starts_with_in_any_case(STR("et"), STR("eth")));
}

static void test_common_ends_do_not_overlap(void **state) {
    (void)state;
    size_t head = 9;
    size_t tail = 9;
    str_common(STR("abXcd"), STR("abcd"), &head, &tail);
    assert_int_equal(head, 2);
    assert_int_equal(tail, 2);
    str_common(STR("aa"), STR("aaa"), &head, &tail);
    assert_int_equal(head, 2);
    assert_int_equal(tail, 0);
    str_common(STR_NONE, STR("a"), &head, &tail);
    assert_int_equal(head + tail, 0);
}

static void test_paths_overlap_where_one_holds_the_other(void **state) {
    (void)state;
    assert_true(str_paths_overlap(STR("/data"), STR("/data")));
    assert_true(str_paths_overlap(STR("/data/a"), STR("/data")));
    assert_true(str_paths_overlap(STR("/data"), STR("/data/a")));
    assert_false(str_paths_overlap(STR("/data"), STR("/database")));
}

static void test_one_of_several_words(void **state) {
    (void)state;
    static const char *const WORDS[] = { "ray", "--dp" };
    assert_true(str_is_any(STR("ray"), WORDS, 2));
    assert_false(str_is_any(STR("array"), WORDS, 2));
    assert_true(str_has_any(STR("array"), WORDS, 2));
    assert_true(str_starts_with_any(STR("--dp-size"), WORDS, 2));
    assert_false(str_starts_with_any(STR("array"), WORDS, 2));
}

static void test_the_end_of_a_text_is_in_no_set(void **state) {
    (void)state;
    assert_true(char_is_in('+', "-+"));
    assert_false(char_is_in('a', "-+"));
    assert_false(char_is_in('\0', "-+"));
    assert_true(char_is_alnum('Z'));
    assert_false(char_is_alnum('_'));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_common_ends_do_not_overlap),
        cmocka_unit_test(test_case_of_ascii_is_passed_over_where_it_is_asked_for),
        cmocka_unit_test(test_empty_texts_are_equal_whatever_they_point_to),
        cmocka_unit_test(test_compare_is_by_bytes_then_length),
        cmocka_unit_test(test_starts_and_ends),
        cmocka_unit_test(test_paths_overlap_where_one_holds_the_other),
        cmocka_unit_test(test_slice_is_cut_to_the_text),
        cmocka_unit_test(test_behind_the_end_stands_nothing),
        cmocka_unit_test(test_trim_takes_blanks_at_both_ends_only),
        cmocka_unit_test(test_find_gives_the_length_where_there_is_none),
        cmocka_unit_test(test_each_place_is_replaced),
        cmocka_unit_test(test_after_last_is_the_whole_where_there_is_no_sign),
        cmocka_unit_test(test_copies_outlive_the_original),
        cmocka_unit_test(test_format_takes_a_str),
        cmocka_unit_test(test_well_formed_utf8_is_accepted),
        cmocka_unit_test(test_ascii_ends_at_the_first_other_byte),
        cmocka_unit_test(test_ill_formed_utf8_is_refused_at_its_byte),
        cmocka_unit_test(test_code_points_are_written_as_they_are_read),
        cmocka_unit_test(test_buffer_grows_by_all_its_ways),
        cmocka_unit_test(test_buffer_holds_a_large_text),
        cmocka_unit_test(test_one_of_several_words),
        cmocka_unit_test(test_the_end_of_a_text_is_in_no_set),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
