// Moves staged files to their names. Every step can be repeated after a kill. A step that was already taken finds no
// staged file, or no file to remove, and does nothing. A file that somebody has changed since is not removed.
#include "compiler/base/staging.h"

#include "compiler/base/file.h"
#include "compiler/base/sha256.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAGING_FOLDER ".dtc-set"
#define JOURNAL_FILE STAGING_FOLDER "/journal"

// ---- places ----------------------------------------------------------------------------------------------------

const char *staging_target(const Staging *staging, Str name) {
    return str_c(staging->arena, str_format(staging->arena, "%.*s/%.*s", STR_ARG(staging->directory), STR_ARG(name)));
}

static const char *staged_path(const Staging *staging, uint32_t step) {
    return staging_target(staging, str_format(staging->arena, STAGING_FOLDER "/%" PRIu32, step));
}

static const char *step_fault(const Staging *staging, const char *verb, const char *path) {
    const char *reason = file_fault(staging->arena, errno);
    return str_c(staging->arena, str_format(staging->arena, "cannot %s `%s`: %s", verb, path, reason));
}

bool staging_takes_name(Str name) {
    return journal_takes_name(name) && !str_is(name, STAGING_FOLDER);
}

const char *staging_look(const Staging *staging, bool *is_there) {
    const char *folder = staging_target(staging, STR(STAGING_FOLDER));
    struct stat status;
    *is_there = lstat(folder, &status) == 0;
    if (!*is_there) {
        // A directory that is none, or that nobody may look into, is for whoever opens files in it.
        const int error = errno;
        const bool is_closed = error == EACCES && access(str_c(staging->arena, staging->directory), X_OK) != 0;
        const bool is_other = error == ENOENT || error == ENOTDIR || is_closed;
        return is_other ? NULL : file_fault(staging->arena, error);
    }
    const Str fault = str_format(staging->arena, "`%s` is in the way", folder);
    return S_ISDIR(status.st_mode) ? NULL : str_c(staging->arena, fault);
}

// ---- in --------------------------------------------------------------------------------------------------------

static const char *make_folder(Staging *staging) {
    if (!staging->is_made && mkdir(staging_target(staging, STR(STAGING_FOLDER)), 0777) != 0) {
        return file_fault(staging->arena, errno);
    }
    staging->is_made = true;
    return NULL;
}

const char *staging_put(Staging *staging, Str content, const FileLook *look) {
    const char *fault = make_folder(staging);
    return fault != NULL ? fault
                         : file_put(staging->arena, staged_path(staging, staging->steps.count - 1), content, look);
}

const char *staging_put_journal(Staging *staging) {
    const FileLook look = { 0 };
    const char *fault = make_folder(staging);
    return fault != NULL ? fault
                         : file_put(staging->arena, staging_target(staging, STR(JOURNAL_FILE)),
                                    journal_write(staging->arena, &staging->steps), &look);
}

// ---- the steps -------------------------------------------------------------------------------------------------

typedef enum { FOUND_NOTHING, FOUND_SAME, FOUND_OTHER, FOUND_FAULT } Found;

// What is at a path, held against a sum. A file that cannot be read may be anything: `*fault` then says why.
static Found find(const Staging *staging, const char *path, Str sha256, const char **fault) {
    struct stat status;
    Str content;
    if (stat(path, &status) != 0) {
        if (errno == ENOENT) {
            return FOUND_NOTHING;
        }
        *fault = step_fault(staging, "look at", path);
        return FOUND_FAULT;
    }
    if (!S_ISREG(status.st_mode)) {
        return FOUND_OTHER;
    }
    const char *reason = file_read(staging->arena, str_of(path), STAGED_BYTES_MAX, &content);
    if (reason != NULL) {
        *fault = str_c(staging->arena, str_format(staging->arena, "cannot read `%s`: %s", path, reason));
        return FOUND_FAULT;
    }
    return str_equal(sha256_text(staging->arena, content), sha256) ? FOUND_SAME : FOUND_OTHER;
}

const char *staging_read_journal(Staging *staging, bool *is_whole) {
    const char *path = staging_target(staging, STR(JOURNAL_FILE));
    struct stat status;
    Str text;
    *is_whole = false;
    if (lstat(path, &status) != 0) {
        return errno == ENOENT ? NULL : step_fault(staging, "look at", path);
    }
    const char *fault = file_read(staging->arena, str_of(path), STAGED_BYTES_MAX, &text);
    if (fault != NULL) {
        return str_c(staging->arena, str_format(staging->arena, "cannot read `%s`: %s", path, fault));
    }
    *is_whole = journal_read(staging->arena, text, &staging->steps);
    for (uint32_t i = 0; *is_whole && i < staging->steps.count; i++) {
        const SetStep *step = &staging->steps.items[i];
        if (step->action == STEP_PUT) {
            // One that is not there has its name already.
            const Found found = find(staging, staged_path(staging, i), step->sha256, &fault);
            *is_whole = found == FOUND_NOTHING || found == FOUND_SAME;
        }
    }
    return fault;
}

static const char *remove_file(const Staging *staging, const SetStep *step, StepCount *count) {
    const char *path = staging_target(staging, step->name);
    const char *fault = NULL;
    switch (find(staging, path, step->sha256, &fault)) {
    case FOUND_NOTHING:
    case FOUND_OTHER: // changed since: somebody's own
    case FOUND_FAULT:
        break;
    case FOUND_SAME:
        if (unlink(path) != 0) {
            return step_fault(staging, "remove", path);
        }
        count->removed_count++;
        break;
    }
    return fault;
}

const char *staging_take(const Staging *staging, StepsState state, StepCount *count) {
    for (uint32_t i = 0; i < staging->steps.count; i++) {
        const SetStep *step = &staging->steps.items[i];
        const char *path = staging_target(staging, step->name);
        const char *fault = NULL;
        switch (step->action) {
        case STEP_PUT:
            if (rename(staged_path(staging, i), path) == 0) {
                count->put_count++;
            } else if (errno != ENOENT || state == STEPS_NEW) {
                fault = step_fault(staging, "rename to", path);
            }
            break;
        case STEP_REMOVE:
            fault = remove_file(staging, step, count);
            break;
        }
        if (fault != NULL) {
            return fault;
        }
    }
    return NULL;
}

// ---- out -------------------------------------------------------------------------------------------------------

static bool is_staged_name(Str name) {
    for (size_t i = 0; i < name.len; i++) {
        if (name.data[i] < '0' || name.data[i] > '9') {
            return false;
        }
    }
    return name.len > 0;
}

const char *staging_clear(Staging *staging) {
    const char *journal = staging_target(staging, STR(JOURNAL_FILE));
    const char *folder = staging_target(staging, STR(STAGING_FOLDER));
    staging->is_made = false;
    if (unlink(journal) != 0 && errno != ENOENT) {
        return step_fault(staging, "remove", journal);
    }
    if (rmdir(folder) == 0) {
        return NULL; // as after each commit
    }
    DIR *directory = opendir(folder);
    if (directory == NULL) {
        return step_fault(staging, "read", folder);
    }
    // What dtc did not put there stays. Then the folder does, too: rmdir() fails and says why.
    for (const struct dirent *entry = readdir(directory); entry != NULL; entry = readdir(directory)) {
        if (is_staged_name(str_of(entry->d_name))) {
            (void)unlinkat(dirfd(directory), entry->d_name, 0);
        }
    }
    closedir(directory);
    return rmdir(folder) == 0 ? NULL : step_fault(staging, "remove", folder);
}
