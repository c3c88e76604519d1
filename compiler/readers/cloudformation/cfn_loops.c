// `Fn::ForEach::Loop: [Name, [items], { entries }]` becomes the entries of each turn. What a turn says stands where the loop
// says it: a finding that is the same in each turn is one.
// source: AWS CloudFormation Template Reference, Fn::ForEach, read 2026-11
#include "compiler/readers/cloudformation/cfn_loops.h"

#include "compiler/base/vec.h"

enum {
    DEPTH_MAX = 200,    // of values in each other
    VALUES_MAX = 50000, // that loops in loops may make of a template
    VALUE_BYTES = 64,   // of texts that are filled in count as one more value
};

typedef struct {
    Arena *arena;
    uint32_t budget;
} Writer;

// What a loop calls the item of this turn.
typedef struct {
    Str name;
    Str text;
} Turn;

static Str letters_and_digits(Arena *arena, Str text) {
    StrBuf out = { .arena = arena };
    for (size_t i = 0; i < text.len; i++) {
        const char small = char_small(text.data[i]);
        if ((small >= 'a' && small <= 'z') || char_is_digit(small)) {
            strbuf_add_char(&out, text.data[i]);
        }
    }
    return strbuf_str(&out);
}

// `&{Name}` leaves out what no logical id may hold.
static Str filled(const Writer *writer, Str text, Turn turn) {
    Arena *arena = writer->arena;
    if (str_find(text, STR("{"), 0) == text.len) {
        return text;
    }
    const Str whole = str_replaced(arena, text, str_format(arena, "${%.*s}", STR_ARG(turn.name)), turn.text);
    return str_replaced(arena, whole, str_format(arena, "&{%.*s}", STR_ARG(turn.name)),
                        letters_and_digits(arena, turn.text));
}

static void put(const Writer *writer, Data *map, Str key, Span key_span, Data *value) {
    data_put(writer->arena, map, key, value);
    map->entries[map->count - 1].key_span = key_span;
}

// A text that a turn has filled in to its end needs no function more.
static bool is_filled(const Data *call, const Data *argument) {
    return str_is(call->entries[0].key, "Fn::Sub") && argument->kind == DATA_STRING &&
           str_find(argument->string, STR("${"), 0) == argument->string.len &&
           !str_equal(argument->string, call->entries[0].value->string);
}

static Data *copy(const Writer *writer, const Data *data, Turn turn) {
    Data *made = arena_new(writer->arena, Data);
    *made = *data;
    made->count = made->capacity = 0;
    made->items = NULL;
    made->entries = NULL;
    const bool is_call = data->kind == DATA_MAP && data->count == 1;
    const bool is_item = is_call && str_equal(data_text(data, "Ref"), turn.name);
    if (data->kind == DATA_STRING || is_item) {
        made->kind = DATA_STRING;
        made->string = is_item ? turn.text : filled(writer, data->string, turn);
        return made;
    }
    for (uint32_t i = 0; i < data->count && data->kind == DATA_LIST; i++) {
        data_add(writer->arena, made, copy(writer, data->items[i], turn));
    }
    for (uint32_t i = 0; i < data->count && data->kind == DATA_MAP; i++) {
        const DataEntry *entry = &data->entries[i];
        put(writer, made, filled(writer, entry->key, turn), entry->key_span, copy(writer, entry->value, turn));
    }
    return is_call && is_filled(data, made->entries[0].value) ? made->entries[0].value : made;
}

// ---- loops ---------------------------------------------------------------------------------------------------------

static bool is_loop(const DataEntry *entry) {
    return str_starts_with(entry->key, STR("Fn::ForEach::"));
}

static bool is_scalar(const Data *data) {
    return data->kind != DATA_LIST && data->kind != DATA_MAP && data->kind != DATA_NULL && data->tag.len == 0;
}

// Whether the file itself says each turn. A key that no turn changes would be there twice.
static bool is_said(const Data *loop) {
    if (loop->kind != DATA_LIST || loop->count != 3 || loop->items[0]->kind != DATA_STRING ||
        loop->items[1]->kind != DATA_LIST || loop->items[2]->kind != DATA_MAP) {
        return false;
    }
    const Data *items = loop->items[1];
    const Data *body = loop->items[2];
    bool is_said = true;
    for (uint32_t i = 0; i < items->count; i++) {
        is_said = is_said && is_scalar(items->items[i]);
    }
    for (uint32_t i = 0; i < body->count; i++) {
        const Str key = body->entries[i].key;
        is_said = is_said && (is_loop(&body->entries[i]) || str_find(key, STR("{"), 0) < key.len);
    }
    return is_said;
}

// What the turns of a loop may add to a text: each brace may begin the name of an item.
static uint32_t filled_size(Str text, size_t longest, uint32_t limit) {
    size_t braces = 0;
    for (size_t i = 0; i < text.len; i++) {
        braces += text.data[i] == '{' ? 1 : 0;
    }
    const size_t size = braces == 0 ? 0 : (text.len + braces * longest) / VALUE_BYTES;
    return size > limit ? limit : (uint32_t)size;
}

// The values in a value, whose texts hold items of `longest` bytes; more than are left of the budget where it is too deep.
static uint32_t size_of(const Data *data, size_t longest, uint32_t limit, int depth) {
    uint32_t size = 1 + (data->kind == DATA_STRING ? filled_size(data->string, longest, limit) : 0);
    for (uint32_t i = 0; i < data->count && size <= limit; i++) {
        const Data *part = data->kind == DATA_MAP ? data->entries[i].value : data->items[i];
        size += data->kind == DATA_MAP ? filled_size(data->entries[i].key, longest, limit) : 0;
        size += depth == 0 || size > limit ? limit : size_of(part, longest, limit - size, depth - 1);
    }
    return size;
}

static size_t longest_of(const Data *items) {
    size_t longest = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        longest = items->items[i]->string.len > longest ? items->items[i]->string.len : longest;
    }
    return longest;
}

// Whether a loop can be written out whole: half of it would be another template.
static bool take(Writer *writer, const DataEntry *entry) {
    if (!is_loop(entry) || !is_said(entry->value)) {
        return false;
    }
    const Data *items = entry->value->items[1];
    const uint64_t turn = size_of(entry->value->items[2], longest_of(items), writer->budget, DEPTH_MAX);
    const uint64_t needs = items->count * turn;
    const bool is_taken = needs <= writer->budget;
    writer->budget -= is_taken ? (uint32_t)needs : 0;
    return is_taken;
}

// A loop in a loop knows the name of the outer one by then.
static void put_entries(Writer *writer, Data *made, const Data *map) {
    for (uint32_t i = 0; i < map->count; i++) {
        const DataEntry *entry = &map->entries[i];
        if (!take(writer, entry)) {
            put(writer, made, entry->key, entry->key_span, entry->value);
            continue;
        }
        const Data *items = entry->value->items[1];
        for (uint32_t k = 0; k < items->count; k++) {
            const Turn turn = { .name = entry->value->items[0]->string, .text = items->items[k]->string };
            put_entries(writer, made, copy(writer, entry->value->items[2], turn));
        }
    }
}

static void write_out(Writer *writer, Data *data, int depth) {
    bool has_loop = false;
    for (uint32_t i = 0; i < data->count && data->kind == DATA_MAP; i++) {
        has_loop = has_loop || is_loop(&data->entries[i]);
    }
    if (has_loop) {
        Data *made = data_map(writer->arena);
        put_entries(writer, made, data);
        made->span = data->span;
        *data = *made;
    }
    for (uint32_t i = 0; i < data->count && depth > 0; i++) {
        write_out(writer, data->kind == DATA_MAP ? data->entries[i].value : data->items[i], depth - 1);
    }
}

bool cfn_has_extensions(const Data *document) {
    const Data *transform = data_get(document, "Transform");
    bool has_extensions = false;
    const Data *item = NULL;
    for (uint32_t i = 0; (item = data_item(transform, i)) != NULL; i++) {
        const bool is_text = item->kind == DATA_STRING;
        has_extensions = has_extensions || (is_text && str_is(item->string, "AWS::LanguageExtensions"));
    }
    return has_extensions;
}

void cfn_write_out_loops(Arena *arena, Data *document) {
    if (cfn_has_extensions(document)) {
        Writer writer = { .arena = arena, .budget = VALUES_MAX };
        write_out(&writer, document, DEPTH_MAX);
    }
}
