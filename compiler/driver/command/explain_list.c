// The topics that list others: `dtc explain functions`, `types`, `kinds`, `rules`.
#include "compiler/driver/command/explain.h"

#include "compiler/base/diag/prose.h"
#include "compiler/driver/output/print.h"
#include "compiler/semantics/builtins.h"

static void list_functions(Run *run) {
    const BuiltinDoc *doc;
    for (int i = 0; (doc = builtin_doc(i)) != NULL; i++) {
        strbuf_add_format(&run->out, "%s\n", doc->signature);
        print_wrapped(&run->out, str_of(doc->summary), 4);
    }
}

static void list_types(Run *run) {
    Table table = { .arena = run->arena, .columns = 2 };
    for (int i = 0; i < NAMED_TYPE_COUNT; i++) {
        const Type *type = NAMED_TYPES[i];
        table_add(&table, str_of(type->name));
        if (type->kind == TYPE_PATTERN) {
            table_add_format(&table, "\"%s\"", type->pattern->example);
        } else {
            table_add(&table, STR(""));
        }
    }
    table_add(&table, STR("list(TYPE)"));
    table_add(&table, STR(""));
    table_add(&table, STR("map(TYPE)"));
    table_add(&table, STR(""));
    table_print(&table, &run->out, 0);
    strbuf_add(&run->out, STR("\nA type with `?` behind it admits null.\n"));
}

static void list_kinds(Run *run) {
    for (int i = 0; i < KIND_COUNT; i++) {
        strbuf_add_format(&run->out, "%s\n", KIND_ROWS[i].name);
        print_wrapped(&run->out, str_of(KIND_ROWS[i].doc), 4);
    }
}

static Str first_sentence(Str text) {
    size_t end = str_find(text, STR(". "), 0);
    size_t paragraph = str_find(text, STR("\n"), 0);
    return str_slice(text, 0, paragraph <= end ? paragraph : end + 1);
}

// The codes of the rules, of the targets' limits and of the node's bootstrap: all that compares a file with facts about
// AWS.
static void list_rules(Run *run) {
    for (int i = 0; i < DIAG_COUNT; i++) {
        const DiagRow *row = diag_row((DiagId)i);
        if (row->nature == JUDGEMENT) {
            strbuf_add_format(&run->out, "%s  %s\n", row->code, severity_name(row->severity));
            print_wrapped(&run->out, first_sentence(str_of(diag_explanation((DiagId)i))), 4);
        }
    }
    strbuf_add(&run->out, STR("\n`dtc explain CODE` has the reason and the way out.\n"));
}

typedef struct {
    const char *topic;
    void (*print)(Run *run);
} ListRow;

static const ListRow LISTS[] = {
    { "functions", list_functions },
    { "types", list_types },
    { "kinds", list_kinds },
    { "rules", list_rules },
};

bool explain_list(Run *run, Str topic) {
    for (size_t i = 0; i < COUNT_OF(LISTS); i++) {
        if (str_is(topic, LISTS[i].topic)) {
            LISTS[i].print(run);
            return true;
        }
    }
    return false;
}
