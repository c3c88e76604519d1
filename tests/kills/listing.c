// Folders as lists of names and contents. All in memory: the builds are small.
#include "tests/kills/listing.h"

#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char STAGING[] = ".dtc-set";

Listing sets[SET_COUNT];

char *read_file(const char *folder, const char *name, size_t *size) {
    char path[600];
    snprintf(path, sizeof(path), "%s/%s", folder, name);
    const int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) {
        return NULL;
    }
    char *content = malloc((size_t)status.st_size + 1);
    const ssize_t got = read(file, content, (size_t)status.st_size);
    close(file);
    *size = got < 0 ? 0 : (size_t)got;
    return content;
}

Listing list(const char *folder) {
    Listing listing = { 0 };
    char path[600];
    DIR *directory = opendir(folder);
    for (struct dirent *entry = NULL; directory != NULL && (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        if (strcmp(entry->d_name, STAGING) == 0) {
            listing.has_staging = true;
            continue;
        }
        File *file = &listing.files[listing.count++];
        assert(listing.count < NAMES_MAX);
        file->name = strdup(entry->d_name);
        file->content = read_file(folder, entry->d_name, &file->size);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    snprintf(path, sizeof(path), "%s/%s/journal", folder, STAGING);
    listing.has_journal = access(path, F_OK) == 0;
    return listing;
}

void drop(Listing *listing) {
    for (int i = 0; i < listing->count; i++) {
        free(listing->files[i].name);
        free(listing->files[i].content);
    }
    *listing = (Listing){ 0 };
}

static bool holds(const Listing *listing, const File *file) {
    for (int i = 0; i < listing->count; i++) {
        const File *other = &listing->files[i];
        if (strcmp(other->name, file->name) == 0) {
            return file->content != NULL && other->size == file->size &&
                   memcmp(other->content, file->content, file->size) == 0;
        }
    }
    return false;
}

int set_of(const Listing *listing) {
    for (int set = 0; set < SET_COUNT; set++) {
        int same = 0;
        for (int i = 0; i < listing->count; i++) {
            same += holds(&sets[set], &listing->files[i]);
        }
        if (same == listing->count && same == sets[set].count) {
            return set;
        }
    }
    return listing->count == 0 ? -2 : -1;
}

bool is_torn(const Listing *listing) {
    for (int i = 0; i < listing->count; i++) {
        bool is_whole = false;
        for (int set = 0; set < SET_COUNT; set++) {
            is_whole = is_whole || holds(&sets[set], &listing->files[i]);
        }
        if (!is_whole) {
            return true;
        }
    }
    return false;
}

void remove_folder(const char *folder) {
    char path[900];
    DIR *directory = opendir(folder);
    for (struct dirent *entry = NULL; directory != NULL && (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
            continue;
        }
        snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
        if (unlink(path) != 0) {
            remove_folder(path);
        }
    }
    if (directory != NULL) {
        closedir(directory);
        rmdir(folder);
    }
}

void put_set(int set) {
    remove_folder("out");
    if (set < 0) {
        return;
    }
    mkdir("out", 0777);
    for (int i = 0; i < sets[set].count; i++) {
        char path[600];
        snprintf(path, sizeof(path), "out/%s", sets[set].files[i].name);
        const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
        const bool is_written = write(file, sets[set].files[i].content, sets[set].files[i].size) >= 0;
        assert(is_written);
        close(file);
    }
}
