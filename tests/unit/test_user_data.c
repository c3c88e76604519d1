#include "compiler/plan/model/user_data.h"

#include "tests/support/check.h"

static int make(void **state) {
    *state = arena_create();
    return 0;
}

static int drop(void **state) {
    arena_destroy(*state);
    return 0;
}

// The commands that are started, without the blanks around them, a line for each.
static Str started(Arena *arena, const char *text) {
    const PlanUserData data = { .written = str_of(text), .is_whole = true };
    const Str all = user_data_started(arena, &data);
    StrBuf out = { .arena = arena };
    assert_int_equal(all.len, strlen(text));
    for (size_t at = 0; at < all.len; at = shell_next_line(all, at)) {
        const Str line = shell_trimmed_line(all, at);
        const Str words = str_trim(line);
        if (words.len > 0) {
            strbuf_add_format(&out, "%.*s;", STR_ARG(words));
        }
    }
    return strbuf_str(&out);
}

static void test_a_unit_says_what_it_starts(void **state) {
    assert_text(started(*state,
                        "#!/bin/bash\ncat >/etc/a.service <<EOF\n[Service]\nExecStart=-/usr/bin/a --b \\\n  --c\n"
                        "ExecStop=/usr/bin/d\nEOF\n"),
                "/usr/bin/a --b \\;--c;");
}

static void test_cloud_init_starts_what_runcmd_lists(void **state) {
    assert_text(started(*state,
                        "#cloud-config\nruncmd:\n  - a --b\n- \"c d\"\n  - [e, 'f', g]\n  - >-\n    h\npackages:\n"
                        "  - i\nbootcmd:\n  - j"),
                "a --b;c d;e   f   g;j;");
}

static void test_a_script_without_a_unit_starts_none(void **state) {
    assert_text(started(*state, "#!/bin/bash\nruncmd:\n  - a\n"), "");
    assert_text(started(*state, ""), "");
    assert_text(started(*state, "ExecStart="), "");
    assert_text(started(*state, "#cloud-config\nruncmd:\n- "), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_unit_says_what_it_starts, make, drop),
        cmocka_unit_test_setup_teardown(test_cloud_init_starts_what_runcmd_lists, make, drop),
        cmocka_unit_test_setup_teardown(test_a_script_without_a_unit_starts_none, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
