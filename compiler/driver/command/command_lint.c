// `dtc lint`: reads the files that it is given, and those in folders, one after the other, and says what is wrong.
#include "compiler/driver/command/paths.h"

#include "compiler/base/load.h"
#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"
#include "compiler/readers/foreign_subject.h"

typedef struct {
    uint32_t checked;
    uint32_t skipped[SKIP_COUNT];
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
    const uint32_t outer = diags_begin_turn(session);
    for (uint32_t i = 0; i < file.plans.count; i++) {
        plan_check(session, file.plans.items[i]);
    }
    diags_end_turn(session, outer);
    if (file.plans.count > 0) {
        foreign_check_allows(session, file.subject);
    }
}

// ---- what is asked -----------------------------------------------------------------------------------------------

// A level for each code: `--only` and `--skip` turn rules off.
static const DiagLevel *levels_of(Run *run) {
    const Options *options = &run->options;
    DiagLevel *levels = arena_new_array(run->arena, DiagLevel, DIAG_COUNT);
    for (int id = 0; id < DIAG_COUNT; id++) {
        const bool is_off = options->only.count > 0 && diag_row((DiagId)id)->nature == JUDGEMENT;
        levels[id] = is_off ? LEVEL_OFF : LEVEL_AS_IT_IS;
    }
    for (uint32_t i = 0; i < options->only.count; i++) {
        levels[options->only.items[i]] = LEVEL_AS_IT_IS;
    }
    for (uint32_t i = 0; i < options->skip.count; i++) {
        levels[options->skip.items[i]] = LEVEL_OFF;
    }
    return levels;
}

// ---- the last line -----------------------------------------------------------------------------------------------

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

static void print_summary(Run *run, const Counts *counts) {
    static const char *const why[SKIP_COUNT] = {
        [SKIP_OTHER] = "of another kind", [SKIP_RENDERED] = "to be rendered first"
    };
    uint32_t skipped = 0;
    for (int i = 0; i < SKIP_COUNT; i++) {
        skipped += counts->skipped[i];
    }
    strbuf_add_format(&run->err, "dtc: %" PRIu32 " file%s checked, %" PRIu32 " passed over", counts->checked,
                      plural(counts->checked), skipped);
    const char *before = ": ";
    for (int i = 0; i < SKIP_COUNT; i++) {
        if (counts->skipped[i] > 0) {
            strbuf_add_format(&run->err, "%s%" PRIu32 " %s", before, counts->skipped[i], why[i]);
            before = ", ";
        }
    }
    strbuf_add_char(&run->err, '\n');
}

ExitStatus command_lint(Run *run) {
    if (!command_add_schema(run)) {
        return command_status(run);
    }
    const FilePaths paths = paths_of(run, is_wanted);
    run->session->levels = levels_of(run);
    Counts counts = { 0 };
    for (uint32_t i = 0; i < paths.count; i++) {
        const Str path = paths.items[i];
        const uint32_t source =
            str_is(path, "-") ? load_standard_input(run) : source_load(run->session, path, SPAN_NONE);
        if (source != 0) {
            lint_source(run, source, &counts);
        }
    }
    command_print_diagnostics(run);
    if (run->options.diagnostics == DIAGNOSTICS_TEXT) {
        print_summary(run, &counts);
    }
    return command_status(run);
}
