// The files below a folder.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

typedef VEC(Str) FilePaths;

enum { WALK_DEPTH_MAX = 64 }; // of folders in each other

typedef bool FileWanted(Str name); // by its name, without folders

typedef struct {
    Str folder;
    const char *why; // a text for people
} FolderFault;

typedef struct {
    FileWanted *is_wanted;
    FileWanted *is_left; // of a folder by its name: nobody looks into it; NULL: into each
    FilePaths paths;
    FilePaths left; // folders
    VEC(FolderFault) faults;
} FileWalk;

// Adds all wanted files in a folder and those in it to `paths`, in order of their bytes. Names that begin with a dot are
// passed over, as are symbolic links, sockets and their like. A folder that cannot be read is among `faults`, and the
// others are read.
void file_walk(Arena *arena, Str folder, FileWalk *walk);
