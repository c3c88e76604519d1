// The table has a row for each file, code and text of a line: `path`, `code`, `sum` and `count`, with tabs between, then the
// beginning of the line for people. The sum decides. Rows are sorted by bytes.
#include "compiler/driver/lint/baseline.h"

#include "compiler/base/path_whole.h"
#include "compiler/base/str_map.h"
#include "compiler/driver/render/display.h"
#include "compiler/driver/render/fingerprint.h"

#include <sys/stat.h>

typedef struct {
    Str path; // as it is escaped in the table
    Str code;
    Str sum;
    uint32_t count;
    Str line;
    uint32_t left; // of `count`, that no finding has taken
} Row;

struct Baseline {
    Str here;
    Str folder;
    VEC(Row *) rows;
    StrMap by_key;
};

enum {
    COLUMNS = 5,
    LINE_COLUMNS_MAX = 80, // of the text for people
    COUNT_DIGITS_MAX = 6,
    SHOWN_MAX = 10 // stale rows
};

#define FIRST_WORDS "# Findings of dtc that were accepted: "
#define FIRST_LINE FIRST_WORDS "file, code, sum, count, line. `dtc lint --write-baseline` writes this file.\n"

// ---- rows --------------------------------------------------------------------------------------------------------

// A tab or a line end in a name would end its column. Most names have none.
static Str escaped(Arena *arena, Str path) {
    StrBuf out = { .arena = arena };
    for (size_t i = 0; i < path.len; i++) {
        const unsigned char byte = (unsigned char)path.data[i];
        if (byte < ' ' || byte == '%' || (byte == '#' && i == 0)) {
            strbuf_add_format(&out, "%%%02X", byte);
        } else {
            strbuf_add_char(&out, path.data[i]);
        }
    }
    return strbuf_str(&out);
}

// As seen from the folder of the baseline; one that lies elsewhere is absolute.
static Str path_of(Arena *arena, const Baseline *baseline, Str path) {
    const Str inside = path_inside(arena, baseline->here, baseline->folder, path);
    return escaped(arena, inside.len > 0 ? inside : path_whole(arena, baseline->here, path));
}

static Str key_of(Arena *arena, Str path, Str code, Str sum) {
    return str_format(arena, "%.*s\t%.*s\t%.*s", STR_ARG(path), STR_ARG(code), STR_ARG(sum));
}

static void add_row(Arena *arena, Baseline *baseline, Row row) {
    const Str key = key_of(arena, row.path, row.code, row.sum);
    Row *there = str_map_get_mutable(&baseline->by_key, key);
    if (there != NULL) {
        there->count += row.count;
        there->left += row.count;
        return;
    }
    Row *added = arena_new(arena, Row);
    *added = row;
    added->left = row.count;
    str_map_add(&baseline->by_key, key, added);
    vec_push(arena, &baseline->rows, added);
}

bool baseline_is_one(Str text) {
    return text.len == 0 || str_starts_with(text, STR(FIRST_WORDS));
}

Baseline *baseline_empty(Session *session, Str path) {
    Arena *arena = session->arena;
    Baseline *baseline = arena_new(arena, Baseline);
    const Str here = path_here(arena);
    const Str whole = path_whole(arena, here, path);
    *baseline = (Baseline){ .here = here,
                            .folder = str_slice(whole, 0, whole.len - str_after_last(whole, '/').len),
                            .by_key = { .arena = arena } };
    return baseline;
}

// ---- reading -----------------------------------------------------------------------------------------------------

static bool read_count(Str text, uint32_t *count) {
    *count = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (!char_is_digit(text.data[i])) {
            return false;
        }
        *count = *count * 10 + (uint32_t)(text.data[i] - '0');
    }
    return text.len > 0 && text.len <= COUNT_DIGITS_MAX;
}

static bool read_row(Str line, Row *row) {
    Str cells[COLUMNS] = { 0 };
    size_t start = 0;
    for (int i = 0; i < COLUMNS; i++) {
        const size_t end = i + 1 < COLUMNS ? str_find(line, STR("\t"), start) : line.len;
        if (start > line.len) {
            return false;
        }
        cells[i] = str_slice(line, start, end);
        start = end + 1;
    }
    *row = (Row){ .path = cells[0], .code = cells[1], .sum = cells[2], .line = cells[4] };
    return row->path.len > 0 && str_starts_with(row->code, STR("DT")) && row->sum.len > 0 &&
           read_count(cells[3], &row->count);
}

Baseline *baseline_read(Session *session, Str path, Str text, uint32_t *bad_line) {
    Baseline *baseline = baseline_empty(session, path);
    uint32_t number = 0;
    *bad_line = 0;
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR("\n"), start);
        Str line = str_slice(text, start, end);
        line.len -= str_ends_with(line, STR("\r")) ? 1 : 0;
        start = end + 1;
        number++;
        Row row;
        if (line.len == 0 || line.data[0] == '#') {
            continue;
        }
        if (!read_row(line, &row)) {
            *bad_line = *bad_line == 0 ? number : *bad_line;
            continue;
        }
        add_row(session->arena, baseline, row);
    }
    return baseline;
}

// ---- what it accepts ---------------------------------------------------------------------------------------------

static bool can_have_row(const Diag *diag) {
    return !diag->is_allowed && !span_is_none(diag->span) && diag_row(diag->id)->nature == JUDGEMENT;
}

static Row row_of(Session *session, const Baseline *baseline, const Diag *diag) {
    Arena *arena = session->arena;
    const char *code = diag_row(diag->id)->code;
    const Str path = path_of(arena, baseline, source_get(session, diag->span.source)->path);
    const Str line = fingerprint_line(session, diag);
    return (Row){
        .path = path, .code = str_of(code), .sum = fingerprint_of(arena, path, code, line), .count = 1, .line = line
    };
}

uint32_t baseline_apply(Session *session, Baseline *baseline) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->diags.items.count && baseline->rows.count > 0; i++) {
        Diag *diag = session->diags.items.items[i];
        if (!can_have_row(diag)) {
            continue;
        }
        const Row found = row_of(session, baseline, diag);
        Row *row = str_map_get_mutable(&baseline->by_key, key_of(session->arena, found.path, found.code, found.sum));
        if (row != NULL && row->left > 0) {
            row->left--;
            count++;
            diag_hide(session, diag);
        }
    }
    return count;
}

// ---- what it has too much ----------------------------------------------------------------------------------------

static bool is_gone(Arena *arena, const Baseline *baseline, const Row *row) {
    const Str folder = str_starts_with(row->path, STR("/")) ? STR_NONE : baseline->folder;
    struct stat status;
    return lstat(str_c(arena, str_format(arena, "%.*s%.*s", STR_ARG(folder), STR_ARG(row->path))), &status) != 0;
}

static StrMap seen_paths(Arena *arena, const Baseline *baseline, const BaselineScope *scope) {
    StrMap seen = { .arena = arena };
    for (uint32_t i = 0; i < scope->paths->count; i++) {
        str_map_add(&seen, path_of(arena, baseline, scope->paths->items[i]), baseline);
    }
    return seen;
}

// Whether the run would have found what the row accepts.
static bool is_looked_at(Arena *arena, const Baseline *baseline, const BaselineScope *scope, const StrMap *seen,
                         const Row *row) {
    const DiagRow *code = diag_find(row->code);
    if (code != NULL && scope->levels[diag_id(code)] == LEVEL_SKIPPED) {
        return false;
    }
    return code == NULL || str_map_get(seen, row->path) != NULL || is_gone(arena, baseline, row);
}

Str baseline_stale(Session *session, const Baseline *baseline, const BaselineScope *scope, uint32_t *count) {
    Arena *arena = session->arena;
    const StrMap seen = seen_paths(arena, baseline, scope);
    StrBuf out = { .arena = arena };
    *count = 0;
    for (uint32_t i = 0; i < baseline->rows.count; i++) {
        const Row *row = baseline->rows.items[i];
        if (row->left == 0 || !is_looked_at(arena, baseline, scope, &seen, row)) {
            continue;
        }
        *count += row->left;
        if (*count - row->left < SHOWN_MAX) {
            strbuf_add(&out, STR("  "));
            display_add_all(&out, str_format(arena, "%.*s: %.*s at `%.*s`", STR_ARG(row->path), STR_ARG(row->code),
                                             STR_ARG(row->line)));
            strbuf_add(&out, row->left > 1 ? str_format(arena, ", %" PRIu32 " times\n", row->left) : STR("\n"));
        } else if (out.data[out.len - 2] != '.') {
            strbuf_add(&out, STR("  ...\n"));
        }
    }
    return strbuf_str(&out);
}

// ---- writing -----------------------------------------------------------------------------------------------------

static int compare(const void *a, const void *b) {
    const Row *left = *(Row *const *)a;
    const Row *right = *(Row *const *)b;
    const int by_path = str_compare(left->path, right->path);
    const int by_code = str_compare(left->code, right->code);
    return by_path != 0 ? by_path : by_code != 0 ? by_code : str_compare(left->sum, right->sum);
}

static void write_row(StrBuf *out, const Row *row) {
    strbuf_add_format(out, "%.*s\t%.*s\t%.*s\t%" PRIu32 "\t", STR_ARG(row->path), STR_ARG(row->code), STR_ARG(row->sum),
                      row->count);
    display_add(out, row->line, 0, LINE_COLUMNS_MAX);
    strbuf_add_char(out, '\n');
}

static void keep_unseen(Arena *arena, Baseline *fresh, const Baseline *old, const BaselineScope *scope) {
    const StrMap seen = seen_paths(arena, old, scope);
    for (uint32_t i = 0; i < old->rows.count; i++) {
        if (!is_looked_at(arena, old, scope, &seen, old->rows.items[i])) {
            add_row(arena, fresh, *old->rows.items[i]);
        }
    }
}

Str baseline_text(Session *session, const Baseline *old, const BaselineScope *scope, uint32_t *count) {
    Baseline fresh = { .here = old->here, .folder = old->folder, .by_key = { .arena = session->arena } };
    keep_unseen(session->arena, &fresh, old, scope);
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        if (can_have_row(session->diags.items.items[i])) {
            add_row(session->arena, &fresh, row_of(session, &fresh, session->diags.items.items[i]));
        }
    }
    if (fresh.rows.count > 0) {
        qsort(fresh.rows.items, fresh.rows.count, sizeof(fresh.rows.items[0]), compare);
    }
    StrBuf out = { .arena = session->arena };
    strbuf_add(&out, STR(FIRST_LINE));
    *count = 0;
    for (uint32_t i = 0; i < fresh.rows.count; i++) {
        write_row(&out, fresh.rows.items[i]);
        *count += fresh.rows.items[i]->count;
    }
    return strbuf_str(&out);
}
