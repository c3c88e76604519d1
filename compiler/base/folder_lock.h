// A lock on a folder: two processes of dtc that write into it take turns.
#pragma once

#include "compiler/base/arena.h"

typedef struct {
    int file; // the folder, open; below 0 where it is not
} FolderLock;

#define FOLDER_UNLOCKED ((FolderLock){ .file = -1 })

typedef enum {
    LOCK_TAKEN,
    LOCK_GONE,        // the folder is not there, or was removed while dtc waited
    LOCK_BUSY,        // another dtc has had it for too long
    LOCK_INTERRUPTED, // while dtc waited
    LOCK_FAULT,       // errno says why
} LockResult;

// Waits while another dtc has the folder, and says so on standard error. `wait_seconds_max` is how long.
LockResult folder_lock(const char *path, int wait_seconds_max, FolderLock *lock);
void folder_unlock(FolderLock *lock);
