// Walks the tree of a source and keeps each place that a mutation may change.
#include "tests/mutate/slots.h"

#include "compiler/base/yaml_read.h"

typedef struct {
    Arena *arena;
    Sketch *sketch;
    Str attribute;
    const KindRow *row;
} Walk;

static void add(Walk *walk, SlotKind kind, uint32_t start, uint32_t end, bool is_block) {
    const uint32_t length = (uint32_t)walk->sketch->text.len;
    if (start > end || end > length) {
        return;
    }
    const Slot slot = {
        .kind = kind, .start = start, .end = end, .name = walk->attribute, .row = walk->row, .is_block = is_block
    };
    vec_push(walk->arena, &walk->sketch->slots, slot);
}

// ---- the language ------------------------------------------------------------------------------------------------

static void walk_expr(Walk *walk, SlotKind kind, const Expr *expr);

static void walk_list(Walk *walk, const Exprs *exprs) {
    for (uint32_t i = 0; i < exprs->count; i++) {
        const bool is_last = i + 1 == exprs->count;
        const uint32_t end = is_last ? exprs->items[i]->span.end : exprs->items[i + 1]->span.start;
        add(walk, SLOT_ELEMENT, exprs->items[i]->span.start, end, false);
        walk_expr(walk, SLOT_PART, exprs->items[i]);
    }
}

static void walk_map(Walk *walk, const Expr *expr) {
    for (uint32_t i = 0; i < expr->map.count; i++) {
        const MapEntry *entry = &expr->map.entries[i];
        const bool is_last = i + 1 == expr->map.count;
        const uint32_t end = is_last ? entry->value->span.end : expr->map.entries[i + 1].key.span.start;
        add(walk, SLOT_ELEMENT, entry->key.span.start, end, false);
        walk_expr(walk, SLOT_PART, entry->value);
    }
}

// Those whose parts are worth a change of their own.
static void walk_expr(Walk *walk, SlotKind kind, const Expr *expr) {
    if (expr == NULL) {
        return;
    }
    add(walk, kind, expr->span.start, expr->span.end, false);
    switch (expr->kind) {
    case EXPR_LIST:
        walk_list(walk, &expr->list);
        break;
    case EXPR_CALL:
        walk_list(walk, &expr->call.arguments);
        break;
    case EXPR_MAP:
        walk_map(walk, expr);
        break;
    case EXPR_TEMPLATE:
        for (uint32_t i = 0; i < expr->template.exprs.count; i++) {
            walk_expr(walk, SLOT_PART, expr->template.exprs.items[i]);
        }
        break;
    case EXPR_FIELD:
        walk_expr(walk, SLOT_PART, expr->field.object);
        break;
    case EXPR_INDEX:
        walk_expr(walk, SLOT_PART, expr->index.object);
        walk_expr(walk, SLOT_PART, expr->index.index);
        break;
    case EXPR_BINARY:
        walk_expr(walk, SLOT_PART, expr->binary.left);
        walk_expr(walk, SLOT_PART, expr->binary.right);
        break;
    case EXPR_CONDITIONAL:
        walk_expr(walk, SLOT_PART, expr->conditional.condition);
        walk_expr(walk, SLOT_PART, expr->conditional.then);
        walk_expr(walk, SLOT_PART, expr->conditional.otherwise);
        break;
    case EXPR_RANGE:
        walk_expr(walk, SLOT_PART, expr->range.low);
        walk_expr(walk, SLOT_PART, expr->range.high);
        break;
    case EXPR_ERROR:
    case EXPR_NULL:
    case EXPR_BOOL:
    case EXPR_INT:
    case EXPR_QUANTITY:
    case EXPR_STRING:
    case EXPR_NAME:
    case EXPR_UNARY:
        break;
    }
}

static void walk_items(Walk *walk, const Items *items);

static uint32_t later(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void walk_labels(Walk *walk, const Ref *ref) {
    for (uint32_t i = 0; i < ref->count; i++) {
        walk_expr(walk, SLOT_PART, ref->steps[i].label);
    }
}

static void walk_block(Walk *walk, const Item *item) {
    const Expr *label = item->block.label;
    const Walk outer = *walk;
    walk->attribute = item->block.kind.text;
    add(walk, SLOT_NAME, item->block.kind.span.start, item->block.kind.span.end, false);
    if (label != NULL && label->kind == EXPR_STRING) {
        const Label known = { .name = label->string, .kind = item->block.kind.text };
        vec_push(walk->arena, &walk->sketch->labels, known);
    }
    walk->row = schema_kind(item->block.kind.text);
    const uint32_t head = label != NULL ? label->span.end : item->block.kind.span.end;
    const uint32_t on = item->block.on.count > 0 ? item->block.on.span.end : head;
    const uint32_t like = item->block.like.count > 0 ? item->block.like.span.end : head;
    add(walk, SLOT_HEAD, head, later(head, later(on, like)), true);
    walk_labels(walk, &item->block.like);
    walk_labels(walk, &item->block.on);
    add(walk, SLOT_BODY, item->span.end - 1, item->span.end - 1, true);
    walk_items(walk, &item->block.body);
    *walk = outer;
}

static void walk_item(Walk *walk, const Item *item) {
    const Walk outer = *walk;
    switch (item->kind) {
    case ITEM_ATTRIBUTE:
        walk->attribute = item->attribute.name.text;
        add(walk, SLOT_ITEM, item->span.start, item->span.end, false);
        add(walk, SLOT_NAME, item->attribute.name.span.start, item->attribute.name.span.end, false);
        walk_expr(walk, SLOT_VALUE, item->attribute.value);
        break;
    case ITEM_REMOVAL:
        add(walk, SLOT_ITEM, item->span.start, item->span.end, false);
        add(walk, SLOT_NAME, item->removal.kind.span.start, item->removal.kind.span.end, false);
        walk_expr(walk, SLOT_PART, item->removal.label);
        walk_expr(walk, SLOT_PART, item->removal.value);
        break;
    case ITEM_BLOCK:
        walk->attribute = item->block.kind.text;
        add(walk, SLOT_ITEM, item->span.start, item->span.end, true);
        walk_block(walk, item);
        break;
    case ITEM_PARAM:
        walk_expr(walk, SLOT_VALUE, item->param.initial);
        break;
    case ITEM_LET:
    case ITEM_OUTPUT:
        walk_expr(walk, SLOT_VALUE, item->let.value);
        break;
    case ITEM_RESOURCE:
        add(walk, SLOT_ITEM, item->span.start, item->span.end, true);
        walk_items(walk, &item->resource.body);
        break;
    case ITEM_IF:
        walk_expr(walk, SLOT_PART, item->branch.condition);
        walk_items(walk, &item->branch.body);
        break;
    case ITEM_FOR:
        walk_expr(walk, SLOT_PART, item->loop.sequence);
        walk_items(walk, &item->loop.body);
        break;
    case ITEM_PATCH:
        walk_expr(walk, SLOT_VALUE, item->patch.map);
        break;
    case ITEM_USE:
    case ITEM_ASSERT:
    case ITEM_ALLOW:
        add(walk, SLOT_ITEM, item->span.start, item->span.end, false);
        break;
    }
    *walk = outer;
}

static void walk_items(Walk *walk, const Items *items) {
    for (uint32_t i = 0; i < items->count; i++) {
        walk_item(walk, items->items[i]);
    }
}

Sketch sketch_program(Arena *arena, Str text) {
    Sketch sketch = { .text = text };
    Walk walk = { .arena = arena, .sketch = &sketch };
    Session *session = session_create();
    const File *file = parse(session, source_add(session, STR("mutant.dt"), text));
    walk_items(&walk, &file->items);
    sketch.first_start = file->items.count > 0 ? file->items.items[0]->span.start : (uint32_t)text.len;
    // Texts of names may live in the session: strings with escapes.
    for (uint32_t i = 0; i < sketch.slots.count; i++) {
        sketch.slots.items[i].name = str_copy(arena, sketch.slots.items[i].name);
    }
    for (uint32_t i = 0; i < sketch.labels.count; i++) {
        Label *label = &sketch.labels.items[i];
        *label = (Label){ .name = str_copy(arena, label->name), .kind = str_copy(arena, label->kind) };
    }
    session_destroy(session);
    return sketch;
}

// ---- JSON and YAML -----------------------------------------------------------------------------------------------

static void walk_data(Walk *walk, SlotKind kind, const Data *data) {
    if (data == NULL || span_is_none(data->span)) {
        return;
    }
    add(walk, kind, data->span.start, data->span.end, false);
    for (uint32_t i = 0; i < data->count; i++) {
        if (data->kind == DATA_LIST) {
            walk_data(walk, SLOT_PART, data->items[i]);
        } else {
            const DataEntry *entry = &data->entries[i];
            walk->attribute = entry->key;
            add(walk, SLOT_NAME, entry->key_span.start, entry->key_span.end, false);
            walk_data(walk, SLOT_VALUE, entry->value);
        }
    }
}

Sketch sketch_data(Arena *arena, Str text) {
    Sketch sketch = { .text = text };
    Walk walk = { .arena = arena, .sketch = &sketch };
    Session *session = session_create();
    walk_data(&walk, SLOT_VALUE, yaml_read(session, source_add(session, STR("mutant.yaml"), text)));
    for (uint32_t i = 0; i < sketch.slots.count; i++) {
        sketch.slots.items[i].name = str_copy(arena, sketch.slots.items[i].name);
    }
    session_destroy(session);
    return sketch;
}
