#include "compiler/base/folder_lock.h"

#include "compiler/base/interrupt.h"
#include "tests/support/folder.h"

#include <signal.h>
#include <sys/wait.h>

static void test_a_folder_is_locked_once(void **state) {
    const Folder *folder = *state;
    FolderLock first;
    FolderLock second;

    assert_int_equal(folder_lock(folder->path, 0, &first), LOCK_TAKEN);
    assert_int_equal(folder_lock(folder->path, 0, &second), LOCK_BUSY);
    folder_unlock(&first);
    assert_int_equal(folder_lock(folder->path, 0, &second), LOCK_TAKEN);
    folder_unlock(&second);
}

static void test_the_lock_of_a_killed_process_is_gone(void **state) {
    const Folder *folder = *state;
    FolderLock lock;
    int status;
    const pid_t child = fork();
    if (child == 0) {
        (void)!folder_lock(folder->path, 0, &lock);
        raise(SIGKILL);
    }
    assert_int_equal(waitpid(child, &status, 0), child);

    assert_int_equal(folder_lock(folder->path, 0, &lock), LOCK_TAKEN);
    folder_unlock(&lock);
}

static void test_a_folder_that_is_removed_while_locked_is_gone_for_the_next(void **state) {
    const Folder *folder = *state;
    const char *path = inside(folder, "made");
    FolderLock lock;
    int ends[2];
    char byte;
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    const pid_t child = fork();
    if (child == 0) {
        const bool is_taken = folder_lock(path, 0, &lock) == LOCK_TAKEN;
        (void)!write(ends[1], "x", 1);
        usleep(100 * 1000); // the other waits meanwhile
        rmdir(path);
        _exit(is_taken ? 0 : 1);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);

    assert_int_equal(folder_lock(path, 60, &lock), LOCK_GONE);

    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ends[0]);
    close(ends[1]);
}

static void test_an_interrupt_ends_the_wait(void **state) {
    const Folder *folder = *state;
    FolderLock first;
    FolderLock second;
    Interrupts before;
    interrupts_hold(&before);
    assert_int_equal(folder_lock(folder->path, 0, &first), LOCK_TAKEN);

    raise(SIGTERM);
    assert_int_equal(folder_lock(folder->path, 60, &second), LOCK_INTERRUPTED);

    interrupts_release(&before);
    folder_unlock(&first);
}

static void test_what_is_no_folder_is_not_locked(void **state) {
    const Folder *folder = *state;
    FolderLock lock;
    put_file(folder, "file", "x");

    assert_int_equal(folder_lock(inside(folder, "none"), 0, &lock), LOCK_GONE);
    assert_int_equal(folder_lock(inside(folder, "file"), 0, &lock), LOCK_FAULT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_folder_is_locked_once),
        TEST(test_the_lock_of_a_killed_process_is_gone),
        TEST(test_a_folder_that_is_removed_while_locked_is_gone_for_the_next),
        TEST(test_an_interrupt_ends_the_wait),
        TEST(test_what_is_no_folder_is_not_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
