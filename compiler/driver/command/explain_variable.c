// `dtc explain NCCL_NET`: what the table of variables says of one, and `dtc explain variables`: all of them.
#include "compiler/driver/command/explain.h"

#include "compiler/driver/output/print.h"
#include "schema/variables.h"

static Str title_of(Arena *arena, const VariableRow *row) {
    return str_format(arena, row->test == NAME_BEGINS ? "%s…" : "%s", row->name);
}

// "idle: 1, true, yes or on"
static Str claim_of(Arena *arena, const VariableRow *row) {
    return str_format(arena, "%s: %.*s", variable_verdict_name(row->verdict), STR_ARG(variable_value_text(arena, row)));
}

static void print_row(Run *run, const VariableRow *row) {
    StrBuf *out = &run->out;
    const Str releases = variable_releases(run->arena, row);
    strbuf_add_format(out, "\n%.*s\n", STR_ARG(claim_of(run->arena, row)));
    print_labelled(out, STR("  where     "), 12, variable_place_text(run->arena, row));
    if (releases.len > 0) {
        print_labelled(out, STR("  releases  "), 12, releases);
    }
    print_labelled(out, STR("  why       "), 12, str_of(row->reason));
    if (row->is_given) {
        print_labelled(out, STR("  dtc       "), 12, STR("gives it to a job, unless the job's `env` has it"));
    }
    print_labelled(out, STR("  source    "), 12, str_of(row->source));
}

static bool is_about(const VariableRow *row, Str name) {
    return row->test == NAME_BEGINS ? str_starts_with(name, str_of(row->name)) : str_is(name, row->name);
}

static void list_variables(Run *run) {
    Table table = { .arena = run->arena, .columns = 3 };
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        table_add(&table, title_of(run->arena, row));
        table_add(&table, claim_of(run->arena, row));
        table_add(&table, variable_releases(run->arena, row));
    }
    table_print(&table, &run->out, 0);
    strbuf_add(&run->out, STR("\n`dtc explain NAME` says where, and why.\n"));
}

bool explain_variable(Run *run, Str topic) {
    if (str_is(topic, "variables")) {
        list_variables(run);
        return true;
    }
    const VariableRow *row;
    bool is_found = false;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        if (!is_about(row, topic)) {
            continue;
        }
        if (!is_found) {
            strbuf_add_format(&run->out, "%.*s, a variable of a job's environment\n", STR_ARG(topic));
        }
        print_row(run, row);
        is_found = true;
    }
    return is_found;
}

void explain_offer_variables(Suggestion *suggestion) {
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        suggest_offer(suggestion, str_of(row->name));
    }
}
