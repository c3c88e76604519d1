#include "compiler/driver/lint/help_words.h"

#include "tests/support/check.h"

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static void assert_words(Arena *arena, const char *yaml, const char *source) {
    assert_text(help_in_source_words(arena, str_of(yaml)), source);
}

static void test_an_entry_has_the_sign_of_the_language(void **state) {
    assert_words(*state, "write `replicas: 1`", "write `replicas = 1`");
    assert_words(*state, "write `restartPolicy: Never` in it", "write `restartPolicy = \"Never\"` in it");
    assert_words(*state, "write `Enabled: false`, or `Count: -1`", "write `Enabled = false`, or `Count = -1`");
}

static void test_maps_and_lists_are_rewritten_inside(void **state) {
    assert_words(*state, "`claims: [{name: channel, n: 2}]`", "`claims = [{ name = \"channel\", n = 2 }]`");
    assert_words(*state, "`{ Name: \"memlock\", Soft: -1 }`", "`{ Name = \"memlock\", Soft = -1 }`");
    assert_words(*state, "`limits: {nvidia.com/gpu: 4}`", "`limits = { \"nvidia.com/gpu\" = 4 }`");
}

static void test_an_exception_is_an_allow(void **state) {
    assert_words(*state, "write `# dtc-allow: DT0305 …`", "write `allow DT0305, \"…\"`");
}

static void test_what_is_no_entry_stays(void **state) {
    static const char *const TEXTS[] = {
        "no text at all",
        "one `that is open",
        "`Fn::Split` of `Fn::Join`",
        "`Version: !GetAtt Launch.LatestVersionNumber`",
        "`Content-Type: multipart/mixed; boundary=\"x\"`",
        "`a = 1`",
        "`[a, b`",
        "`{name: x`",
        "`a: [[[[[[[[[[1]]]]]]]]]]`",
        "`a: b: c`",
    };
    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        assert_words(*state, TEXTS[i], TEXTS[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_entry_has_the_sign_of_the_language),
        cmocka_unit_test(test_maps_and_lists_are_rewritten_inside),
        cmocka_unit_test(test_an_exception_is_an_allow),
        cmocka_unit_test(test_what_is_no_entry_stays),
    };
    return cmocka_run_group_tests(tests, make_arena, drop_arena);
}
