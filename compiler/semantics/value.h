// Values of the language. Each value knows its origin. A value that only the deployment knows is VALUE_LATE: a small
// expression, which each emitter writes in its own way.
#pragma once

#include "compiler/base/origin.h"
#include "compiler/base/session.h"
#include "schema/schema.h"

typedef struct Value Value;
typedef struct Block Block;
typedef struct Param Param;
typedef struct Resource Resource;

typedef enum {
    VALUE_ERROR, // failed, and said so: whoever meets it stays silent
    VALUE_NULL,
    VALUE_BOOL,
    VALUE_INT,
    VALUE_STRING,
    VALUE_SIZE,     // integer: bytes
    VALUE_RATE,     // integer: bits a second
    VALUE_DURATION, // integer: milliseconds
    VALUE_RANGE,    // both ends VALUE_INT, or one late
    VALUE_WORD,     // a word of the attribute's type, such as `spot`; in `string`
    VALUE_LIST,
    VALUE_MAP,
    VALUE_TAG,      // reservation("cr-…"): name in `string`, arguments in `list`
    VALUE_BLOCK,    // a reference to a block
    VALUE_RESOURCE, // a reference to a raw `resource`
    VALUE_MODULE,   // the name of a `use`
    VALUE_LATE,
    VALUE_KIND_COUNT
} ValueKind;

typedef enum {
    LATE_PARAM,          // `param`
    LATE_PSEUDO,         // aws.region: `name` is "region"
    LATE_OUTPUT,         // lab.vpc: `block` and `name`
    LATE_WRITTEN_OUTPUT, // ml.bucket, of `output bucket = …`: `block`, `name`, and parts[0] is its value
    LATE_REF,            // `resource`: its Ref
    LATE_ATTRIBUTE,      // `resource` and `name`: its Fn::GetAtt
    LATE_TEXT,           // `parts` laid end to end: strings and late values
    LATE_IF,             // parts[0] ? parts[1] : parts[2]; parts[0] is late
    LATE_DEFAULT,        // parts[0] ?? parts[1]; parts[0] is late and optional
    LATE_ITEM,           // item `index` of parts[0], a late list; the Plan makes it, the language has none
} LateKind;

typedef struct {
    LateKind kind;
    const Type *type; // of the value once it is known, without `?`; NULL for a tag of the attribute's own
    bool is_optional; // may be null then
    const Param *param;
    const Block *block;
    const Resource *resource;
    Str name;
    const Value **parts;
    uint32_t part_count;
    uint32_t index; // LATE_ITEM
} Late;

typedef struct {
    Str key;
    Span key_span;
    const Value *value;
} ValueEntry;

// Where the keys of a large map stand: made when one is first asked for, and shared by the map's copies.
typedef struct ValueIndex ValueIndex;

struct Value {
    ValueKind kind;
    bool is_real;         // VALUE_STRING of a foreign file: a number with a fraction, which the language does not have
    Span span;            // the expression that made it, for diagnostics
    const Origin *origin; // all that decides it
    uint32_t weight;      // of what has parts: how many there are at any depth, each counted wherever it stands
    uint32_t depth;       // of what has parts: how deep they are nested
    union {
        bool boolean;
        int64_t integer; // VALUE_INT and the quantities
        Str string;
        struct {
            const Value *low;
            const Value *high;
        } range;
        struct {
            const Value **items;
            uint32_t count;
            const Origin **joined; // what all items rest on, once somebody asked; NULL: there is no place for it
        } list;
        struct {
            const ValueEntry *entries;
            uint32_t count;
            ValueIndex *index; // NULL: searched from the front
        } map;
        struct {
            Str name;
            const Value **arguments;
            uint32_t count;
            uint32_t source; // of script(path): the file's text; 0: none
        } tag;
        const Block *block;
        const Resource *resource;
        const struct Module *module;
        const Late *late;
    };
};

// "a string", "a late value", for messages.
const char *value_describe(const Value *value);
// A part of a value, by its index: an item, an argument, the value of a map's entry, an end of a range, or a part of a
// late value. NULL behind the last, and of a value that has no parts.
const Value *value_part(const Value *value, uint32_t index);
bool value_is_known(const Value *value);                   // nothing late in it, at any depth
bool value_may_be_null(const Value *value);                // NULL, and a late optional, which may not be given
bool value_is_list(const Value *value);                    // or one that only the deployment knows
bool value_equal(const Value *a, const Value *b);          // of late values: whether they are one expression
const Value *value_get(const Value *map, const char *key); // NULL where absent
const Value *value_find(const Value *map, Str key);        // the same; quick in large maps, too

// The entry of a name in a short list; NULL where absent.
const ValueEntry *value_entry(const ValueEntry *entries, uint32_t count, const char *key);
ValueIndex *value_index(Arena *arena, uint32_t count); // for a new map; NULL where it is small

// A value as the language writes it: `4800GiB`, `"text"`, `[1, 2]`. For messages and `explain`.
Str value_print(Arena *arena, const Value *value);

// The default of a late param that has one; any other value as it is.
const Value *value_by_default(const Value *value);

// The text of a value if the deployment gives nothing. Late params have their defaults. A sample account and region
// replace those that only the deployment knows. False where it cannot be told.
bool value_text_by_default(Arena *arena, const Value *value, Str *text);

// A quantity as the language writes it: `4800GiB`.
Str quantity_print(Arena *arena, ValueKind kind, int64_t integer);

// Values that a pass makes of its own, of known size: what an author can ask for without end is made by make.c.
Value *value_new(Arena *arena, ValueKind kind, Span span, const Origin *origin);
Value *value_of_span(Arena *arena, ValueKind kind, Span span); // the text of the span alone decides it
const Value *value_int(Arena *arena, Span span, const Origin *origin, int64_t integer);
const Value *value_string(Arena *arena, Span span, const Origin *origin, Str string);
const Value *value_list(Arena *arena, Span span, const Origin *origin, const Value **items, uint32_t count);
