// Rows as texts. A row in braces begins with short columns of one width; then come as many cells on a line as fit. A
// row that stays is copied byte by byte.
#include "schema/refresh/refresh_family.h"

enum { LINE_CHARACTERS = 120, NAME_INDENT = 2, CELL_INDENT = 4 };

typedef struct {
    size_t name;
    size_t cells[COLUMN_COUNT]; // of `key: value,`
} Widths;

static Str value_of(const Draft *draft, int column) {
    return draft->news[column].len > 0 ? draft->news[column] : draft->text[column];
}

static bool is_aligned(int column) {
    return column == COLUMN_VCPUS || column == COLUMN_CORES || column == COLUMN_THREADS_PER_CORE ||
           column == COLUMN_MEMORY_MIB;
}

static Widths measure(const Drafts *drafts) {
    Widths widths = { 0 };
    for (uint32_t i = 0; i < drafts->count; i++) {
        const Draft *draft = &drafts->items[i];
        widths.name = !draft->is_block && draft->name.len > widths.name ? draft->name.len : widths.name;
        for (int column = 0; column < COLUMN_COUNT && !draft->is_block; column++) {
            const size_t width = strlen(INSTANCE_COLUMNS[column].name) + 3 + value_of(draft, column).len;
            widths.cells[column] = is_aligned(column) && width > widths.cells[column] ? width : widths.cells[column];
        }
    }
    return widths;
}

static void put_braces(StrBuf *out, const Draft *draft, const Widths *widths) {
    StrBuf line = { .arena = out->arena };
    strbuf_add_format(&line, "  %.*s:", STR_ARG(draft->name));
    strbuf_add_repeated(&line, ' ', widths->name - draft->name.len);
    strbuf_add(&line, STR(" { "));
    const size_t indent = line.len;
    size_t padding = 0;
    int last = -1;
    for (int column = 0; column < COLUMN_COUNT; column++) {
        last = value_of(draft, column).len > 0 ? column : last;
    }
    for (int column = 0; column <= last; column++) {
        const Str value = value_of(draft, column);
        if (value.len == 0) {
            continue;
        }
        const char *name = INSTANCE_COLUMNS[column].name;
        const size_t width = strlen(name) + 2 + value.len + (column == last ? 2 : 1);
        if (line.len > indent && line.len + 1 + padding + width > LINE_CHARACTERS) {
            strbuf_add(out, strbuf_str(&line));
            strbuf_add_char(out, '\n');
            line.len = 0;
            strbuf_add_repeated(&line, ' ', indent);
        } else if (line.len > indent) {
            strbuf_add_repeated(&line, ' ', 1 + padding);
        }
        strbuf_add_format(&line, "%s: %.*s%s", name, STR_ARG(value), column == last ? "" : ",");
        padding = widths->cells[column] > width ? widths->cells[column] - width : 0;
    }
    strbuf_add(out, strbuf_str(&line));
    strbuf_add(out, last < 0 ? STR("}\n") : STR(" }\n"));
}

void put_column_line(StrBuf *out, int indent, const char *name, Str value) {
    if (value.len > 1 && value.data[0] == '"') {
        put_quoted(out, indent, name, str_slice(value, 1, value.len - 1));
        return;
    }
    strbuf_add_repeated(out, ' ', (size_t)indent);
    strbuf_add_format(out, "%s: ", name);
    size_t width = (size_t)indent + strlen(name) + 2;
    while (width + value.len > LINE_CHARACTERS) { // a list of groups of cards
        size_t end = 0;
        for (size_t next = str_find(value, STR(", {"), 0); next < value.len && width + next < LINE_CHARACTERS;
             next = str_find(value, STR(", {"), next + 1)) {
            end = next + 1;
        }
        if (end == 0) {
            break;
        }
        strbuf_add_format(out, "%.*s\n", STR_ARG(str_slice(value, 0, end)));
        width = (size_t)indent + 2;
        strbuf_add_repeated(out, ' ', width);
        value = str_slice(value, end + 1, value.len);
    }
    strbuf_add_format(out, "%.*s\n", STR_ARG(value));
}

static int column_of(Str name) {
    for (int column = 0; column < COLUMN_COUNT; column++) {
        if (str_is(name, INSTANCE_COLUMNS[column].name)) {
            return column;
        }
    }
    return COLUMN_COUNT;
}

// The columns from `*next` on that come before `column` and that the row had not.
static void put_added(StrBuf *out, const Draft *draft, int *next, int column) {
    for (; *next < column; (*next)++) {
        if (draft->text[*next].len == 0 && draft->news[*next].len > 0) {
            put_column_line(out, CELL_INDENT, INSTANCE_COLUMNS[*next].name, draft->news[*next]);
        }
    }
}

// Lines that stay are copied with what stands before them.
static void put_block(StrBuf *out, const Draft *draft) {
    int next = 0;
    const Data *cells = draft->cells;
    const size_t base = draft->key.start - NAME_INDENT; // where `raw` begins in the file
    const uint32_t count = cells == NULL ? 0 : cells->count;
    const size_t first = count == 0 ? draft->raw.len : cells->entries[0].key_span.start - CELL_INDENT - base;
    strbuf_add_format(out, "%.*s", STR_ARG(str_slice(draft->raw, 0, first)));
    if (draft->row == NULL) {
        strbuf_add_format(out, "  %.*s:\n", STR_ARG(draft->name));
    }
    for (uint32_t i = 0; i < count; i++) {
        const int column = column_of(cells->entries[i].key);
        const size_t start = cells->entries[i].key_span.start - CELL_INDENT - base;
        const size_t end = i + 1 < count ? cells->entries[i + 1].key_span.start - CELL_INDENT - base : draft->raw.len;
        put_added(out, draft, &next, column);
        next = column + 1 > next ? column + 1 : next;
        if (column < COLUMN_COUNT && draft->news[column].len > 0) {
            put_column_line(out, CELL_INDENT, INSTANCE_COLUMNS[column].name, draft->news[column]);
        } else {
            const Str kept = str_slice(draft->raw, start, end);
            strbuf_add(out, kept);
        }
    }
    if (out->len > 0 && out->data[out->len - 1] != '\n') {
        strbuf_add_char(out, '\n');
    }
    put_added(out, draft, &next, COLUMN_COUNT);
}

Str drafts_layout(Arena *arena, const Drafts *drafts) {
    const Widths widths = measure(drafts);
    StrBuf out = { .arena = arena };
    for (uint32_t i = 0; i < drafts->count; i++) {
        const Draft *draft = &drafts->items[i];
        strbuf_add(&out, draft->lead);
        if (draft->row != NULL && !draft->is_changed) {
            strbuf_add(&out, draft->raw);
        } else if (draft->is_block) {
            put_block(&out, draft);
        } else {
            put_braces(&out, draft, &widths);
        }
    }
    return strbuf_str(&out);
}

Str entry_text(Arena *arena, Str text, const Data *map, uint32_t index, size_t map_end) {
    const bool is_last = index + 1 == map->count;
    const size_t end = is_last ? map_end : map->entries[index + 1].key_span.start;
    const size_t colon = str_find(text, STR(":"), map->entries[index].key_span.end);
    Str value = str_trim(str_slice(text, colon + 1, end));
    if (!is_last && str_ends_with(value, STR(","))) {
        value = str_slice(value, 0, value.len - 1);
    }
    return one_line(arena, value);
}
