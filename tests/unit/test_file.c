#include "compiler/base/file.h"

#include "tests/support/folder.h"

static const char *fault_of(const Folder *folder, const char *path, size_t size_max) {
    Str text = STR("untouched");
    const char *fault = file_read(folder->arena, str_of(path), size_max, &text);
    assert_int_equal(text.len, 0);
    return fault;
}

static void test_a_file_is_read_whole(void **state) {
    put_file(*state, "a", "one\ntwo");
    put_file(*state, "empty", "");

    assert_file(*state, "a", "one\ntwo");
    assert_file(*state, "empty", "");
}

static void test_a_file_may_be_as_large_as_the_limit_and_no_larger(void **state) {
    const Folder *folder = *state;
    Str text;
    put_file(folder, "a", "12345");

    assert_null(file_read(folder->arena, str_of(inside(folder, "a")), 5, &text));
    assert_text(text, "12345");
    assert_ptr_equal(fault_of(folder, inside(folder, "a"), 4), FILE_TOO_LARGE);
}

static void test_a_file_without_a_size_is_read_and_limited(void **state) {
    const Folder *folder = *state;
    Str text;

    assert_null(file_read(folder->arena, STR("/proc/self/status"), 1 << 20, &text));
    assert_true(text.len > 0);
    assert_ptr_equal(fault_of(folder, "/proc/self/status", 10), FILE_TOO_LARGE);
}

static void test_what_is_no_file_is_refused_without_waiting(void **state) {
    const Folder *folder = *state;
    assert_int_equal(mkfifo(inside(folder, "pipe"), 0600), 0);

    assert_string_equal(fault_of(folder, inside(folder, "pipe"), 10), "it is a pipe, not a regular file");
    assert_string_equal(fault_of(folder, folder->path, 10), "it is a directory");
    assert_string_equal(fault_of(folder, "/dev/zero", 10), "it is a device, not a regular file");
}

static void test_a_missing_file_says_so_in_lower_case(void **state) {
    const Folder *folder = *state;

    assert_string_equal(fault_of(folder, inside(folder, "none"), 10), "no such file or directory");
    assert_string_equal(fault_of(folder, "", 10), "no such file or directory");
}

static void test_a_path_with_a_zero_byte_is_not_cut_there(void **state) {
    const Folder *folder = *state;
    put_file(folder, "a", "x");
    const Str path = str_format(folder->arena, "%s%cb", inside(folder, "a"), 0);
    Str text;

    assert_string_equal(file_read(folder->arena, path, 10, &text), "no such file or directory");
}

static void test_a_target_is_what_links_lead_to(void **state) {
    const Folder *folder = *state;
    Str directory;
    Str name;
    assert_int_equal(mkdir(inside(folder, "real"), 0700), 0);
    put_file(folder, "real/a", "x");
    assert_int_equal(symlink("real/a", inside(folder, "link")), 0);

    assert_null(file_target(folder->arena, str_of(inside(folder, "link")), &directory, &name));

    assert_text(name, "a");
    assert_true(str_ends_with(directory, STR("/real")));
}

static void test_only_a_file_that_is_there_is_a_target(void **state) {
    const Folder *folder = *state;
    Str directory;
    Str name;

    assert_non_null(file_target(folder->arena, str_of(inside(folder, "none")), &directory, &name));
    assert_non_null(file_target(folder->arena, STR_NONE, &directory, &name));
    assert_string_equal(file_target(folder->arena, str_of(folder->path), &directory, &name), "it is a directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_file_is_read_whole),
        TEST(test_a_file_may_be_as_large_as_the_limit_and_no_larger),
        TEST(test_a_file_without_a_size_is_read_and_limited),
        TEST(test_what_is_no_file_is_refused_without_waiting),
        TEST(test_a_missing_file_says_so_in_lower_case),
        TEST(test_a_path_with_a_zero_byte_is_not_cut_there),
        TEST(test_a_target_is_what_links_lead_to),
        TEST(test_only_a_file_that_is_there_is_a_target),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
