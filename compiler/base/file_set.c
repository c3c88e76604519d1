// Which promise needs what. A kill needs the order of the steps alone, since the kernel goes on. A loss of power needs
// two waits, whatever the number of files:
//
//   - All that was staged, and the journal, must be on the disk before the first name changes. One syncfs() does it. It
//     also waits for what other programs wrote to that file system, but an fsync() for each file waits for the disk as
//     often as there are files: 16 files took 15 ms, and 1 ms with syncfs(), on ext4 on a virtual disk.
//     Where the power goes before, the journal or a staged file may be cut short; their sums tell, and the old files
//     stand, since no name has changed.
//   - The new names must be on the disk before the journal goes, and before dtc says that it wrote them: one fsync() of
//     the folder.
//
// The journal itself needs no rename and no sync of its own: its last line is a sum.
#include "compiler/base/file_set.h"

#include "compiler/base/file.h"
#include "compiler/base/file_put.h"
#include "compiler/base/folder_lock.h"
#include "compiler/base/interrupt.h"
#include "compiler/base/journal.h"
#include "compiler/base/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAGING_FOLDER ".dtc-set"
#define JOURNAL_FILE STAGING_FOLDER "/journal"

enum {
    WAIT_SECONDS_MAX = 120,               // for another dtc; writing 1,000 clusters takes a few
    FOLDER_TRIES_MAX = 100,               // a folder that other dtc make and remove all the time
    STAGED_BYTES_MAX = 256 * 1024 * 1024, // of a file; a larger one cannot be held against its sum
};

static const char INTERRUPTED[] = "interrupted";

struct FileSet {
    Arena *arena;
    Str directory;
    bool has_journal;
    bool is_begun;
    bool is_new;
    bool is_staging; // the staging folder is there
    bool is_partial;
    FolderLock lock;
    Interrupts interrupts;
    VEC(const char *) made_directories; // outermost first
    SetSteps steps;                     // a staged file is called by the number of its step
    SetRepair repaired;
};

// ---- places ----------------------------------------------------------------------------------------------------

static FileSet *open_set(Arena *arena, Str directory, bool has_journal) {
    FileSet *files = arena_new(arena, FileSet);
    while (directory.len > 1 && directory.data[directory.len - 1] == '/') {
        directory.len--; // messages show paths in it
    }
    *files = (FileSet){ .arena = arena,
                        .directory = directory.len == 0 ? STR(".") : directory,
                        .has_journal = has_journal,
                        .lock = FOLDER_UNLOCKED };
    return files;
}

FileSet *files_open(Arena *arena, Str directory) {
    return open_set(arena, directory, true);
}

FileSet *files_open_sources(Arena *arena, Str directory) {
    return open_set(arena, directory, false);
}

static const char *path_of(const FileSet *files, Str name) {
    return str_c(files->arena, str_format(files->arena, "%.*s/%.*s", STR_ARG(files->directory), STR_ARG(name)));
}

static const char *staged_path(const FileSet *files, uint32_t step) {
    return path_of(files, str_format(files->arena, STAGING_FOLDER "/%" PRIu32, step));
}

bool files_is_new(const FileSet *files) {
    return files->is_new;
}

bool files_is_partial(const FileSet *files) {
    return files->is_partial;
}

const SetRepair *files_repaired(const FileSet *files) {
    return &files->repaired;
}

// ---- steps -----------------------------------------------------------------------------------------------------

static const char *step_fault(const FileSet *files, const char *verb, const char *path) {
    const char *reason = file_fault(files->arena, errno);
    return str_c(files->arena, str_format(files->arena, "cannot %s `%s`: %s", verb, path, reason));
}

typedef enum { FOUND_NOTHING, FOUND_SAME, FOUND_OTHER, FOUND_FAULT } Found;

// What is at a path, held against a sum. A file that cannot be read may be anything: `*fault` then says why.
static Found find(const FileSet *files, const char *path, Str sha256, const char **fault) {
    struct stat status;
    Str content;
    if (stat(path, &status) != 0) {
        if (errno == ENOENT) {
            return FOUND_NOTHING;
        }
        *fault = step_fault(files, "look at", path);
        return FOUND_FAULT;
    }
    if (!S_ISREG(status.st_mode)) {
        return FOUND_OTHER;
    }
    const char *reason = file_read(files->arena, str_of(path), STAGED_BYTES_MAX, &content);
    if (reason != NULL) {
        *fault = str_c(files->arena, str_format(files->arena, "cannot read `%s`: %s", path, reason));
        return FOUND_FAULT;
    }
    return str_equal(sha256_text(files->arena, content), sha256) ? FOUND_SAME : FOUND_OTHER;
}

static const char *remove_file(FileSet *files, const SetStep *step, SetRepair *count) {
    const char *path = path_of(files, step->name);
    const char *fault = NULL;
    switch (find(files, path, step->sha256, &fault)) {
    case FOUND_NOTHING:
    case FOUND_OTHER: // changed since: somebody's own
        break;
    case FOUND_SAME:
        if (unlink(path) != 0) {
            return step_fault(files, "remove", path);
        }
        count->removed_count++;
        break;
    case FOUND_FAULT:
        break;
    }
    return fault;
}

// In a repair, a staged file that is not there got its name before the kill.
static const char *take_steps(FileSet *files, bool is_repair, SetRepair *count) {
    for (uint32_t i = 0; i < files->steps.count; i++) {
        const SetStep *step = &files->steps.items[i];
        const char *path = path_of(files, step->name);
        switch (step->action) {
        case STEP_PUT:
            if (rename(staged_path(files, i), path) == 0) {
                count->put_count++;
            } else if (errno != ENOENT || !is_repair) {
                return step_fault(files, "rename to", path);
            }
            break;
        case STEP_REMOVE: {
            const char *fault = remove_file(files, step, count);
            if (fault != NULL) {
                return fault;
            }
            break;
        }
        }
    }
    return NULL;
}

// The folder to the disk, so that the names in it outlast a loss of power. Some file systems cannot, and say EINVAL.
static const char *sync_names(const FileSet *files) {
    return fsync(files->lock.file) == 0 || errno == EINVAL ? NULL : file_fault(files->arena, errno);
}

// ---- what a killed dtc left ------------------------------------------------------------------------------------

// True where there is a journal whose steps can all be taken. A staged file that is not there has its name already.
// False, with a fault, where that cannot be known.
static bool read_journal(FileSet *files, const char **fault) {
    const char *path = path_of(files, STR(JOURNAL_FILE));
    struct stat status;
    Str text;
    if (lstat(path, &status) != 0) {
        *fault = errno == ENOENT ? NULL : step_fault(files, "look at", path);
        return false;
    }
    const char *reason = file_read(files->arena, str_of(path), STAGED_BYTES_MAX, &text);
    if (reason != NULL) {
        *fault = str_c(files->arena, str_format(files->arena, "cannot read `%s`: %s", path, reason));
        return false;
    }
    bool is_whole = journal_read(files->arena, text, &files->steps);
    for (uint32_t i = 0; is_whole && i < files->steps.count; i++) {
        const SetStep *step = &files->steps.items[i];
        if (step->action == STEP_PUT) {
            const Found found = find(files, staged_path(files, i), step->sha256, fault);
            is_whole = found == FOUND_NOTHING || found == FOUND_SAME;
        }
    }
    return is_whole;
}

static bool is_staged_name(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        if (name.data[i] < '0' || name.data[i] > '9') {
            return false;
        }
    }
    return name.len > 0;
}

// The journal goes first: without it the other files mean nothing. What dtc did not put there stays, and then the
// folder does, too.
static const char *clear_staging(const FileSet *files) {
    const char *staging = path_of(files, STR(STAGING_FOLDER));
    if (unlink(path_of(files, STR(JOURNAL_FILE))) != 0 && errno != ENOENT) {
        return step_fault(files, "remove", path_of(files, STR(JOURNAL_FILE)));
    }
    if (rmdir(staging) == 0) {
        return NULL; // as after each commit
    }
    DIR *directory = opendir(staging);
    if (directory == NULL) {
        return step_fault(files, "read", staging);
    }
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        const Str name = str_of(entry->d_name);
        if (is_staged_name(name)) {
            (void)unlinkat(dirfd(directory), entry->d_name, 0); // rmdir() tells
        }
    }
    closedir(directory);
    return rmdir(staging) == 0 ? NULL : step_fault(files, "remove", staging);
}

static const char *mend(FileSet *files) {
    struct stat status;
    const char *staging = path_of(files, STR(STAGING_FOLDER));
    if (lstat(staging, &status) != 0) {
        return errno == ENOENT ? NULL : file_fault(files->arena, errno);
    }
    const char *fault = NULL;
    if (!S_ISDIR(status.st_mode)) {
        fault = str_c(files->arena, str_format(files->arena, "`%s` is in the way", staging));
    } else if (read_journal(files, &fault)) {
        fault = take_steps(files, true, &files->repaired);
        fault = fault == NULL ? sync_names(files) : fault;
    }
    if (fault == NULL) {
        fault = clear_staging(files);
    }
    files->repaired.has_leftovers = true;
    files->steps.count = 0;
    files->is_partial = fault != NULL;
    return fault;
}

// ---- begin and end ---------------------------------------------------------------------------------------------

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
    return NULL;
}

static const char *lock_directory(FileSet *files, bool may_make) {
    const char *path = str_c(files->arena, files->directory);
    for (int i = 0; i < FOLDER_TRIES_MAX; i++) {
        switch (folder_lock(path, WAIT_SECONDS_MAX, &files->lock)) {
        case LOCK_TAKEN:
            return NULL;
        case LOCK_GONE: {
            const char *fault = may_make ? make_directory(files) : file_fault(files->arena, ENOENT);
            if (fault != NULL) {
                return fault;
            }
            break;
        }
        case LOCK_BUSY:
            return "another dtc has been writing into it for two minutes";
        case LOCK_INTERRUPTED:
            return INTERRUPTED;
        case LOCK_FAULT:
            return file_fault(files->arena, errno);
        }
    }
    return file_fault(files->arena, ENOENT);
}

// Another dtc may have been quicker than the one that made the folder.
static bool is_empty(const char *path) {
    DIR *directory = opendir(path);
    if (directory == NULL) {
        return false;
    }
    int count = 0; // with `.` and `..`
    while (count <= 2 && readdir(directory) != NULL) {
        count++;
    }
    closedir(directory);
    return count <= 2;
}

// Ends what begin() began.
static void finish(FileSet *files) {
    if (files->is_begun) {
        folder_unlock(&files->lock);
        interrupts_release(&files->interrupts);
    }
    files->is_begun = false;
    files->is_staging = false;
    files->steps.count = 0;
    files->made_directories.count = 0;
}

static const char *begin(FileSet *files, bool may_make) {
    if (files->is_begun) {
        return NULL;
    }
    interrupts_hold(&files->interrupts);
    files->is_begun = true;
    files->is_new = false;
    files->is_partial = false;
    files->repaired = (SetRepair){ 0 };
    const char *fault = lock_directory(files, may_make);
    if (fault == NULL) {
        files->is_new = files->made_directories.count > 0 && is_empty(str_c(files->arena, files->directory));
        fault = files->is_new ? NULL : mend(files);
    }
    if (fault != NULL) {
        files_abort(files);
    }
    return fault;
}

const char *files_begin(FileSet *files) {
    return begin(files, true);
}

const char *files_repair(Arena *arena, Str directory, SetRepair *repair) {
    FileSet *files = files_open(arena, directory);
    struct stat status;
    *repair = (SetRepair){ 0 };
    if (lstat(path_of(files, STR(STAGING_FOLDER)), &status) != 0) {
        // A folder that is none, or that nobody may look into, is for whoever opens files in it.
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES ? NULL : file_fault(arena, errno);
    }
    const char *fault = begin(files, false);
    *repair = files->repaired;
    files_abort(files);
    return fault;
}

// ---- out -------------------------------------------------------------------------------------------------------

static const char *make_staging(FileSet *files) {
    if (!files->is_staging && mkdir(path_of(files, STR(STAGING_FOLDER)), 0777) != 0) {
        return file_fault(files->arena, errno);
    }
    files->is_staging = true;
    return NULL;
}

static const char *add_step(FileSet *files, SetStep step) {
    if (!journal_takes_name(step.name) || str_is(step.name, STAGING_FOLDER)) {
        return "the name is no name of a file";
    }
    const char *fault = begin(files, true);
    if (fault == NULL) {
        vec_push(files->arena, &files->steps, step);
    }
    return fault;
}

const char *file_stage_summed(FileSet *files, Str name, Str content, Str sha256) {
    const SetStep step = { .action = STEP_PUT, .name = name, .sha256 = sha256 };
    const char *fault = content.len > STAGED_BYTES_MAX ? FILE_TOO_LARGE : add_step(files, step);
    FileLook look = { 0 };
    if (fault == NULL && !files->is_new) {
        fault = file_look(files->arena, path_of(files, name), &look);
    }
    if (fault == NULL) {
        fault = make_staging(files);
    }
    if (fault == NULL) {
        fault = file_put(files->arena, staged_path(files, files->steps.count - 1), content, &look);
    }
    return fault == NULL && interrupt_came() ? INTERRUPTED : fault;
}

const char *file_stage(FileSet *files, Str name, Str content) {
    return file_stage_summed(files, name, content, sha256_text(files->arena, content));
}

const char *file_remove(FileSet *files, Str name, Str sha256) {
    return add_step(files, (SetStep){ .action = STEP_REMOVE, .name = name, .sha256 = sha256 });
}

static const char *write_journal(FileSet *files) {
    const char *fault = make_staging(files);
    if (fault == NULL) {
        const FileLook look = { 0 };
        fault = file_put(files->arena, path_of(files, STR(JOURNAL_FILE)), journal_write(files->arena, &files->steps),
                         &look);
    }
    return fault;
}

const char *files_commit(FileSet *files) {
    if (files->steps.count == 0) {
        finish(files);
        return NULL;
    }
    const char *fault = files->has_journal ? write_journal(files) : NULL;
    if (fault == NULL && syncfs(files->lock.file) != 0) {
        fault = file_fault(files->arena, errno);
    }
    if (fault == NULL && interrupt_came()) {
        fault = INTERRUPTED;
    }
    SetRepair count = { 0 };
    if (fault == NULL) {
        fault = take_steps(files, false, &count);
    }
    files->is_partial = fault != NULL && files->has_journal && count.put_count + count.removed_count > 0;
    if (fault != NULL && !files->is_partial) {
        files_abort(files);
        return fault;
    }
    if (fault == NULL) {
        fault = sync_names(files);
        files->is_partial = fault != NULL && files->has_journal;
    }
    if (fault == NULL) {
        (void)clear_staging(files); // all is done; what stays, the next dtc takes away
    }
    finish(files);
    return fault;
}

void files_abort(FileSet *files) {
    if (files->is_staging) {
        (void)clear_staging(files);
    }
    // rmdir() leaves alone what is not empty: what another program put there, or what is committed.
    for (uint32_t i = files->made_directories.count; i > 0; i--) {
        rmdir(files->made_directories.items[i - 1]);
    }
    finish(files);
}
