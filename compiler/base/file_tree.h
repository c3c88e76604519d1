// The files that a path leads to: one, or all of a folder.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

typedef struct {
    Str path;           // below what the caller calls the place: "src/train.py"
    Str sha256;         // of its content
    bool is_executable; // for its owner
} TreeFile;

typedef VEC(TreeFile) TreeFiles;

enum {
    TREE_FILES_MAX = 10000,
    TREE_DEPTH_MAX = 32, // folders in each other
};
#define TREE_BYTES_MAX (UINT64_C(1) << 30) // of all files that are read into one list

typedef struct {
    Arena *arena;
    TreeFiles files;
    uint64_t bytes; // that were read
} FileTree;

// Adds the file at `path`, or all files of the folder there, by their names in it. `name` is what the path is called in
// the list. What Git and Python keep for themselves is left out: `.git`, `__pycache__`, `.DS_Store`. NULL on success; else a
// text for people, and `*at` is what it is about, as the list would call it. A symbolic link is such a fault.
const char *file_tree_add(FileTree *tree, Str path, Str name, Str *at);
