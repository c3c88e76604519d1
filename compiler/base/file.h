// Reads files.
#pragma once

#include "compiler/base/source.h"

#include <sys/types.h>

// Reads a whole file. NULL on success; else a text for people ("no such file or directory"). `path` is relative to
// the working directory. A directory, a device and a file above `size_max` bytes are refused, unread.
const char *file_read(Arena *arena, Str path, size_t size_max, Str *content);

// read(), again where a signal came first.
ssize_t file_read_some(int file, void *data, size_t size);

// An `errno` for people, as the C locale has it; beginning in lower case since it stands behind a colon.
const char *file_fault(Arena *arena, int error);

// What file_read() returns, this very pointer, for a file above `size_max`.
extern const char FILE_TOO_LARGE[];

// Why a file of this kind and size is not read; NULL where it is.
struct stat;
const char *file_refusal(const struct stat *status, size_t size_max);

// Whatever a path leads to, links followed: its folder and its name there. A text for people where that is no file that
// may be written.
const char *file_target(Arena *arena, Str path, Str *directory, Str *name);
