#include "compiler/driver/render/display.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static Str shown(Arena *arena, Str text, size_t from, size_t to) {
    StrBuf buffer = { .arena = arena };
    display_add(&buffer, text, from, to);
    return strbuf_str(&buffer);
}

static void test_columns_are_what_a_terminal_takes(void **state) {
    (void)state;
    assert_int_equal(display_columns(STR_NONE), 0);
    assert_int_equal(display_columns(STR("abc")), 3);
    assert_int_equal(display_columns(STR("\t")), 1);
    assert_int_equal(display_columns(STR("\xC3\xA9")), 1);
    assert_int_equal(display_columns(STR("e\xCC\x81")), 1);
    assert_int_equal(display_columns(STR("\xE6\x97\xA5")), 2);
    assert_int_equal(display_columns(STR("\xF0\x9F\x98\x80")), 2);
    assert_int_equal(display_columns(STR("\xFF\xFE")), 2);
}

static void test_a_part_of_a_text_is_cut_at_columns(void **state) {
    assert_text(shown(*state, STR("abcdef"), 1, 3), "bc");
    assert_text(shown(*state, STR("abc"), 0, SIZE_MAX), "abc");
    assert_text(shown(*state, STR("abc"), 3, 9), "");
}

static void test_half_of_a_wide_character_is_a_blank(void **state) {
    assert_text(shown(*state, STR("a\xE6\x97\xA5z"), 2, 4), " z");
    assert_text(shown(*state, STR("a\xE6\x97\xA5z"), 0, 2), "a ");
}

static void test_nothing_reaches_the_terminal_as_a_command(void **state) {
    for (uint32_t c = 0; c < 0xA0; c++) {
        StrBuf text = { .arena = *state };
        strbuf_add_utf8(&text, c);

        const Str safe = shown(*state, strbuf_str(&text), 0, SIZE_MAX);

        const bool is_control = (c < 0x20 && c != '\t') || c >= 0x7F;
        assert_int_equal(str_equal(safe, STR("\xEF\xBF\xBD")), is_control);
    }
}

static void test_the_direction_of_writing_cannot_be_turned(void **state) {
    assert_text(shown(*state, STR("\xE2\x80\xAE\xE2\x81\xA6"), 0, SIZE_MAX), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

// `before`, `count` letters, `behind`.
static Str letters(Arena *arena, const char *before, size_t count, const char *behind) {
    StrBuf text = { .arena = arena };
    strbuf_add(&text, str_of(before));
    strbuf_add_repeated(&text, 'a', count);
    strbuf_add(&text, str_of(behind));
    return strbuf_str(&text);
}

// The same with the gap that a text cut to `columns` has.
static Str cut_letters(Arena *arena, const char *before, size_t columns, const char *behind) {
    const size_t first = columns / 3 * 2;
    const Str start = letters(arena, before, first, "…");
    const Str end = letters(arena, "", columns - first - 1, behind);
    return str_format(arena, "%.*s%.*s", STR_ARG(start), STR_ARG(end));
}

static void test_long_quoted_texts_of_a_message_are_cut(void **state) {
    Arena *arena = *state;
    const Str whole = letters(arena, "`", 120, "` is no \"zone\"");
    assert_true(str_equal(display_message(arena, whole, 120), whole));

    const struct {
        const char *before;
        const char *behind;
    } frames[] = {
        { "`", "` is no zone" },
        { "\"", "\" is no zone" },
        { "\"\\\"", "\\\"\" is no zone" },
        { "x `a` `", "`\n\"next" },
    };
    for (size_t i = 0; i < COUNT_OF(frames); i++) {
        const Str shown_text = display_message(arena, letters(arena, frames[i].before, 5000, frames[i].behind), 120);
        assert_true(shown_text.len < 170);
        assert_true(str_starts_with(shown_text, str_of(frames[i].before)));
        assert_true(str_ends_with(shown_text, str_of(frames[i].behind)));
    }
    assert_true(str_equal(display_message(arena, letters(arena, "`", 5000, "` is no zone"), 120),
                          cut_letters(arena, "`", 120, "` is no zone")));
}

static void test_a_long_line_of_a_message_is_cut_whatever_stands_in_it(void **state) {
    Arena *arena = *state;
    const char *units[] = { "w ", "`x` ", "\\\"", "\"", "`" };
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        StrBuf text = { .arena = arena };
        for (size_t k = 0; k < 5000; k++) {
            strbuf_add(&text, str_of(units[i]));
        }
        assert_true(display_columns(display_message(arena, strbuf_str(&text), 120)) <= 1000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_columns_are_what_a_terminal_takes),
        cmocka_unit_test(test_a_part_of_a_text_is_cut_at_columns),
        cmocka_unit_test(test_half_of_a_wide_character_is_a_blank),
        cmocka_unit_test(test_nothing_reaches_the_terminal_as_a_command),
        cmocka_unit_test(test_the_direction_of_writing_cannot_be_turned),
        cmocka_unit_test(test_long_quoted_texts_of_a_message_are_cut),
        cmocka_unit_test(test_a_long_line_of_a_message_is_cut_whatever_stands_in_it),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
