// Files of /sys, /proc and /dev, below a root that tests have.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOST_PATH_BYTES = 512, HOST_NAME_BYTES = 64, HOST_NAMES_MAX = 1024, HOST_FILE_BYTES = 16384 };

typedef struct Host {
    const char *root; // "" on a node
} Host;

typedef struct HostNames {
    uint32_t count;
    char names[HOST_NAMES_MAX][HOST_NAME_BYTES];
} HostNames;

// The path from the working folder; cut short it is "".
void host_path(const Host *host, char path[HOST_PATH_BYTES], const char *folder, const char *name, const char *file);

// The text of FOLDER/NAME/FILE, of which each but the first may be NULL, with a NUL behind it; false: no such file, and
// the text is empty. What is longer than `size` is cut.
bool host_read(const Host *host, char *text, size_t size, const char *folder, const char *name, const char *file);

// Whether there is such a file or folder.
bool host_has(const Host *host, const char *folder, const char *name, const char *file);

// A process whose command, which the kernel cuts to 15 characters, is that one: its folder in /proc. False: none runs.
bool host_process(const Host *host, char process[HOST_NAME_BYTES], const char *command);

// The number that such a file begins with; false where it is none.
bool host_number(const Host *host, uint64_t *number, const char *folder, const char *name, const char *file);

// Names in a folder that begin with the prefix and then a digit, or, without one, all but those with a dot; sorted,
// with numbers by their value. NULL: there is no memory.
HostNames *host_names(const Host *host, const char *folder, const char *prefix);

// Reads a number that begins a text.
bool host_number_of(const char *text, uint64_t *number);
