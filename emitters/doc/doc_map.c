// Writes the source map: for each leaf of an output file its line and everything that decides it. An origin is a tree
// whose parts are shared, so that it may have far more paths than nodes. Each node is entered once for each leaf, and
// only a limited number of them.
#include "emitters/doc/doc.h"

#include "compiler/base/json.h"

enum { JOINS_MAX = 256 }; // of one leaf; nobody reads that many reasons, and the search among them is linear

typedef struct {
    Session *session;
    Arena *arena;
    Data *list; // what is written
    const Origin *seen[JOINS_MAX + 1];
    uint32_t seen_count;
    const Origin *joins[JOINS_MAX];
    uint32_t join_count;
    bool is_truncated;
} Flattening;

static void put_text(Arena *arena, Data *map, const char *key, Str text) {
    data_put(arena, map, str_of(key), data_string(arena, text));
}

static void put_span(const Flattening *flattening, Data *map, Span span) {
    Arena *arena = flattening->arena;
    const Place start = source_place(flattening->session, span.source, span.start);
    const Place end = source_place(flattening->session, span.source, span.end);
    put_text(arena, map, "file", source_get(flattening->session, span.source)->path);
    data_put(arena, map, STR("line"), data_int(arena, start.line));
    data_put(arena, map, STR("column"), data_int(arena, start.column));
    data_put(arena, map, STR("end_line"), data_int(arena, end.line));
    data_put(arena, map, STR("end_column"), data_int(arena, end.column));
}

static Data *origin_data(const Flattening *flattening, const Origin *origin) {
    Arena *arena = flattening->arena;
    Data *map = data_map(arena);
    switch (origin->kind) {
    case ORIGIN_SPAN:
        put_text(arena, map, "kind", STR("span"));
        put_span(flattening, map, origin->span);
        break;
    case ORIGIN_SCHEMA:
        put_text(arena, map, "kind", STR("schema"));
        put_text(arena, map, "name", str_of(origin->name));
        break;
    case ORIGIN_CONSTANT:
        put_text(arena, map, "kind", STR("constant"));
        put_text(arena, map, "name", str_of(origin->name));
        put_text(arena, map, "text", str_of(origin->text));
        break;
    case ORIGIN_INPUT:
        put_text(arena, map, "kind", STR("input"));
        put_text(arena, map, "name", str_of(origin->name));
        if (!span_is_none(origin->span)) {
            put_span(flattening, map, origin->span);
        }
        break;
    case ORIGIN_JOIN:
        break;
    }
    return map;
}

// Whether the map would say the same of both.
static bool says_the_same(const Origin *a, const Origin *b) {
    return a == b ||
           (a->kind == b->kind && span_equal(a->span, b->span) && str_equal(str_of(a->name), str_of(b->name)));
}

static void flatten(Flattening *flattening, const Origin *origin) {
    if (origin->kind == ORIGIN_JOIN) {
        for (uint32_t i = 0; i < flattening->join_count; i++) {
            if (flattening->joins[i] == origin) {
                return;
            }
        }
        if (flattening->join_count == JOINS_MAX) {
            flattening->is_truncated = true;
            return;
        }
        flattening->joins[flattening->join_count++] = origin;
        flatten(flattening, origin->left);
        flatten(flattening, origin->right);
        return;
    }
    for (uint32_t i = 0; i < flattening->seen_count; i++) {
        if (says_the_same(flattening->seen[i], origin)) {
            return;
        }
    }
    // Each join has two sides, so there is at most one leaf more than joins.
    flattening->seen[flattening->seen_count++] = origin;
    data_add(flattening->arena, flattening->list, origin_data(flattening, origin));
}

static Data *leaf_data(Session *session, Arena *arena, const DocLine *line) {
    Data *map = data_map(arena);
    put_text(arena, map, "path", line->path);
    data_put(arena, map, STR("line"), data_int(arena, line->line));
    Flattening flattening = { .session = session, .arena = arena, .list = data_list(arena) };
    flatten(&flattening, line->leaf->origin);
    data_put(arena, map, STR("origins"), flattening.list);
    if (flattening.is_truncated) {
        data_put(arena, map, STR("truncated"), data_bool(arena, true));
    }
    return map;
}

Str doc_map_write(Session *session, Arena *arena, Str file, const DocLines *lines) {
    Arena *scratch = arena_create_beside(arena);
    Data *map = data_map(scratch);
    data_put(scratch, map, STR("version"), data_int(scratch, 1));
    put_text(scratch, map, "file", file);
    Data *leaves = data_list(scratch);
    for (uint32_t i = 0; i < lines->count; i++) {
        data_add(scratch, leaves, leaf_data(session, scratch, &lines->items[i]));
    }
    data_put(scratch, map, STR("leaves"), leaves);
    const Str text = json_write(arena, map);
    arena_destroy(scratch);
    return text;
}
