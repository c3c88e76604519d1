// Walks through folders with scandir(), which sorts.
#include "compiler/base/file_walk.h"

#include "compiler/base/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    Arena *arena;
    FileWalk *asked;
} Walk;

static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static void walk_folder(const Walk *walk, Str folder, int depth);

static void visit(const Walk *walk, Str folder, const char *name, int depth) {
    const bool is_slashed = str_ends_with(folder, STR("/"));
    const Str path = str_format(walk->arena, "%.*s%s%s", STR_ARG(folder), is_slashed ? "" : "/", name);
    struct stat status;
    if (lstat(str_c(walk->arena, path), &status) != 0) {
        return; // it went away meanwhile
    }
    FileWalk *asked = walk->asked;
    if (S_ISDIR(status.st_mode) && asked->is_left != NULL && asked->is_left(str_of(name))) {
        vec_push(walk->arena, &asked->left, path);
    } else if (S_ISDIR(status.st_mode)) {
        walk_folder(walk, path, depth + 1);
    } else if (S_ISREG(status.st_mode) && asked->is_wanted(str_of(name))) {
        vec_push(walk->arena, &asked->paths, path);
    }
}

static void walk_folder(const Walk *walk, Str folder, int depth) {
    struct dirent **entries = NULL;
    const int count =
        depth > WALK_DEPTH_MAX ? 0 : scandir(str_c(walk->arena, folder), &entries, is_shown, compare_names);
    if (count < 0) {
        const FolderFault fault = { .folder = folder, .why = file_fault(walk->arena, errno) };
        vec_push(walk->arena, &walk->asked->faults, fault);
        return;
    }
    for (int i = 0; i < count; i++) {
        const Str name = str_copy(walk->arena, str_of(entries[i]->d_name));
        free(entries[i]);
        visit(walk, folder, str_c(walk->arena, name), depth);
    }
    free(entries);
}

void file_walk(Arena *arena, Str folder, FileWalk *asked) {
    const Walk walk = { .arena = arena, .asked = asked };
    walk_folder(&walk, folder, 1);
}
