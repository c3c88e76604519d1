// What stands behind `dtc explain DT1716` and `DT1717`: the rows of schema/combinations.def, in words.
#include "compiler/driver/command/explain.h"

#include "compiler/base/words.h"
#include "compiler/driver/output/print.h"
#include "compiler/plan/rules/combination_term.h"

typedef struct {
    DiagId code;
    const char *who;
    const char *map;
    const char *keys;
    const char *others;
    const char *consequence; // NULL: it is refused
} Row;

// The names of the tools.
#define PATCH_EKSCTL "eksctl"
#define PATCH_PCLUSTER "ParallelCluster"

static const Row ROWS[] = {
#define COMBINATION(who, map, keys, others) { DIAG_combination, who, map, keys, others, NULL },
#define COMBINATION_TOOL(tool, map, keys, others) { DIAG_combination, tool, map, keys, others, NULL },
#define HARMFUL(who, map, keys, others, consequence, way_out) \
    { DIAG_combination_harmful, who, map, keys, others, consequence },
#define HARMFUL_TOOL(tool, map, keys, others, consequence, way_out) \
    { DIAG_combination_harmful, tool, map, keys, others, consequence },
#define COMBINATION_OBJECT(place, keys, others, way_out) { DIAG_combination, "Kubernetes", place, keys, others, NULL },
#include "schema/combinations.def"
};

// "`Key`", "`Key` as `one` or `other`": what a term says of its key.
static void add_term(StrBuf *out, const CombinationTerm *term) {
    strbuf_add_format(out, "`%.*s`", STR_ARG(term->key));
    if (term->words.len > 0) {
        strbuf_add(out, term->is_list ? STR(" without ") : term->is_other ? STR(" other than ") : STR(" as "));
        strbuf_add(out, words_list(out->arena, term->words));
    }
}

static Str line_of(Arena *arena, const Row *row) {
    StrBuf line = { .arena = arena };
    CombinationTerm term;
    strbuf_add_format(&line, "%s, %s: ", row->who, row->map);
    bool is_first = true;
    for (size_t offset = 0; combination_next_term(str_of(row->keys), &offset, &term); is_first = false) {
        strbuf_add(&line, is_first ? STR_NONE : STR(", "));
        add_term(&line, &term);
    }
    is_first = true;
    for (size_t offset = 0; combination_next_term(str_of(row->others), &offset, &term); is_first = false) {
        strbuf_add_format(&line, "%s %s ", is_first ? "" : " and", term.is_absent ? "without" : "beside");
        add_term(&line, &term);
    }
    if (row->consequence != NULL) {
        strbuf_add_format(&line, "; %s", row->consequence);
    }
    return strbuf_str(&line);
}

void explain_combinations(Run *run, DiagId code) {
    bool is_first = true;
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (ROWS[i].code == code) {
            strbuf_add(&run->out, is_first ? STR("\n") : STR_NONE);
            is_first = false;
            print_wrapped(&run->out, line_of(run->arena, &ROWS[i]), 4);
        }
    }
}
