// Puts atoms into lines: where lines end, how far they stand in, what stands between two atoms of a line.
#include "compiler/syntax/style_parts.h"

// ---- between two atoms -------------------------------------------------------------------------------------------

static bool is_tight_behind(const Atom *before) {
    return before->kind == TOKEN_PAREN_OPEN || before->kind == TOKEN_SQUARE_OPEN || before->kind == TOKEN_DOT ||
           before->kind == TOKEN_RANGE || before->is_unary;
}

static bool is_tight_before(const Style *style, uint32_t index) {
    const Atom *atom = &style->atoms.items[index];
    const Atom *before = atom - 1;
    const bool is_value = before->kind == TOKEN_NAME || before->kind == TOKEN_PAREN_CLOSE ||
                          before->kind == TOKEN_SQUARE_CLOSE || (index > 1 && (before - 1)->kind == TOKEN_DOT);
    switch (atom->kind) {
    case TOKEN_COMMA:
    case TOKEN_PAREN_CLOSE:
    case TOKEN_SQUARE_CLOSE:
    case TOKEN_DOT:
    case TOKEN_RANGE:
        return true;
    case TOKEN_PAREN_OPEN:
    case TOKEN_SQUARE_OPEN:
        return is_value;
    case TOKEN_BRACE_CLOSE:
        return before->kind == TOKEN_BRACE_OPEN;
    default:
        return atom->is_optional;
    }
}

Str style_gap(const Style *style, uint32_t index) {
    const Atom *atom = &style->atoms.items[index];
    if (atom->is_message || (atom->is_separated && atom->kind != TOKEN_BRACE_CLOSE)) {
        return STR(", ");
    }
    if (atom->kind == ATOM_COMMENT) {
        const uint32_t next = style_next(style, index);
        return next != ATOM_NONE && style->atoms.items[next].is_message ? STR(", ") : STR(" ");
    }
    return is_tight_behind(atom - 1) || is_tight_before(style, index) ? STR_NONE : STR(" ");
}

uint32_t style_width(const Style *style, const StyleLine *line, uint32_t end) {
    size_t width = 0;
    for (uint32_t i = line->first; i < end; i++) {
        const Atom *atom = &style->atoms.items[i];
        if (i > line->first) {
            width += style_gap(style, i).len + atom->pad;
        }
        width += str_count_characters(str_slice(style->text, atom->start, atom->end));
    }
    return (uint32_t)width;
}

uint32_t style_tail(const Style *style, const StyleLine *line) {
    const uint32_t last = line->end - 1;
    const Atom *atom = &style->atoms.items[last];
    const bool is_tail =
        !line->is_frozen && atom->kind == ATOM_COMMENT && (last > line->first || atom->is_below_a_comment);
    return is_tail ? last : ATOM_NONE;
}

// ---- blocks ------------------------------------------------------------------------------------------------------

static bool is_in_brace(const Style *style, const Atom *atom) {
    return atom->frame != ATOM_NONE && style->atoms.items[atom->frame].kind == TOKEN_BRACE_OPEN;
}

// Whether an atom is one before which a block that is broken has a line end: the first of an entry, and the `}`.
static uint32_t broken_with(const Style *style, uint32_t index) {
    const Atom *atom = &style->atoms.items[index];
    if (atom->kind == ATOM_COMMENT) {
        return ATOM_NONE;
    }
    if (atom->kind == TOKEN_BRACE_CLOSE && atom->partner != ATOM_NONE) {
        return atom->partner == index - 1 ? ATOM_NONE : atom->partner;
    }
    return is_in_brace(style, atom) && (atom->is_separated || atom->frame == index - 1) ? atom->frame : ATOM_NONE;
}

static bool is_first_of_line(const Atom *atom) {
    return atom->line_ends > 0 || atom->is_broken_before;
}

// Gives each entry of a block a line where `is_chosen` says so of its `{`.
static void break_blocks(Style *style, const bool *is_chosen) {
    for (uint32_t i = 0; i < style->atoms.count; i++) {
        const uint32_t open = broken_with(style, i);
        if (open != ATOM_NONE && is_chosen[open]) {
            style->atoms.items[i].is_broken_before = true;
        }
    }
}

static void break_begun_blocks(Style *style) {
    bool *is_chosen = arena_new_array(style->arena, bool, (size_t)style->atoms.count + 1);
    for (uint32_t i = 0; i < style->atoms.count; i++) {
        const uint32_t open = broken_with(style, i);
        if (open != ATOM_NONE && is_first_of_line(&style->atoms.items[i])) {
            is_chosen[open] = true;
        }
    }
    break_blocks(style, is_chosen);
}

// Breaks the outermost block of each line that is too long. False where there is none.
static bool break_long_lines(Style *style) {
    bool *is_chosen = arena_new_array(style->arena, bool, (size_t)style->atoms.count + 1);
    bool is_any = false;
    for (uint32_t i = 0; i < style->lines.count; i++) {
        const StyleLine *line = &style->lines.items[i];
        const uint32_t tail = line->is_frozen ? ATOM_NONE : style_tail(style, line);
        const uint32_t end = tail == ATOM_NONE ? line->end : tail;
        if (line->is_frozen || line->indent + style_width(style, line, end) <= STYLE_LINE_COLUMNS_MAX) {
            continue;
        }
        for (uint32_t at = line->first; at < end; at++) {
            const Atom *atom = &style->atoms.items[at];
            const bool is_pair = atom->partner != ATOM_NONE && atom->partner > at + 1 && atom->partner < end;
            if (atom->kind == TOKEN_BRACE_OPEN && is_pair) {
                is_chosen[at] = true;
                is_any = true;
                at = atom->partner;
            }
        }
    }
    if (is_any) {
        break_blocks(style, is_chosen);
    }
    return is_any;
}

// ---- lines -------------------------------------------------------------------------------------------------------

// A comment that stands right below the one behind a text goes on with it.
static void mark_comments(Style *style) {
    for (uint32_t i = 2; i < style->atoms.count; i++) {
        Atom *atom = &style->atoms.items[i];
        const Atom *above = atom - 1;
        const bool is_tail = above->kind == ATOM_COMMENT && (above->line_ends == 0 || above->is_below_a_comment);
        if (atom->kind == ATOM_COMMENT && atom->line_ends == 1 && is_tail) {
            const uint32_t column = atom->start - style->line_start[style_line_of(style, atom->start)];
            const uint32_t column_above = above->start - style->line_start[style_line_of(style, above->start)];
            atom->is_below_a_comment = column == column_above;
        }
    }
}

// `indent_of` holds for each bracket how far its line stands in.
static uint32_t indent_at(const Style *style, uint32_t index, const uint32_t *indent_of) {
    const Atom *atom = &style->atoms.items[index];
    if (style_is_close(atom->kind) && atom->partner != ATOM_NONE) {
        return indent_of[atom->partner];
    }
    // A comment stands as far in as what follows in its block.
    const uint32_t outer = atom->frame == ATOM_NONE ? 0 : indent_of[atom->frame] + STYLE_INDENT;
    const bool is_entry = atom->kind == ATOM_COMMENT || atom->entry == index;
    const bool is_in_list = atom->frame != ATOM_NONE && !is_in_brace(style, atom);
    return is_entry || is_in_list ? outer : outer + STYLE_INDENT;
}

static void end_frozen(const Style *style, StyleLine *line) {
    uint32_t at = style_line_of(style, style->atoms.items[line->first].start);
    line->raw_start = style->line_start[at];
    while (at < style->line_count && style->frozen[at]) {
        at++;
    }
    line->raw_end = style->line_start[at];
    while (line->end < style->atoms.count && style->atoms.items[line->end].start < line->raw_end) {
        line->end++;
    }
}

// How far a frozen line stands in, for what the brackets that it opens hold.
static uint32_t raw_indent(const Style *style, uint32_t offset) {
    const uint32_t start = style->line_start[style_line_of(style, offset)];
    uint32_t end = start;
    while (end < style->text.len && style->text.data[end] == ' ') {
        end++;
    }
    return end - start;
}

static void make_lines(Style *style) {
    const Atoms *atoms = &style->atoms;
    uint32_t *indent_of = arena_new_array(style->arena, uint32_t, (size_t)atoms->count + 1);
    style->lines.count = 0;
    for (uint32_t i = 0; i < atoms->count;) {
        const Atom *atom = &atoms->items[i];
        StyleLine line = { .first = i, .end = i + 1 };
        line.is_frozen = style->frozen[style_line_of(style, atom->start)];
        line.is_blank_before =
            atom->line_ends > 1 && i > 0 && !style_is_open((atom - 1)->kind) && !style_is_close(atom->kind);
        if (line.is_frozen) {
            line.is_blank_before = atom->line_ends > 1 && i > 0;
            end_frozen(style, &line);
        } else {
            line.indent = indent_at(style, i, indent_of);
            while (line.end < atoms->count && !is_first_of_line(&atoms->items[line.end])) {
                line.end++;
            }
        }
        for (; i < line.end; i++) {
            indent_of[i] = line.is_frozen ? raw_indent(style, atoms->items[i].start) : line.indent;
        }
        vec_push(style->arena, &style->lines, line);
    }
}

void style_lay(Style *style) {
    mark_comments(style);
    break_begun_blocks(style);
    make_lines(style);
    while (break_long_lines(style)) {
        make_lines(style);
    }
}
