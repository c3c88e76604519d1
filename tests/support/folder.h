// A fresh directory for each test, and what tests ask of it.
#pragma once

#include "compiler/base/file.h"

#include "tests/support/check.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
    Arena *arena;
    char path[64];
} Folder;

static inline int make_folder(void **state) {
    static const char model[] = "/tmp/dtc-test-file-XXXXXX";
    Folder *folder = calloc(1, sizeof(*folder));
    memcpy(folder->path, model, sizeof(model));
    folder->arena = arena_create();
    *state = folder;
    return mkdtemp(folder->path) == NULL ? -1 : 0;
}

static inline const char *inside(const Folder *folder, const char *name) {
    return str_c(folder->arena, str_format(folder->arena, "%s/%s", folder->path, name));
}

static inline void remove_all(const Folder *folder, const char *path) {
    DIR *directory = opendir(path);
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        const Str name = str_of(entry->d_name);
        const char *below = str_c(folder->arena, str_format(folder->arena, "%s/%s", path, entry->d_name));
        struct stat status;
        if (str_is(name, ".") || str_is(name, "..") || lstat(below, &status) != 0) {
            continue;
        }
        if (S_ISDIR(status.st_mode)) {
            remove_all(folder, below);
        } else {
            unlink(below);
        }
    }
    closedir(directory);
    rmdir(path);
}

static inline int drop_folder(void **state) {
    Folder *folder = *state;
    remove_all(folder, folder->path);
    arena_destroy(folder->arena);
    free(folder);
    return 0;
}

static inline void put_file(const Folder *folder, const char *name, const char *content) {
    FILE *file = fopen(inside(folder, name), "w");
    assert_non_null(file);
    fputs(content, file);
    assert_int_equal(fclose(file), 0);
}

static inline void assert_file(const Folder *folder, const char *name, const char *content) {
    Str text;
    assert_null(file_read(folder->arena, str_of(inside(folder, name)), 1000, &text));
    assert_text(text, content);
}

static inline int count_names(const Folder *folder, const char *path) {
    DIR *directory = opendir(path[0] == '/' ? path : inside(folder, path));
    assert_non_null(directory);
    int count = -2; // without `.` and `..`
    while (readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count;
}

static inline mode_t mode_of(const char *path) {
    struct stat status;
    assert_int_equal(lstat(path, &status), 0);
    return status.st_mode;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_folder, drop_folder)
