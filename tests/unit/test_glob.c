#include "compiler/base/glob.h"

#include "tests/support/check.h"

typedef struct {
    const char *glob;
    const char *path;
    bool matches;
} Row;

static void test_globs_match_what_they_say(void **state) {
    (void)state;
    static const Row rows[] = {
        { "a.yaml", "a.yaml", true },
        { "a.yaml", "x/y/a.yaml", true },
        { "*.yaml", "x/a.yaml", true },
        { "*.yaml", "x/a.yaml.json", false },
        { "x/*.yaml", "x/a.yaml", true },
        { "x/*.yaml", "x/y/a.yaml", false },
        { "x/**", "x/y/a.yaml", true },
        { "x/**", "xy/a.yaml", false },
        { "x/", "x/y/a.yaml", true },
        { "x/", "x", false },
        { "x/**/a.yaml", "x/a.yaml", true },
        { "x/**/a.yaml", "x/y/z/a.yaml", true },
        { "x/**/a.yaml", "x/ba.yaml", false },
        { "**/x/*", "x/a", true },
        { "**/x/*", "y/z/x/a", true },
        { "**", "y/z", true },
        { "?.yaml", "\xC3\xA9.yaml", true },
        { "??.yaml", "\xC3\xA9.yaml", false },
        { "x?y/a", "x/y/a", false },
        { "", "", true },
        { "*", "", true },
        { "?", "", false },
        { "a*b*c", "aXbXbXc", true },
        { "a*b*c", "aXbXbXd", false },
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const bool matches = glob_matches(arena, str_of(rows[i].glob), str_of(rows[i].path));
        if (matches != rows[i].matches) {
            fail_msg("glob %s, path %s", rows[i].glob, rows[i].path);
        }
    }
    arena_destroy(arena);
}

static void test_many_stars_take_no_longer(void **state) {
    (void)state;
    Arena *arena = arena_create();
    StrBuf glob = { .arena = arena };
    StrBuf path = { .arena = arena };
    for (int i = 0; i < 500; i++) {
        strbuf_add(&glob, STR("*a"));
        strbuf_add(&path, STR("aa"));
    }
    strbuf_add_char(&path, 'b');

    assert_false(glob_matches(arena, strbuf_str(&glob), strbuf_str(&path)));
    arena_destroy(arena);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_globs_match_what_they_say),
        cmocka_unit_test(test_many_stars_take_no_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
