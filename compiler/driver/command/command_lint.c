// `dtc lint`: reads the files that it is given, and those in folders, one after the other, and says what is wrong.
#include "compiler/driver/command/paths.h"

#include "compiler/base/load.h"
#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"

typedef struct {
    uint32_t checked;
    uint32_t skipped;
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
    ForeignPlans plans = { 0 };
    if (foreign_read(session, source, &plans) == FOREIGN_NONE) {
        counts->skipped++;
        return;
    }
    counts->checked++;
    const uint32_t outer = diags_begin_turn(session);
    for (uint32_t i = 0; i < plans.count; i++) {
        plan_check(session, plans.items[i]);
    }
    diags_end_turn(session, outer);
}

static const char *plural(uint32_t count) {
    return count == 1 ? "" : "s";
}

ExitStatus command_lint(Run *run) {
    if (!command_add_schema(run)) {
        return command_status(run);
    }
    FilePaths paths = { 0 };
    for (uint32_t i = 0; i < run->operand_count; i++) {
        paths_add(run, run->operands[i], is_wanted, &paths);
    }
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
        strbuf_add_format(&run->err, "dtc: %u file%s checked, %u passed over\n", counts.checked, plural(counts.checked),
                          counts.skipped);
    }
    return command_status(run);
}
