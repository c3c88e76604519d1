// Finds the public parameter that a path names, or that it was meant to name. Paths are compared with rows step by
// step. `*` in a step of a row is any text, which a correction takes from what was written.
#include "schema/schema.h"

// The next step of a path from `*offset` on, without its `/`; the offset moves behind it. False at the end.
static bool next_step(Str path, size_t *offset, Str *step) {
    if (*offset >= path.len) {
        return false;
    }
    size_t start = *offset + (path.data[*offset] == '/');
    size_t end = str_find(path, STR("/"), start);
    *step = str_slice(path, start, end);
    *offset = end;
    return true;
}

// Shell patterns with `*` alone.
static bool fits(Str pattern, Str text) {
    size_t p = 0;
    size_t t = 0;
    size_t star = SIZE_MAX;
    size_t from = 0;
    while (t < text.len) {
        if (p < pattern.len && pattern.data[p] == '*') {
            star = p++;
            from = t;
        } else if (p < pattern.len && pattern.data[p] == text.data[t]) {
            p++;
            t++;
        } else if (star != SIZE_MAX) {
            p = star + 1;
            t = ++from;
        } else {
            return false;
        }
    }
    while (p < pattern.len && pattern.data[p] == '*') {
        p++;
    }
    return p == pattern.len;
}

typedef enum { FIT_NONE, FIT_EXACT, FIT_LAST_DIFFERS, FIT_LAST_MISSING, FIT_ONE_MORE } Fit;

static Fit fit_of(Str row, Str path) {
    size_t row_offset = 0;
    size_t path_offset = 0;
    Str wanted;
    Str given;
    while (next_step(row, &row_offset, &wanted)) {
        if (!next_step(path, &path_offset, &given)) {
            return row_offset >= row.len ? FIT_LAST_MISSING : FIT_NONE;
        }
        if (!fits(wanted, given)) {
            return row_offset >= row.len && path_offset >= path.len ? FIT_LAST_DIFFERS : FIT_NONE;
        }
    }
    if (path_offset >= path.len) {
        return FIT_EXACT;
    }
    next_step(path, &path_offset, &given);
    return path_offset >= path.len ? FIT_ONE_MORE : FIT_NONE;
}

// The path that a row stands for, with what was written where the row has a `*`.
static Str fill(Arena *arena, Str row, Str path) {
    StrBuf text = { .arena = arena };
    size_t row_offset = 0;
    size_t path_offset = 0;
    Str wanted;
    Str given = STR_NONE;
    while (next_step(row, &row_offset, &wanted)) {
        bool is_there = next_step(path, &path_offset, &given);
        bool is_open = str_find(wanted, STR("*"), 0) < wanted.len;
        strbuf_add_format(&text, "/%.*s", STR_ARG(is_open && is_there ? given : wanted));
    }
    return strbuf_str(&text);
}

// Whether a row's last step is one that only ids of images are under, so that another one there is a mistake.
static bool has_leaf(Str row) {
    return str_ends_with(row, STR("/image_id")) || str_ends_with(row, STR("/ami-id"));
}

static int row_count(void) {
    return IMAGE_ROW_COUNT + PARAMETER_ROW_COUNT;
}

static ParameterRow row_at(int i) {
    if (i < IMAGE_ROW_COUNT) {
        const ImageRow *row = &IMAGE_ROWS[i];
        return (ParameterRow){ .path = row->parameter,
                               .architecture = row->architecture,
                               .drivers = (int)row->accelerator,
                               .note = row->note };
    }
    return PARAMETER_ROWS[i - IMAGE_ROW_COUNT];
}

bool schema_parameter(Str path, ParameterRow *row) {
    for (int i = 0; i < row_count(); i++) {
        *row = row_at(i);
        if (fit_of(str_of(row->path), path) == FIT_EXACT) {
            return true;
        }
    }
    return false;
}

bool schema_parameter_meant(Arena *arena, Str path, Str *meant) {
    for (int i = 0; i < MISTAKEN_ROW_COUNT; i++) {
        if (fit_of(str_of(MISTAKEN_ROWS[i].path), path) == FIT_EXACT) {
            *meant = fill(arena, str_of(MISTAKEN_ROWS[i].instead), path);
            return true;
        }
    }
    ParameterRow row;
    if (schema_parameter(path, &row)) {
        return false;
    }
    for (int i = 0; i < row_count(); i++) {
        Str candidate = str_of(row_at(i).path);
        if (has_leaf(candidate) && fit_of(candidate, path) != FIT_NONE) {
            *meant = fill(arena, candidate, path);
            return true;
        }
    }
    return false;
}
