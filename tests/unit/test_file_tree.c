#include "compiler/base/file_tree.h"

#include "compiler/base/sha256.h"
#include "tests/support/folder.h"

// "src/a.py src/b/c": the paths of all files under `name`.
static Str paths_of(const Folder *folder, const char *name, FileTree *tree) {
    *tree = (FileTree){ .arena = folder->arena };
    StrBuf text = { .arena = folder->arena };
    Str at;
    assert_null(file_tree_add(tree, str_of(inside(folder, name)), str_of(name), &at));
    for (uint32_t i = 0; i < tree->files.count; i++) {
        strbuf_add_format(&text, "%s%.*s", i == 0 ? "" : " ", STR_ARG(tree->files.items[i].path));
    }
    return strbuf_str(&text);
}

static const char *fault_of(const Folder *folder, const char *name, Str *at) {
    FileTree tree = { .arena = folder->arena };
    return file_tree_add(&tree, str_of(inside(folder, name)), str_of(name), at);
}

static void make(const Folder *folder, const char *name) {
    assert_int_equal(mkdir(inside(folder, name), 0700), 0);
}

static void test_a_file_has_its_sum_and_says_whether_it_runs(void **state) {
    const Folder *folder = *state;
    FileTree tree;
    put_file(folder, "a", "one");
    put_file(folder, "b", "two");
    assert_int_equal(chmod(inside(folder, "b"), 0700), 0);

    assert_text(paths_of(folder, "a", &tree), "a");
    assert_true(str_equal(tree.files.items[0].sha256, sha256_text(folder->arena, STR("one"))));
    assert_false(tree.files.items[0].is_executable);
    assert_int_equal(tree.bytes, 3);
    assert_text(paths_of(folder, "b", &tree), "b");
    assert_true(tree.files.items[0].is_executable);
}

static void test_a_file_larger_than_a_block_has_the_sum_of_all_of_it(void **state) {
    enum { LENGTH = 200 * 1000 };
    const Folder *folder = *state;
    FileTree tree;
    char *text = arena_alloc(folder->arena, LENGTH + 1);
    memset(text, 'x', LENGTH);
    text[LENGTH] = '\0';
    put_file(folder, "a", text);

    (void)paths_of(folder, "a", &tree);

    assert_true(str_equal(tree.files.items[0].sha256, sha256_text(folder->arena, str_of(text))));
}

static void test_a_folder_is_read_in_the_order_of_its_names(void **state) {
    const Folder *folder = *state;
    FileTree tree;
    make(folder, "src");
    make(folder, "src/b");
    put_file(folder, "src/c", "");
    put_file(folder, "src/b/z", "");
    put_file(folder, "src/B", "");
    put_file(folder, "src/a b", "");

    assert_text(paths_of(folder, "src", &tree), "src/B src/a b src/b/z src/c");
}

static void test_what_programs_keep_for_themselves_is_left_out(void **state) {
    const Folder *folder = *state;
    FileTree tree;
    make(folder, "src");
    make(folder, "src/.git");
    make(folder, "src/__pycache__");
    put_file(folder, "src/.git/config", "");
    put_file(folder, "src/__pycache__/a", "");
    put_file(folder, "src/.DS_Store", "");
    put_file(folder, "src/.gitignore", "");

    assert_text(paths_of(folder, "src", &tree), "src/.gitignore");
}

static void test_what_is_no_file_is_named(void **state) {
    const Folder *folder = *state;
    Str at;
    make(folder, "links");
    assert_int_equal(symlink("/etc/passwd", inside(folder, "links/b")), 0);
    make(folder, "pipes");
    assert_int_equal(mkfifo(inside(folder, "pipes/p"), 0600), 0);
    make(folder, "names");
    put_file(folder, "names/a\nb", "");
    make(folder, "bytes");
    put_file(folder, "bytes/\xff", "");

    assert_string_equal(fault_of(folder, "links", &at), "it is a symbolic link");
    assert_text(at, "links/b");
    assert_string_equal(fault_of(folder, "pipes", &at), "it is a pipe, not a regular file");
    assert_string_equal(fault_of(folder, "names", &at), "its name has control characters");
    assert_string_equal(fault_of(folder, "bytes", &at), "its name is not UTF-8");
    assert_string_equal(fault_of(folder, "none", &at), "no such file or directory");
}

static void test_folders_are_nested_to_a_limit(void **state) {
    const Folder *folder = *state;
    Str at;
    StrBuf path = { .arena = folder->arena };
    strbuf_add(&path, STR("d"));
    make(folder, "d");
    for (int i = 0; i < TREE_DEPTH_MAX; i++) {
        strbuf_add(&path, STR("/d"));
        make(folder, str_c(folder->arena, strbuf_str(&path)));
    }

    assert_string_equal(fault_of(folder, "d", &at), "its folders are nested too deep");
    assert_null(fault_of(folder, "d/d", &at));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_file_has_its_sum_and_says_whether_it_runs),
        TEST(test_a_file_larger_than_a_block_has_the_sum_of_all_of_it),
        TEST(test_a_folder_is_read_in_the_order_of_its_names),
        TEST(test_what_programs_keep_for_themselves_is_left_out),
        TEST(test_what_is_no_file_is_named),
        TEST(test_folders_are_nested_to_a_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
