// The table at the end of a long text: how often each code was said. Errors stand first, and what is said most.
#include "compiler/base/diag/prose.h"
#include "compiler/driver/render/render.h"

// A code whose level differs between files has a row for each severity.
typedef struct {
    uint32_t count;
    DiagId id;
    Severity severity;
} CodeRow;

static int compare(const void *a, const void *b) {
    const CodeRow *left = a;
    const CodeRow *right = b;
    if (left->severity != right->severity) {
        return left->severity > right->severity ? -1 : 1;
    }
    if (left->count != right->count) {
        return left->count > right->count ? -1 : 1;
    }
    return strcmp(diag_row(left->id)->code, diag_row(right->id)->code);
}

static const size_t SEVERITIES = (size_t)SEVERITY_ERROR + 1;

// The rows that are used, in their order; `*count` of them.
static CodeRow *rows_of(Arena *arena, const DiagList *list, uint32_t *count) {
    CodeRow *rows = arena_new_array(arena, CodeRow, DIAG_COUNT * SEVERITIES);
    for (uint32_t i = 0; i < list->count; i++) {
        const Diag *diag = list->items[i];
        CodeRow *row = &rows[(size_t)diag->id * SEVERITIES + (size_t)diag->severity];
        *row = (CodeRow){ .count = row->count + 1, .id = diag->id, .severity = diag->severity };
    }
    *count = 0;
    for (size_t i = 0; i < DIAG_COUNT * SEVERITIES; i++) {
        if (rows[i].count > 0) {
            rows[(*count)++] = rows[i];
        }
    }
    qsort(rows, *count, sizeof(rows[0]), compare);
    return rows;
}

Str render_codes(Session *session, const DiagList *list) {
    uint32_t count = 0;
    const CodeRow *rows = rows_of(session->arena, list, &count);
    StrBuf out = { .arena = session->arena };
    strbuf_add(&out, STR(" count  code    severity  what it says\n"));
    for (uint32_t i = 0; i < count; i++) {
        strbuf_add_format(&out, "%6" PRIu32 "  %s  %-8s  ", rows[i].count, diag_row(rows[i].id)->code,
                          severity_name(rows[i].severity));
        diag_add_title(&out, rows[i].id);
        strbuf_add_char(&out, '\n');
    }
    strbuf_add_char(&out, '\n');
    return strbuf_str(&out);
}
