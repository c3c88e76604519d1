// What stands behind `dtc explain DT1716` and `DT1717`: the rows of schema/combinations.def, in words.
#include "compiler/driver/command/explain.h"

#include "compiler/base/words.h"
#include "compiler/driver/output/print.h"

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
#include "schema/combinations.def"
};

// "`Key`", "`Key` as `one` or `other`": what a word of a row says of its key.
static void add_term(StrBuf *out, Str word) {
    const size_t equals = str_find(word, STR("="), 0);
    const size_t tilde = str_find(word, STR("!~"), 0);
    const size_t end = tilde < word.len ? tilde : equals;
    Str key = str_slice(word, 0, end);
    const Str words = str_slice(word, tilde < word.len ? tilde + 2 : equals + 1, word.len);
    const bool is_other = str_ends_with(key, STR("!"));
    key.len -= is_other ? 1 : 0;
    strbuf_add_format(out, "`%.*s`", STR_ARG(key));
    if (words.len > 0) {
        strbuf_add(out, tilde < word.len ? STR(" without ") : is_other ? STR(" other than ") : STR(" as "));
        strbuf_add(out, words_list(out->arena, words));
    }
}

static Str next_word(Str text, size_t *offset) {
    const size_t end = str_find(text, STR(" "), *offset);
    const Str word = str_slice(text, *offset, end);
    *offset = end + 1;
    return word;
}

static Str line_of(Arena *arena, const Row *row) {
    const Str keys = str_of(row->keys);
    const Str others = str_of(row->others);
    StrBuf line = { .arena = arena };
    strbuf_add_format(&line, "%s, %s: ", row->who, row->map);
    for (size_t offset = 0; offset < keys.len;) {
        strbuf_add(&line, offset == 0 ? STR_NONE : STR(", "));
        add_term(&line, next_word(keys, &offset));
    }
    for (size_t offset = 0; offset < others.len;) {
        const bool is_first = offset == 0;
        const Str word = next_word(others, &offset);
        const bool is_absent = str_starts_with(word, STR("!"));
        strbuf_add_format(&line, "%s %s ", is_first ? "" : " and", is_absent ? "without" : "beside");
        add_term(&line, str_slice(word, is_absent ? 1 : 0, word.len));
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
