// `dtc lint`: reads the files that it is given, and those in folders, one after the other, and says what is wrong. Each
// file has a session of its own, so that a thousand take as much memory as the largest; what it says goes to the
// session of the run.
#include "compiler/driver/command/lint_beside.h"
#include "compiler/driver/command/paths.h"
#include "compiler/driver/command/project.h"

#include "compiler/base/load.h"
#include "compiler/driver/fix/fix.h"
#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"
#include "compiler/readers/foreign_subject.h"
#include "schema/instances.h"

typedef struct {
    uint32_t checked;
    uint32_t skipped[SKIP_COUNT];
    uint32_t ignored; // by the project file
    uint32_t fixed;
    uint32_t stacks; // that templates nest, and nobody reads
    uint32_t modules;
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

static void lint_source(Session *session, const Options *options, const Beside *beside, uint32_t source,
                        Counts *counts) {
    const ForeignFile file = foreign_read(session, source, options->kind);
    if (file.kind == FOREIGN_NONE) {
        counts->skipped[file.skip]++;
        return;
    }
    counts->checked++;
    counts->stacks += file.stacks;
    counts->modules += file.modules;
    source_mark_checked(session, source);
    const uint32_t outer = diags_begin_turn(session);
    for (uint32_t i = 0; i < file.plans.count; i++) {
        plan_check(session, file.plans.items[i]);
    }
    beside_check(session, beside, source_get(session, source)->path, &file);
    diags_end_turn(session, outer);
    if (file.plans.count > 0) {
        foreign_check_allows(session, file.subject);
    }
}

// ---- fixes -------------------------------------------------------------------------------------------------------

typedef struct {
    const Options *options;
    const Session *schema; // that has the instance types of `--schema`
    const Beside *beside;
    Str path;
} Trial;

// With a session of its own, as fixes_find_with() wants it.
static void try_file(Session *session, const void *argument) {
    const Trial *trial = argument;
    Counts counts = { 0 };
    schema_share(session, trial->schema);
    const uint32_t source = source_load(session, trial->path, SPAN_NONE);
    if (source != 0) {
        source_mark_program(session, source);
        lint_source(session, trial->options, trial->beside, source, &counts);
    }
}

// Writes what can be fixed in a file, or prints it. What remains is found in the text with the fixes.
static const Fixes *fix_file(Run *run, Session *session, const Beside *beside, Str path) {
    const Options *options = &run->options;
    const Trial trial = { .options = options, .schema = run->session, .beside = beside, .path = path };
    const FixCheck check = { .run = try_file, .argument = &trial, .is_strict = options->is_strict };
    Fixes *fixes = fixes_find_with(session, &check);
    const uint32_t before = session->diags.items.count;
    if (!options->wants_diff) {
        fixes_write(session, fixes);
    }
    if (session->diags.items.count == before) {
        strbuf_add(options->wants_diff ? &run->out : &run->err,
                   options->wants_diff ? fixes_diff(session->arena, fixes) : fixes_print(session, fixes));
        fixes_lay_over(session, fixes);
    }
    return fixes;
}

static void lint_path(Run *run, Session *session, const Project *project, const Beside *beside, Str path,
                      Counts *counts) {
    const Options *options = &run->options;
    const bool is_input = str_is(path, "-");
    const Str name = is_input ? options->name : path;
    if (project_ignores(session, project, name)) {
        counts->ignored++;
        return;
    }
    session->levels = command_levels(session, options, project, name);
    const Fixes *fixes = options->wants_fixes && !is_input ? fix_file(run, session, beside, path) : NULL;
    const uint32_t source = is_input ? load_standard_input(session, options) : source_load(session, path, SPAN_NONE);
    if (source != 0) {
        if (!is_input) {
            source_mark_program(session, source);
        }
        lint_source(session, options, beside, source, counts);
    }
    if (fixes != NULL) {
        fixes_explain(session, fixes);
        counts->fixed += fixes->applied.count;
    }
}

static void lint_one(Run *run, const Project *project, const Beside *beside, Str path, Counts *counts) {
    Session *session = session_create_beside(run->session);
    schema_share(session, run->session);
    lint_path(run, session, project, beside, path, counts);
    diags_take(run->session, session);
    session_destroy(session);
}

// ---- files together ----------------------------------------------------------------------------------------------

// Standard input is read once, and offers nothing.
static void gather(Run *run, const Project *project, Str path, Beside *beside) {
    if (str_is(path, "-") || project_ignores(run->session, project, path)) {
        return;
    }
    Session *session = session_create_beside(run->session);
    schema_share(session, run->session);
    const uint32_t source = source_load(session, path, SPAN_NONE);
    if (source != 0 && beside_may_offer(source_get(session, source)->text)) {
        const ForeignFile file = foreign_read(session, source, run->options.kind);
        beside_add(beside, session, path, &file);
    }
    session_destroy(session);
}

static Beside gather_all(Run *run, const Project *project, const FilePaths *paths) {
    Beside beside = { .arena = run->arena, .are_named = paths_are_files(run) };
    for (uint32_t i = 0; i < paths->count && paths->count > 1; i++) {
        gather(run, project, paths->items[i], &beside);
    }
    return beside;
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

// "; 2 nested stacks and 1 module are not followed"; empty where there are none.
static Str not_followed(Arena *arena, const Counts *counts) {
    StrBuf text = { .arena = arena };
    if (counts->stacks > 0) {
        strbuf_add_format(&text, "; %" PRIu32 " nested stack%s", counts->stacks, plural(counts->stacks));
    }
    if (counts->modules > 0) {
        strbuf_add_format(&text, "%s%" PRIu32 " module%s", counts->stacks > 0 ? " and " : "; ", counts->modules,
                          plural(counts->modules));
    }
    if (text.len > 0) {
        strbuf_add_format(&text, " %s not followed", counts->stacks + counts->modules == 1 ? "is" : "are");
    }
    return strbuf_str(&text);
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
    strbuf_add_format(&run->err, "dtc: %" PRIu32 " file%s checked, %" PRIu32 " passed over%.*s%.*s\n", counts->checked,
                      plural(counts->checked), skipped, STR_ARG(strbuf_str(&reasons)),
                      STR_ARG(not_followed(run->arena, counts)));
}

ExitStatus command_lint(Run *run) {
    const Options *options = &run->options;
    if (options->wants_diff && !options->wants_fixes) {
        return command_fail(run, STATUS_USAGE, STR("`--diff` shows what `--fix` would change"),
                            STR("write `--fix --diff`"));
    }
    if (options->wants_diff && options->diagnostics != DIAGNOSTICS_TEXT) {
        return command_fail(run, STATUS_USAGE, STR("`--diff` and `--diagnostics` both print to standard output"),
                            STR("leave one of them out"));
    }
    const Project *project = NULL;
    if (!command_find_project(run, &project) || !command_add_schema(run)) {
        return command_status(run);
    }
    const FilePaths paths = paths_of(run, is_wanted);
    Counts counts = { 0 };
    const Beside beside = gather_all(run, project, &paths);
    for (uint32_t i = 0; i < paths.count; i++) {
        lint_one(run, project, &beside, paths.items[i], &counts);
    }
    command_print_diagnostics(run);
    if (run->options.diagnostics == DIAGNOSTICS_TEXT) {
        print_summary(run, &counts);
    }
    const ExitStatus status = command_status(run);
    return status == STATUS_CLEAN && options->wants_diff && counts.fixed > 0 ? STATUS_ERRORS : status;
}
