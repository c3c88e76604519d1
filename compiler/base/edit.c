// Edits of a text, made all at once so that none moves the place of another, and the arithmetic of where the rest has
// gone.
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

uint32_t edits_move(Str text, const Edits *edits, uint32_t offset, EditSide side) {
    const bool is_two_byte = has_two_byte_line_ends(text);
    uint32_t added = 0;
    uint32_t removed = 0;
    for (uint32_t i = 0; i < edits->count; i++) {
        const Edit *edit = &edits->items[i];
        const bool is_insertion_here = edit->start == offset && edit->end == offset;
        if (edit->start > offset || (edit->start == offset && !(is_insertion_here && side == EDIT_END))) {
            break;
        }
        const size_t length = edit->replacement.len + (is_two_byte ? count_line_ends(edit->replacement) : 0);
        const bool is_inside = offset < edit->end;
        if (is_inside && side == EDIT_START) {
            return edit->start - removed + added;
        }
        added += (uint32_t)length;
        removed += edit->end - edit->start;
        if (is_inside) {
            return edit->end - removed + added;
        }
    }
    return offset - removed + added;
}
