// `--baseline`, `--write-baseline`, and `baseline` of the project file.
#include "compiler/driver/command/accepted.h"

#include "compiler/base/file.h"
#include "compiler/base/file_set.h"
#include "compiler/base/load.h"
#include "compiler/driver/command/project.h"
#include "compiler/driver/output/write.h"

#include <sys/stat.h>

static bool is_there(Arena *arena, Str path) {
    struct stat status;
    return lstat(str_c(arena, path), &status) == 0;
}

static ExitStatus fail_row(Run *run, Str path, uint32_t line) {
    return command_fail(run, STATUS_FILES,
                        str_format(run->arena, "%.*s:%" PRIu32 ": this is no row of a baseline", STR_ARG(path), line),
                        STR("take the line out, or write the file anew: `dtc lint --write-baseline` and all paths"));
}

static ExitStatus read_file(Run *run, Accepted *accepted) {
    const bool is_new = run->options.writes_baseline;
    accepted->baseline = baseline_empty(run->session, accepted->path);
    if (is_new && !is_there(run->arena, accepted->path)) {
        return STATUS_CLEAN;
    }
    const uint32_t source = source_load(run->session, accepted->path, SPAN_NONE);
    if (source == 0) {
        command_print_diagnostics(run);
        return command_status(run);
    }
    if (is_new && !baseline_is_one(source_get(run->session, source)->text)) {
        return command_fail(
            run, STATUS_USAGE,
            str_format(run->arena, "`%.*s` is no baseline, and is not written over", STR_ARG(accepted->path)),
            STR("name another file"));
    }
    uint32_t bad_line = 0;
    accepted->baseline = baseline_read(run->session, accepted->path, source_get(run->session, source)->text, &bad_line);
    return bad_line == 0 || is_new ? STATUS_CLEAN : fail_row(run, accepted->path, bad_line);
}

ExitStatus accepted_begin(Run *run, const Project *project, Accepted *accepted) {
    const Options *options = &run->options;
    accepted->path = options->baseline.len > 0 ? options->baseline : project_baseline(run->session, project);
    if (accepted->path.len > 0) {
        return read_file(run, accepted);
    }
    if (options->writes_baseline) {
        return command_fail(run, STATUS_USAGE, STR("`--write-baseline` does not know which file to write"),
                            STR("write `--baseline FILE --write-baseline`, or `baseline: FILE` into " PROJECT_FILE));
    }
    return STATUS_CLEAN;
}

// ---- what the run found ------------------------------------------------------------------------------------------

// Whole or not at all: another name first, then a rename. A link stays, and what it leads to is written.
static const char *write_file(Arena *arena, Str path, Str text) {
    Str old;
    if (file_read(arena, path, SOURCE_BYTES_MAX, &old) == NULL && str_equal(old, text)) {
        return NULL;
    }
    Str name = str_after_last(path, '/');
    Str folder = name.len < path.len ? str_slice(path, 0, path.len - name.len) : STR(".");
    if (is_there(arena, path)) {
        const char *fault = file_target(arena, path, &folder, &name);
        if (fault != NULL) {
            return fault;
        }
    }
    FileSet *files = files_open_sources(arena, folder);
    const char *fault = file_stage(files, name, text);
    if (fault != NULL) {
        files_abort(files);
        return fault;
    }
    return files_commit(files);
}

static void write_table(Run *run, Accepted *accepted, const BaselineScope *scope) {
    const ExitStatus status = command_status(run);
    if (status == STATUS_FILES || status == STATUS_INTERNAL) {
        strbuf_add_format(&run->err, "dtc: %.*s is not written: what could not be read would be lost from it\n",
                          STR_ARG(accepted->path));
        return;
    }
    uint32_t count = 0;
    const Str text = baseline_text(run->session, accepted->baseline, scope, &count);
    const char *fault = write_file(run->arena, accepted->path, text);
    if (fault != NULL) {
        write_report_fault(run->session, accepted->path, fault, NULL);
        return;
    }
    strbuf_add_format(&run->err, "dtc: %.*s accepts %" PRIu32 " finding%s\n", STR_ARG(accepted->path), count,
                      count == 1 ? "" : "s");
    uint32_t bad_line = 0;
    accepted->baseline = baseline_read(run->session, accepted->path, text, &bad_line);
}

void accepted_end(Run *run, Accepted *accepted, const FilePaths *paths) {
    if (accepted->path.len == 0) {
        return;
    }
    FilePaths named = { 0 };
    for (uint32_t i = 0; i < paths->count; i++) {
        const bool is_input = str_is(paths->items[i], "-");
        vec_push(run->arena, &named, is_input ? run->options.name : paths->items[i]);
    }
    const BaselineScope scope = { .paths = &named,
                                  .levels = command_levels(run->session, &run->options, NULL, STR_NONE) };
    if (run->options.writes_baseline) {
        write_table(run, accepted, &scope);
    }
    accepted->count = baseline_apply(run->session, accepted->baseline);
    accepted->stale = baseline_stale(run->session, accepted->baseline, &scope, &accepted->stale_count);
}

// ---- words -------------------------------------------------------------------------------------------------------

void accepted_print_stale(Run *run, const Accepted *accepted) {
    if (accepted->stale_count == 0) {
        return;
    }
    strbuf_add_format(&run->err,
                      "dtc: %.*s accepts %" PRIu32 " finding%s that no file has any more; `--write-baseline` takes "
                      "%s out\n%.*s",
                      STR_ARG(accepted->path), accepted->stale_count, accepted->stale_count == 1 ? "" : "s",
                      accepted->stale_count == 1 ? "it" : "them", STR_ARG(accepted->stale));
}

Str accepted_words(Arena *arena, const Accepted *accepted) {
    return accepted->count == 0 ? STR_NONE
                                : str_format(arena, "; %" PRIu32 " finding%s accepted by %.*s", accepted->count,
                                             accepted->count == 1 ? "" : "s", STR_ARG(accepted->path));
}
