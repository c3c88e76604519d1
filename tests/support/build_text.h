// Builds a source that a test has written, as `dtc build` would, without a file: templates as JSON in memory.
#pragma once

#include "compiler/plan/declared/build.h"
#include "compiler/plan/rules/check.h"
#include "emitters/emitter.h"
#include "tests/support/check.h"

typedef struct {
    Session *session; // session_destroy() it
    const Plan *plan; // NULL where it did not get that far
    Output output;
} BuiltText;

// `facts` is what describe-stacks prints; empty: nothing is deployed.
static inline BuiltText build_text_with(Str text, Str facts) {
    BuiltText built = { .session = session_create(), .output = { .format = FORMAT_JSON } };
    const Inputs inputs = { 0 };
    Program *program = program_load_text(built.session, STR("main.dt"), text, &inputs);
    program_resolve(built.session, program);
    program_evaluate(built.session, program);
    program_check(built.session, program);
    if (has_errors(built.session)) {
        return built;
    }
    Facts *known = arena_new(built.session->arena, Facts);
    if (facts.len > 0) {
        facts_read(built.session, source_add(built.session, STR("facts.json"), facts), known);
    }
    built.plan = plan_build(built.session, program, known);
    plan_check(built.session, built.plan);
    if (!has_errors(built.session)) {
        emit_all(built.session, built.plan, &built.output);
    }
    return built;
}

static inline BuiltText build_text(Str text) {
    return build_text_with(text, STR_NONE);
}

// "DT0308", or "DT0308 DT0318" for several, each once and in order of appearance; warnings where `severity` says so.
// Empty where there is none.
static inline Str codes_of(const Session *session, Severity severity) {
    StrBuf text = { .arena = session->arena };
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        const char *code = diag_row(diag->id)->code;
        if (diag_row(diag->id)->severity == severity && str_find(strbuf_str(&text), str_of(code), 0) == text.len) {
            strbuf_add_format(&text, "%s%s", text.len == 0 ? "" : " ", code);
        }
    }
    return strbuf_str(&text);
}

static inline const Artifact *artifact_of(const BuiltText *built, const char *name) {
    for (uint32_t i = 0; i < built->output.artifacts.count; i++) {
        if (str_is(built->output.artifacts.items[i].name, name)) {
            return &built->output.artifacts.items[i];
        }
    }
    return NULL;
}

// The next cell of a line of cells with tabs between, from `*at` on, which moves behind it; empty at the end.
static inline Str next_cell(Str line, size_t *at) {
    const size_t start = *at;
    const size_t end = str_find(line, STR("\t"), start);
    *at = end < line.len ? end + 1 : line.len;
    return str_slice(line, start, end);
}

// The next line of a text, without its end; false behind the last.
static inline bool next_line(Str text, size_t *at, Str *line) {
    if (*at >= text.len) {
        return false;
    }
    const size_t end = str_find(text, STR("\n"), *at);
    *line = str_slice(text, *at, end);
    *at = end + 1;
    return true;
}

// The next row of a table: of its lines, the first names the columns, and those that begin with `#` are about it.
static inline bool next_row(Str table, size_t *at, Str *row) {
    bool is_head = *at == 0;
    while (next_line(table, at, row)) {
        const bool is_comment = str_starts_with(*row, STR("#"));
        if (!is_comment && !is_head) {
            return true;
        }
        is_head = is_head && is_comment;
    }
    return false;
}
