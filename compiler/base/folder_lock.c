// Uses flock() on the folder itself. So no file has to be made or removed. The kernel drops the lock of a process that
// was killed. A folder that may only be read can be locked too. Over NFS the lock holds on one machine only.
#include "compiler/base/folder_lock.h"

#include "compiler/base/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS_PER_SECOND = 50 };

// Tries again and again, since a blocking flock() has no time limit and cannot be interrupted at a safe point.
static LockResult wait_for(int file, int wait_seconds_max) {
    const struct timespec pause = { .tv_nsec = 1000 * 1000 * 1000 / LOOKS_PER_SECOND };
    for (int look = 0; flock(file, LOCK_EX | LOCK_NB) != 0; look++) {
        // Where a file system has no locks, a build without turns is better than no build.
        if (errno != EWOULDBLOCK) {
            return LOCK_TAKEN;
        }
        if (interrupt_came()) {
            return LOCK_INTERRUPTED;
        }
        if (look >= wait_seconds_max * LOOKS_PER_SECOND) {
            return LOCK_BUSY;
        }
        if (look == 0) {
            fputs("dtc: another dtc writes into the same folder: waiting for it\n", stderr);
        }
        nanosleep(&pause, NULL);
    }
    return LOCK_TAKEN;
}

// Another dtc may have removed the folder that it had made, and what is at the path now is another folder.
static bool is_still_there(const char *path, int file) {
    struct stat locked;
    struct stat named;
    return fstat(file, &locked) == 0 && stat(path, &named) == 0 && locked.st_dev == named.st_dev &&
           locked.st_ino == named.st_ino;
}

LockResult folder_lock(const char *path, int wait_seconds_max, FolderLock *lock) {
    *lock = FOLDER_UNLOCKED;
    const int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) {
        return errno == ENOENT ? LOCK_GONE : LOCK_FAULT;
    }
    LockResult result = wait_for(file, wait_seconds_max);
    if (result == LOCK_TAKEN && !is_still_there(path, file)) {
        result = LOCK_GONE;
    }
    if (result != LOCK_TAKEN) {
        close(file);
        return result;
    }
    lock->file = file;
    return LOCK_TAKEN;
}

void folder_unlock(FolderLock *lock) {
    if (lock->file >= 0) {
        close(lock->file); // which drops the lock
    }
    *lock = FOLDER_UNLOCKED;
}
