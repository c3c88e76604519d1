// Compares the diagnostics before and after some fixes. Mistakes hide others. A block with an error does not pass the
// next gate of the chain (chain.c), nor do the blocks that stand on it. While a file cannot be parsed, nothing behind
// the first gate is checked. So a new error need not come from the fix. If it may, the fix is refused, and the author
// is told.
#include "compiler/driver/fix/fix_judge.h"

#include "compiler/syntax/ast.h"

Gate gate_of(DiagId id) {
    static const Gate GATES[] = {
        [1] = GATE_SYNTAX, [2] = GATE_SEMANTICS, [3] = GATE_PLAN, [4] = GATE_SEMANTICS, [5] = GATE_EMIT,
    };
    const size_t area = (size_t)(diag_row(id)->code[3] - '0'); // "DT0304"
    return area < COUNT_OF(GATES) && area > 0 ? GATES[area] : GATE_SEMANTICS;
}

static bool counts(const Trial *trial, const Diag *diag) {
    return !diag->is_allowed && (diag->severity == SEVERITY_ERROR || trial->is_strict);
}

// ---- places ----------------------------------------------------------------------------------------------------

Span trial_move(const Trial *trial, Span span) {
    const Edits *edits = &trial->edits[span.source];
    return (Span){ .source = span.source,
                   .start = edits_move(edits, span.start, EDIT_START),
                   .end = edits_move(edits, span.end, EDIT_END) };
}

// Sources are numbered as they are read, which a fix may change; their paths stay.
static bool same_source(const Trial *trial, Span moved, Span after) {
    return str_equal(source_get(trial->before, moved.source)->path, source_get(trial->after, after.source)->path);
}

// Whether two ranges share a byte, or an empty one lies in or at the other.
static bool touches(Span a, Span b) {
    const bool is_empty = a.start == a.end || b.start == b.end;
    return is_empty ? a.start <= b.end && b.start <= a.end : a.start < b.end && b.start < a.end;
}

static bool lies_on(const Trial *trial, Span before, Span after) {
    const Span moved = trial_move(trial, before);
    return same_source(trial, moved, after) && touches(moved, after);
}

// Whether a place holds some of what a fix wrote, or the spot where it took something out.
static bool lies_on_fix(const Trial *trial, const Diag *fixed, Span after) {
    for (uint32_t i = 0; i < fixed->fixes.count; i++) {
        const Span moved = trial_move(trial, fixed->fixes.items[i].span);
        if (same_source(trial, moved, after) && moved.start < after.end && after.start < moved.end) {
            return true;
        }
    }
    return false;
}

// ---- what hides what -------------------------------------------------------------------------------------------

static const Item *innermost(const Items *items, Span span, const Item *found) {
    for (uint32_t i = 0; i < items->count; i++) {
        const Item *item = items->items[i];
        if (span.start < item->span.start || span.end > item->span.end) {
            continue;
        }
        if (item->kind == ITEM_BLOCK) {
            return innermost(&item->block.body, span, item);
        }
        if (item->kind == ITEM_RESOURCE) {
            return innermost(&item->resource.body, span, item);
        }
        if (item->kind == ITEM_IF) {
            return innermost(&item->branch.body, span, found == NULL ? item : found);
        }
        if (item->kind == ITEM_FOR) {
            return innermost(&item->loop.body, span, found == NULL ? item : found);
        }
        return found == NULL ? item : found; // an attribute belongs to its block; at file level it is an entry itself
    }
    return found;
}

// The block, or at file level the entry, that a place of the first check is in; the place itself where that is none.
static Span block_around(const Trial *trial, Span span) {
    Session *scratch = session_create();
    const Source *source = source_get(trial->before, span.source);
    const File *file = parse(scratch, source_add(scratch, source->path, source->text));
    const Item *item = innermost(&file->items, span, NULL);
    const Span around =
        item == NULL ? span : (Span){ .source = span.source, .start = item->span.start, .end = item->span.end };
    session_destroy(scratch);
    return around;
}

// The parser finds one mistake of an entry at a time, from left to right.
static bool is_further_in_line(const Trial *trial, const Diag *fixed, Span after) {
    const Span moved = trial_move(trial, fixed->fixes.items[fixed->fixes.count - 1].span);
    if (!same_source(trial, moved, after) || after.start < moved.end) {
        return false;
    }
    const Str text = source_get(trial->after, after.source)->text;
    const Str between = str_slice(text, moved.end, after.start);
    return str_find(between, STR("\n"), 0) == between.len;
}

static bool points_to_fix(const Trial *trial, const Diag *fixed, const Diag *error) {
    for (uint32_t i = 0; i < error->labels.count; i++) {
        if (lies_on_fix(trial, fixed, error->labels.items[i].span)) {
            return true;
        }
    }
    return false;
}

// Whether what a diagnostic said may be all that kept an error from being seen.
static bool hid(const Trial *trial, const Diag *fixed, const Diag *error) {
    const Gate from = gate_of(fixed->id);
    const Gate to = gate_of(error->id);
    if (source_get(trial->before, fixed->span.source)->is_checked) {
        return false; // all rules are asked of a file of another language, whatever they find
    }
    if (fixed->id == DIAG_renamed) {
        return true; // the new word means what the former one meant
    }
    if (from == GATE_SYNTAX) {
        return to > from || is_further_in_line(trial, fixed, error->span);
    }
    if (lies_on_fix(trial, fixed, error->span) || to < from) {
        return false;
    }
    if (to > from) {
        return true;
    }
    // Of several fixes nobody can say which has to do with what comes up beside them.
    return trial->fixed_count == 1 && lies_on(trial, block_around(trial, fixed->fixes.items[0].span), error->span) &&
           !points_to_fix(trial, fixed, error);
}

// A message about a text, while another one wants it to be changed: a value that two blocks use, and that is wrong for
// one of them only. What would be right for it may be another thing for the other, without being a mistake.
static const Diag *second_opinion(const Trial *trial, const Diag *fixed) {
    for (uint32_t i = 0; i < trial->before->diags.items.count && gate_of(fixed->id) > GATE_SYNTAX; i++) {
        const Diag *other = trial->before->diags.items.items[i];
        for (uint32_t j = 0; j < fixed->fixes.count && other->id != fixed->id; j++) {
            const Span span = fixed->fixes.items[j].span;
            if (span.source == other->span.source && span.start < other->span.end && other->span.start < span.end) {
                return other;
            }
        }
    }
    return NULL;
}

// ---- the judgement ---------------------------------------------------------------------------------------------

// `moved` has the place of each diagnostic of the first check.
static bool was_there(const Trial *trial, const Span *moved, const Diag *error) {
    for (uint32_t i = 0; i < trial->before->diags.items.count; i++) {
        const Diag *old = trial->before->diags.items.items[i];
        if (!old->is_allowed && old->id == error->id && moved[i].start == error->span.start &&
            moved[i].end == error->span.end && same_source(trial, moved[i], error->span)) {
            return true;
        }
    }
    return false;
}

static bool is_still_there(const Trial *trial, const Diag *fixed) {
    const Span moved = trial_move(trial, fixed->span);
    for (uint32_t i = 0; i < trial->after->diags.items.count; i++) {
        const Diag *diag = trial->after->diags.items.items[i];
        if (!diag->is_allowed && diag->id == fixed->id && touches(moved, diag->span) &&
            same_source(trial, moved, diag->span)) {
            return true;
        }
    }
    return false;
}

static bool was_hidden(const Trial *trial, const Diag *error) {
    for (uint32_t i = 0; i < trial->fixed_count; i++) {
        if (hid(trial, trial->fixed[i], error)) {
            return true;
        }
    }
    return false;
}

static const char *describe(Arena *arena, const Trial *trial, const Diag *error) {
    const char *code = diag_row(error->id)->code;
    if (span_is_none(error->span)) {
        return str_c(arena, str_format(arena, "%s would come up", code));
    }
    const Place place = source_place(trial->after, error->span.source, error->span.start);
    return str_c(arena,
                 str_format(arena, "%s would come up at %.*s:%" PRIu32 ":%" PRIu32, code,
                            STR_ARG(source_get(trial->after, error->span.source)->path), place.line, place.column));
}

const char *trial_fault(Arena *arena, const Trial *trial) {
    const Diags *before = &trial->before->diags;
    Span *moved = arena_new_array(trial->before->arena, Span, before->items.count);
    for (uint32_t i = 0; i < before->items.count; i++) {
        moved[i] = trial_move(trial, before->items.items[i]->span);
    }
    for (uint32_t i = 0; i < trial->fixed_count; i++) {
        const Diag *other = second_opinion(trial, trial->fixed[i]);
        if (other != NULL) {
            return str_c(arena, str_format(arena, "%s is about the same text", diag_row(other->id)->code));
        }
        if (is_still_there(trial, trial->fixed[i])) {
            return "it would not help";
        }
    }
    for (uint32_t i = 0; i < trial->after->diags.items.count; i++) {
        const Diag *error = trial->after->diags.items.items[i];
        if (counts(trial, error) && !was_there(trial, moved, error) && !was_hidden(trial, error)) {
            return describe(arena, trial, error);
        }
    }
    return NULL;
}
