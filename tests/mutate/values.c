// Makes values: odd ones, right ones of a type, and those that stand in the fixtures.
#include "tests/support/own_rows.h"
#include "tests/mutate/values.h"

// What is written nearly everywhere would crowd out the rest.
enum { KEPT_MAX = 400, VALUE_BYTES_MAX = 2000 };

typedef VEC(Str) Texts;

const char *const ODD_VALUES[] = {
    "null",
    "[]",
    "{}",
    "\"\"",
    "[null]",
    "[[]]",
    "[{}]",
    "[\"\"]",
    "off",
    "0",
    "-1",
    "true",
    "false",
    "none",
    "all",
    "9223372036854775807",
    "1.5GiB",
    "0GiB",
    "0s",
    "400Gbps",
    "0..0",
    "0..4",
    "1000000..1000001",
    "\"x\"",
    "\"us-east-1a\"",
    "[\"us-east-1a\"]",
    "[\"us-east-1a\", \"us-east-1a\"]",
    "[1, \"a\", null]",
    "{ a = null }",
    "{ a = [] }",
    "{ \"\" = \"\" }",
    "aws.region",
    "aws.account",
    "\"${aws.region}\"",
    "missing",
    "lab",
    "lab.vpc",
    "lab.private",
    "lab.private[0]",
    "null ?? []",
    "1 == 2 ? 1 : null",
    "\"\\u{202E}\\n\"",
    "\"${null ?? \"\"}\"",
};
const uint32_t ODD_VALUE_COUNT = COUNT_OF(ODD_VALUES);
const uint32_t EMPTY_VALUE_COUNT = 8;

// ---- the fixtures' own --------------------------------------------------------------------------------------------

static void keep(Harvest *harvest, StrMap *map, Str name, Str text) {
    Texts *texts = str_map_get_mutable(map, name);
    if (texts == NULL) {
        texts = arena_new(harvest->arena, Texts);
        str_map_add(map, str_copy(harvest->arena, name), texts);
    }
    if (texts->count < KEPT_MAX && text.len <= VALUE_BYTES_MAX) {
        const Str copy = str_copy(harvest->arena, text);
        vec_push(harvest->arena, texts, copy);
    }
}

void harvest_add(Harvest *harvest, const Sketch *sketch) {
    for (uint32_t i = 0; i < sketch->slots.count; i++) {
        const Slot *slot = &sketch->slots.items[i];
        const Str text = str_slice(sketch->text, slot->start, slot->end);
        if (slot->kind == SLOT_VALUE && slot->name.len > 0) {
            keep(harvest, &harvest->values, slot->name, text);
        } else if (slot->kind == SLOT_ITEM && slot->is_block && slot->name.len > 0) {
            keep(harvest, &harvest->blocks, slot->name, text);
        }
    }
}

static Str choose(const StrMap *map, Random *random, Str name) {
    const Texts *texts = str_map_get_mutable(map, name);
    return texts == NULL || texts->count == 0 ? STR_NONE : texts->items[random_below(random, texts->count)];
}

Str harvest_value(const Harvest *harvest, Random *random, Str attribute) {
    return choose(&harvest->values, random, attribute);
}

Str harvest_block(const Harvest *harvest, Random *random, Str kind) {
    return choose(&harvest->blocks, random, kind);
}

// ---- of a type -----------------------------------------------------------------------------------------------------

static const char *one_of(Random *random, const char *const *words, uint32_t count) {
    return words[random_below(random, count)];
}

static void add_type(StrBuf *out, Random *random, const Sketch *sketch, const Type *type);

// A name alone, or behind its kind, which may be another block's.
void add_block_name(StrBuf *out, Random *random, Str kind, Str name) {
    switch (random_below(random, 6)) {
    case 0:
        strbuf_add_format(out, "%.*s[\"%.*s\"]", STR_ARG(kind), STR_ARG(name));
        return;
    case 1:
        strbuf_add_format(out, "%.*s[\"${\"%.*s\"}\"]", STR_ARG(kind), STR_ARG(name));
        return;
    case 2:
        strbuf_add_format(out, "%s[\"%.*s\"]", KIND_ROWS[random_below(random, KIND_COUNT)].name, STR_ARG(name));
        return;
    default:
        strbuf_add(out, name);
    }
}

// A block of the kind, where the source has one.
static void add_reference(StrBuf *out, Random *random, const Sketch *sketch, const char *kind) {
    const uint32_t count = sketch->labels.count;
    const uint32_t first = count == 0 ? 0 : random_below(random, count);
    for (uint32_t i = 0; i < count; i++) {
        const Label *label = &sketch->labels.items[(first + i) % count];
        if (str_is(label->kind, kind)) {
            add_block_name(out, random, label->kind, label->name);
            return;
        }
    }
    add_block_name(out, random, str_of(kind), STR("missing"));
}

static void add_several(StrBuf *out, Random *random, const Sketch *sketch, const Type *type) {
    const uint32_t count = random_below(random, 4);
    strbuf_add_char(out, type->kind == TYPE_LIST ? '[' : '{');
    for (uint32_t i = 0; i < count; i++) {
        if (i > 0) {
            strbuf_add(out, STR(", "));
        }
        if (type->kind == TYPE_MAP) {
            strbuf_add_format(out, "k%" PRIu32 " = ", i);
        }
        add_type(out, random, sketch, type->element);
    }
    strbuf_add_char(out, type->kind == TYPE_LIST ? ']' : '}');
}

static void add_tag(StrBuf *out, Random *random, const Sketch *sketch, const Type *type) {
    // Now and then without its last arguments.
    const bool is_cut = type->option_count > 0 && random_below(random, 4) == 0;
    const int count = is_cut ? (int)random_below(random, (uint32_t)type->option_count) : type->option_count;
    strbuf_add_format(out, "%s(", type->name);
    for (int i = 0; i < count; i++) {
        if (i > 0) {
            strbuf_add(out, STR(", "));
        }
        add_type(out, random, sketch, type->options[i]);
    }
    strbuf_add_char(out, ')');
}

static void add_pattern(StrBuf *out, Random *random, const PatternRow *pattern) {
    const bool is_instance = strcmp(pattern->name, "instance_type") == 0 && random_below(random, 4) > 0;
    const bool is_region = strcmp(pattern->name, "region") == 0 && random_below(random, 4) > 0;
    const char *text = is_instance ? own_row((int)random_below(random, (uint32_t)INSTANCE_ROW_COUNT))->name
                       : is_region ? REGION_ROWS[random_below(random, (uint32_t)REGION_ROW_COUNT)].name
                                   : pattern->example;
    strbuf_add_format(out, "\"%s\"", text);
}

static void add_type(StrBuf *out, Random *random, const Sketch *sketch, const Type *type) {
    static const char *const INTS[] = { "0", "1", "2", "3", "8", "16", "64", "1000", "1000000", "-1" };
    static const char *const STRINGS[] = { "\"a\"", "\"\"", "\"/data\"", "\"a-b\"", "\"team\"", "\"x.sh\"" };
    static const char *const SIZES[] = { "1GiB", "100GiB", "1200GiB", "1TiB", "16TiB", "0GiB", "1MiB" };
    static const char *const RATES[] = { "125Mbps", "250Mbps", "1Gbps", "3200Gbps" };
    static const char *const DURATIONS[] = { "0s", "90s", "10min", "3h", "24h", "30d", "365d" };
    static const char *const RANGES[] = { "0..0", "0..1", "0..4", "1..1", "2..64", "16..16", "0..1000" };
    static const char *const ANYTHING[] = { "null", "1", "\"a\"", "[]", "{}", "{ a = 1 }", "true" };
#define ONE_OF(words) str_of(one_of(random, words, COUNT_OF(words)))
    if (type->is_optional && random_below(random, 4) == 0) {
        strbuf_add(out, STR("null"));
        return;
    }
    switch (type->kind) {
    case TYPE_ANY:
        strbuf_add(out, ONE_OF(ANYTHING));
        break;
    case TYPE_BOOL:
        strbuf_add(out, random_below(random, 2) == 0 ? STR("true") : STR("false"));
        break;
    case TYPE_INT:
        strbuf_add(out, ONE_OF(INTS));
        break;
    case TYPE_STRING:
        strbuf_add(out, ONE_OF(STRINGS));
        break;
    case TYPE_SIZE:
        strbuf_add(out, ONE_OF(SIZES));
        break;
    case TYPE_RATE:
        strbuf_add(out, ONE_OF(RATES));
        break;
    case TYPE_DURATION:
        strbuf_add(out, ONE_OF(DURATIONS));
        break;
    case TYPE_RANGE:
        strbuf_add(out, ONE_OF(RANGES));
        break;
    case TYPE_PATTERN:
        add_pattern(out, random, type->pattern);
        break;
    case TYPE_LIST:
    case TYPE_MAP:
        add_several(out, random, sketch, type);
        break;
    case TYPE_BLOCK:
        add_reference(out, random, sketch, type->name);
        break;
    case TYPE_WORD:
        strbuf_add(out, str_of(type->name));
        break;
    case TYPE_TAG:
        add_tag(out, random, sketch, type);
        break;
    case TYPE_UNION:
        add_type(out, random, sketch, type->options[random_below(random, (uint32_t)type->option_count)]);
        break;
    }
#undef ONE_OF
}

Str value_of_type(Arena *arena, Random *random, const Sketch *sketch, const Type *type) {
    StrBuf out = { .arena = arena };
    add_type(&out, random, sketch, type);
    return strbuf_str(&out);
}
