// Writes artifacts as files. All files of a build are one set, and plan.json is the last one. The same set removes
// stale files: an earlier build wrote them, and nobody has changed them since. The sums in the old plan.json show that.
#include "compiler/driver/output/write.h"

#include "compiler/base/file.h"
#include "compiler/base/file_set.h"
#include "compiler/base/interrupt.h"
#include "compiler/base/sha256.h"
#include "compiler/base/str_map.h"

#include <errno.h>
#include <sys/stat.h>

enum { OUTPUT_BYTES_MAX = 64 * 1024 * 1024 }; // of a file that is compared; a larger one was not written by dtc

typedef struct {
    Session *session;
    Str directory;
    FileSet *files;
    ListedFiles listed;
    VEC(Str) contents; // of what is listed
    StrMap by_name;    // of what is listed
    Written written;
    Written removed;
} Writer;

Str output_path(Arena *arena, Str directory, Str name) {
    if (directory.len == 0 || str_is(directory, ".") || str_is(directory, "./")) {
        return name;
    }
    const char *between = str_ends_with(directory, STR("/")) ? "" : "/";
    return str_format(arena, "%.*s%s%.*s", STR_ARG(directory), between, STR_ARG(name));
}

// A cluster on EKS has up to three files under one name.
Str output_map_name(Arena *arena, Str name) {
    const bool is_one_of_several = str_ends_with(name, STR(".k8s.yaml")) || str_ends_with(name, STR(".eksctl.yaml"));
    const size_t end = is_one_of_several ? name.len - STR(".yaml").len : str_find(name, STR("."), 0);
    return str_format(arena, "%.*s.map.json", STR_ARG(str_slice(name, 0, end)));
}

static bool holds(Arena *arena, Str path, Str content) {
    Str old;
    return file_read(arena, path, OUTPUT_BYTES_MAX, &old) == NULL && str_equal(old, content);
}

void write_report_fault(Session *session, Str path, const char *fault, const char *help) {
    if (interrupt_came()) {
        report(session, SPAN_NONE, DIAG(interrupted));
        return;
    }
    Diag *diag = report(session, SPAN_NONE, DIAG(cannot_write), STR_ARG(path), fault);
    if (help != NULL) {
        diag_help(session, diag, "%s", help);
    }
}

static void report_fault(Session *session, Str path, const char *fault) {
    write_report_fault(session, path, fault, NULL);
}

// False where the file could not be staged; reported.
static bool stage(Writer *writer, Str name, Str content, Str sha256) {
    Session *session = writer->session;
    const Str path = output_path(session->arena, writer->directory, name);
    const bool is_same = !files_is_new(writer->files) && holds(session->arena, path, content);
    const char *fault = is_same ? NULL : file_stage_summed(writer->files, name, content, sha256);
    if (fault != NULL) {
        report_fault(session, path, fault);
        return false;
    }
    const WrittenFile written = { .path = path, .action = is_same ? WRITE_UNCHANGED : WRITE_NEW };
    vec_push(session->arena, &writer->written, written);
    return true;
}

static void list_file(Writer *writer, Str name, Str content) {
    vec_push(writer->session->arena, &writer->listed, (ListedFile){ .name = name });
    vec_push(writer->session->arena, &writer->contents, content);
}

// Everything but plan.json, with its sums.
static void list_files(Writer *writer, const Output *output) {
    Arena *arena = writer->session->arena;
    for (uint32_t i = 0; i < output->artifacts.count; i++) {
        const Artifact *artifact = &output->artifacts.items[i];
        if (artifact->missing.count > 0) {
            continue; // it waits
        }
        list_file(writer, artifact->name, artifact->content);
        if (artifact->map.len > 0) {
            list_file(writer, output_map_name(arena, artifact->name), artifact->map);
        }
    }
    for (uint32_t i = 0; i < writer->listed.count; i++) {
        writer->listed.items[i].sha256 = sha256_text(arena, writer->contents.items[i]);
        const void *other = str_map_add(&writer->by_name, writer->listed.items[i].name, &writer->listed.items[i]);
        assert(other == NULL); // names of blocks are unique
        (void)other;
    }
}

typedef enum { OLD_NONE, OLD_READ, OLD_OTHER, OLD_FAULT } OldFile;

// A file of an earlier build. If it is there and cannot be read, that is reported. If dtc went on without it, files
// would stay that nobody lists any more.
static OldFile read_old(const Writer *writer, Str path, Str *content) {
    Session *session = writer->session;
    struct stat status;
    const char *fault = NULL;
    if (stat(str_c(session->arena, path), &status) != 0) {
        if (errno == ENOENT) {
            return OLD_NONE;
        }
        fault = file_fault(session->arena, errno);
    } else if (!S_ISREG(status.st_mode)) {
        return OLD_OTHER;
    } else {
        fault = file_read(session->arena, path, OUTPUT_BYTES_MAX, content);
    }
    if (fault != NULL) {
        report_fault(session, path, fault);
    }
    return fault == NULL ? OLD_READ : OLD_FAULT;
}

// What the plan.json of an earlier build lists; empty where there is none, and where it is not ours. False where that
// cannot be known.
static bool read_old_files(const Writer *writer, ListedFiles *old) {
    Session *session = writer->session;
    const Str path = output_path(session->arena, writer->directory, STR(PLAN_FILE));
    Str text;
    *old = (ListedFiles){ 0 };
    switch (files_is_new(writer->files) ? OLD_NONE : read_old(writer, path, &text)) {
    case OLD_NONE:
    case OLD_OTHER: // which cannot be replaced, or is none of ours
        return true;
    case OLD_READ:
        if (!steps_read_files(session->arena, text, old)) {
            report(session, SPAN_NONE, DIAG(foreign_plan), STR_ARG(path));
        }
        return true;
    case OLD_FAULT:
        break;
    }
    return false;
}

// False where a file that an earlier build made could not be looked at; reported.
static bool remove_one(Writer *writer, const ListedFile *file) {
    Session *session = writer->session;
    const Str path = output_path(session->arena, writer->directory, file->name);
    Str content;
    const OldFile old = read_old(writer, path, &content);
    if (old == OLD_NONE || old == OLD_FAULT) {
        return old == OLD_NONE;
    }
    if (old == OLD_OTHER || !str_equal(sha256_text(session->arena, content), file->sha256)) {
        report(session, SPAN_NONE, DIAG(stale_file_kept), STR_ARG(path));
        return true;
    }
    const char *fault = file_remove(writer->files, file->name, file->sha256);
    if (fault != NULL) {
        report_fault(session, path, fault);
        return false;
    }
    vec_push(session->arena, &writer->removed, (WrittenFile){ .path = path, .action = WRITE_REMOVED });
    return true;
}

static bool remove_stale(Writer *writer, const ListedFiles *old) {
    for (uint32_t i = 0; i < old->count; i++) {
        // One that is made again is no longer stale.
        if (str_map_get(&writer->by_name, old->items[i].name) == NULL && !remove_one(writer, &old->items[i])) {
            return false;
        }
    }
    return true;
}

// Looks at what is in the folder already, so the folder has to be locked before.
static bool stage_all(Writer *writer, Str source, const Output *output) {
    Arena *arena = writer->session->arena;
    ListedFiles old;
    if (!read_old_files(writer, &old)) {
        return false;
    }
    list_files(writer, output);
    for (uint32_t i = 0; i < writer->listed.count; i++) {
        const ListedFile *file = &writer->listed.items[i];
        if (!stage(writer, file->name, writer->contents.items[i], file->sha256)) {
            return false;
        }
    }
    if (!remove_stale(writer, &old)) {
        return false;
    }
    Arena *scratch = arena_create_beside(arena);
    const Str plan = steps_write(scratch, source, output, &writer->listed);
    const bool is_staged = stage(writer, STR(PLAN_FILE), plan, sha256_text(arena, plan));
    arena_destroy(scratch);
    return is_staged;
}

static void report_partial(Session *session, Str directory, const char *fault) {
    Diag *diag = report(session, SPAN_NONE, DIAG(set_partial), STR_ARG(directory), fault);
    diag_help(session, diag, "mend that and build again: what was begun is finished first");
}

static void report_repair(Session *session, Str directory, const SetRepair *repair) {
    if (repair->put_count + repair->removed_count > 0) {
        report(session, SPAN_NONE, DIAG(set_finished), STR_ARG(directory), repair->put_count, repair->removed_count);
    } else if (repair->has_leftovers) {
        report(session, SPAN_NONE, DIAG(set_cleared), STR_ARG(directory));
    }
}

bool output_repair(Session *session, Str directory) {
    const bool has_slash = directory.len > 1 && str_ends_with(directory, STR("/"));
    const Str shown = directory.len == 0 ? STR(".") : str_slice(directory, 0, directory.len - has_slash);
    SetRepair repair;
    const char *fault = files_repair(session->arena, shown, &repair);
    if (fault != NULL) {
        report_partial(session, shown, fault);
        return false;
    }
    report_repair(session, shown, &repair);
    return true;
}

static bool begin(Writer *writer) {
    const char *fault = files_begin(writer->files);
    if (fault == NULL) {
        report_repair(writer->session, writer->directory, files_repaired(writer->files));
    } else if (files_is_partial(writer->files)) {
        report_partial(writer->session, writer->directory, fault);
    } else {
        report_fault(writer->session, writer->directory, fault);
    }
    return fault == NULL;
}

static bool commit(Writer *writer) {
    const char *fault = files_commit(writer->files); // which has aborted where it fails
    if (fault != NULL && files_is_partial(writer->files)) {
        report_partial(writer->session, writer->directory, fault);
    } else if (fault != NULL) {
        report_fault(writer->session, writer->directory, fault);
    }
    return fault == NULL;
}

Written output_write(Session *session, Str directory, Str source, const Output *output) {
    Writer writer = {
        .session = session,
        .directory = directory,
        .files = files_open(session->arena, directory),
        .by_name = { .arena = session->arena },
    };
    if (!begin(&writer)) {
        return (Written){ 0 };
    }
    if (!stage_all(&writer, source, output)) {
        files_abort(writer.files);
        return (Written){ 0 };
    }
    if (!commit(&writer)) {
        return (Written){ 0 };
    }
    for (uint32_t i = 0; i < writer.removed.count; i++) {
        vec_push(session->arena, &writer.written, writer.removed.items[i]);
    }
    return writer.written;
}
