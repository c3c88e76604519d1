// `dtc lint`: reads the files that it is given, and those in folders, one after the other, and says what is wrong.
#include "compiler/driver/command/command.h"

#include "compiler/base/file_tree.h"
#include "compiler/base/load.h"
#include "compiler/plan/rules/check.h"
#include "compiler/readers/foreign.h"

typedef struct {
    uint32_t checked;
    uint32_t skipped;
} Counts;

static void lint_file(Run *run, Str path, Counts *counts) {
    Session *session = run->session;
    const uint32_t source = source_load(session, path, SPAN_NONE);
    if (source == 0) {
        return;
    }
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

ExitStatus command_lint(Run *run) {
    if (!command_add_schema(run)) {
        return command_status(run);
    }
    Counts counts = { 0 };
    for (uint32_t i = 0; i < run->operand_count; i++) {
        lint_file(run, run->operands[i], &counts);
    }
    command_print_diagnostics(run);
    if (run->options.diagnostics == DIAGNOSTICS_TEXT) {
        strbuf_add_format(&run->err, "checked %u files, skipped %u\n", counts.checked, counts.skipped);
    }
    return command_status(run);
}
