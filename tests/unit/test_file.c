#include "compiler/base/file.h"

#include "tests/unit/check.h"

#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

// A fresh directory for each test.
typedef struct {
    Arena *arena;
    char path[64];
} Folder;

static int make_folder(void **state) {
    static const char model[] = "/tmp/dtc-test-file-XXXXXX";
    Folder *folder = calloc(1, sizeof(*folder));
    memcpy(folder->path, model, sizeof(model));
    folder->arena = arena_create();
    *state = folder;
    return mkdtemp(folder->path) == NULL ? -1 : 0;
}

static const char *inside(const Folder *folder, const char *name) {
    return str_c(folder->arena, str_format(folder->arena, "%s/%s", folder->path, name));
}

static void remove_all(const Folder *folder, const char *path) {
    DIR *directory = opendir(path);
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        const Str name = str_of(entry->d_name);
        const char *below = str_c(folder->arena, str_format(folder->arena, "%s/%s", path, entry->d_name));
        struct stat status;
        if (str_is(name, ".") || str_is(name, "..") || lstat(below, &status) != 0) {
            continue;
        }
        if (S_ISDIR(status.st_mode)) {
            remove_all(folder, below);
        } else {
            unlink(below);
        }
    }
    closedir(directory);
    rmdir(path);
}

static int drop_folder(void **state) {
    Folder *folder = *state;
    remove_all(folder, folder->path);
    arena_destroy(folder->arena);
    free(folder);
    return 0;
}

static void put_file(const Folder *folder, const char *name, const char *content) {
    FILE *file = fopen(inside(folder, name), "w");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_file(const Folder *folder, const char *name, const char *content) {
    Str text;
    assert_null(file_read(folder->arena, str_of(inside(folder, name)), 1000, &text));
    assert_text(text, content);
}

static int count_names(const Folder *folder, const char *path) {
    DIR *directory = opendir(path[0] == '/' ? path : inside(folder, path));
    assert_non_null(directory);
    int count = -2; // without `.` and `..`
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count;
}

static const char *fault_of(const Folder *folder, const char *path, size_t size_max) {
    Str text = STR("untouched");
    const char *fault = file_read(folder->arena, str_of(path), size_max, &text);
    assert_int_equal(text.len, 0);
    return fault;
}

// ---- reading ---------------------------------------------------------------------------------------------------

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

// ---- writing ---------------------------------------------------------------------------------------------------

static void test_nothing_is_there_before_the_commit(void **state) {
    const Folder *folder = *state;
    put_file(folder, "a", "old");
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    assert_null(file_stage(files, STR("a"), STR("new a")));
    assert_null(file_stage(files, STR("b"), STR("new b")));

    assert_file(folder, "a", "old");
    assert_int_not_equal(access(inside(folder, "b"), F_OK), 0);
    assert_null(files_commit(files));
    assert_file(folder, "a", "new a");
    assert_file(folder, "b", "new b");
    assert_int_equal(count_names(folder, folder->path), 2);
}

static void test_an_abort_leaves_all_as_it_was(void **state) {
    const Folder *folder = *state;
    put_file(folder, "a", "old");
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    file_stage(files, STR("a"), STR("new"));
    file_stage(files, STR("b"), STR("new"));
    files_abort(files);

    assert_file(folder, "a", "old");
    assert_int_equal(count_names(folder, folder->path), 1);
}

static void test_a_directory_is_made_with_what_is_above_it(void **state) {
    const Folder *folder = *state;
    FileSet *files = files_open(folder->arena, str_of(inside(folder, "x/y/")));

    assert_null(file_stage(files, STR("a"), STR("text")));
    assert_null(files_commit(files));

    assert_file(folder, "x/y/a", "text");
}

static void test_an_abort_removes_the_directories_that_were_made(void **state) {
    const Folder *folder = *state;
    assert_int_equal(mkdir(inside(folder, "there"), 0700), 0);
    FileSet *files = files_open(folder->arena, str_of(inside(folder, "there/x/y")));

    file_stage(files, STR("a"), STR("text"));
    files_abort(files);

    assert_int_equal(count_names(folder, "there"), 0);
}

// More than are synced one by one.
static void stage_many(const Folder *folder, FileSet *files) {
    for (int i = 0; i < 100; i++) {
        const Str name = str_format(folder->arena, "f%d", i);
        assert_null(file_stage(files, name, name));
    }
}

static void test_many_files_are_all_there_or_none(void **state) {
    const Folder *folder = *state;
    FileSet *files = files_open(folder->arena, str_of(inside(folder, "new")));

    stage_many(folder, files);
    files_abort(files);
    assert_int_equal(count_names(folder, folder->path), 0);

    stage_many(folder, files);
    assert_null(files_commit(files));
    assert_int_equal(count_names(folder, "new"), 100);
    assert_file(folder, "new/f0", "f0");
    assert_file(folder, "new/f99", "f99");
}

static void test_a_directory_is_new_until_it_is_made(void **state) {
    const Folder *folder = *state;
    FileSet *files = files_open(folder->arena, str_of(inside(folder, "new")));

    assert_true(files_is_new(files));
    assert_null(file_stage(files, STR("a"), STR("x")));
    assert_false(files_is_new(files));
    files_abort(files);
    assert_true(files_is_new(files));
}

static void test_opening_alone_makes_nothing(void **state) {
    const Folder *folder = *state;

    FileSet *files = files_open(folder->arena, str_of(inside(folder, "x")));
    assert_null(files_commit(files));
    files_abort(files);

    assert_int_equal(count_names(folder, folder->path), 0);
}

static void test_files_are_for_everybody_whom_the_umask_lets(void **state) {
    const Folder *folder = *state;
    const mode_t mask = umask(027);
    FileSet *files = files_open(folder->arena, str_of(folder->path));
    struct stat status;

    file_stage(files, STR("a"), STR("text"));
    files_commit(files);
    umask(mask);

    assert_int_equal(stat(inside(folder, "a"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
}

static void test_a_name_stays_in_the_directory(void **state) {
    const Folder *folder = *state;
    FileSet *files = files_open(folder->arena, str_of(folder->path));
    static const char *const names[] = { "", ".", "..", "../a", "a/b", "/a" };

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_string_equal(file_stage(files, str_of(names[i]), STR("x")), "the name is no name of a file");
    }

    assert_int_equal(count_names(folder, folder->path), 0);
}

static void test_a_directory_in_the_way_stops_all_files(void **state) {
    const Folder *folder = *state;
    assert_int_equal(mkdir(inside(folder, "b"), 0700), 0);
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    file_stage(files, STR("a"), STR("text"));
    file_stage(files, STR("b"), STR("text"));
    const Str fault = str_of(files_commit(files));

    assert_true(str_ends_with(fault, STR("/b` is a directory")));
    assert_int_equal(count_names(folder, folder->path), 1);
}

static void test_a_link_is_replaced_not_followed(void **state) {
    const Folder *folder = *state;
    put_file(folder, "target", "old");
    assert_int_equal(symlink("target", inside(folder, "a")), 0);
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    file_stage(files, STR("a"), STR("new"));
    assert_null(files_commit(files));

    assert_file(folder, "target", "old");
    assert_file(folder, "a", "new");
}

static void test_a_file_where_the_directory_is_to_be_is_a_fault(void **state) {
    const Folder *folder = *state;
    put_file(folder, "out", "x");
    FileSet *files = files_open(folder->arena, str_of(inside(folder, "out")));

    assert_string_equal(file_stage(files, STR("a"), STR("text")), "not a directory");
    files_abort(files);

    assert_file(folder, "out", "x");
}

static void test_an_interrupt_before_the_commit_leaves_all_as_it_was(void **state) {
    const Folder *folder = *state;
    put_file(folder, "a", "old");
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    file_stage(files, STR("a"), STR("new"));
    raise(SIGINT);
    assert_true(files_interrupted());
    assert_string_equal(files_commit(files), "interrupted");

    assert_file(folder, "a", "old");
    assert_int_equal(count_names(folder, folder->path), 1);
}

static void test_an_interrupt_stops_the_staging(void **state) {
    const Folder *folder = *state;
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    assert_null(file_stage(files, STR("a"), STR("new")));
    raise(SIGINT);
    assert_string_equal(file_stage(files, STR("b"), STR("new")), "interrupted");
    files_abort(files);

    assert_int_equal(count_names(folder, folder->path), 0);
}

static void test_signals_are_given_back(void **state) {
    const Folder *folder = *state;
    FileSet *files = files_open(folder->arena, str_of(folder->path));
    struct sigaction before;
    struct sigaction during;
    struct sigaction after;
    sigaction(SIGTERM, NULL, &before);

    file_stage(files, STR("a"), STR("text"));
    sigaction(SIGTERM, NULL, &during);
    files_commit(files);
    sigaction(SIGTERM, NULL, &after);

    assert_true(before.sa_handler != during.sa_handler);
    assert_true(before.sa_handler == after.sa_handler);
    assert_false(files_interrupted());
}

static mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode;
}

static void test_a_file_is_replaced_where_it_is(void **state) {
    const Folder *folder = *state;
    put_file(folder, "a", "old");
    const char *path = inside(folder, "a");
    assert_int_equal(chmod(path, 0604), 0);
    FileSet *files = files_open(folder->arena, STR("."));

    assert_null(file_stage_over(files, str_of(path), STR("new")));
    assert_null(files_commit(files));

    Str text;
    assert_null(file_read(folder->arena, str_of(path), 100, &text));
    assert_text(text, "new");
    assert_int_equal(mode_of(path) & 07777, 0604);
    assert_int_equal(count_names(folder, folder->path), 1);
}

static void test_a_link_to_a_replaced_file_stays(void **state) {
    const Folder *folder = *state;
    put_file(folder, "a", "old");
    assert_int_equal(symlink("a", inside(folder, "link")), 0);
    FileSet *files = files_open(folder->arena, STR("."));

    assert_null(file_stage_over(files, str_of(inside(folder, "link")), STR("new")));
    assert_null(files_commit(files));

    Str text;
    assert_true(S_ISLNK(mode_of(inside(folder, "link"))));
    assert_null(file_read(folder->arena, str_of(inside(folder, "a")), 100, &text));
    assert_text(text, "new");
}

static void test_only_a_file_that_is_there_is_replaced(void **state) {
    const Folder *folder = *state;
    FileSet *files = files_open(folder->arena, STR("."));

    assert_non_null(file_stage_over(files, str_of(inside(folder, "none")), STR("new")));
    assert_string_equal(file_stage_over(files, str_of(folder->path), STR("new")), "it is a directory");
    assert_non_null(file_stage_over(files, STR_NONE, STR("new")));
    files_abort(files);

    assert_int_equal(count_names(folder, folder->path), 0);
}

static void test_an_abort_keeps_what_was_to_be_replaced(void **state) {
    const Folder *folder = *state;
    put_file(folder, "a", "old");
    FileSet *files = files_open(folder->arena, STR("."));
    assert_null(file_stage_over(files, str_of(inside(folder, "a")), STR("new")));

    files_abort(files);

    Str text;
    assert_null(file_read(folder->arena, str_of(inside(folder, "a")), 100, &text));
    assert_text(text, "old");
    assert_int_equal(count_names(folder, folder->path), 1);
}

static void test_removing_what_is_not_there_is_fine(void **state) {
    const Folder *folder = *state;
    put_file(folder, "a", "x");
    FileSet *files = files_open(folder->arena, str_of(folder->path));
    FileSet *nowhere = files_open(folder->arena, str_of(inside(folder, "none")));

    assert_null(file_remove(files, STR("a")));
    assert_null(file_remove(files, STR("a")));
    assert_null(file_remove(nowhere, STR("a")));
    assert_string_equal(file_remove(files, STR("../a")), "the name is no name of a file");

    assert_int_equal(count_names(folder, folder->path), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)

int main(void) {
    signal(SIGINT, SIG_DFL); // a shell makes its background jobs deaf to it, and dtc then leaves it alone
    const struct CMUnitTest tests[] = {
        TEST(test_a_file_is_read_whole),
        TEST(test_a_file_may_be_as_large_as_the_limit_and_no_larger),
        TEST(test_a_file_without_a_size_is_read_and_limited),
        TEST(test_what_is_no_file_is_refused_without_waiting),
        TEST(test_a_missing_file_says_so_in_lower_case),
        TEST(test_a_path_with_a_zero_byte_is_not_cut_there),
        TEST(test_nothing_is_there_before_the_commit),
        TEST(test_an_abort_leaves_all_as_it_was),
        TEST(test_a_directory_is_made_with_what_is_above_it),
        TEST(test_an_abort_removes_the_directories_that_were_made),
        TEST(test_many_files_are_all_there_or_none),
        TEST(test_a_directory_is_new_until_it_is_made),
        TEST(test_opening_alone_makes_nothing),
        TEST(test_files_are_for_everybody_whom_the_umask_lets),
        TEST(test_a_name_stays_in_the_directory),
        TEST(test_a_directory_in_the_way_stops_all_files),
        TEST(test_a_link_is_replaced_not_followed),
        TEST(test_a_file_where_the_directory_is_to_be_is_a_fault),
        TEST(test_an_interrupt_before_the_commit_leaves_all_as_it_was),
        TEST(test_an_interrupt_stops_the_staging),
        TEST(test_signals_are_given_back),
        TEST(test_a_file_is_replaced_where_it_is),
        TEST(test_a_link_to_a_replaced_file_stays),
        TEST(test_only_a_file_that_is_there_is_replaced),
        TEST(test_an_abort_keeps_what_was_to_be_replaced),
        TEST(test_removing_what_is_not_there_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
