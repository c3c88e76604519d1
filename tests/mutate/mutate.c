// One change is one replacement in the text, at a place of its sketch; a declaration that it needs is put before the
// first item.
#include "tests/mutate/mutate.h"

enum { CHANGES_MAX = 4, TEXT_BYTES_MAX = 65536, TRIES_MAX = 20 };

static const char *const TARGETS[] = {
#define CLUSTER_TARGET(NAME, word) word,
#include "schema/targets.def"
};

typedef struct {
    Arena *arena;
    Random *random;
    const Harvest *harvest;
    Sketch sketch;
    Str declaration; // to be put before the first item
} Mutation;

static Str replace(Arena *arena, Str text, uint32_t start, uint32_t end, Str by) {
    StrBuf out = { .arena = arena };
    strbuf_add(&out, str_slice(text, 0, start));
    strbuf_add(&out, by);
    strbuf_add(&out, str_slice(text, end, text.len));
    return strbuf_str(&out);
}

static Str text_of(const Sketch *sketch, const Slot *slot) {
    return str_slice(sketch->text, slot->start, slot->end);
}

// A random place of a kind; NULL where there is none.
static const Slot *choose(Mutation *mutation, SlotKind kind) {
    const Slots *slots = &mutation->sketch.slots;
    const uint32_t first = slots->count == 0 ? 0 : random_below(mutation->random, slots->count);
    for (uint32_t i = 0; i < slots->count; i++) {
        const Slot *slot = &slots->items[(first + i) % slots->count];
        if (slot->kind == kind) {
            return slot;
        }
    }
    return NULL;
}

// ---- values -------------------------------------------------------------------------------------------------------

static const Type *type_of(const Slot *slot) {
    const int attribute = slot->row == NULL ? -1 : schema_attribute(slot->row, slot->name);
    return attribute < 0 ? NULL : slot->row->attributes[attribute].type;
}

static Str odd(Mutation *mutation) {
    return str_of(ODD_VALUES[random_below(mutation->random, ODD_VALUE_COUNT)]);
}

static Str typed(Mutation *mutation, const Slot *slot) {
    const Type *type = type_of(slot);
    return type == NULL ? odd(mutation) : value_of_type(mutation->arena, mutation->random, &mutation->sketch, type);
}

static Str harvested(Mutation *mutation, const Slot *slot) {
    const Str value = harvest_value(mutation->harvest, mutation->random, slot->name);
    return value.len == 0 ? typed(mutation, slot) : value;
}

static Str empty(Mutation *mutation) {
    return str_of(ODD_VALUES[random_below(mutation->random, EMPTY_VALUE_COUNT)]);
}

// A name that stands for the value: a param, a late one, a let.
static Str declared(Mutation *mutation, const Slot *slot, Str value) {
    const Type *type = type_of(slot);
    const Str name = str_format(mutation->arena, "m%" PRIu32, random_below(mutation->random, 1000000));
    const uint32_t way = type == NULL ? 4 : random_below(mutation->random, 5);
    const char *optional = random_below(mutation->random, 2) == 0 ? "?" : "";
    if (way < 2) {
        const Type *plain = type->kind == TYPE_UNION ? type->options[type->option_count - 1] : type;
        mutation->declaration =
            str_format(mutation->arena, "late param %.*s : %s%s\n", STR_ARG(name), plain->name, optional);
    } else if (way < 4) {
        mutation->declaration = str_format(mutation->arena, "%sparam %.*s : %s%s = %.*s\n", way == 2 ? "late " : "",
                                           STR_ARG(name), type->name, optional, STR_ARG(value));
    } else {
        mutation->declaration = str_format(mutation->arena, "let %.*s = %.*s\n", STR_ARG(name), STR_ARG(value));
    }
    return name;
}

static Str wrapped(Mutation *mutation, Str value) {
    switch (random_below(mutation->random, 5)) {
    case 0:
        return str_format(mutation->arena, "[%.*s]", STR_ARG(value));
    case 1:
        return str_format(mutation->arena, "[%.*s, %.*s]", STR_ARG(value), STR_ARG(value));
    case 2:
        mutation->declaration = STR("late param choice : bool = true\n");
        return str_format(mutation->arena, "choice ? %.*s : null", STR_ARG(value));
    case 3:
        return str_format(mutation->arena, "null ?? %.*s", STR_ARG(value));
    default:
        return str_format(mutation->arena, "(%.*s)[0]", STR_ARG(value));
    }
}

static Str new_value(Mutation *mutation, const Slot *slot, Str old) {
    switch (random_below(mutation->random, 10)) {
    case 0:
    case 1:
        return empty(mutation);
    case 2:
        return odd(mutation);
    case 3:
    case 4:
        return typed(mutation, slot);
    case 5:
    case 6:
        return harvested(mutation, slot);
    case 7:
        return declared(mutation, slot, random_below(mutation->random, 3) == 0 ? empty(mutation) : old);
    case 8:
        return declared(mutation, slot, harvested(mutation, slot));
    default:
        return wrapped(mutation, old);
    }
}

static Str change_value(Mutation *mutation) {
    const Sketch *sketch = &mutation->sketch;
    const bool is_part = random_below(mutation->random, 4) == 0;
    const Slot *slot = choose(mutation, is_part ? SLOT_PART : SLOT_VALUE);
    if (slot == NULL) {
        return sketch->text;
    }
    Str value = new_value(mutation, slot, text_of(sketch, slot));
    if (slot->kind == SLOT_PART &&
        random_below(mutation->random, 3) == 0) { // of the same source: ids and names that fit
        const Slot *other = choose(mutation, SLOT_PART);
        value = text_of(sketch, other);
    }
    return replace(mutation->arena, sketch->text, slot->start, slot->end, value);
}

// An attribute that the block's kind has, with a value: here it may be one that the block has already.
static Str add_attribute(Mutation *mutation) {
    const Sketch *sketch = &mutation->sketch;
    const Slot *body = choose(mutation, SLOT_BODY);
    if (body == NULL || body->row == NULL || body->row->attribute_count == 0) {
        return sketch->text;
    }
    const uint32_t count = (uint32_t)body->row->attribute_count;
    Slot slot = *body;
    slot.name = str_of(body->row->attributes[random_below(mutation->random, count)].name);
    const Str value = random_below(mutation->random, 3) == 0 ? new_value(mutation, &slot, typed(mutation, &slot))
                                                             : harvested(mutation, &slot);
    const Str line = str_format(mutation->arena, "\n%.*s = %.*s\n", STR_ARG(slot.name), STR_ARG(value));
    return replace(mutation->arena, sketch->text, body->start, body->end, line);
}

// ---- items --------------------------------------------------------------------------------------------------------

// An element, an attribute or a block: left out, twice, or somewhere else.
static Str change_item(Mutation *mutation) {
    const Sketch *sketch = &mutation->sketch;
    Arena *arena = mutation->arena;
    const Slot *slot = choose(mutation, random_below(mutation->random, 3) == 0 ? SLOT_ELEMENT : SLOT_ITEM);
    if (slot == NULL) {
        return sketch->text;
    }
    const Str text = text_of(sketch, slot);
    const bool is_element = slot->kind == SLOT_ELEMENT;
    const Slot *body = choose(mutation, SLOT_BODY);
    switch (random_below(mutation->random, 6)) {
    case 0:
    case 1:
        return replace(arena, sketch->text, slot->start, slot->end, STR_NONE);
    case 2:
        return replace(arena, sketch->text, slot->end, slot->end,
                       str_format(arena, "%s%.*s", is_element ? ", " : "\n", STR_ARG(text)));
    case 3:
        return slot->is_block ? replace(arena, sketch->text, slot->start, slot->end,
                                        str_format(arena, "%.*s = off", STR_ARG(slot->name)))
                              : replace(arena, sketch->text, slot->start, slot->end, STR_NONE);
    case 4:
        if (!is_element) {
            const char *head = random_below(mutation->random, 2) == 0 ? "for z in [1, 2]" : "if 1 == 1";
            return replace(arena, sketch->text, slot->start, slot->end,
                           str_format(arena, "%s {\n%.*s\n}", head, STR_ARG(text)));
        }
        break;
    default:
        break;
    }
    if (body == NULL || is_element) {
        return sketch->text;
    }
    return replace(arena, sketch->text, body->start, body->end, str_format(arena, "\n%.*s\n", STR_ARG(text)));
}

// A block that another fixture has.
static Str add_block(Mutation *mutation) {
    const Sketch *sketch = &mutation->sketch;
    const Slot *body = choose(mutation, SLOT_BODY);
    const KindRow *kind = &KIND_ROWS[random_below(mutation->random, KIND_COUNT)];
    const Str block = harvest_block(mutation->harvest, mutation->random, str_of(kind->name));
    const Str text = str_format(mutation->arena, "\n%.*s\n", STR_ARG(block));
    const uint32_t place = body == NULL || !kind->is_nested ? (uint32_t)sketch->text.len : body->start;
    return replace(mutation->arena, sketch->text, place, place, text);
}

static Str change_name(Mutation *mutation) {
    const Sketch *sketch = &mutation->sketch;
    const Slot *slot = choose(mutation, SLOT_NAME);
    if (slot == NULL) {
        return sketch->text;
    }
    const bool is_attribute = slot->row != NULL && slot->row->attribute_count > 0;
    const char *name =
        is_attribute ? slot->row->attributes[random_below(mutation->random, (uint32_t)slot->row->attribute_count)].name
                     : KIND_ROWS[random_below(mutation->random, KIND_COUNT)].name;
    return replace(mutation->arena, sketch->text, slot->start, slot->end, str_of(name));
}

static const Slot *choose_cluster(Mutation *mutation) {
    for (int i = 0; i < TRIES_MAX; i++) {
        const Slot *slot = choose(mutation, SLOT_HEAD);
        if (slot != NULL && str_is(slot->name, "cluster")) {
            return slot;
        }
    }
    return NULL;
}

static Str change_target(Mutation *mutation) {
    const Sketch *sketch = &mutation->sketch;
    const Slot *slot = choose_cluster(mutation);
    if (slot == NULL) {
        return sketch->text;
    }
    const char *target = TARGETS[random_below(mutation->random, COUNT_OF(TARGETS))];
    return replace(mutation->arena, sketch->text, slot->start, slot->end,
                   str_format(mutation->arena, " on %s", target));
}

// `like` another block, which may be of another kind, itself, or one that is like this one.
static Str change_head(Mutation *mutation) {
    const Sketch *sketch = &mutation->sketch;
    const Slot *slot = choose(mutation, SLOT_HEAD);
    if (slot == NULL || sketch->labels.count == 0) {
        return sketch->text;
    }
    const Label *other = &sketch->labels.items[random_below(mutation->random, sketch->labels.count)];
    StrBuf name = { .arena = mutation->arena };
    add_block_name(&name, mutation->random, other->kind, other->name);
    const Str head =
        random_below(mutation->random, 4) == 0
            ? STR_NONE
            : str_format(mutation->arena, " like %.*s%.*s", STR_ARG(strbuf_str(&name)), STR_ARG(text_of(sketch, slot)));
    return replace(mutation->arena, sketch->text, slot->start, slot->end, head);
}

// Takes away a nested block, which may be there.
static Str add_removal(Mutation *mutation) {
    const Sketch *sketch = &mutation->sketch;
    const Slot *body = choose(mutation, SLOT_BODY);
    if (body == NULL || sketch->labels.count == 0) {
        return sketch->text;
    }
    const Label *label = &sketch->labels.items[random_below(mutation->random, sketch->labels.count)];
    const Str text =
        str_format(mutation->arena, "\n%.*s[\"%.*s\"] = null\n", STR_ARG(label->kind), STR_ARG(label->name));
    return replace(mutation->arena, sketch->text, body->start, body->start, text);
}

// ---- all ----------------------------------------------------------------------------------------------------------

static Str change(Mutation *mutation) {
    const uint32_t way = random_below(mutation->random, 20);
    return way < 7    ? change_value(mutation)
           : way < 12 ? add_attribute(mutation)
           : way < 15 ? change_item(mutation)
           : way < 16 ? add_block(mutation)
           : way < 17 ? change_name(mutation)
           : way < 18 ? change_target(mutation)
           : way < 19 ? add_removal(mutation)
                      : change_head(mutation);
}

Str mutate_program(Arena *arena, Random *random, const Harvest *harvest, Str text) {
    // One half has one change, a quarter two: the fewer, the more often it builds.
    uint32_t count = 1;
    while (count < CHANGES_MAX && random_below(random, 2) == 0) {
        count++;
    }
    for (uint32_t i = 0; i < count; i++) {
        Mutation mutation = {
            .arena = arena, .random = random, .harvest = harvest, .sketch = sketch_program(arena, text)
        };
        Str changed = change(&mutation);
        if (mutation.declaration.len > 0) {
            const uint32_t place = mutation.sketch.first_start;
            changed = replace(arena, changed, place, place, mutation.declaration);
        }
        text = changed.len <= TEXT_BYTES_MAX ? changed : text;
    }
    return text;
}

Str mutate_data(Arena *arena, Random *random, Str text) {
    static const char *const VALUES[] = { "null", "[]",    "{}",     "\"\"", "0",     "-1",
                                          "true", "\"x\"", "[null]", "[[]]", "1e999", "\"us-east-1\"" };
    const uint32_t count = 1 + random_below(random, 2);
    for (uint32_t i = 0; i < count; i++) {
        Mutation mutation = { .arena = arena, .random = random, .sketch = sketch_data(arena, text) };
        const uint32_t way = random_below(random, 8);
        const Slot *slot = choose(&mutation, way == 0 ? SLOT_NAME : way < 3 ? SLOT_PART : SLOT_VALUE);
        const Slot *other = choose(&mutation, way == 0 ? SLOT_NAME : SLOT_VALUE);
        if (slot == NULL || other == NULL) {
            return text;
        }
        const Str value = way == 0 || way == 7 ? text_of(&mutation.sketch, other)
                                               : str_of(VALUES[random_below(random, COUNT_OF(VALUES))]);
        text = replace(arena, text, slot->start, slot->end, value);
    }
    return text.len <= TEXT_BYTES_MAX ? text : STR("{}");
}

// ---- one by one -----------------------------------------------------------------------------------------------------

// The text with a change, and the head of the first cluster behind it or before it naming the target.
static Str retarget(Arena *arena, Str text, const char *target) {
    const Sketch sketch = sketch_program(arena, text);
    StrBuf out = { .arena = arena };
    uint32_t from = 0;
    for (uint32_t i = 0; i < sketch.slots.count; i++) {
        const Slot *slot = &sketch.slots.items[i];
        if (slot->kind == SLOT_HEAD && str_is(slot->name, "cluster")) {
            strbuf_add(&out, str_slice(text, from, slot->start));
            strbuf_add_format(&out, " on %s", target);
            from = slot->end;
        }
    }
    strbuf_add(&out, str_slice(text, from, text.len));
    return strbuf_str(&out);
}

bool mutate_each(Arena *arena, const Sketch *sketch, uint32_t number, Str *result) {
    const uint32_t targets = COUNT_OF(TARGETS);
    for (uint32_t i = 0; i < sketch->slots.count; i++) {
        const Slot *slot = &sketch->slots.items[i];
        const bool is_value = slot->kind == SLOT_VALUE || slot->kind == SLOT_PART;
        const bool is_item = slot->kind == SLOT_ITEM || slot->kind == SLOT_ELEMENT;
        const uint32_t own = is_value ? ODD_VALUE_COUNT + EMPTY_VALUE_COUNT * targets : is_item ? 2 + targets : 0;
        if (number >= own) {
            number -= own;
            continue;
        }
        const bool is_here = number < (is_value ? ODD_VALUE_COUNT : 2);
        const uint32_t turn = number - (is_here ? 0 : is_value ? ODD_VALUE_COUNT : 2);
        const Str by = is_value ? str_of(ODD_VALUES[is_here ? number : turn / targets])
                       : number != 1
                           ? STR_NONE
                           : str_format(arena, "%.*s%s%.*s", STR_ARG(text_of(sketch, slot)),
                                        slot->kind == SLOT_ITEM ? "\n" : ", ", STR_ARG(text_of(sketch, slot)));
        *result = replace(arena, sketch->text, slot->start, slot->end, by);
        if (!is_here) {
            *result = retarget(arena, *result, TARGETS[turn % targets]);
        }
        return true;
    }
    return false;
}
