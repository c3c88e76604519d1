// How a set outlasts a kill and a loss of power. After a kill the kernel goes on, so the right order of the steps is
// enough. A loss of power takes two waits for the disk, however many files there are:
//
//   - Before the first file gets its name, all staged files and the journal must be on the disk. One syncfs() does it.
//     It also waits for what other programs wrote to that file system. But an fsync() for each file waits for the disk
//     once a file: 16 files took 15 ms, and 1 ms with syncfs(), on ext4 on a virtual disk. Where the power goes before
//     that, the journal or a staged file may be cut short. Their sums show it, and the old files stand, since no name
//     has changed.
//   - Before the journal goes, and before dtc says that it wrote the files, the new names must be on the disk. One
//     fsync() of the folder does it.
//
// The journal itself is neither renamed nor synced on its own: its last line is a sum.
#include "compiler/base/file_set.h"

#include "compiler/base/file.h"
#include "compiler/base/folder_lock.h"
#include "compiler/base/interrupt.h"
#include "compiler/base/sha256.h"
#include "compiler/base/staging.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    WAIT_SECONDS_MAX = 120, // for another dtc; writing 1,000 clusters takes a few
    FOLDER_TRIES_MAX = 100, // a folder that other dtc make and remove all the time
};

static const char INTERRUPTED[] = "interrupted";

struct FileSet {
    Arena *arena;
    Staging staging;
    bool has_journal;
    bool is_begun;
    bool is_new;
    bool is_partial;
    FolderLock lock;
    Interrupts interrupts;
    VEC(const char *) made_directories; // outermost first
    SetRepair repaired;
};

// ---- places ----------------------------------------------------------------------------------------------------

static FileSet *open_set(Arena *arena, Str directory, bool has_journal) {
    FileSet *files = arena_new(arena, FileSet);
    while (directory.len > 1 && directory.data[directory.len - 1] == '/') {
        directory.len--; // messages show paths in it
    }
    *files = (FileSet){ .arena = arena,
                        .staging = { .arena = arena, .directory = directory.len == 0 ? STR(".") : directory },
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

bool files_is_new(const FileSet *files) {
    return files->is_new;
}

bool files_is_partial(const FileSet *files) {
    return files->is_partial;
}

const SetRepair *files_repaired(const FileSet *files) {
    return &files->repaired;
}

// The folder to the disk, so that the names in it outlast a loss of power. Some file systems cannot, and say EINVAL.
static const char *sync_names(const FileSet *files) {
    return fsync(files->lock.file) == 0 || errno == EINVAL ? NULL : file_fault(files->arena, errno);
}

// ---- what a killed dtc left ------------------------------------------------------------------------------------

static const char *mend(FileSet *files) {
    bool is_there = false;
    bool is_whole = false;
    const char *fault = staging_look(&files->staging, &is_there);
    if (!is_there) {
        return fault;
    }
    if (fault == NULL) {
        fault = staging_read_journal(&files->staging, &is_whole);
    }
    if (fault == NULL && is_whole) {
        StepCount count = { 0 };
        fault = staging_take(&files->staging, STEPS_BEGUN, &count);
        fault = fault == NULL ? sync_names(files) : fault;
        files->repaired.put_count = count.put_count;
        files->repaired.removed_count = count.removed_count;
    }
    if (fault == NULL) {
        fault = staging_clear(&files->staging);
    }
    files->repaired.has_leftovers = true;
    files->staging.steps.count = 0;
    files->is_partial = fault != NULL;
    return fault;
}

// ---- begin and end ---------------------------------------------------------------------------------------------

// Makes the directory and what is missing above it.
static const char *make_directory(FileSet *files) {
    const Str path = files->staging.directory;
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
    const char *path = str_c(files->arena, files->staging.directory);
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
    files->staging.is_made = false;
    files->staging.steps.count = 0;
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
        files->is_new = files->made_directories.count > 0 && is_empty(str_c(files->arena, files->staging.directory));
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
    bool is_there = false;
    *repair = (SetRepair){ 0 };
    const char *fault = staging_look(&files->staging, &is_there);
    if (fault != NULL || !is_there) {
        return fault;
    }
    fault = begin(files, false);
    *repair = files->repaired;
    files_abort(files);
    return fault;
}

// ---- out -------------------------------------------------------------------------------------------------------

static const char *add_step(FileSet *files, SetStep step) {
    if (!staging_takes_name(step.name)) {
        return "its name has a slash or a control character";
    }
    const char *fault = begin(files, true);
    if (fault == NULL) {
        vec_push(files->arena, &files->staging.steps, step);
    }
    return fault;
}

const char *file_stage_summed(FileSet *files, Str name, Str content, Str sha256) {
    const SetStep step = { .action = STEP_PUT, .name = name, .sha256 = sha256 };
    const char *fault = content.len > STAGED_BYTES_MAX ? FILE_TOO_LARGE : add_step(files, step);
    FileLook look = { 0 };
    if (fault == NULL && !files->is_new) {
        fault = file_look(files->arena, staging_target(&files->staging, name), &look);
    }
    if (fault == NULL) {
        fault = staging_put(&files->staging, content, &look);
    }
    return fault == NULL && interrupt_came() ? INTERRUPTED : fault;
}

const char *file_stage(FileSet *files, Str name, Str content) {
    return file_stage_summed(files, name, content, sha256_text(files->arena, content));
}

const char *file_remove(FileSet *files, Str name, Str sha256) {
    return add_step(files, (SetStep){ .action = STEP_REMOVE, .name = name, .sha256 = sha256 });
}

const char *files_commit(FileSet *files) {
    if (files->staging.steps.count == 0) {
        finish(files);
        return NULL;
    }
    const char *fault = files->has_journal ? staging_put_journal(&files->staging) : NULL;
    if (fault == NULL && syncfs(files->lock.file) != 0) {
        fault = file_fault(files->arena, errno);
    }
    if (fault == NULL && interrupt_came()) {
        fault = INTERRUPTED;
    }
    StepCount count = { 0 };
    if (fault == NULL) {
        fault = staging_take(&files->staging, STEPS_NEW, &count);
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
        (void)staging_clear(&files->staging); // all is done; what stays, the next dtc takes away
    }
    finish(files);
    return fault;
}

void files_abort(FileSet *files) {
    if (files->staging.is_made) {
        (void)staging_clear(&files->staging);
    }
    // rmdir() leaves alone what is not empty: what another program put there, or what is committed.
    for (uint32_t i = files->made_directories.count; i > 0; i--) {
        rmdir(files->made_directories.items[i - 1]);
    }
    finish(files);
}
