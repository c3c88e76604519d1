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
    FileWanted *is_wanted;
    FilePaths *paths;
    Str *at;
} Walk;

static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static int compare_names(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

static const char *walk_folder(const Walk *walk, Str folder, int depth);

static const char *visit(const Walk *walk, Str folder, const char *name, int depth) {
    const bool is_slashed = str_ends_with(folder, STR("/"));
    const Str path = str_format(walk->arena, "%.*s%s%s", STR_ARG(folder), is_slashed ? "" : "/", name);
    struct stat status;
    if (lstat(str_c(walk->arena, path), &status) != 0) {
        return NULL; // it went away meanwhile
    }
    if (S_ISDIR(status.st_mode)) {
        return walk_folder(walk, path, depth + 1);
    }
    if (S_ISREG(status.st_mode) && walk->is_wanted(str_of(name))) {
        vec_push(walk->arena, walk->paths, path);
    }
    return NULL;
}

static const char *walk_folder(const Walk *walk, Str folder, int depth) {
    struct dirent **entries = NULL;
    const int count =
        depth > WALK_DEPTH_MAX ? 0 : scandir(str_c(walk->arena, folder), &entries, is_shown, compare_names);
    if (count < 0) {
        *walk->at = folder;
        return file_fault(walk->arena, errno);
    }
    const char *fault = NULL;
    for (int i = 0; i < count; i++) {
        const Str name = str_copy(walk->arena, str_of(entries[i]->d_name));
        free(entries[i]);
        fault = fault == NULL ? visit(walk, folder, str_c(walk->arena, name), depth) : fault;
    }
    free(entries);
    return fault;
}

const char *file_walk(Arena *arena, Str folder, FileWanted *is_wanted, FilePaths *paths, Str *at) {
    const Walk walk = { .arena = arena, .is_wanted = is_wanted, .paths = paths, .at = at };
    return walk_folder(&walk, folder, 1);
}
