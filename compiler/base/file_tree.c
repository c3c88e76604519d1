// Walks folders. The order is that of the names' bytes, so that it is the same on every machine.
#include "compiler/base/file_tree.h"

#include "compiler/base/file.h"
#include "compiler/base/sha256.h"
#include "compiler/base/terminal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef VEC(Str) Names;

static const char *const LEFT_OUT[] = { ".git", "__pycache__", ".DS_Store" };

static bool is_left_out(Str name) {
    for (size_t i = 0; i < COUNT_OF(LEFT_OUT); i++) {
        if (str_is(name, LEFT_OUT[i])) {
            return true;
        }
    }
    return str_is(name, ".") || str_is(name, "..");
}

static int compare_names(const void *a, const void *b) {
    return str_compare(*(const Str *)a, *(const Str *)b);
}

static const char *read_names(Arena *arena, Str path, Names *names) {
    DIR *folder = opendir(str_c(arena, path));
    if (folder == NULL) {
        return file_fault(arena, errno);
    }
    const struct dirent *entry;
    errno = 0;
    while ((entry = readdir(folder)) != NULL && names->count <= TREE_FILES_MAX) {
        if (!is_left_out(str_of(entry->d_name))) {
            vec_push(arena, names, str_copy(arena, str_of(entry->d_name)));
        }
    }
    const char *fault = errno != 0 ? file_fault(arena, errno) : NULL;
    closedir(folder);
    if (names->count > 0) {
        qsort(names->items, names->count, sizeof(names->items[0]), compare_names);
    }
    return fault;
}

// Names go into files and commands: what cannot be seen there is refused.
static const char *name_fault(Str name) {
    size_t bad;
    if (!str_is_utf8(name, &bad)) {
        return "its name is not UTF-8";
    }
    const bool has_tab = memchr(name.data, '\t', name.len) != NULL;
    return terminal_is_safe(name) && !has_tab ? NULL : "its name has control characters";
}

static const char *add_file(FileTree *tree, Str path, Str name, const struct stat *status) {
    const char *fault = file_refusal(status, SIZE_MAX);
    if (fault != NULL) {
        return fault;
    }
    if (tree->files.count == TREE_FILES_MAX) {
        return "there are more files than dtc copies into an image";
    }
    const int file = open(str_c(tree->arena, path), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
    if (file < 0) {
        return file_fault(tree->arena, errno);
    }
    TreeFile made = { .path = name, .is_executable = (status->st_mode & S_IXUSR) != 0 };
    uint64_t bytes;
    fault = sha256_file(tree->arena, file, TREE_BYTES_MAX - tree->bytes, &made.sha256, &bytes);
    close(file); // opened for reading: nothing can be lost here
    if (fault == NULL) {
        tree->bytes += bytes;
        vec_push(tree->arena, &tree->files, made);
    }
    return fault;
}

static const char *add(FileTree *tree, Str path, Str name, int depth, Str *at) {
    Arena *arena = tree->arena;
    struct stat status;
    *at = name;
    const char *fault = name_fault(str_after_last(name, '/'));
    if (fault != NULL) {
        return fault;
    }
    if (lstat(str_c(arena, path), &status) != 0) {
        return file_fault(arena, errno);
    }
    if (S_ISLNK(status.st_mode)) {
        return "it is a symbolic link";
    }
    if (!S_ISDIR(status.st_mode)) {
        return add_file(tree, path, name, &status);
    }
    Names names = { 0 };
    fault = depth == TREE_DEPTH_MAX ? "its folders are nested too deep" : read_names(arena, path, &names);
    for (uint32_t i = 0; i < names.count && fault == NULL; i++) {
        fault = add(tree, str_format(arena, "%.*s/%.*s", STR_ARG(path), STR_ARG(names.items[i])),
                    str_format(arena, "%.*s/%.*s", STR_ARG(name), STR_ARG(names.items[i])), depth + 1, at);
    }
    return fault;
}

const char *file_tree_add(FileTree *tree, Str path, Str name, Str *at) {
    return add(tree, path, name, 0, at);
}
