// Artifacts to files. All are staged first and renamed together, plan.json last; stale files go only after that, and
// only those that an earlier build wrote and nobody has changed since, which the sums in the old plan.json tell.
#include "compiler/driver/write.h"

#include "compiler/base/file.h"
#include "compiler/base/sha256.h"
#include "compiler/base/str_map.h"

enum { OUTPUT_BYTES_MAX = 64 * 1024 * 1024 }; // of a file that is compared; a larger one was not written by dtc

typedef struct {
    Session *session;
    Str directory;
    FileSet *files;
    bool is_new; // the directory is not there yet, and so no file is
    ListedFiles listed;
    VEC(Str) contents; // of what is listed
    StrMap by_name;    // of what is listed
    Written written;
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

static void report_fault(Session *session, Str path, const char *fault) {
    if (files_interrupted()) {
        report(session, SPAN_NONE, DIAG(interrupted));
    } else {
        report(session, SPAN_NONE, DIAG(cannot_write), STR_ARG(path), fault);
    }
}

// False where the file could not be staged; reported.
static bool stage(Writer *writer, Str name, Str content) {
    Session *session = writer->session;
    const Str path = output_path(session->arena, writer->directory, name);
    const bool is_same = !writer->is_new && holds(session->arena, path, content);
    const char *fault = is_same ? NULL : file_stage(writer->files, name, content);
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

static bool stage_all(Writer *writer, Str source, const Output *output) {
    list_files(writer, output);
    for (uint32_t i = 0; i < writer->listed.count; i++) {
        if (!stage(writer, writer->listed.items[i].name, writer->contents.items[i])) {
            return false;
        }
    }
    return stage(writer, STR(PLAN_FILE), steps_write(writer->session->arena, source, output, &writer->listed));
}

// What the plan.json of an earlier build lists; empty where there is none, and where it is not ours.
static ListedFiles read_old_files(Writer *writer) {
    Session *session = writer->session;
    const Str path = output_path(session->arena, writer->directory, STR(PLAN_FILE));
    ListedFiles old = { 0 };
    Str text;
    if (file_read(session->arena, path, OUTPUT_BYTES_MAX, &text) == NULL &&
        !steps_read_files(session->arena, text, &old)) {
        report(session, SPAN_NONE, DIAG(foreign_plan), STR_ARG(path));
    }
    return old;
}

static void remove_stale(Writer *writer, const ListedFiles *old) {
    Session *session = writer->session;
    for (uint32_t i = 0; i < old->count; i++) {
        const ListedFile *file = &old->items[i];
        const Str path = output_path(session->arena, writer->directory, file->name);
        Str content;
        if (str_map_get(&writer->by_name, file->name) != NULL ||
            file_read(session->arena, path, OUTPUT_BYTES_MAX, &content) != NULL) {
            continue; // made again, or gone already
        }
        if (!str_equal(sha256_text(session->arena, content), file->sha256)) {
            report(session, SPAN_NONE, DIAG(stale_file_kept), STR_ARG(path));
            continue;
        }
        const char *fault = file_remove(writer->files, file->name);
        if (fault != NULL) {
            report(session, SPAN_NONE, DIAG(cannot_write), STR_ARG(path), fault);
            continue;
        }
        const WrittenFile removed = { .path = path, .action = WRITE_REMOVED };
        vec_push(session->arena, &writer->written, removed);
    }
}

Written output_write(Session *session, Str directory, Str source, const Output *output) {
    Writer writer = {
        .session = session,
        .directory = directory,
        .files = files_open(session->arena, directory),
        .by_name = { .arena = session->arena },
    };
    writer.is_new = files_is_new(writer.files);
    const ListedFiles old = read_old_files(&writer);
    if (!stage_all(&writer, source, output)) {
        files_abort(writer.files);
        return (Written){ 0 };
    }
    const char *fault = files_commit(writer.files); // which has aborted where it fails
    if (fault != NULL) {
        report_fault(session, directory, fault);
        return (Written){ 0 };
    }
    remove_stale(&writer, &old);
    return writer.written;
}
