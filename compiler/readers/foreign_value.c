// From plain data to values.
#include "compiler/readers/foreign_value.h"

// `$PATH:/opt/bin` is meant for the shell of a container: nobody fills in the folders of whoever deploys.
static bool is_search_path(Str text) {
    static const char *const PATHS[] = { "$PATH:", "$LD_LIBRARY_PATH:", "$PYTHONPATH:" };
    return str_starts_with_any(text, PATHS, COUNT_OF(PATHS));
}

// `$Latest` and `$Default` are versions of a launch template, and no variables. In a text of several lines `${NAME}` is
// a shell's, and so it is in one of several words that a container is to run.
static bool is_filled_in(Str text, bool is_command) {
    const bool may_be = str_at(text, 0) == '$' || str_has(text, "{");
    if (!may_be || str_is(text, "$Latest") || str_is(text, "$Default")) {
        return false;
    }
    const bool has_lines = str_has(text, "\n") || (is_command && str_has(text, " "));
    for (size_t at = str_find(text, STR("{"), 1); at < text.len; at = str_find(text, STR("{"), at + 1)) {
        if ((text.data[at - 1] == '$' && !has_lines) || text.data[at - 1] == '{') {
            return true;
        }
    }
    return !has_lines && !is_search_path(text) && text.len > 1 && text.data[0] == '$' && text.data[1] >= 'A' &&
           text.data[1] <= 'z';
}

static void set_text(Arena *arena, Value *value, const Data *data, bool is_command) {
    const Str text = data->string;
    if (!is_filled_in(text, is_command) && !str_is(data->tag, FILLED_IN)) {
        value->kind = VALUE_STRING;
        value->string = text;
        value->is_real = data->kind == DATA_REAL;
        return;
    }
    Late *late = arena_new(arena, Late);
    *late = (Late){ .kind = LATE_TEXT };
    value->kind = VALUE_LATE;
    value->late = late;
}

static const Value *value_of(Arena *arena, const Data *data, bool is_command);

static void set_list(Arena *arena, Value *value, const Data *data, bool is_command) {
    const Value **items = arena_new_array(arena, const Value *, data->count);
    for (uint32_t i = 0; i < data->count; i++) {
        items[i] = value_of(arena, data->items[i], is_command);
    }
    value->kind = VALUE_LIST;
    value->list.items = items;
    value->list.count = data->count;
}

static void set_map(Arena *arena, Value *value, const Data *data) {
    ValueEntry *entries = arena_new_array(arena, ValueEntry, data->count);
    for (uint32_t i = 0; i < data->count; i++) {
        const DataEntry *entry = &data->entries[i];
        const bool is_command =
            str_is(entry->key, "command") || str_is(entry->key, "args") || str_is(entry->key, "Command");
        entries[i] = (ValueEntry){ .key = entry->key,
                                   .key_span = entry->key_span,
                                   .value = value_of(arena, entry->value, is_command) };
    }
    value->kind = VALUE_MAP;
    value->map.entries = entries;
    value->map.count = data->count;
}

static const Value *value_of(Arena *arena, const Data *data, bool is_command) {
    Value *value = value_of_span(arena, VALUE_NULL, data->span);
    switch (data->kind) {
    case DATA_NULL:
        break;
    case DATA_BOOL:
        value->kind = VALUE_BOOL;
        value->boolean = data->boolean;
        break;
    case DATA_INT:
        value->kind = VALUE_INT;
        value->integer = data->integer;
        break;
    case DATA_REAL:
    case DATA_STRING:
        set_text(arena, value, data, is_command);
        break;
    case DATA_LIST:
        set_list(arena, value, data, is_command);
        break;
    case DATA_MAP:
        set_map(arena, value, data);
        break;
    }
    return value;
}

const Value *foreign_value(Arena *arena, const Data *data) {
    return value_of(arena, data, false);
}
