// Makes all edits of a text at once, so that none moves the place of another. Also computes where the unchanged text
// has moved.
#include "compiler/base/edit.h"

bool edit_clashes(const Edit *a, const Edit *b) {
    const bool inserts = a->start == a->end || b->start == b->end;
    return inserts ? a->start <= b->end && b->start <= a->end : a->start < b->end && b->start < a->end;
}

// The index of the first edit that starts at or behind an offset.
static uint32_t place_of(const Edits *edits, uint32_t start) {
    uint32_t low = 0;
    uint32_t high = edits->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (edits->items[middle].start < start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

bool edits_add(Arena *arena, Edits *edits, Edit edit) {
    const uint32_t place = place_of(edits, edit.start);
    const bool clashes = (place > 0 && edit_clashes(&edits->items[place - 1], &edit)) ||
                         (place < edits->count && edit_clashes(&edits->items[place], &edit));
    if (clashes) {
        return false;
    }
    vec_push(arena, edits, edit);
    memmove(&edits->items[place + 1], &edits->items[place], (edits->count - 1 - place) * sizeof(edits->items[0]));
    edits->items[place] = edit;
    return true;
}

void edits_remove(Edits *edits, uint32_t start) {
    const uint32_t place = place_of(edits, start);
    assert(place < edits->count && edits->items[place].start == start);
    edits->count--;
    memmove(&edits->items[place], &edits->items[place + 1], (edits->count - place) * sizeof(edits->items[0]));
}

static bool has_two_byte_line_ends(Str text) {
    const size_t end = str_find(text, STR("\n"), 0);
    return end > 0 && end < text.len && text.data[end - 1] == '\r';
}

static size_t count_line_ends(Str text) {
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += text.data[i] == '\n';
    }
    return count;
}

static void add_replacement(StrBuf *buffer, Str replacement, bool is_two_byte) {
    for (size_t i = 0; i < replacement.len; i++) {
        if (is_two_byte && replacement.data[i] == '\n') {
            strbuf_add_char(buffer, '\r');
        }
        strbuf_add_char(buffer, replacement.data[i]);
    }
}

Str edits_apply(Arena *arena, Str text, const Edits *edits) {
    const bool is_two_byte = has_two_byte_line_ends(text);
    StrBuf buffer = { .arena = arena };
    uint32_t done = 0;
    for (uint32_t i = 0; i < edits->count; i++) {
        const Edit *edit = &edits->items[i];
        assert(done <= edit->start && edit->start <= edit->end && edit->end <= text.len);
        strbuf_add(&buffer, str_slice(text, done, edit->start));
        add_replacement(&buffer, edit->replacement, is_two_byte);
        done = edit->end;
    }
    strbuf_add(&buffer, str_slice(text, done, text.len));
    return strbuf_str(&buffer);
}

// The place right behind what an edit writes.
static int64_t end_of(const Edit *edit, bool is_two_byte) {
    const size_t length = edit->replacement.len + (is_two_byte ? count_line_ends(edit->replacement) : 0);
    return edit->start + edit->moved + (int64_t)length;
}

void edits_settle(Edits *edits, Str text) {
    const bool is_two_byte = has_two_byte_line_ends(text);
    for (uint32_t i = 0; i < edits->count; i++) {
        Edit *edit = &edits->items[i];
        edit->moved = i == 0 ? 0 : edits->items[i - 1].new_end - edits->items[i - 1].end;
        edit->new_end = end_of(edit, is_two_byte);
    }
}

uint32_t edits_move(const Edits *edits, uint32_t offset, EditSide side) {
    uint32_t next = place_of(edits, offset);
    const bool is_insertion_here =
        next < edits->count && edits->items[next].start == offset && edits->items[next].end == offset;
    next += is_insertion_here && side == EDIT_END ? 1 : 0;
    if (next == 0) {
        return offset;
    }
    const Edit *last = &edits->items[next - 1];
    if (offset < last->end) {
        return (uint32_t)(side == EDIT_START ? last->start + last->moved : last->new_end);
    }
    return (uint32_t)(offset + last->new_end - last->end);
}

uint32_t edits_move_back(const Edits *edits, uint32_t offset, EditSide side) {
    uint32_t next = 0;
    while (next < edits->count) {
        const int64_t start = edits->items[next].start + edits->items[next].moved;
        if (side == EDIT_START ? start > offset : start >= offset) {
            break;
        }
        next++;
    }
    if (next == 0) {
        return offset;
    }
    const Edit *last = &edits->items[next - 1];
    if (offset < last->new_end) {
        return side == EDIT_START ? last->start : last->end;
    }
    return (uint32_t)(offset - last->new_end + last->end);
}
