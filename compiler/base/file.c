// Files in and out. What comes out is written under temporary names first and renamed only when all of it is on the
// disk, so that an interrupt, a full disk or a crash leaves what was there before. One `volatile sig_atomic_t` for the
// interrupt is the only mutable global of dtc.
#include "compiler/base/file.h"

#include "compiler/base/vec.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

// New files that are synced one by one. Each fsync() costs the processor as much as all else about a small file, so
// beyond these one syncfs() does: it waits for the whole file system, which only a large build makes worth while.
enum { SYNCED_SINGLY_MAX = 16 };

const char FILE_TOO_LARGE[] = "the file is too large";
static const char FILE_INTERRUPTED[] = "interrupted";

static volatile sig_atomic_t interrupt_seen;

typedef struct {
    const char *temporary; // path; NULL once it is renamed
    const char *final;
    Str directory; // that the name is new in
} StagedFile;

struct FileSet {
    Arena *arena;
    Str directory;
    bool is_started;                    // the directory is there and signals are held back
    mode_t mode;                        // of new files
    uint32_t synced_count;              // new files that are on the disk
    bool is_sync_due;                   // others are not
    VEC(const char *) made_directories; // outermost first
    VEC(StagedFile) staged;
    struct sigaction old_interrupt;
    struct sigaction old_terminate;
};

// ---- faults ----------------------------------------------------------------------------------------------------

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

// ---- in --------------------------------------------------------------------------------------------------------

static const char *refusal(const struct stat *status, size_t size_max) {
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

// Reads on until the end even where the file grows meanwhile, or has no size at all as under /proc.
static const char *read_all(Arena *arena, int file, size_t expected, size_t size_max, Str *content) {
    size_t capacity = expected < 4096 ? 4096 : expected + 1; // one more shows that the end is reached
    char *data = arena_alloc(arena, capacity);
    size_t length = 0;
    for (;;) {
        const ssize_t got = read(file, data + length, capacity - length);
        if (got < 0 && errno == EINTR) {
            continue;
        }
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
    const char *fault = fstat(file, &status) != 0 ? file_fault(arena, errno) : refusal(&status, size_max);
    if (fault == NULL) {
        fault = read_all(arena, file, (size_t)status.st_size, size_max, content);
    }
    close(file); // opened for reading: nothing can be lost here
    return fault;
}

// ---- signals ---------------------------------------------------------------------------------------------------

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupt_seen = 1;
}

static void hold_signals(FileSet *files) {
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    interrupt_seen = 0;
    // sigaction() fails for numbers that are no signal only.
    sigaction(SIGINT, NULL, &files->old_interrupt);
    sigaction(SIGTERM, NULL, &files->old_terminate);
    // One that the caller ignores, as nohup does, stays ignored.
    if (files->old_interrupt.sa_handler != SIG_IGN) {
        sigaction(SIGINT, &action, NULL);
    }
    if (files->old_terminate.sa_handler != SIG_IGN) {
        sigaction(SIGTERM, &action, NULL);
    }
}

static void release_signals(const FileSet *files) {
    sigaction(SIGINT, &files->old_interrupt, NULL);
    sigaction(SIGTERM, &files->old_terminate, NULL);
}

bool files_interrupted(void) {
    return interrupt_seen != 0;
}

// ---- out -------------------------------------------------------------------------------------------------------

FileSet *files_open(Arena *arena, Str directory) {
    FileSet *files = arena_new(arena, FileSet);
    *files = (FileSet){ .arena = arena, .directory = directory.len == 0 ? STR(".") : directory };
    return files;
}

bool files_is_new(const FileSet *files) {
    struct stat status;
    return lstat(str_c(files->arena, files->directory), &status) != 0 && errno == ENOENT;
}

static const char *path_in(const FileSet *files, const char *before, Str name, const char *after) {
    const Str path = str_format(files->arena, "%.*s/%s%.*s%s", STR_ARG(files->directory), before, STR_ARG(name), after);
    return str_c(files->arena, path);
}

// Makes the directory and what is missing above it.
static const char *make_directory(FileSet *files) {
    const Str path = files->directory;
    for (size_t end = 1; end <= path.len; end++) {
        if (end < path.len && path.data[end] != '/') {
            continue;
        }
        const char *part = str_c(files->arena, str_slice(path, 0, end));
        if (mkdir(part, 0777) == 0) {
            vec_push(files->arena, &files->made_directories, part);
        } else if (errno != EEXIST) {
            return file_fault(files->arena, errno);
        }
    }
    struct stat status;
    if (stat(str_c(files->arena, path), &status) != 0) {
        return file_fault(files->arena, errno);
    }
    return S_ISDIR(status.st_mode) ? NULL : file_fault(files->arena, ENOTDIR);
}

// mkstemp() makes files that only their owner can read; new ones are for everybody the umask lets.
static mode_t public_mode(void) {
    const mode_t mask = umask(0);
    umask(mask);
    return 0644 & ~mask;
}

static const char *start(FileSet *files) {
    if (files->is_started) {
        return NULL;
    }
    hold_signals(files);
    files->is_started = true;
    files->mode = public_mode();
    return make_directory(files);
}

// Ends what start() began.
static void finish(FileSet *files) {
    if (files->is_started) {
        release_signals(files);
        files->is_started = false;
    }
    files->staged.count = 0;
    files->synced_count = 0;
    files->is_sync_due = false;
    files->made_directories.count = 0;
}

static const char *write_all(Arena *arena, int file, Str content) {
    size_t written = 0;
    while (written < content.len) {
        const ssize_t count = write(file, content.data + written, content.len - written);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return file_fault(arena, errno);
        }
        written += (size_t)count;
    }
    return NULL;
}

// Where a file is written first, and what it becomes.
typedef struct {
    const char *model; // of the temporary path: ends in XXXXXX
    const char *final;
    Str directory;
    mode_t mode;
    struct stat *original; // of the file whose owner is kept; NULL for a new one
} Staging;

// Only the superuser can give a file away. Whoever else may write the file gets it as their own, as from any editor
// that writes files whole.
static bool keep_owner(int file, const struct stat *original) {
    return original == NULL || fchown(file, original->st_uid, original->st_gid) == 0 || errno == EPERM;
}

// False where the file could not be synced; one whose turn is at the commit is no fault.
static bool sync_file(FileSet *files, int file, const Staging *staging) {
    if (staging->original == NULL && files->synced_count == SYNCED_SINGLY_MAX) {
        files->is_sync_due = true;
        return true;
    }
    files->synced_count += staging->original == NULL;
    return fsync(file) == 0;
}

static const char *stage(FileSet *files, const Staging *staging, Str content) {
    char *temporary = arena_alloc(files->arena, strlen(staging->model) + 1);
    memcpy(temporary, staging->model, strlen(staging->model));
    const int file = mkstemp(temporary);
    if (file < 0) {
        return file_fault(files->arena, errno);
    }
    vec_push(files->arena, &files->staged,
             (StagedFile){ .temporary = temporary, .final = staging->final, .directory = staging->directory });
    const char *fault = write_all(files->arena, file, content);
    // The owner first: a change of it clears bits of the mode.
    if (fault == NULL && (!keep_owner(file, staging->original) || fchmod(file, staging->mode) != 0 ||
                          !sync_file(files, file, staging))) {
        fault = file_fault(files->arena, errno);
    }
    if (close(file) != 0 && fault == NULL) {
        fault = file_fault(files->arena, errno);
    }
    // Not only before the renames: a thousand files to sync may take seconds.
    return fault == NULL && interrupt_seen != 0 ? FILE_INTERRUPTED : fault;
}

const char *file_stage(FileSet *files, Str name, Str content) {
    const bool is_dots = str_is(name, ".") || str_is(name, "..");
    if (name.len == 0 || is_dots || holds_zero(name) || memchr(name.data, '/', name.len) != NULL) {
        return "the name is no name of a file";
    }
    const char *fault = start(files);
    if (fault != NULL) {
        return fault;
    }
    const Staging staging = {
        .model = path_in(files, ".", name, ".dtc-XXXXXX"),
        .final = path_in(files, "", name, ""),
        .directory = files->directory,
        .mode = files->mode,
    };
    return stage(files, &staging, content);
}

// Whatever a path leads to, links followed, and what a replacement of it keeps.
static const char *find_target(Arena *arena, Str path, Staging *staging) {
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
        return refusal(&status, SIZE_MAX);
    }
    const char *name = strrchr(target, '/') + 1; // a real path is absolute
    const int before = (int)(name - target);
    *staging = (Staging){
        .model = str_c(arena, str_format(arena, "%.*s.%s.dtc-XXXXXX", before, target, name)),
        .final = str_c(arena, str_of(target)),
        .directory = str_copy(arena, (Str){ .data = target, .len = (size_t)before }),
        .mode = status.st_mode & 07777,
        .original = arena_new(arena, struct stat),
    };
    *staging->original = status;
    return NULL;
}

const char *file_stage_over(FileSet *files, Str path, Str content) {
    Staging staging;
    const char *fault = find_target(files->arena, path, &staging);
    if (fault == NULL) {
        fault = start(files);
    }
    return fault == NULL ? stage(files, &staging, content) : fault;
}

// A directory to the disk, so that the new names in it outlast a loss of power, or with syncfs() all that is on its file
// system. Some file systems cannot, and say EINVAL.
static const char *sync_directory(const FileSet *files, Str path, int (*sync)(int)) {
    const int directory = open(str_c(files->arena, path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
        return file_fault(files->arena, errno);
    }
    const bool is_synced = sync(directory) == 0 || errno == EINVAL;
    const char *fault = is_synced ? NULL : file_fault(files->arena, errno);
    close(directory);
    return fault;
}

// What would make a rename fail when some are done already, as far as it can be seen before.
static const char *check_finals(const FileSet *files) {
    // In a directory that was made for them there is nothing yet.
    const uint32_t count = files->made_directories.count > 0 ? 0 : files->staged.count;
    for (uint32_t i = 0; i < count; i++) {
        struct stat status;
        if (lstat(files->staged.items[i].final, &status) == 0 && S_ISDIR(status.st_mode)) {
            return str_c(files->arena, str_format(files->arena, "`%s` is a directory", files->staged.items[i].final));
        }
    }
    return interrupt_seen != 0 ? FILE_INTERRUPTED : NULL;
}

const char *files_commit(FileSet *files) {
    const char *fault = check_finals(files);
    if (fault == NULL && files->is_sync_due) {
        fault = sync_directory(files, files->directory, syncfs);
    }
    if (fault != NULL) {
        files_abort(files);
        return fault;
    }
    for (uint32_t i = 0; i < files->staged.count; i++) {
        StagedFile *file = &files->staged.items[i];
        if (rename(file->temporary, file->final) != 0) {
            fault = file_fault(files->arena, errno);
            files_abort(files);
            return fault;
        }
        file->temporary = NULL;
    }
    for (uint32_t i = 0; i < files->staged.count && fault == NULL; i++) {
        const Str directory = files->staged.items[i].directory;
        if (i == 0 || !str_equal(directory, files->staged.items[i - 1].directory)) {
            fault = sync_directory(files, directory, fsync);
        }
    }
    finish(files);
    return fault;
}

void files_abort(FileSet *files) {
    for (uint32_t i = 0; i < files->staged.count; i++) {
        if (files->staged.items[i].temporary != NULL) {
            unlink(files->staged.items[i].temporary);
        }
    }
    // rmdir() leaves alone what is not empty: what another program put there, or what is committed.
    for (uint32_t i = files->made_directories.count; i > 0; i--) {
        rmdir(files->made_directories.items[i - 1]);
    }
    finish(files);
}

const char *file_remove(FileSet *files, Str name) {
    if (name.len == 0 || holds_zero(name) || memchr(name.data, '/', name.len) != NULL) {
        return "the name is no name of a file";
    }
    if (unlink(path_in(files, "", name, "")) == 0 || errno == ENOENT || errno == ENOTDIR) {
        return NULL;
    }
    return file_fault(files->arena, errno);
}
