// Small files, whole, and the names in folders.
#include "stdlib/node/device/host.h"

#include "stdlib/node/collective/text.h"

#include <dirent.h>
#include <unistd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void host_path(const Host *host, char path[HOST_PATH_BYTES], const char *folder, const char *name, const char *file) {
    const int len = snprintf(path, HOST_PATH_BYTES, "%s%s%s%s%s%s", host->root, folder, name != NULL ? "/" : "",
                             name != NULL ? name : "", file != NULL ? "/" : "", file != NULL ? file : "");
    if (len < 0 || len >= HOST_PATH_BYTES) {
        path[0] = '\0';
    }
}

bool host_read(const Host *host, char *text, size_t size, const char *folder, const char *name, const char *file) {
    char path[HOST_PATH_BYTES];
    host_path(host, path, folder, name, file);
    FILE *stream = fopen(path, "re");
    size_t len = 0;
    if (stream != NULL) {
        len = fread(text, 1, size - 1, stream);
        (void)fclose(stream);
    }
    text[len] = '\0';
    return stream != NULL;
}

bool host_has(const Host *host, const char *folder, const char *name, const char *file) {
    char path[HOST_PATH_BYTES];
    host_path(host, path, folder, name, file);
    return access(path, F_OK) == 0;
}

// A machine with many processors has more processes than host_names() takes.
bool host_process(const Host *host, char process[HOST_NAME_BYTES], const char *command) {
    char path[HOST_PATH_BYTES];
    bool is_found = false;
    host_path(host, path, "/proc", NULL, NULL);
    DIR *stream = opendir(path);
    for (const struct dirent *entry; stream != NULL && !is_found && (entry = readdir(stream)) != NULL;) {
        char name[HOST_NAME_BYTES];
        if (entry->d_name[0] >= '0' && entry->d_name[0] <= '9') {
            (void)host_read(host, name, sizeof name, "/proc", entry->d_name, "comm");
            name[strcspn(name, "\n")] = '\0';
            is_found = strcmp(name, command) == 0;
            text_into(process, HOST_NAME_BYTES, "%s", entry->d_name);
        }
    }
    if (stream != NULL) {
        (void)closedir(stream);
    }
    return is_found;
}

bool host_number_of(const char *text, uint64_t *number) {
    enum { DIGITS_MAX = 18 };
    int digits = 0;
    *number = 0;
    for (; *text >= '0' && *text <= '9' && digits < DIGITS_MAX; text++, digits++) {
        *number = *number * 10 + (uint64_t)(*text - '0');
    }
    return digits > 0;
}

bool host_number(const Host *host, uint64_t *number, const char *folder, const char *name, const char *file) {
    char text[HOST_NAME_BYTES];
    *number = 0;
    return host_read(host, text, sizeof text, folder, name, file) && host_number_of(text, number);
}

static int compare(const void *a, const void *b) {
    return strverscmp(a, b);
}

HostNames *host_names(const Host *host, const char *folder, const char *prefix) {
    HostNames *names = calloc(1, sizeof *names);
    char path[HOST_PATH_BYTES];
    host_path(host, path, folder, NULL, NULL);
    DIR *stream = names != NULL ? opendir(path) : NULL;
    for (const struct dirent *entry; stream != NULL && (entry = readdir(stream)) != NULL;) {
        const size_t skipped = prefix != NULL ? strlen(prefix) : 0;
        const char first = strlen(entry->d_name) > skipped ? entry->d_name[skipped] : '\0';
        const bool is_wanted = prefix == NULL
                                   ? first != '.'
                                   : strncmp(entry->d_name, prefix, skipped) == 0 && first >= '0' && first <= '9';
        if (is_wanted && names->count < HOST_NAMES_MAX) {
            text_into(names->names[names->count++], HOST_NAME_BYTES, "%s", entry->d_name);
        }
    }
    if (stream != NULL) {
        (void)closedir(stream);
        qsort(names->names, names->count, sizeof names->names[0], compare);
    }
    return names;
}
