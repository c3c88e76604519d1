#include "compiler/base/overlay.h"

#include "tests/support/check.h"

#include <unistd.h>

static int make_arena(void **state) {
    *state = arena_create();
    return 0;
}

static int drop_arena(void **state) {
    arena_destroy(*state);
    return 0;
}

static Overlay overlay_of(Arena *arena, Str path, const char *text) {
    Overlay overlay = { 0 };
    const StandIn stand_in = { .path = path, .text = str_of(text) };
    vec_push(arena, &overlay, stand_in);
    return overlay;
}

static void test_a_path_need_not_exist(void **state) {
    const Overlay overlay = overlay_of(*state, STR("/none/infra.dt"), "dt 1\n");

    const Str *found = overlay_find(*state, &overlay, STR("/none/infra.dt"));

    assert_non_null(found);
    assert_text(*found, "dt 1\n");
}

static void test_other_files_are_read(void **state) {
    const Overlay overlay = overlay_of(*state, STR("/none/infra.dt"), "dt 1\n");

    assert_null(overlay_find(*state, &overlay, STR("/none/other.dt")));
    assert_null(overlay_find(*state, NULL, STR("/none/infra.dt")));
}

static void test_a_file_is_the_same_by_another_path(void **state) {
    char folder[] = "/tmp/dtc-test-overlay-XXXXXX";
    assert_non_null(mkdtemp(folder));
    const Str file = str_format(*state, "%s/a.dt", folder);
    const Str link = str_format(*state, "%s/b.dt", folder);
    assert_int_equal(fclose(fopen(str_c(*state, file), "w")), 0);
    assert_int_equal(symlink("a.dt", str_c(*state, link)), 0);
    const Overlay overlay = overlay_of(*state, file, "dt 1\n");

    const Str *found = overlay_find(*state, &overlay, link);
    const Str *dotted = overlay_find(*state, &overlay, str_format(*state, "%s/./a.dt", folder));

    unlink(str_c(*state, file));
    unlink(str_c(*state, link));
    rmdir(folder);
    assert_non_null(found);
    assert_non_null(dotted);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_arena, drop_arena)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_path_need_not_exist),
        TEST(test_other_files_are_read),
        TEST(test_a_file_is_the_same_by_another_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
