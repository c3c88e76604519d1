// `dtc lint`: reads the files that it is given, and those in folders, as many at a time as there are processors, and says
// what is wrong, file by file. Each file has a session of its own, so that a thousand take no more memory than the
// largest of them on each processor; what it says goes to the session of the run.
#include "compiler/driver/command/accepted.h"
#include "compiler/driver/command/paths.h"
#include "compiler/driver/command/project.h"
#include "compiler/driver/lint/lint_file.h"
#include "compiler/driver/lint/twins.h"

#include "compiler/base/load.h"
#include "compiler/base/workers.h"
#include "compiler/driver/fix/fix.h"
#include "compiler/driver/spare.h"
#include "compiler/readers/slurm/slurm_script.h"
#include "schema/instances.h"

typedef struct {
    uint32_t checked;
    uint32_t skipped[SKIP_COUNT];
    uint32_t ignored; // by the project file
    uint32_t fixed;
    uint32_t stacks; // that templates nest, and nobody reads
    uint32_t modules;
    uint32_t objects; // of kinds of which only the head is known
} Counts;

// ---- one file ----------------------------------------------------------------------------------------------------

// Whether the text that was read last is none of ours: a plan of Terraform in UTF-16, a dump of a database.
static bool is_of_others(const Session *session, uint32_t before) {
    const Diag *diag = session->diags.items.count > before ? session->diags.items.items[before] : NULL;
    if (diag == NULL) {
        return false;
    }
    const bool is_text = diag->id == DIAG_not_utf8;
    return diag->id == DIAG_binary_file || (is_text && !foreign_may_be(source_get(session, diag->span.source)->text));
}

// What nobody wrote as a file of ours is passed over. `--kind` says that somebody did.
static uint32_t load_foreign(Session *session, const Options *options, Str path, Counts *counts) {
    const uint32_t before = session->diags.items.count;
    const uint32_t source = source_load(session, path, SPAN_NONE);
    const bool is_large =
        session->diags.items.count > before && session->diags.items.items[before]->id == DIAG_file_too_large;
    if (source == 0 && options->kind == FOREIGN_NONE && (is_large || is_of_others(session, before))) {
        diags_forget(session, before);
        counts->skipped[is_large ? SKIP_LARGE : SKIP_OTHER]++;
    }
    return source;
}

// Objects of kinds without rows: nobody looks at their fields.
static uint32_t unknown_objects(const ForeignFile *file) {
    uint32_t count = 0;
    for (uint32_t i = 0; file->objects != NULL && i < file->objects->objects.count; i++) {
        const PlanObject *object = file->objects->objects.items[i];
        count += object->row == NULL && object->kind == NULL;
    }
    return count;
}

static void lint_source(Session *session, const Options *options, const Beside *beside, uint32_t source,
                        Counts *counts) {
    const ForeignFile file = lint_file(session, source, options->kind, beside);
    if (file.kind == FOREIGN_NONE) {
        counts->skipped[file.skip]++;
        return;
    }
    counts->checked++;
    counts->stacks += file.stacks;
    counts->modules += file.modules;
    counts->objects += unknown_objects(&file);
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
    strbuf_add(&run->err, fixes_left(session->arena, fixes));
    return fixes;
}

static void lint_path(Run *run, Session *session, const Project *project, const Beside *beside,
                      const StandardInput *input, Str path, Counts *counts) {
    const Options *options = &run->options;
    const bool is_input = str_is(path, "-");
    const Str name = is_input ? options->name : path;
    if (project_ignores(session, project, name)) {
        counts->ignored++;
        return;
    }
    session->levels = command_levels(session, options, project, name);
    const Fixes *fixes = options->wants_fixes && !is_input ? fix_file(run, session, beside, path) : NULL;
    const uint32_t source =
        is_input ? standard_input_add(session, options, input) : load_foreign(session, options, path, counts);
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

// ---- all of them -------------------------------------------------------------------------------------------------

// What one file needs while it is worked on.
typedef struct {
    Session *owner; // has the memory that the files of the slot use one after the other
    Session *session;
    ForeignFile file; // of the first pass
    Counts counts;
} Slot;

typedef struct {
    Run *run;
    const Project *project;
    FilePaths paths;
    FilePaths left;      // folders that were not entered
    StandardInput input; // where a path is `-`
    Crashes crashes;
    Beside beside;
    Counts counts;
    bool has_baseline; // which has to know of each finding
    Slot slots[SLOTS_MAX];
} Lint;

static void begin_file(Lint *lint, Slot *slot) {
    if (slot->owner == NULL) {
        slot->owner = session_create();
    }
    slot->session = session_create_beside(slot->owner);
    slot->session->diags.max = lint->has_baseline ? DIAGS_MAX_OF_RUN : 0;
    schema_share(slot->session, lint->run->session);
}

static void add_counts(Counts *all, const Counts *one) {
    all->checked += one->checked;
    all->ignored += one->ignored;
    all->fixed += one->fixed;
    all->stacks += one->stacks;
    all->modules += one->modules;
    all->objects += one->objects;
    for (int i = 0; i < SKIP_COUNT; i++) {
        all->skipped[i] += one->skipped[i];
    }
}

static void lint_work(void *context, uint32_t item, uint32_t number) {
    Lint *lint = context;
    Slot *slot = &lint->slots[number];
    begin_file(lint, slot);
    slot->counts = (Counts){ 0 };
    const Str path = lint->paths.items[item];
    const Crash *crash = crash_on(&lint->crashes, item);
    if (crash != NULL) {
        const Span span = { .source = source_add(slot->session, path, STR_NONE) };
        report(slot->session, span, DIAG(file_crash), crash_name(crash->signal));
        return;
    }
    spare_enter(number, item, str_c(slot->session->arena, path));
    lint_path(lint->run, slot->session, lint->project, &lint->beside, &lint->input, path, &slot->counts);
    spare_leave(number);
}

static void lint_take(void *context, uint32_t item, uint32_t number) {
    (void)item;
    Lint *lint = context;
    Slot *slot = &lint->slots[number];
    add_counts(&lint->counts, &slot->counts);
    diags_take(lint->run->session, slot->session);
    session_destroy(slot->session);
}

// Standard input is read once, and offers nothing.
static void gather_work(void *context, uint32_t item, uint32_t number) {
    Lint *lint = context;
    Slot *slot = &lint->slots[number];
    const Str path = lint->paths.items[item];
    begin_file(lint, slot);
    slot->file = (ForeignFile){ 0 };
    if (str_is(path, "-") || slurm_is_called(path) || crash_on(&lint->crashes, item) != NULL ||
        project_ignores(slot->session, lint->project, path)) {
        return;
    }
    spare_enter(number, item, str_c(slot->session->arena, path));
    const uint32_t source = source_load(slot->session, path, SPAN_NONE);
    if (source != 0) {
        slot->file = lint_offer(slot->session, source, lint->run->options.kind);
    }
    spare_leave(number);
}

static void gather_take(void *context, uint32_t item, uint32_t number) {
    Lint *lint = context;
    Slot *slot = &lint->slots[number];
    beside_add(&lint->beside, slot->session, lint->paths.items[item], &slot->file);
    session_destroy(slot->session);
}

static void read_input(Lint *lint) {
    for (uint32_t i = 0; i < lint->paths.count; i++) {
        if (str_is(lint->paths.items[i], "-")) {
            lint->input = standard_input_read(lint->run->arena);
            return;
        }
    }
}

// What files offer each other first, then each file. Fixes are one after the other, as they are told.
static void lint_all(Lint *lint) {
    const uint32_t count = lint->paths.count;
    const uint32_t workers = lint->run->options.wants_fixes ? 1 : workers_of(count);
    if (count > 1) {
        work_in_order(&(Job){ .work = gather_work, .take = gather_take, .context = lint }, count, workers);
    }
    work_in_order(&(Job){ .work = lint_work, .take = lint_take, .context = lint }, count, workers);
    for (int i = 0; i < SLOTS_MAX; i++) {
        if (lint->slots[i].owner != NULL) {
            session_destroy(lint->slots[i].owner);
        }
    }
}

// ---- the last line -----------------------------------------------------------------------------------------------

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

static void add_reason(StrBuf *reasons, uint32_t count, const char *why) {
    if (count > 0 && why != NULL) {
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

// "; 2 objects of kinds that dtc does not know"; empty where there are none.
static Str not_known(Arena *arena, const Counts *counts) {
    return counts->objects == 0 ? STR_NONE
                                : str_format(arena, "; %" PRIu32 " object%s of kinds that dtc does not know",
                                             counts->objects, plural(counts->objects));
}

// "; vendor and 2 more folders, with copies or tests, are not read"; empty where there are none.
static Str not_entered(Arena *arena, const FilePaths *left) {
    if (left->count == 0) {
        return STR_NONE;
    }
    const uint32_t more = left->count - 1;
    const Str others = more == 0 ? STR_NONE : str_format(arena, " and %" PRIu32 " more folder%s", more, plural(more));
    return str_format(arena, "; %.*s%.*s, with copies or tests, %s not read", STR_ARG(left->items[0]), STR_ARG(others),
                      more == 0 ? "is" : "are");
}

// `elsewhere` is what else became of findings, each part behind a `; `.
static void print_summary(Run *run, const Counts *counts, const FilePaths *left, Str elsewhere) {
    static const char *const why[SKIP_COUNT] = {
        [SKIP_OTHER] = "of another kind",
        [SKIP_RENDERED] = "to be rendered first",
        [SKIP_PATCH] = "among the patches of a kustomization.yaml",
        [SKIP_LARGE] = "too large",
        [SKIP_PART] = "with something left out",
        [SKIP_SCRIPT] = NULL, // folders are full of them, and nobody expects that they are read
    };
    StrBuf reasons = { .arena = run->arena };
    uint32_t skipped = counts->ignored;
    const uint32_t named_scripts = paths_are_files(run) ? counts->skipped[SKIP_SCRIPT] : 0;
    for (int i = 0; i < SKIP_COUNT; i++) {
        const uint32_t count = counts->skipped[i] + (i == SKIP_OTHER ? named_scripts : 0);
        skipped += why[i] == NULL ? 0 : count;
        add_reason(&reasons, count, why[i]);
    }
    add_reason(&reasons, counts->ignored, "ignored by " PROJECT_FILE);
    const Str silenced = command_silenced(run);
    strbuf_add_format(&run->err, "dtc: %" PRIu32 " file%s checked, %" PRIu32 " passed over%.*s%.*s%.*s%.*s%s%.*s%.*s\n",
                      counts->checked, plural(counts->checked), skipped, STR_ARG(strbuf_str(&reasons)),
                      STR_ARG(not_known(run->arena, counts)), STR_ARG(not_followed(run->arena, counts)),
                      STR_ARG(not_entered(run->arena, left)), silenced.len > 0 ? "; " : "", STR_ARG(silenced),
                      STR_ARG(elsewhere));
}

// What the forms for programs have no place for.
static void print_counts(Run *run, Str elsewhere) {
    const Str silenced = command_silenced(run);
    const uint32_t warnings = run->session->diags.warning_count;
    if (silenced.len > 0) {
        strbuf_add_format(&run->err, "dtc: %.*s\n", STR_ARG(silenced));
    }
    if (elsewhere.len > 0) {
        strbuf_add_format(&run->err, "dtc: %.*s\n", STR_ARG(str_slice(elsewhere, STR("; ").len, elsewhere.len)));
    }
    if (run->options.wants_errors && warnings > 0) {
        strbuf_add_format(&run->err, "dtc: --errors leaves out %" PRIu32 " warning%s\n", warnings, plural(warnings));
    }
}

// Whoever names the source itself is told of the command for it: a folder may have both.
static void print_sources(Run *run) {
    for (uint32_t i = 0; i < run->operand_count; i++) {
        if (str_ends_with(run->operands[i], STR(".dt"))) {
            strbuf_add_format(&run->err,
                              "dtc: `dtc lint` reads files of other tools: `dtc check %.*s` is for this one\n",
                              STR_ARG(run->operands[i]));
            return;
        }
    }
}

// Whoever lints some files of a project does not want to hear of the others.
static void check_project(Run *run, const Project *project) {
    bool is_whole = false;
    for (uint32_t i = 0; project != NULL && i < run->operand_count; i++) {
        is_whole = is_whole || project_is_in(run->session, project, run->operands[i]);
    }
    if (is_whole) {
        run->session->levels = command_levels(run->session, &run->options, project, STR(PROJECT_FILE));
        project_check_paths(run->session, project);
    }
}

static void print_all(Lint *lint, Accepted *accepted) {
    Run *run = lint->run;
    accepted_end(run, accepted, &lint->paths);
    const Str twins = twins_hide(run->session);
    const Str elsewhere =
        str_format(run->arena, "%.*s%.*s", STR_ARG(accepted_words(run->arena, accepted)), STR_ARG(twins));
    run->counts_codes = true;
    command_print_diagnostics(run);
    if (run->options.diagnostics == DIAGNOSTICS_TEXT) {
        print_summary(run, &lint->counts, &lint->left, elsewhere);
        print_sources(run);
    } else {
        print_counts(run, elsewhere);
    }
    accepted_print_stale(run, accepted);
}

ExitStatus command_lint(Run *run) {
    const Options *options = &run->options;
    const ExitStatus usage = command_check_diff(run);
    if (usage != STATUS_CLEAN) {
        return usage;
    }
    const Project *project = NULL;
    if (!command_find_project(run, &project) || !command_add_schema(run)) {
        return command_status(run);
    }
    Accepted accepted = { 0 };
    const ExitStatus begun = accepted_begin(run, project, &accepted);
    if (begun != STATUS_CLEAN) {
        return begun;
    }
    Lint lint = { .run = run,
                  .project = project,
                  .has_baseline = accepted.path.len > 0,
                  .beside = { .arena = run->arena, .are_named = paths_are_files(run), .are_kept = true } };
    lint.paths = paths_of(run, path_is_foreign, &lint.left);
    if (options->diagnostics != DIAGNOSTICS_TEXT || lint.has_baseline) {
        run->session->diags.max = DIAGS_MAX_OF_RUN;
    }
    read_input(&lint);
    // One file alone has nothing to lose. Fixes that were written stay written, and what is left is judged.
    if (lint.paths.count > 1) {
        spare_start(&lint.crashes);
    }
    lint_all(&lint);
    spare_end();
    check_project(run, project);
    print_all(&lint, &accepted);
    const ExitStatus status = command_status(run);
    return status == STATUS_CLEAN && options->wants_diff && lint.counts.fixed > 0 ? STATUS_ERRORS : status;
}
