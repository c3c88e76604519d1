// `dtc lint`: reads the files that it is given, and those in folders, one after the other, and says what is wrong.
#include "compiler/driver/command/paths.h"
#include "compiler/driver/command/project.h"

#include "compiler/base/load.h"
#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"
#include "compiler/readers/foreign_subject.h"

typedef struct {
    uint32_t checked;
    uint32_t skipped[SKIP_COUNT];
    uint32_t ignored; // by the project file
} Counts;

// ---- which files -------------------------------------------------------------------------------------------------

static bool is_wanted(Str name) {
    static const char *const endings[] = { ".yaml", ".yml", ".json", ".template" };
    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        if (str_ends_with(name, str_of(endings[i]))) {
            return true;
        }
    }
    return false;
}

// ---- one file ----------------------------------------------------------------------------------------------------

static void lint_source(Run *run, uint32_t source, Counts *counts) {
    Session *session = run->session;
    const ForeignFile file = foreign_read(session, source, run->options.kind);
    if (file.kind == FOREIGN_NONE) {
        counts->skipped[file.skip]++;
        return;
    }
    counts->checked++;
    source_mark_checked(session, source);
    const uint32_t outer = diags_begin_turn(session);
    for (uint32_t i = 0; i < file.plans.count; i++) {
        plan_check(session, file.plans.items[i]);
    }
    diags_end_turn(session, outer);
    if (file.plans.count > 0) {
        foreign_check_allows(session, file.subject);
    }
}

static void lint_path(Run *run, const Project *project, Str path, Counts *counts) {
    Session *session = run->session;
    const bool is_input = str_is(path, "-");
    const Str name = is_input ? run->options.name : path;
    if (project_ignores(session, project, name)) {
        counts->ignored++;
        return;
    }
    const uint32_t source = is_input ? load_standard_input(run) : source_load(session, path, SPAN_NONE);
    if (source != 0) {
        session->levels = command_levels(run, project, name);
        lint_source(run, source, counts);
        session->levels = NULL;
    }
}

// ---- the last line -----------------------------------------------------------------------------------------------

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

static void add_reason(StrBuf *reasons, uint32_t count, const char *why) {
    if (count > 0) {
        strbuf_add_format(reasons, "%s%" PRIu32 " %s", reasons->len == 0 ? ": " : ", ", count, why);
    }
}

static void print_summary(Run *run, const Counts *counts) {
    static const char *const why[SKIP_COUNT] = {
        [SKIP_OTHER] = "of another kind", [SKIP_RENDERED] = "to be rendered first"
    };
    StrBuf reasons = { .arena = run->arena };
    uint32_t skipped = counts->ignored;
    for (int i = 0; i < SKIP_COUNT; i++) {
        skipped += counts->skipped[i];
        add_reason(&reasons, counts->skipped[i], why[i]);
    }
    add_reason(&reasons, counts->ignored, "ignored by " PROJECT_FILE);
    strbuf_add_format(&run->err, "dtc: %" PRIu32 " file%s checked, %" PRIu32 " passed over%.*s\n", counts->checked,
                      plural(counts->checked), skipped, STR_ARG(strbuf_str(&reasons)));
}

ExitStatus command_lint(Run *run) {
    const Project *project = NULL;
    if (!command_find_project(run, &project) || !command_add_schema(run)) {
        return command_status(run);
    }
    const FilePaths paths = paths_of(run, is_wanted);
    Counts counts = { 0 };
    for (uint32_t i = 0; i < paths.count; i++) {
        lint_path(run, project, paths.items[i], &counts);
    }
    command_print_diagnostics(run);
    if (run->options.diagnostics == DIAGNOSTICS_TEXT) {
        print_summary(run, &counts);
    }
    return command_status(run);
}
