// Folders that a test has made.
#pragma once

#include <ftw.h>
#include <stdio.h>

static inline int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)type;
    (void)place;
    return remove(path);
}

// Removes a folder and what is in it, links themselves and not what they lead to. Nothing happens where it is not
// there.
static inline void remove_tree(const char *folder) {
    enum { FOLDERS_OPEN_MAX = 16 };
    nftw(folder, remove_entry, FOLDERS_OPEN_MAX, FTW_DEPTH | FTW_PHYS);
}
