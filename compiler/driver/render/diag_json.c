// Diagnostics for programs, as JSON. dt(5) promises the form: fields may be added, and none is changed or removed.
#include "compiler/base/json.h"
#include "compiler/driver/render/render.h"

static void put_text(Arena *arena, Data *map, const char *key, const char *value) {
    data_put(arena, map, str_of(key), data_string(arena, str_of(value)));
}

// Five fields of a place; all null where there is none. The end is behind the last character.
static void put_place(Session *session, Data *map, Span span) {
    static const char *const keys[] = { "line", "column", "end_line", "end_column" };
    Arena *arena = session->arena;
    if (span_is_none(span)) {
        data_put(arena, map, STR("file"), data_null(arena));
        for (size_t i = 0; i < COUNT_OF(keys); i++) {
            data_put(arena, map, str_of(keys[i]), data_null(arena));
        }
        return;
    }
    const Place start = source_place(session, span.source, span.start);
    const Place end = source_place(session, span.source, span.end);
    const uint32_t numbers[] = { start.line, start.column, end.line, end.column };
    data_put(arena, map, STR("file"), data_string(arena, source_get(session, span.source)->path));
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        data_put(arena, map, str_of(keys[i]), data_int(arena, numbers[i]));
    }
}

static void add_place_note(Session *session, Data *notes, Span span, Str text) {
    Arena *arena = session->arena;
    if (text.len == 0) {
        return;
    }
    if (span_is_none(span)) {
        data_add(arena, notes, data_string(arena, text));
        return;
    }
    const Place place = source_place(session, span.source, span.start);
    const Str path = source_get(session, span.source)->path;
    const Str note =
        str_format(arena, "%.*s:%" PRIu32 ":%" PRIu32 ": %.*s", STR_ARG(path), place.line, place.column, STR_ARG(text));
    data_add(arena, notes, data_string(arena, note));
}

static Data *notes_of(Session *session, const Diag *diag) {
    Arena *arena = session->arena;
    Data *notes = data_list(arena);
    for (uint32_t i = 0; i < diag->helps.count; i++) {
        data_add(arena, notes, data_string(arena, diag->helps.items[i]));
    }
    for (uint32_t i = 0; i < diag->notes.count; i++) {
        data_add(arena, notes, data_string(arena, diag->notes.items[i]));
    }
    add_place_note(session, notes, diag->span, diag->label);
    for (uint32_t i = 0; i < diag->labels.count; i++) {
        add_place_note(session, notes, diag->labels.items[i].span, diag->labels.items[i].text);
    }
    return notes;
}

static Data *fixes_of(Session *session, const Diag *diag) {
    Arena *arena = session->arena;
    Data *fixes = data_list(arena);
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        Data *fix = data_map(arena);
        put_place(session, fix, diag->fixes.items[i].span);
        data_put(arena, fix, STR("replacement"), data_string(arena, diag->fixes.items[i].replacement));
        data_add(arena, fixes, fix);
    }
    return fixes;
}

Str render_json(Session *session, const DiagList *list) {
    Arena *arena = session->arena;
    Data *items = data_list(arena);
    for (uint32_t i = 0; i < list->count; i++) {
        const Diag *diag = list->items[i];
        Data *item = data_map(arena);
        put_text(arena, item, "code", diag_row(diag->id)->code);
        put_text(arena, item, "severity", severity_name(diag->severity));
        data_put(arena, item, STR("message"), data_string(arena, diag->message));
        put_place(session, item, diag->span);
        data_put(arena, item, STR("notes"), notes_of(session, diag));
        data_put(arena, item, STR("fixes"), fixes_of(session, diag));
        data_add(arena, items, item);
    }
    Data *document = data_map(arena);
    data_put(arena, document, STR("version"), data_int(arena, 1));
    data_put(arena, document, STR("diagnostics"), items);
    return json_write(arena, document);
}
