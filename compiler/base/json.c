// Reads and writes JSON. jansson reads. dtc writes by itself: with jansson every value would need a copy in the
// library's own tree, each copy an error path, and reals would change their digits.
#include "compiler/base/json.h"

#include "compiler/base/json_stream.h"
#include "compiler/base/session.h"
#include "compiler/base/terminal.h"
#include "compiler/base/yaml_read.h"

#include <jansson.h>

// As deep as YAML may be and as much, and no more: the same data comes in either form.
enum { DEPTH_MAX = YAML_DEPTH_MAX, NODES_MAX = YAML_NODES_MAX };

void json_add_string(StrBuf *buffer, Str text) {
    strbuf_add_char(buffer, '"');
    size_t offset = 0;
    while (offset < text.len) {
        uint32_t code_point;
        const size_t length = str_utf8_next(text, offset, &code_point);
        if (length == 0) {
            strbuf_add_utf8(buffer, 0xFFFD);
            offset++;
            continue;
        }
        if (code_point == '"' || code_point == '\\') {
            strbuf_add_char(buffer, '\\');
            strbuf_add_char(buffer, (char)code_point);
        } else if (code_point == '\n') {
            strbuf_add(buffer, STR("\\n"));
        } else if (code_point == '\t') {
            strbuf_add(buffer, STR("\\t"));
        } else if (code_point < 0x10000 && terminal_is_unsafe(code_point)) {
            strbuf_add_format(buffer, "\\u%04" PRIX32, code_point);
        } else if (terminal_is_unsafe(code_point)) {
            const uint32_t pair = code_point - 0x10000; // as two halves of UTF-16
            strbuf_add_format(buffer, "\\u%04" PRIX32 "\\u%04" PRIX32, 0xD800 + (pair >> 10), 0xDC00 + (pair & 0x3FF));
        } else {
            strbuf_add(buffer, str_slice(text, offset, offset + length));
        }
        offset += length;
    }
    strbuf_add_char(buffer, '"');
}

static size_t skip_digits(Str text, size_t i) {
    while (i < text.len && text.data[i] >= '0' && text.data[i] <= '9') {
        i++;
    }
    return i;
}

// -? ( 0 | [1-9][0-9]* ) ( \. [0-9]+ )? ( [eE] [-+]? [0-9]+ )?
static bool is_json_number(Str text) {
    const size_t whole = text.len > 0 && text.data[0] == '-' ? 1 : 0;
    size_t i = skip_digits(text, whole);
    if (i == whole || (text.data[whole] == '0' && i > whole + 1)) {
        return false;
    }
    if (i < text.len && text.data[i] == '.') {
        const size_t fraction = i + 1;
        i = skip_digits(text, fraction);
        if (i == fraction) {
            return false;
        }
    }
    if (i < text.len && (text.data[i] == 'e' || text.data[i] == 'E')) {
        size_t power = i + 1;
        power += power < text.len && (text.data[power] == '-' || text.data[power] == '+') ? 1 : 0;
        i = skip_digits(text, power);
        if (i == power) {
            return false;
        }
    }
    return i == text.len;
}

enum { ONE_LINE = -1 }; // in place of a depth

static int deeper(int depth) {
    return depth == ONE_LINE ? ONE_LINE : depth + 1;
}

static void add_line(StrBuf *buffer, int depth) {
    if (depth != ONE_LINE) {
        strbuf_add_char(buffer, '\n');
        strbuf_add_repeated(buffer, ' ', 2 * (size_t)depth);
    }
}

static void add_value(StrBuf *buffer, const Data *data, int depth);

static void add_list(StrBuf *buffer, const Data *list, int depth) {
    strbuf_add_char(buffer, '[');
    for (uint32_t i = 0; i < list->count; i++) {
        strbuf_add(buffer, i == 0 ? STR_NONE : STR(","));
        add_line(buffer, deeper(depth));
        add_value(buffer, list->items[i], deeper(depth));
    }
    if (list->count > 0) {
        add_line(buffer, depth);
    }
    strbuf_add_char(buffer, ']');
}

static void add_map(StrBuf *buffer, const Data *map, int depth) {
    strbuf_add_char(buffer, '{');
    for (uint32_t i = 0; i < map->count; i++) {
        strbuf_add(buffer, i == 0 ? STR_NONE : STR(","));
        add_line(buffer, deeper(depth));
        json_add_string(buffer, map->entries[i].key);
        strbuf_add(buffer, depth == ONE_LINE ? STR(":") : STR(": "));
        add_value(buffer, map->entries[i].value, deeper(depth));
    }
    if (map->count > 0) {
        add_line(buffer, depth);
    }
    strbuf_add_char(buffer, '}');
}

static void add_value(StrBuf *buffer, const Data *data, int depth) {
    switch (data->kind) {
    case DATA_NULL:
        strbuf_add(buffer, STR("null"));
        break;
    case DATA_BOOL:
        strbuf_add(buffer, data->boolean ? STR("true") : STR("false"));
        break;
    case DATA_INT:
        strbuf_add_format(buffer, "%" PRId64, data->integer);
        break;
    case DATA_REAL:
        // YAML has reals that JSON has no number for (`.inf`, `1.`): their text is all that can be said.
        if (is_json_number(data->string)) {
            strbuf_add(buffer, data->string);
        } else {
            json_add_string(buffer, data->string);
        }
        break;
    case DATA_STRING:
        json_add_string(buffer, data->string);
        break;
    case DATA_LIST:
        add_list(buffer, data, depth);
        break;
    case DATA_MAP:
        add_map(buffer, data, depth);
        break;
    }
}

static Str write_text(Arena *arena, const Data *data, int depth) {
    StrBuf buffer = { .arena = arena };
    add_value(&buffer, data, depth);
    strbuf_add_char(&buffer, '\n');
    return strbuf_str(&buffer);
}

Str json_write(Arena *arena, const Data *data) {
    return write_text(arena, data, 0);
}

Str json_write_line(Arena *arena, const Data *data) {
    return write_text(arena, data, ONE_LINE);
}

// The shortest digits that read back as the same number, and as a real.
static Str real_digits(Arena *arena, double real) {
    Str digits = STR_NONE;
    for (int precision = 15; precision <= 17; precision++) {
        digits = str_format(arena, "%.*g", precision, real);
        if (strtod(str_c(arena, digits), NULL) == real) {
            break;
        }
    }
    const bool is_whole = str_find(digits, STR("."), 0) == digits.len && str_find(digits, STR("e"), 0) == digits.len;
    return is_whole ? str_format(arena, "%.*s.0", STR_ARG(digits)) : digits;
}

// What was read so far, and what was too much.
typedef struct {
    Arena *arena;
    uint32_t nodes;
    bool is_too_deep;
} Converter;

// NULL where it is nested too deep, or there are too many values.
static Data *data_of(Converter *converter, json_t *json, int depth);

static Data *list_of(Converter *converter, json_t *json, int depth) {
    Data *list = data_list(converter->arena);
    const size_t count = json_array_size(json);
    for (size_t i = 0; i < count; i++) {
        Data *item = data_of(converter, json_array_get(json, i), depth + 1);
        if (item == NULL) {
            return NULL;
        }
        data_add(converter->arena, list, item);
    }
    return list;
}

static Data *map_of(Converter *converter, json_t *json, int depth) {
    Arena *arena = converter->arena;
    Data *map = data_map(arena);
    for (void *step = json_object_iter(json); step != NULL; step = json_object_iter_next(json, step)) {
        Data *value = data_of(converter, json_object_iter_value(step), depth + 1);
        if (value == NULL) {
            return NULL;
        }
        data_put(arena, map, str_copy(arena, str_of(json_object_iter_key(step))), value);
    }
    return map;
}

static Data *data_of(Converter *converter, json_t *json, int depth) {
    Arena *arena = converter->arena;
    const bool is_collection = json_is_array(json) || json_is_object(json);
    converter->is_too_deep = is_collection && depth > DEPTH_MAX;
    if (converter->is_too_deep || ++converter->nodes > NODES_MAX) {
        return NULL;
    }
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        return map_of(converter, json, depth);
    case JSON_ARRAY:
        return list_of(converter, json, depth);
    case JSON_STRING:
        return data_string(arena, str_copy(arena, (Str){ json_string_value(json), json_string_length(json) }));
    case JSON_INTEGER:
        return data_int(arena, json_integer_value(json));
    case JSON_REAL:
        return data_real(arena, real_digits(arena, json_real_value(json)));
    case JSON_TRUE:
        return data_bool(arena, true);
    case JSON_FALSE:
        return data_bool(arena, false);
    case JSON_NULL:
        break;
    }
    return data_null(arena);
}

// jansson says how many bytes it had read from `base` on, which is behind the token that it could not take.
static void report_fault(Session *session, uint32_t source, size_t base, const json_error_t *error) {
    const Str text = source_get(session, source)->text;
    const size_t read = base + (error->position < 0 ? 0 : (size_t)error->position);
    const uint32_t end = (uint32_t)(read < text.len ? read : text.len);
    const Span span = { .source = source, .start = end > 0 ? end - 1 : 0, .end = end };
    const Str rest = str_slice(text, span.start, text.len);
    const bool is_comment =
        str_starts_with(rest, STR("//")) || str_starts_with(rest, STR("/*")) || str_starts_with(rest, STR("#"));
    Diag *diag =
        report(session, span, DIAG(bad_json), STR_ARG(is_comment ? STR("it has a comment") : str_of(error->text)));
    if (is_comment) {
        diag_help(session, diag, "take out the comments: no reader of JSON takes one");
    }
}

Data *json_read(Session *session, uint32_t source) {
    const Str text = source_get(session, source)->text;
    json_error_t error = { 0 };
    const size_t flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY;
    json_t *json = json_loadb(text.len == 0 ? "" : text.data, text.len, flags, &error);
    if (json == NULL) {
        report_fault(session, source, 0, &error);
        return NULL;
    }
    Converter converter = { .arena = session->arena };
    Data *data = data_of(&converter, json, 1);
    json_decref(json);
    if (data == NULL && converter.is_too_deep) {
        report(session, (Span){ .source = source }, DIAG(yaml_too_deep), DEPTH_MAX);
    } else if (data == NULL) {
        report(session, (Span){ .source = source }, DIAG(yaml_too_large), NODES_MAX, "values");
    }
    return data;
}

bool json_check_stream(Session *session, uint32_t source) {
    const Str text = source_get(session, source)->text;
    size_t end = 0;
    Str object;
    while (json_stream_next(text, &end, &object)) {
        json_error_t error = { 0 };
        json_t *json = json_loadb(object.data, object.len, JSON_REJECT_DUPLICATES, &error);
        if (json == NULL) {
            report_fault(session, source, end - object.len, &error);
            return false;
        }
        json_decref(json);
    }
    return true;
}
