// Reads rows: YAML maps whose keys are compared with a table of columns. A row that does not match its columns is
// reported where it stands. Callers read cells only of rows that match.
#include "schema/row_cells.h"

#include "compiler/base/session.h"
#include "compiler/base/suggest.h"

#include <stdarg.h>

void cell_fault(Session *session, Span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const Str text = str_format_list(session->arena, format, arguments);
    va_end(arguments);
    report(session, span, DIAG(schema_fault), str_c(session->arena, text));
}

bool cell_is(const Data *cell, const char *word) {
    return cell != NULL && cell->kind == DATA_STRING && str_is(cell->string, word);
}

static unsigned cell_kind(const Data *cell) {
    switch (cell->kind) {
    case DATA_NULL:
        return CELL_NULL;
    case DATA_BOOL:
        return CELL_BOOL;
    case DATA_INT:
        return CELL_INT;
    case DATA_REAL:
        return CELL_REAL;
    case DATA_STRING:
        return str_is(cell->string, "none") ? CELL_NONE | CELL_TEXT : CELL_TEXT;
    case DATA_LIST:
        return CELL_LIST;
    case DATA_MAP:
        return CELL_MAP;
    }
    assert(false);
    return 0;
}

static Str describe_kinds(Session *session, unsigned kinds) {
    static const char *const NAMES[] = { "null",     "`none`", "true or false", "a whole number",
                                         "a number", "text",   "a list",        "a map" };
    StrBuf text = { .arena = session->arena };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if ((kinds & (1u << i)) != 0) {
            strbuf_add_format(&text, "%s%s", text.len == 0 ? "" : " or ", NAMES[i]);
        }
    }
    return strbuf_str(&text);
}

static bool is_column(Str key, const Column *columns, int count) {
    for (int i = 0; i < count; i++) {
        if (str_is(key, columns[i].name)) {
            return true;
        }
    }
    return false;
}

bool cells_check_keys(Session *session, Str name, const Data *map, const Column *columns, int count) {
    bool is_right = true;
    for (uint32_t i = 0; i < map->count; i++) {
        const Str key = map->entries[i].key;
        if (is_column(key, columns, count)) {
            continue;
        }
        is_right = false;
        Suggestion suggestion = suggest_for(session, key);
        for (int j = 0; j < count; j++) {
            suggest_offer(&suggestion, str_of(columns[j].name));
        }
        if (suggestion.best.len > 0) {
            cell_fault(session, map->entries[i].key_span, "%.*s has no `%.*s`; did you mean `%.*s`?", STR_ARG(name),
                       STR_ARG(key), STR_ARG(suggestion.best));
        } else {
            cell_fault(session, map->entries[i].key_span, "%.*s has no `%.*s`", STR_ARG(name), STR_ARG(key));
        }
    }
    return is_right;
}

bool cells_read(Session *session, Str name, Span span, const Data *row, const Data *common, const Column *columns,
                int count, const Data **cells) {
    if (row->kind != DATA_MAP) {
        cell_fault(session, span, "%.*s is not a map", STR_ARG(name));
        return false;
    }
    // Not the session's number of errors: of a row that an alias repeats, each fault is counted once.
    bool is_right = cells_check_keys(session, name, row, columns, count);
    for (int i = 0; i < count; i++) {
        const Data *own = data_get(row, columns[i].name);
        const Data *shared = common == NULL ? NULL : data_get(common, columns[i].name);
        cells[i] = own != NULL ? own : shared;
        if (own != NULL && shared != NULL && (columns[i].takes & CELL_REPLACES) == 0) {
            is_right = false;
            cell_fault(session, own->span, "`%s` of %.*s stands in `common` too", columns[i].name, STR_ARG(name));
        } else if (cells[i] == NULL) {
            if ((columns[i].takes & CELL_OPTIONAL) == 0) {
                is_right = false;
                cell_fault(session, span, "%.*s lacks `%s`", STR_ARG(name), columns[i].name);
            }
        } else if ((cell_kind(cells[i]) & columns[i].takes) == 0) {
            is_right = false;
            const Str wanted = describe_kinds(session, columns[i].takes);
            cell_fault(session, cells[i]->span, "`%s` of %.*s is to be %.*s", columns[i].name, STR_ARG(name),
                       STR_ARG(wanted));
        }
    }
    return is_right;
}

int cell_word(Session *session, const Data *cell, const char *what, const char *const *words, int count) {
    StrBuf allowed = { .arena = session->arena };
    for (int i = 0; i < count; i++) {
        if (cell_is(cell, words[i])) {
            return i;
        }
        strbuf_add_format(&allowed, "%s`%s`", i == 0 ? "" : i + 1 == count ? " or " : ", ", words[i]);
    }
    const Str found = cell->kind == DATA_STRING ? cell->string : STR("this");
    cell_fault(session, cell->span, "`%.*s` is no %s: it is %.*s", STR_ARG(found), what, STR_ARG(strbuf_str(&allowed)));
    return -1;
}

int64_t cell_int(Session *session, const Data *cell, const char *what, int64_t least, int64_t most) {
    if (cell->kind == DATA_NULL) {
        return UNKNOWN_CELL;
    }
    if (cell->kind != DATA_INT || cell->integer < least || cell->integer > most) {
        cell_fault(session, cell->span, "%s is a whole number from %" PRId64 " to %" PRId64, what, least, most);
        return least;
    }
    return cell->integer;
}

int read_digits(Str text, size_t *offset) {
    enum { MOST = 1000000 };
    int value = 0;
    const size_t start = *offset;
    while (*offset < text.len && text.data[*offset] >= '0' && text.data[*offset] <= '9') {
        if (value >= MOST) {
            return -1;
        }
        value = value * 10 + (text.data[*offset] - '0');
        (*offset)++;
    }
    return *offset == start ? -1 : value;
}

const char *cell_string(Session *session, const Data *cell) {
    return cell == NULL || cell->kind == DATA_NULL ? NULL : str_c(session->arena, str_trim(cell->string));
}
