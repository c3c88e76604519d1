// schema/objects.yaml -> OBJECT_KIND_ROWS and what they lead to. A field is one word: `NAME:TYPE`, perhaps with a limit
// behind the type, and `!` where it is required.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"
#include "schema/objects.h"

enum { COLUMN_SOURCE, COLUMN_VERSION, COLUMN_KINDS, COLUMN_PATTERNS, COLUMN_TYPES, COLUMN_COUNT };

static const Column COLUMNS[COLUMN_COUNT] = {
    [COLUMN_SOURCE] = { "source", CELL_TEXT }, [COLUMN_VERSION] = { "version", CELL_TEXT },
    [COLUMN_KINDS] = { "kinds", CELL_MAP },    [COLUMN_PATTERNS] = { "patterns", CELL_MAP },
    [COLUMN_TYPES] = { "types", CELL_MAP },
};

static const Word FORMS[] = {
    { "any", "OBJECT_ANY" },
    { "string", "OBJECT_STRING" },
    { "int", "OBJECT_INT" },
    { "bool", "OBJECT_BOOL" },
    { "number", "OBJECT_NUMBER" },
    { "quantity", "OBJECT_QUANTITY" },
    { "int_or_string", "OBJECT_TEXT" },
};

static const char *form_of(Str word) {
    for (size_t i = 0; i < COUNT_OF(FORMS); i++) {
        if (str_is(word, FORMS[i].word)) {
            return FORMS[i].c;
        }
    }
    return NULL;
}

static int type_number(const Data *types, Str name) {
    for (uint32_t i = 0; i < types->count; i++) {
        if (str_equal(types->entries[i].key, name)) {
            return (int)i;
        }
    }
    return -1;
}

// What is written while the types are read, and put behind each other then.
typedef struct {
    Generator *generator;
    const Data *types;
    const Data *patterns;
    const Data *cell; // that is read
    StrBuf texts;
    uint32_t texts_length;
    struct {
        Str text;
        uint32_t place;
    } * known; // texts that are there
    size_t known_count;
    VEC(ObjectLimitRow) limit_rows;
    StrBuf fields;
    uint32_t field_count;
} Objects;

enum { KNOWN_MAX = 20000 };

static void fault(const Objects *objects, const char *what, Str field) {
    Arena *arena = objects->generator->arena;
    cell_fault(objects->generator->session, objects->cell->span,
               str_c(arena, str_format(arena, "`%.*s` %s", STR_ARG(field), what)));
}

// Where a text stands in OBJECT_TEXTS. The empty one is the first.
static uint32_t text_place(Objects *objects, Str text) {
    for (size_t i = 0; i < objects->known_count; i++) {
        if (str_equal(objects->known[i].text, text)) {
            return objects->known[i].place;
        }
    }
    assert(objects->known_count < KNOWN_MAX);
    const uint32_t place = objects->texts_length;
    objects->known[objects->known_count].text = text;
    objects->known[objects->known_count++].place = place;
    put(&objects->texts, "\n    ");
    put_string(&objects->texts, text);
    put(&objects->texts, " \"\\0\"");
    objects->texts_length += (uint32_t)text.len + 1;
    return place;
}

static uint32_t limit_number(Objects *objects, const ObjectLimitRow *limit) {
    for (uint32_t i = 0; i < objects->limit_rows.count; i++) {
        const ObjectLimitRow *row = &objects->limit_rows.items[i];
        if (row->words == limit->words && row->pattern == limit->pattern && row->least == limit->least &&
            row->most == limit->most) {
            return i;
        }
    }
    vec_push(objects->generator->arena, &objects->limit_rows, *limit);
    return objects->limit_rows.count - 1;
}

static const ObjectLimitRow NO_LIMIT = { .least = INT64_MIN, .most = INT64_MAX };

static bool read_number(Str text, int64_t *number) {
    const bool is_negative = text.len > 0 && text.data[0] == '-';
    int64_t sum = 0;
    for (size_t i = is_negative ? 1 : 0; i < text.len; i++) {
        if (!char_is_digit(text.data[i]) || sum > INT32_MAX) {
            return false;
        }
        sum = sum * 10 + (text.data[i] - '0');
    }
    *number = is_negative ? -sum : sum;
    return text.len > (is_negative ? 1U : 0U);
}

// "1..8", "1..", "..8"
static bool read_bounds(Str text, ObjectLimitRow *limit) {
    const size_t dots = str_find(text, STR(".."), 0);
    const Str least = str_slice(text, 0, dots);
    const Str most = dots == text.len ? STR_NONE : str_slice(text, dots + 2, text.len);
    return dots < text.len && (least.len == 0 || read_number(least, &limit->least)) &&
           (most.len == 0 || read_number(most, &limit->most));
}

// What stands in the parentheses behind a type, and the pattern behind `~`; the type without them.
static Str read_limit(Objects *objects, Str type, ObjectLimitRow *limit) {
    size_t outside = type.len; // behind the brackets of a list or a map
    while (outside > 0 && type.data[outside - 1] != ']' && type.data[outside - 1] != '}') {
        outside--;
    }
    const size_t tilde = str_find(type, STR("~"), outside);
    *limit = NO_LIMIT;
    if (tilde < type.len) {
        const Str name = str_slice(type, tilde + 1, type.len);
        const Data *pattern = data_get(objects->patterns, str_c(objects->generator->arena, name));
        if (pattern == NULL || pattern->kind != DATA_STRING) {
            fault(objects, "is no pattern of the file", name);
        } else {
            limit->pattern = text_place(objects, pattern->string);
        }
        type = str_slice(type, 0, tilde);
    }
    const size_t open = str_find(type, STR("("), outside);
    if (open == type.len) {
        return type;
    }
    const Str inner = str_slice(type, open + 1, str_find(type, STR(")"), open));
    if (str_find(inner, STR(".."), 0) == inner.len) {
        limit->words = text_place(objects, inner);
    } else if (!read_bounds(inner, limit)) {
        fault(objects, "is no limit", inner);
    }
    return str_slice(type, 0, open);
}

// "[EnvVar]": what is in the brackets, and which brackets.
static Str inner_type(Str type, const char **shape) {
    const char first = type.len > 2 ? type.data[0] : ' ';
    const bool is_list = first == '[' && type.data[type.len - 1] == ']';
    const bool is_map = first == '{' && type.data[type.len - 1] == '}';
    *shape = is_list ? "OBJECT_LIST" : is_map ? "OBJECT_MAP" : "OBJECT_ONE";
    return is_list || is_map ? str_slice(type, 1, type.len - 1) : type;
}

static void put_field(Objects *objects, Str field) {
    const size_t colon = str_find(field, STR(":"), 0);
    const bool is_required = str_ends_with(field, STR("!"));
    const Str whole = colon == field.len ? STR_NONE : str_slice(field, colon + 1, field.len - (is_required ? 1 : 0));
    ObjectLimitRow limit = NO_LIMIT;
    ObjectLimitRow count = NO_LIMIT;
    const char *shape;
    const bool is_of_many = whole.len > 0 && (whole.data[0] == '[' || whole.data[0] == '{');
    Str type = is_of_many ? inner_type(read_limit(objects, whole, &count), &shape) : inner_type(whole, &shape);
    type = read_limit(objects, type, &limit);
    const char *form = form_of(type);
    const int number = type_number(objects->types, type);
    if (type.len == 0 || (form == NULL && number < 0)) {
        fault(objects, "is no field of a known type", field);
        return;
    }
    put(&objects->fields, "    { %" PRIu32 ", %s, %s, %s, %d, %" PRIu32 ", %" PRIu32 " },\n",
        text_place(objects, str_slice(field, 0, colon)), shape, form == NULL ? "OBJECT_FIELDS" : form,
        is_required ? "true" : "false", number, limit_number(objects, &limit), limit_number(objects, &count));
    objects->field_count++;
}

static void put_type(Objects *objects, StrBuf *out, uint32_t number) {
    const uint32_t first = objects->field_count;
    bool is_open = false;
    objects->cell = objects->types->entries[number].value;
    if (objects->cell->kind != DATA_STRING) {
        fault(objects, "is a text of fields", objects->types->entries[number].key);
        return;
    }
    const Str text = objects->cell->string;
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR(" "), start);
        const Str field = str_slice(text, start, end);
        if (str_is(field, "*:any")) {
            is_open = true;
        } else {
            put_field(objects, field);
        }
        start = end + 1;
    }
    put(out, "    { %" PRIu32 ", %" PRIu32 ", %" PRIu32 ", %s },\n",
        text_place(objects, objects->types->entries[number].key), first, objects->field_count - first,
        is_open ? "true" : "false");
}

static void put_kinds(Objects *objects, StrBuf *out, const Data *kinds) {
    put(out, "const ObjectKindRow OBJECT_KIND_ROWS[] = {\n");
    for (uint32_t i = 0; i < kinds->count; i++) {
        objects->cell = kinds->entries[i].value;
        const int number = objects->cell->kind == DATA_STRING ? type_number(objects->types, objects->cell->string) : -1;
        if (number < 0) {
            fault(objects, "has no such type", kinds->entries[i].key);
        } else {
            put(out, "    { %" PRIu32 ", %d },\n", text_place(objects, kinds->entries[i].key), number);
        }
    }
    put(out, "};\nconst int OBJECT_KIND_COUNT = %" PRIu32 ";\n\n", kinds->count);
}

static void put_limits(const Objects *objects, StrBuf *out) {
    put(out, "const ObjectLimitRow OBJECT_LIMIT_ROWS[] = {\n");
    for (uint32_t i = 0; i < objects->limit_rows.count; i++) {
        const ObjectLimitRow *row = &objects->limit_rows.items[i];
        put(out, "    { %" PRIu32 ", %" PRIu32 ", ", row->words, row->pattern);
        put(out, row->least == INT64_MIN ? "INT64_MIN, " : "%" PRId64 ", ", row->least);
        put(out, row->most == INT64_MAX ? "INT64_MAX },\n" : "%" PRId64 " },\n", row->most);
    }
    put(out, "};\n");
}

void generate_objects(Generator *generator) {
    const Data *cells[COLUMN_COUNT];
    if (!read_columns(generator, STR("objects.yaml"), COLUMNS, COLUMN_COUNT, cells)) {
        return;
    }
    Objects objects = { .generator = generator,
                        .types = cells[COLUMN_TYPES],
                        .patterns = cells[COLUMN_PATTERNS],
                        .texts = { .arena = generator->arena },
                        .fields = { .arena = generator->arena } };
    objects.known = arena_alloc_array(generator->arena, KNOWN_MAX, sizeof *objects.known);
    text_place(&objects, STR_NONE);
    limit_number(&objects, &NO_LIMIT);
    StrBuf *out = &generator->tables;
    put(out, "const char OBJECT_VERSION[] = \"%.*s\";\n", STR_ARG(cells[COLUMN_VERSION]->string));
    put(out, "const ObjectTypeRow OBJECT_TYPE_ROWS[] = {\n");
    for (uint32_t i = 0; i < objects.types->count; i++) {
        put_type(&objects, out, i);
    }
    put(out, "};\n");
    put_kinds(&objects, out, cells[COLUMN_KINDS]);
    put(out, "const ObjectFieldRow OBJECT_FIELD_ROWS[] = {\n%.*s};\n", STR_ARG(strbuf_str(&objects.fields)));
    put_limits(&objects, out);
    put(out, "const char OBJECT_TEXTS[] =%.*s;\n", STR_ARG(strbuf_str(&objects.texts)));
}
