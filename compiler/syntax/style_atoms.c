// Cuts a source into atoms, and says which of its lines stay as they are.
#include "compiler/syntax/style_parts.h"

bool style_is_open(uint32_t kind) {
    return kind == TOKEN_BRACE_OPEN || kind == TOKEN_PAREN_OPEN || kind == TOKEN_SQUARE_OPEN;
}

bool style_is_close(uint32_t kind) {
    return kind == TOKEN_BRACE_CLOSE || kind == TOKEN_PAREN_CLOSE || kind == TOKEN_SQUARE_CLOSE;
}

// ---- lines of the source -----------------------------------------------------------------------------------------

static void find_lines(Style *style) {
    uint32_t count = 1;
    for (size_t i = 0; i < style->text.len; i++) {
        count += style->text.data[i] == '\n' ? 1 : 0;
    }
    style->line_start = arena_new_array(style->arena, uint32_t, (size_t)count + 1);
    style->frozen = arena_new_array(style->arena, bool, count);
    style->line_count = count;
    uint32_t line = 0;
    style->line_start[line++] = 0;
    for (size_t i = 0; i < style->text.len; i++) {
        if (style->text.data[i] == '\n') {
            style->line_start[line++] = (uint32_t)i + 1;
        }
    }
    style->line_start[line] = (uint32_t)style->text.len;
}

uint32_t style_line_of(const Style *style, uint32_t offset) {
    uint32_t low = 0;
    uint32_t high = style->line_count - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (style->line_start[middle] <= offset) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static void freeze_lines(Style *style, uint32_t start, uint32_t end) {
    const uint32_t last = style_line_of(style, end);
    for (uint32_t line = style_line_of(style, start); line <= last; line++) {
        style->frozen[line] = true;
    }
}

// ---- atoms -------------------------------------------------------------------------------------------------------

static void add_atom(Style *style, Atom atom) {
    atom.partner = ATOM_NONE;
    atom.frame = ATOM_NONE;
    vec_push(style->arena, &style->atoms, atom);
}

// What nobody writes between tokens, such as a tab or a comment of C: it was reported, and stays where it is.
static void add_foreign(Style *style, uint32_t start, uint32_t end, uint32_t line_ends) {
    while (end > start + 1 && strchr(" \r\n", style->text.data[end - 1]) != NULL) {
        end--;
    }
    add_atom(style, (Atom){ .kind = ATOM_FOREIGN, .start = start, .end = end, .line_ends = line_ends });
    freeze_lines(style, start, end);
}

// Comments become atoms. Returns how many line ends stand between the last atom and `end`.
static uint32_t scan_gap(Style *style, uint32_t start, uint32_t end) {
    const char *data = style->text.data;
    uint32_t line_ends = 0;
    uint32_t i = start;
    if (start == 0 && str_starts_with(style->text, STR("\xEF\xBB\xBF"))) {
        i = 3;
    }
    while (i < end) {
        if (data[i] == '#') {
            uint32_t comment_end = (uint32_t)str_find(style->text, STR("\n"), i);
            const uint32_t next = comment_end < end ? comment_end : end;
            comment_end = next;
            while (comment_end > i &&
                   (data[comment_end - 1] == ' ' || data[comment_end - 1] == '\t' || data[comment_end - 1] == '\r')) {
                comment_end--;
            }
            add_atom(style, (Atom){ .kind = ATOM_COMMENT, .start = i, .end = comment_end, .line_ends = line_ends });
            line_ends = 0;
            i = next;
            continue;
        }
        const bool is_line_end = data[i] == '\n';
        const bool is_return = data[i] == '\r' && i + 1 < end && data[i + 1] == '\n';
        line_ends += is_line_end ? 1 : 0;
        if (!is_line_end && !is_return && data[i] != ' ' && data[i] != ',') {
            add_foreign(style, i, end, line_ends);
            return 0;
        }
        i++;
    }
    return line_ends;
}

uint32_t style_next(const Style *style, uint32_t index) {
    do {
        index++;
    } while (index < style->atoms.count && style->atoms.items[index].kind == ATOM_COMMENT);
    return index < style->atoms.count ? index : ATOM_NONE;
}

static bool ends_operand(const Style *style, uint32_t index) {
    const uint32_t kind = style->atoms.items[index].kind;
    const bool is_behind_dot = index > 0 && style->atoms.items[index - 1].kind == TOKEN_DOT;
    return kind == TOKEN_NAME || kind == TOKEN_INT || kind == TOKEN_DECIMAL || kind == TOKEN_QUANTITY ||
           kind == TOKEN_STRING || kind == TOKEN_TRUE || kind == TOKEN_FALSE || kind == TOKEN_NULL_VALUE ||
           style_is_close(kind) || is_behind_dot;
}

static void mark_signs(Style *style) {
    Atoms *atoms = &style->atoms;
    uint32_t before = ATOM_NONE;
    for (uint32_t i = 0; i < atoms->count; i++) {
        Atom *atom = &atoms->items[i];
        if (atom->kind == ATOM_COMMENT) {
            continue;
        }
        atom->is_unary =
            atom->kind == TOKEN_NOT ||
            (atom->kind == TOKEN_MINUS && (before == ATOM_NONE || atom->is_separated || !ends_operand(style, before)));
        if (atom->kind == TOKEN_QUESTION) {
            const uint32_t next = style_next(style, i);
            const uint32_t kind = next == ATOM_NONE ? TOKEN_EOF : atoms->items[next].kind;
            atom->is_optional = next == ATOM_NONE || atoms->items[next].is_separated || kind == TOKEN_ASSIGN ||
                                kind == TOKEN_QUESTION || kind == TOKEN_COMMA || style_is_close(kind);
        }
        before = i;
    }
}

// Whether what follows a comma behind an entry still belongs to it.
static bool begins_message(const Style *style, uint32_t entry, bool has_message) {
    if (entry == ATOM_NONE || has_message) {
        return false;
    }
    const uint32_t kind = style->atoms.items[entry].kind;
    const uint32_t next = style_next(style, entry);
    return (kind == TOKEN_ASSERT || kind == TOKEN_ALLOW) && next != ATOM_NONE &&
           style->atoms.items[next].kind != TOKEN_ASSIGN;
}

// Which bracket an atom stands in, which closes which, and where its entry begins. A bracket without a partner says
// that nothing behind the begin of its entry stands where it seems to.
static void find_frames(Style *style) {
    Atoms *atoms = &style->atoms;
    uint32_t *stack = arena_new_array(style->arena, uint32_t, SYNTAX_DEPTH_MAX + 1);
    uint32_t *entry = arena_new_array(style->arena, uint32_t, SYNTAX_DEPTH_MAX + 1);
    bool *has_message = arena_new_array(style->arena, bool, SYNTAX_DEPTH_MAX + 1);
    uint32_t depth = 0;
    entry[0] = ATOM_NONE;
    for (uint32_t i = 0; i < atoms->count; i++) {
        Atom *atom = &atoms->items[i];
        const bool is_pair = atom->partner != ATOM_NONE;
        if (style_is_close(atom->kind) && is_pair && depth > 0) {
            depth--;
        }
        atom->frame = depth == 0 ? ATOM_NONE : stack[depth - 1];
        const bool is_brace = atom->frame == ATOM_NONE || atoms->items[atom->frame].kind == TOKEN_BRACE_OPEN;
        if (atom->kind == ATOM_COMMENT || atom->kind == ATOM_FOREIGN) {
            atom->entry = i;
            atom->entry_end = i + 1;
            continue;
        }
        atom->is_message = is_brace && (atom->is_behind_comma || atom->kind == TOKEN_STRING) && atom->is_separated &&
                           begins_message(style, entry[depth], has_message[depth]);
        if (entry[depth] == ATOM_NONE || (is_brace && atom->is_separated && !atom->is_message)) {
            entry[depth] = i;
            has_message[depth] = false;
        }
        has_message[depth] |= atom->is_message;
        atom->is_separated &= !atom->is_message;
        atom->entry = entry[depth];
        atoms->items[entry[depth]].entry_end = i + 1;
        if (style_is_open(atom->kind) && is_pair && depth < SYNTAX_DEPTH_MAX) {
            stack[depth++] = i;
            entry[depth] = atoms->items[i].kind == TOKEN_BRACE_OPEN ? ATOM_NONE : atom->entry;
        } else if ((style_is_open(atom->kind) || style_is_close(atom->kind)) && !is_pair) {
            freeze_lines(style, atoms->items[entry[0]].start, (uint32_t)style->text.len);
            entry[depth] = entry[0];
        }
    }
}

void style_scan(Style *style, const Tokens *tokens) {
    find_lines(style);
    uint32_t *atom_of = arena_new_array(style->arena, uint32_t, tokens->count);
    uint32_t position = 0;
    bool is_separated = false;
    bool is_comma = false;
    for (uint32_t i = 0; i < tokens->count; i++) {
        const Token *token = &tokens->items[i];
        if (token->kind == TOKEN_SEPARATOR) {
            is_separated = true;
            is_comma = str_is(token->text, ",");
            continue;
        }
        const uint32_t line_ends = scan_gap(style, position, token->start);
        if (token->kind == TOKEN_EOF) {
            break;
        }
        Atom atom = { .kind = token->kind, .start = token->start, .end = token->end, .line_ends = line_ends };
        atom.is_separated = is_separated;
        atom.is_behind_comma = is_separated && is_comma;
        is_separated = false;
        atom_of[i] = style->atoms.count;
        const uint32_t partner = token->partner;
        if (token->kind == TOKEN_STRING_HEAD) {
            i = partner != TOKEN_NO_PARTNER && partner > i ? partner : tokens->count - 1;
            atom.kind = TOKEN_STRING;
            atom.end = tokens->items[i].end;
            add_atom(style, atom);
        } else {
            add_atom(style, atom);
            if (style_is_close(token->kind) && partner != TOKEN_NO_PARTNER) {
                const uint32_t open = atom_of[partner];
                style->atoms.items[style->atoms.count - 1].partner = open;
                style->atoms.items[open].partner = style->atoms.count - 1;
            }
        }
        position = atom.end;
    }
    find_frames(style);
    mark_signs(style);
}

// ---- what stays --------------------------------------------------------------------------------------------------

void style_freeze(Style *style, uint32_t start, uint32_t end) {
    freeze_lines(style, start, end);
    const Atoms *atoms = &style->atoms;
    for (uint32_t i = 0; i < atoms->count && atoms->items[i].start <= end; i++) {
        if (atoms->items[i].end >= start) {
            const Atom *first = &atoms->items[atoms->items[i].entry];
            freeze_lines(style, first->start, atoms->items[first->entry_end - 1].end);
        }
    }
}

static void freeze_around(Style *style, const Atom *atom) {
    const uint32_t first = style_line_of(style, atom->start);
    const uint32_t last = style_line_of(style, atom->end);
    bool is_frozen = false;
    for (uint32_t line = first; line <= last && !is_frozen; line++) {
        is_frozen = style->frozen[line];
    }
    for (uint32_t line = first; is_frozen && line <= last; line++) {
        style->frozen[line] = true;
    }
}

void style_freeze_whole(Style *style) {
    for (uint32_t i = 0; i < style->atoms.count; i++) {
        freeze_around(style, &style->atoms.items[i]);
    }
    for (uint32_t i = style->atoms.count; i > 0; i--) {
        freeze_around(style, &style->atoms.items[i - 1]);
    }
}
