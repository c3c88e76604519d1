// Several replacements in one text. The place of each is that in the text before any replacement.
#pragma once

#include "compiler/base/str.h"
#include "compiler/base/vec.h"

// Bytes `start` up to, not including, `end` become `replacement`; an empty range inserts.
typedef struct {
    uint32_t start;
    uint32_t end;
    Str replacement;
    int64_t moved;   // how far what stands at `start` goes, by all edits before it; see edits_settle()
    int64_t new_end; // where the replacement ends in the new text
} Edit;

typedef VEC(Edit) Edits; // in order of `start`, no two of which clash, where not said otherwise

// Whether two edits cannot both be made. They share a byte, or they touch at a place where one of them inserts. Then
// nobody could say which comes first.
bool edit_clashes(const Edit *a, const Edit *b);

// Adds an edit in its place. False, and nothing is added, where it clashes with one that is there.
bool edits_add(Arena *arena, Edits *edits, Edit edit);

// Takes the edit that starts at `start` away again: it is there.
void edits_remove(Edits *edits, uint32_t start);

// The text with all edits made; every end is within the text. A line end in a replacement is written as the text
// writes its first one: "\r\n" or "\n".
Str edits_apply(Arena *arena, Str text, const Edits *edits);

// Works out how far the edits of a text move what stands behind them: to be called when all are there.
void edits_settle(Edits *edits, Str text);

// Where an offset of the old text is in the new one. A text that is inserted exactly there lies behind a start and
// before an end. An offset inside of a replaced text goes to that side of the replacement. So a range that is moved by
// both ends holds what was put into it.
typedef enum { EDIT_START, EDIT_END } EditSide;
uint32_t edits_move(const Edits *edits, uint32_t offset, EditSide side);

// Where an offset of the new text is in the old one. One inside of a replacement goes to that side of what was replaced.
uint32_t edits_move_back(const Edits *edits, uint32_t offset, EditSide side);
