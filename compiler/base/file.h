// Files, whole or absent.
#pragma once

#include "compiler/base/source.h"

// Reads a whole file. NULL on success; else a text for people ("no such file or directory"). `path` is relative to
// the working directory. A directory, a device and a file above `size_max` bytes are refused, unread.
const char *file_read(Arena *arena, Str path, size_t size_max, Str *content);

// An `errno` for people, as the C locale has it; beginning in lower case since it stands behind a colon.
const char *file_fault(Arena *arena, int error);

// What file_read() returns, this very pointer, for a file above `size_max`.
extern const char FILE_TOO_LARGE[];

// Files that will all be there or none: file_stage() writes and syncs each under a temporary name in `directory`
// (made where absent), files_commit() renames them in order, files_abort() removes what is left of them, and the
// directory if it was made. A commit that fails has aborted. Texts are for people, as those of file_read().
typedef struct FileSet FileSet;

FileSet *files_open(Arena *arena, Str directory);
bool files_is_new(const FileSet *files); // the directory is not there
const char *file_stage(FileSet *files, Str name, Str content); // NULL, or what went wrong; an interrupt, too

// The same for a file that is there already, in whatever directory: its owner and permissions are kept, and where the
// path is a symbolic link, what it leads to is replaced and the link stays. One that may not be written is refused.
const char *file_stage_over(FileSet *files, Str path, Str content);
const char *files_commit(FileSet *files);
void files_abort(FileSet *files);

// Removes one file of the directory; absent is fine.
const char *file_remove(FileSet *files, Str name);

// From the first file_stage() on, SIGINT and SIGTERM are held back to the next safe point; true once one came.
bool files_interrupted(void);
