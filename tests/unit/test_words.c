#include "compiler/base/words.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static void test_words_are_whole_and_have_their_case(void **state) {
    (void)state;
    assert_true(words_have(STR("One|Other"), STR("One")));
    assert_true(words_have(STR("One|Other"), STR("Other")));
    assert_false(words_have(STR("One|Other"), STR("Oth")));
    assert_false(words_have(STR("One|Other"), STR("one")));
    assert_false(words_have(STR_NONE, STR_NONE));
}

static void test_a_list_has_each_word_once_in_any_case(void **state) {
    assert_text(words_list(*state, STR("RETRY|EXIT|retry|exit")), "`RETRY`, `EXIT`");
    assert_text(words_list(*state, STR_NONE), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, drop_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_words_are_whole_and_have_their_case),
        TEST(test_a_list_has_each_word_once_in_any_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
