// Looks lines up in a source map. `dtc explain FILE:LINE` does so with the map that a build wrote, and a build with its
// own, before it writes anything.
#include "compiler/driver/output/line_map.h"

static uint32_t number_of(const Data *map, const char *key) {
    const Data *value = data_get(map, key);
    const bool is_fit = value != NULL && value->kind == DATA_INT && value->integer > 0 && value->integer <= UINT32_MAX;
    return is_fit ? (uint32_t)value->integer : 0;
}

const Data *line_map_leaves(const Data *map, Str name) {
    const Data *leaves = data_get(map, "leaves");
    const bool is_map = leaves != NULL && leaves->kind == DATA_LIST && str_equal(data_text(map, "file"), name);
    return is_map ? leaves : NULL;
}

// Of YAML and of JSON.
static bool is_key_alone(Str line) {
    return str_ends_with(line, STR(":")) || str_ends_with(line, STR("{")) || str_ends_with(line, STR("["));
}

static bool opens_block(Str line) {
    return str_ends_with(line, STR("|")) || str_ends_with(line, STR("|-")) || str_ends_with(line, STR("|+"));
}

const Data *line_map_find(Session *session, const Data *leaves, uint32_t output, uint32_t line) {
    const Data *above = NULL;
    const Data *below = NULL;
    for (uint32_t i = 0; i < leaves->count; i++) {
        const Data *leaf = leaves->items[i];
        const uint32_t at = number_of(leaf, "line");
        if (at == line) {
            return leaf;
        }
        if (at != 0 && at < line && (above == NULL || at >= number_of(above, "line"))) {
            above = leaf;
        }
        if (at > line && (below == NULL || at < number_of(below, "line"))) {
            below = leaf;
        }
    }
    if (above != NULL && opens_block(source_line(session, output, number_of(above, "line")))) {
        return above;
    }
    return below != NULL && is_key_alone(source_line(session, output, line)) ? below : NULL;
}

// ---- places ------------------------------------------------------------------------------------------------------

static uint32_t source_of(const Session *session, Str path) {
    uint32_t number = 0;
    for (uint32_t i = 1; i < session->sources.count && number == 0; i++) {
        number = str_equal(source_get(session, i)->path, path) ? i : 0;
    }
    return number;
}

// The offset of a line and column; columns count characters.
static uint32_t offset_of(Session *session, uint32_t source, uint32_t line, uint32_t column) {
    const Str text = source_line(session, source, line);
    size_t at = 0;
    for (uint32_t i = 1; i < column && at < text.len; i++) {
        at++;
        while (at < text.len && ((unsigned char)text.data[at] & 0xC0) == 0x80) {
            at++;
        }
    }
    return text.data == NULL ? 0 : (uint32_t)(text.data - source_get(session, source)->text.data + (ptrdiff_t)at);
}

Span line_map_span(Session *session, const Data *origin) {
    const uint32_t source = source_of(session, data_text(origin, "file"));
    if (source == 0) {
        return SPAN_NONE;
    }
    const uint32_t start = offset_of(session, source, number_of(origin, "line"), number_of(origin, "column"));
    const uint32_t end = offset_of(session, source, number_of(origin, "end_line"), number_of(origin, "end_column"));
    return (Span){ .source = source, .start = start, .end = end > start ? end : start };
}
