// Reads files. If that fails, the reason is a text for people.
#include "compiler/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

const char FILE_TOO_LARGE[] = "the file is too large";

const char *file_fault(Arena *arena, int error) {
    Str text = str_copy(arena, str_of(strerror(error)));
    char *copy = arena_alloc(arena, text.len + 1);
    memcpy(copy, text.data, text.len);
    const bool is_capital = copy[0] >= 'A' && copy[0] <= 'Z';
    const bool is_acronym = is_capital && copy[1] >= 'A' && copy[1] <= 'Z';
    if (is_capital && !is_acronym) {
        copy[0] = (char)(copy[0] - 'A' + 'a');
    }
    return copy;
}

static bool holds_zero(Str text) {
    return text.len > 0 && memchr(text.data, 0, text.len) != NULL;
}

const char *file_refusal(const struct stat *status, size_t size_max) {
    if (S_ISDIR(status->st_mode)) {
        return "it is a directory";
    }
    if (S_ISFIFO(status->st_mode)) {
        return "it is a pipe, not a regular file";
    }
    if (!S_ISREG(status->st_mode)) {
        return "it is a device, not a regular file";
    }
    return status->st_size > 0 && (uintmax_t)status->st_size > size_max ? FILE_TOO_LARGE : NULL;
}

ssize_t file_read_some(int file, void *data, size_t size) {
    for (;;) {
        const ssize_t got = read(file, data, size);
        if (got >= 0 || errno != EINTR) {
            return got;
        }
    }
}

// Reads on until the end even where the file grows meanwhile, or has no size at all as under /proc.
static const char *read_all(Arena *arena, int file, size_t expected, size_t size_max, Str *content) {
    size_t capacity = expected < 4096 ? 4096 : expected + 1; // one more shows that the end is reached
    char *data = arena_alloc(arena, capacity);
    size_t length = 0;
    for (;;) {
        const ssize_t got = file_read_some(file, data + length, capacity - length);
        if (got < 0) {
            return file_fault(arena, errno);
        }
        if (got == 0) {
            break;
        }
        length += (size_t)got;
        if (length > size_max) {
            return FILE_TOO_LARGE;
        }
        if (length == capacity) {
            char *larger = arena_alloc_array(arena, capacity, 2);
            memcpy(larger, data, length);
            data = larger;
            capacity *= 2;
        }
    }
    *content = (Str){ .data = data, .len = length };
    return NULL;
}

const char *file_read(Arena *arena, Str path, size_t size_max, Str *content) {
    *content = STR_NONE;
    if (path.len == 0 || holds_zero(path)) {
        return file_fault(arena, ENOENT);
    }
    // Without O_NONBLOCK the opening of a pipe waits for a writer.
    const int file = open(str_c(arena, path), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) {
        // A socket cannot be opened at all, and says so in words that help nobody.
        return errno == ENXIO ? "it is a device, not a regular file" : file_fault(arena, errno);
    }
    struct stat status;
    const char *fault = fstat(file, &status) != 0 ? file_fault(arena, errno) : file_refusal(&status, size_max);
    if (fault == NULL) {
        fault = read_all(arena, file, (size_t)status.st_size, size_max, content);
    }
    close(file); // opened for reading: nothing can be lost here
    return fault;
}

const char *file_target(Arena *arena, Str path, Str *directory, Str *name) {
    if (path.len == 0 || holds_zero(path)) {
        return file_fault(arena, ENOENT);
    }
    char target[PATH_MAX];
    struct stat status;
    // A rename asks for no permission of the file that it replaces, so access() does.
    if (realpath(str_c(arena, path), target) == NULL || stat(target, &status) != 0 || access(target, W_OK) != 0) {
        return file_fault(arena, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return file_refusal(&status, SIZE_MAX);
    }
    const char *slash = strrchr(target, '/'); // a real path is absolute
    *name = str_copy(arena, str_of(slash + 1));
    const size_t length = slash == target ? 1 : (size_t)(slash - target);
    *directory = str_copy(arena, (Str){ .data = target, .len = length });
    return NULL;
}
