#include "compiler/base/file_set.h"

#include "compiler/base/interrupt.h"
#include "compiler/base/journal.h"
#include "compiler/base/sha256.h"
#include "tests/support/folder.h"

#include <signal.h>
#include <sys/xattr.h>

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

static void test_a_directory_is_new_where_it_is_made_for_the_set(void **state) {
    const Folder *folder = *state;
    FileSet *files = files_open(folder->arena, str_of(inside(folder, "new")));

    assert_null(files_begin(files));
    assert_true(files_is_new(files));
    assert_null(file_stage(files, STR("a"), STR("x")));
    assert_null(files_commit(files));
    assert_null(files_begin(files));
    assert_false(files_is_new(files));
    files_abort(files);
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
    static const char *const names[] = { "", ".", "..", "../a", "a/b", "/a", "a\nb", ".dtc-set" };

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        assert_string_equal(file_stage(files, str_of(names[i]), STR("x")),
                            "its name has a slash or a control character");
    }

    assert_int_equal(count_names(folder, folder->path), 0);
}

static void test_a_directory_in_the_way_stops_all_files(void **state) {
    const Folder *folder = *state;
    assert_int_equal(mkdir(inside(folder, "b"), 0700), 0);
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    assert_null(file_stage(files, STR("a"), STR("text")));
    assert_string_equal(file_stage(files, STR("b"), STR("text")), "it is a directory");
    files_abort(files);

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
    assert_true(interrupt_came());
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
    assert_false(interrupt_came());
}

// ---- looks -----------------------------------------------------------------------------------------------------

static void rewrite(const Folder *folder, const char *name, const char *content) {
    FileSet *files = files_open(folder->arena, str_of(folder->path));
    assert_null(file_stage(files, str_of(name), str_of(content)));
    assert_null(files_commit(files));
    assert_file(folder, name, content);
}

static void test_permissions_of_a_file_stay(void **state) {
    const Folder *folder = *state;
    static const mode_t modes[] = { 0600, 0400, 0755, 0604, 0666, 02750 };

    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        put_file(folder, "a", "old");
        assert_int_equal(chmod(inside(folder, "a"), modes[i]), 0);
        rewrite(folder, "a", "new");
        assert_int_equal(mode_of(inside(folder, "a")) & 07777, modes[i]);
        unlink(inside(folder, "a"));
    }
}

static void test_owner_of_a_file_stays_where_dtc_may_give_it(void **state) {
    const Folder *folder = *state;
    struct stat status;
    if (geteuid() != 0) {
        print_message("only the superuser gives files away\n");
        skip();
    }
    put_file(folder, "a", "old");
    assert_int_equal(chown(inside(folder, "a"), 1234, 4321), 0);

    rewrite(folder, "a", "new");

    assert_int_equal(stat(inside(folder, "a"), &status), 0);
    assert_int_equal(status.st_uid, 1234);
    assert_int_equal(status.st_gid, 4321);
}

// `u::rw,u:1234:r,g::-,m::r,o::-` as the kernel has it: without the list, the group would get the mask's right to read.
static void test_access_list_of_a_file_stays(void **state) {
    const Folder *folder = *state;
    static const unsigned char list[] = {
        2, 0, 0,   0,   1,   0,   6,  0, 255, 255, 255, 255, 2,   0,   4,  0, 210, 4, 0,   0,   4,   0,
        0, 0, 255, 255, 255, 255, 16, 0, 4,   0,   255, 255, 255, 255, 32, 0, 0,   0, 255, 255, 255, 255,
    };
    unsigned char after[64];
    put_file(folder, "a", "old");
    if (setxattr(inside(folder, "a"), "system.posix_acl_access", list, sizeof(list), 0) != 0) {
        print_message("the file system has no access lists\n");
        skip();
    }

    rewrite(folder, "a", "new");

    assert_int_equal(getxattr(inside(folder, "a"), "system.posix_acl_access", after, sizeof(after)), sizeof(list));
    assert_memory_equal(after, list, sizeof(list));
}

// ---- removing --------------------------------------------------------------------------------------------------

static Str sum_of(const Folder *folder, const char *content) {
    return sha256_text(folder->arena, str_of(content));
}

static void test_a_file_goes_with_the_commit(void **state) {
    const Folder *folder = *state;
    put_file(folder, "old", "x");
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    assert_null(file_remove(files, STR("old"), sum_of(folder, "x")));
    assert_file(folder, "old", "x");
    assert_null(files_commit(files));

    assert_int_equal(count_names(folder, folder->path), 0);
}

static void test_a_file_with_another_sum_stays(void **state) {
    const Folder *folder = *state;
    put_file(folder, "old", "edited");
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    assert_null(file_remove(files, STR("old"), sum_of(folder, "x")));
    assert_null(file_remove(files, STR("none"), sum_of(folder, "x")));
    assert_string_equal(file_remove(files, STR("../old"), sum_of(folder, "x")),
                        "its name has a slash or a control character");
    assert_null(files_commit(files));

    assert_file(folder, "old", "edited");
}

// ---- what a killed dtc left ------------------------------------------------------------------------------------

// Killed when `a` had its name, while `b` had not, and `old` was still there.
static void leave_half(const Folder *folder, const char *staged_b) {
    SetSteps steps = { 0 };
    vec_push(folder->arena, &steps, (SetStep){ STEP_PUT, STR("a"), sum_of(folder, "new a") });
    vec_push(folder->arena, &steps, (SetStep){ STEP_PUT, STR("b"), sum_of(folder, "new b") });
    vec_push(folder->arena, &steps, (SetStep){ STEP_REMOVE, STR("old"), sum_of(folder, "x") });
    put_file(folder, "a", "new a");
    put_file(folder, "b", "old b");
    put_file(folder, "old", "x");
    assert_int_equal(mkdir(inside(folder, ".dtc-set"), 0777), 0);
    put_file(folder, ".dtc-set/1", staged_b);
    put_file(folder, ".dtc-set/journal", str_c(folder->arena, journal_write(folder->arena, &steps)));
}

static void test_what_a_journal_says_is_finished(void **state) {
    const Folder *folder = *state;
    SetRepair repair;
    leave_half(folder, "new b");

    assert_null(files_repair(folder->arena, str_of(folder->path), &repair));

    assert_int_equal(repair.put_count, 1);
    assert_int_equal(repair.removed_count, 1);
    assert_file(folder, "a", "new a");
    assert_file(folder, "b", "new b");
    assert_int_equal(count_names(folder, folder->path), 2);
}

static void test_the_next_set_mends_the_folder_first(void **state) {
    const Folder *folder = *state;
    leave_half(folder, "new b");
    FileSet *files = files_open(folder->arena, str_of(folder->path));

    assert_null(files_begin(files));
    assert_int_equal(files_repaired(files)->put_count, 1);
    assert_file(folder, "b", "new b");
    files_abort(files);

    assert_int_equal(count_names(folder, folder->path), 2);
}

static void test_a_set_of_sources_finishes_a_journal_too(void **state) {
    const Folder *folder = *state;
    leave_half(folder, "new b");
    FileSet *files = files_open_sources(folder->arena, str_of(folder->path));

    assert_null(files_begin(files));
    files_abort(files);

    assert_file(folder, "b", "new b");
    assert_int_equal(count_names(folder, folder->path), 2);
}

// The power went before the staged files were on the disk, and so before the first name changed.
static void test_a_staged_file_that_is_cut_short_takes_no_name(void **state) {
    const Folder *folder = *state;
    SetRepair repair;
    leave_half(folder, "new");

    assert_null(files_repair(folder->arena, str_of(folder->path), &repair));

    assert_true(repair.has_leftovers);
    assert_int_equal(repair.put_count + repair.removed_count, 0);
    assert_file(folder, "b", "old b");
    assert_file(folder, "old", "x");
    assert_int_equal(count_names(folder, folder->path), 3);
}

static void test_a_journal_that_is_cut_short_says_nothing(void **state) {
    const Folder *folder = *state;
    SetRepair repair;
    Str journal;
    leave_half(folder, "new b");
    assert_null(file_read(folder->arena, str_of(inside(folder, ".dtc-set/journal")), 1000, &journal));
    put_file(folder, ".dtc-set/journal", str_c(folder->arena, str_slice(journal, 0, journal.len - 1)));

    assert_null(files_repair(folder->arena, str_of(folder->path), &repair));

    assert_true(repair.has_leftovers);
    assert_file(folder, "b", "old b");
    assert_int_equal(count_names(folder, folder->path), 3);
}

static void test_what_others_put_beside_the_staged_files_stays(void **state) {
    const Folder *folder = *state;
    SetRepair repair;
    assert_int_equal(mkdir(inside(folder, ".dtc-set"), 0777), 0);
    put_file(folder, ".dtc-set/0", "x");
    put_file(folder, ".dtc-set/mine", "mine");

    const Str fault = str_of(files_repair(folder->arena, str_of(folder->path), &repair));

    assert_true(str_ends_with(fault, STR("/.dtc-set`: directory not empty")));
    assert_file(folder, ".dtc-set/mine", "mine");
    assert_int_equal(count_names(folder, ".dtc-set"), 1);
}

static void test_a_staging_folder_that_is_a_link_is_not_followed(void **state) {
    const Folder *folder = *state;
    SetRepair repair;
    assert_int_equal(mkdir(inside(folder, "mine"), 0777), 0);
    put_file(folder, "mine/0", "mine");
    assert_int_equal(symlink("mine", inside(folder, ".dtc-set")), 0);

    const Str fault = str_of(files_repair(folder->arena, str_of(folder->path), &repair));

    assert_true(str_ends_with(fault, STR("/.dtc-set` is in the way")));
    assert_file(folder, "mine/0", "mine");
}

static void test_there_is_nothing_to_mend_where_there_is_no_folder(void **state) {
    const Folder *folder = *state;
    SetRepair repair;

    assert_null(files_repair(folder->arena, str_of(inside(folder, "none")), &repair));

    assert_false(repair.has_leftovers);
    assert_int_equal(count_names(folder, folder->path), 0);
}

// ---- a step that fails -----------------------------------------------------------------------------------------

static void test_a_first_name_that_cannot_be_given_leaves_all_as_it_was(void **state) {
    const Folder *folder = *state;
    put_file(folder, "b", "old");
    FileSet *files = files_open(folder->arena, str_of(folder->path));
    assert_null(file_stage(files, STR("a"), STR("new")));
    assert_null(file_stage(files, STR("b"), STR("new")));
    assert_int_equal(mkdir(inside(folder, "a"), 0777), 0);

    const Str fault = str_of(files_commit(files));

    assert_true(str_ends_with(fault, STR("/a`: is a directory")));
    assert_false(files_is_partial(files));
    assert_file(folder, "b", "old");
    assert_int_equal(count_names(folder, folder->path), 2);
}

static void test_a_later_name_that_cannot_be_given_is_left_to_the_next(void **state) {
    const Folder *folder = *state;
    SetRepair repair;
    FileSet *files = files_open(folder->arena, str_of(folder->path));
    assert_null(file_stage(files, STR("a"), STR("new a")));
    assert_null(file_stage(files, STR("b"), STR("new b")));
    assert_int_equal(mkdir(inside(folder, "b"), 0777), 0);

    assert_non_null(files_commit(files));
    assert_true(files_is_partial(files));
    assert_non_null(files_repair(folder->arena, str_of(folder->path), &repair));
    assert_int_equal(rmdir(inside(folder, "b")), 0);
    assert_null(files_repair(folder->arena, str_of(folder->path), &repair));

    assert_file(folder, "a", "new a");
    assert_file(folder, "b", "new b");
    assert_int_equal(count_names(folder, folder->path), 2);
}

int main(void) {
    signal(SIGINT, SIG_DFL); // a shell makes its background jobs deaf to it, and dtc then leaves it alone
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_is_there_before_the_commit),
        TEST(test_an_abort_leaves_all_as_it_was),
        TEST(test_a_directory_is_made_with_what_is_above_it),
        TEST(test_an_abort_removes_the_directories_that_were_made),
        TEST(test_many_files_are_all_there_or_none),
        TEST(test_a_directory_is_new_where_it_is_made_for_the_set),
        TEST(test_opening_alone_makes_nothing),
        TEST(test_files_are_for_everybody_whom_the_umask_lets),
        TEST(test_a_name_stays_in_the_directory),
        TEST(test_a_directory_in_the_way_stops_all_files),
        TEST(test_a_link_is_replaced_not_followed),
        TEST(test_a_file_where_the_directory_is_to_be_is_a_fault),
        TEST(test_an_interrupt_before_the_commit_leaves_all_as_it_was),
        TEST(test_an_interrupt_stops_the_staging),
        TEST(test_signals_are_given_back),
        TEST(test_permissions_of_a_file_stay),
        TEST(test_owner_of_a_file_stays_where_dtc_may_give_it),
        TEST(test_access_list_of_a_file_stays),
        TEST(test_a_file_goes_with_the_commit),
        TEST(test_a_file_with_another_sum_stays),
        TEST(test_what_a_journal_says_is_finished),
        TEST(test_the_next_set_mends_the_folder_first),
        TEST(test_a_set_of_sources_finishes_a_journal_too),
        TEST(test_a_staged_file_that_is_cut_short_takes_no_name),
        TEST(test_a_journal_that_is_cut_short_says_nothing),
        TEST(test_what_others_put_beside_the_staged_files_stays),
        TEST(test_a_staging_folder_that_is_a_link_is_not_followed),
        TEST(test_there_is_nothing_to_mend_where_there_is_no_folder),
        TEST(test_a_first_name_that_cannot_be_given_leaves_all_as_it_was),
        TEST(test_a_later_name_that_cannot_be_given_is_left_to_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
