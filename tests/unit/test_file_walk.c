#include "compiler/base/file_walk.h"

#include "tests/support/folder.h"

static bool is_text(Str name) {
    return str_ends_with(name, STR(".txt"));
}

static void make(const Folder *folder, const char *name) {
    assert_int_equal(mkdir(inside(folder, name), 0755), 0);
}

// Root may read everything.
static void become(uid_t user) {
    if (getuid() == 0) {
        assert_int_equal(seteuid(user), 0);
    }
}

static void test_a_folder_that_cannot_be_read_hides_no_other(void **state) {
    enum { NOBODY = 65534 };
    const Folder *folder = *state;
    FileWalk walk = { .is_wanted = is_text };
    assert_int_equal(chmod(inside(folder, "."), 0755), 0);
    make(folder, "all");
    make(folder, "all/locked");
    make(folder, "all/open");
    put_file(folder, "all/locked/a.txt", "a");
    put_file(folder, "all/open/b.txt", "b");
    assert_int_equal(chmod(inside(folder, "all/locked"), 0), 0);

    become(NOBODY);
    file_walk(folder->arena, str_of(inside(folder, "all")), &walk);
    become(0);

    assert_int_equal(chmod(inside(folder, "all/locked"), 0755), 0);
    assert_int_equal(walk.paths.count, 1);
    assert_text(walk.paths.items[0], inside(folder, "all/open/b.txt"));
    assert_int_equal(walk.faults.count, 1);
    assert_text(walk.faults.items[0].folder, inside(folder, "all/locked"));
    assert_string_equal(walk.faults.items[0].why, "permission denied");
}

static bool is_vendor(Str name) {
    return str_is(name, "vendor");
}

static void test_a_folder_that_is_left_is_named_and_not_entered(void **state) {
    const Folder *folder = *state;
    FileWalk walk = { .is_wanted = is_text, .is_left = is_vendor };
    make(folder, "tree");
    make(folder, "tree/vendor");
    put_file(folder, "tree/a.txt", "a");
    put_file(folder, "tree/vendor/b.txt", "b");

    file_walk(folder->arena, str_of(inside(folder, "tree")), &walk);
    assert_int_equal(walk.paths.count, 1);
    assert_text(walk.paths.items[0], inside(folder, "tree/a.txt"));
    assert_int_equal(walk.left.count, 1);
    assert_text(walk.left.items[0], inside(folder, "tree/vendor"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_folder_that_cannot_be_read_hides_no_other),
        TEST(test_a_folder_that_is_left_is_named_and_not_entered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
