#include "compiler/base/journal.h"

#include "compiler/base/sha256.h"
#include "tests/support/check.h"

static Str two_steps(Arena *arena) {
    SetSteps steps = { 0 };
    vec_push(arena, &steps, (SetStep){ STEP_PUT, STR("a b.yaml"), sha256_text(arena, STR("a")) });
    vec_push(arena, &steps, (SetStep){ STEP_REMOVE, STR("old"), sha256_text(arena, STR("b")) });
    return journal_write(arena, &steps);
}

static void test_steps_are_read_as_they_were_written(void **state) {
    Arena *arena = *state;
    SetSteps steps;

    assert_true(journal_read(arena, two_steps(arena), &steps));

    assert_int_equal(steps.count, 2);
    assert_int_equal(steps.items[0].action, STEP_PUT);
    assert_text(steps.items[0].name, "a b.yaml");
    assert_int_equal(steps.items[1].action, STEP_REMOVE);
    assert_text(steps.items[1].name, "old");
    assert_true(str_equal(steps.items[1].sha256, sha256_text(arena, STR("b"))));
}

static void test_no_journal_is_read_that_is_cut_anywhere(void **state) {
    Arena *arena = *state;
    const Str whole = two_steps(arena);
    SetSteps steps;

    for (size_t length = 0; length < whole.len; length++) {
        assert_false(journal_read(arena, str_slice(whole, 0, length), &steps));
        assert_int_equal(steps.count, 0);
    }
}

static void test_no_journal_is_read_that_was_changed_anywhere(void **state) {
    Arena *arena = *state;
    const Str whole = two_steps(arena);
    SetSteps steps;

    for (size_t i = 0; i < whole.len; i++) {
        char *changed = arena_alloc(arena, whole.len);
        memcpy(changed, whole.data, whole.len);
        changed[i] ^= 1;
        assert_false(journal_read(arena, (Str){ .data = changed, .len = whole.len }, &steps));
    }
}

// The lines with a sum that is right.
static Str summed(Arena *arena, const char *lines) {
    return str_format(arena, "%send %.*s\n", lines, STR_ARG(sha256_text(arena, str_of(lines))));
}

static void test_a_step_leads_out_of_no_folder(void **state) {
    Arena *arena = *state;
    static const char *const names[] = { "", ".", "..", "../a", "/a", "a/b", "a\rb" };
    const Str sum = sha256_text(arena, STR("a"));
    SetSteps steps;

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const Str lines = str_format(arena, "dtc journal 1\nput %.*s %s\n", STR_ARG(sum), names[i]);
        assert_false(journal_read(arena, summed(arena, str_c(arena, lines)), &steps));
    }
}

static void test_lines_that_are_no_steps_are_refused(void **state) {
    Arena *arena = *state;
    static const char *const lines[] = {
        "dtc journal 2\n", "dtc journal 1\nput a\n", "dtc journal 1\n\n", "dtc journal 1\nmove a b\n", "",
    };
    SetSteps steps;

    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        assert_false(journal_read(arena, summed(arena, lines[i]), &steps));
    }
}

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, drop_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_steps_are_read_as_they_were_written),          TEST(test_no_journal_is_read_that_is_cut_anywhere),
        TEST(test_no_journal_is_read_that_was_changed_anywhere), TEST(test_a_step_leads_out_of_no_folder),
        TEST(test_lines_that_are_no_steps_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
