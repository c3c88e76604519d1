// The places of a source at which a mutation can be made.
#pragma once

#include "compiler/semantics/program.h"
#include "schema/schema.h"

typedef enum {
    SLOT_VALUE,   // the whole value of an attribute, a let, a property
    SLOT_PART,    // an expression inside of one
    SLOT_ELEMENT, // an item of a list or an argument, with the comma behind it
    SLOT_ITEM,    // an attribute, a block, a statement
    SLOT_NAME,    // the name of an attribute, of a block's kind
    SLOT_HEAD,    // behind a block's name, where `like` and `on` stand; may be empty
    SLOT_BODY,    // where a block's body ends; always empty
} SlotKind;

typedef struct {
    SlotKind kind;
    uint32_t start;
    uint32_t end;
    Str name;           // of the attribute or of the kind of block; empty where there is none
    const KindRow *row; // of the block around it, for SLOT_HEAD and SLOT_BODY of the block itself; may be NULL
    bool is_block;      // a SLOT_ITEM
} Slot;

typedef VEC(Slot) Slots;

typedef struct {
    Str name;
    Str kind;
} Label;

typedef struct {
    Str text;
    Slots slots;
    VEC(Label) labels;    // of the blocks with a plain name
    uint32_t first_start; // of the first item: declarations go before it
} Sketch;

// What can be read of a text in the language, however wrong it is.
Sketch sketch_program(Arena *arena, Str text);

// The same of JSON or YAML: values, elements and entries. Nothing where it cannot be read.
Sketch sketch_data(Arena *arena, Str text);
