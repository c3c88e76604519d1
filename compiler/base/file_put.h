// Writes one new file with the owner, mode and access list of the file that it replaces.
#pragma once

#include "compiler/base/str.h"

#include <sys/types.h>

// What a file hands on to its successor: owner, permissions and access list.
typedef struct {
    bool is_there; // else the rest is not set
    mode_t mode;
    uid_t owner;
    gid_t group;
    const char *access_list; // as the kernel has it; NULL for none
    size_t access_list_size;
} FileLook;

// Reads the look of the file at `path`. `is_there` is false if there is no file. It is also false for a link, which is
// replaced and not followed. NULL, or a text for people where a directory is in the way.
const char *file_look(Arena *arena, const char *path, FileLook *look);

// Makes a file that was not there. NULL, or a text for people; then a part of it may be there. Nothing is synced.
const char *file_put(Arena *arena, const char *path, Str content, const FileLook *look);
