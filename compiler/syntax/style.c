// Writes a source in the one style, and makes sure that it still says the same.
#include "compiler/syntax/style_parts.h"

#include <limits.h>

// The message of an `assert` stands on the next line.
static bool ends_in_comma(const Style *style, const StyleLine *line) {
    const uint32_t last = line->end - 1;
    if (style->atoms.items[last].kind == ATOM_COMMENT) {
        return false; // and nothing behind it is looked for: thousands of comments may follow
    }
    const uint32_t next = style_next(style, last);
    return next != ATOM_NONE && style->atoms.items[next].is_message;
}

static void add_line(const Style *style, const StyleLine *line, StrBuf *out) {
    strbuf_add_repeated(out, ' ', line->indent);
    for (uint32_t i = line->first; i < line->end; i++) {
        const Atom *atom = &style->atoms.items[i];
        if (i > line->first) {
            strbuf_add(out, style_gap(style, i));
            strbuf_add_repeated(out, ' ', atom->pad);
        }
        strbuf_add(out, str_slice(style->text, atom->start, atom->end));
    }
    if (ends_in_comma(style, line)) {
        strbuf_add_char(out, ',');
    }
    strbuf_add_char(out, '\n');
}

static Str write_lines(const Style *style, Arena *arena) {
    StrBuf out = { .arena = arena };
    for (uint32_t i = 0; i < style->lines.count; i++) {
        const StyleLine *line = &style->lines.items[i];
        if (line->is_blank_before) {
            strbuf_add_char(&out, '\n');
        }
        if (line->is_frozen) {
            strbuf_add(&out, str_slice(style->text, line->raw_start, line->raw_end));
        } else {
            add_line(style, line, &out);
        }
    }
    return strbuf_str(&out);
}

// ---- the text as a whole -----------------------------------------------------------------------------------------

typedef VEC(Span) Spans;

// What is wrong in a text.
typedef struct {
    Spans errors;
    bool is_any;      // of warnings, too
    bool is_too_much; // more than is kept: nobody knows where the rest is
} Faults;

// In a session of its own, whose tree nobody needs afterwards: the mistakes are those of this text alone.
static Faults find_faults(Arena *arena, Str text) {
    Session *session = session_create();
    const uint32_t source = source_add(session, STR("source"), text);
    parse(session, source);
    const Diags *diags = &session->diags;
    Faults faults = { .is_any = diags->items.count > 0, .is_too_much = diags_are_full(session) };
    for (uint32_t i = 0; i < diags->items.count; i++) {
        const Diag *diag = diags->items.items[i];
        if (diag->severity == SEVERITY_ERROR && diag->span.source == source) {
            vec_push(arena, &faults.errors, diag->span);
        }
    }
    session_destroy(session);
    return faults;
}

// Cuts a text into atoms. Its tokens take as much room as these, and go.
static Style scan(Arena *arena, Str text) {
    Session *session = session_create();
    const Tokens tokens = lex(session, source_add(session, STR("source"), text));
    Style style = { .arena = arena, .text = text };
    style_scan(&style, &tokens);
    session_destroy(session);
    return style;
}

// What a text says, whatever its blanks: every token, every comment, and the ends of entries.
static Str content(Arena *arena, const Style *style) {
    _Static_assert(ATOM_FOREIGN <= SCHAR_MAX, "a kind is a character");
    StrBuf out = { .arena = arena };
    for (uint32_t i = 0; i < style->atoms.count; i++) {
        const Atom *atom = &style->atoms.items[i];
        strbuf_add_char(&out, (char)('a' + (atom->is_separated ? 1 : 0) + (atom->is_message ? 2 : 0)));
        strbuf_add_char(&out, (char)atom->kind);
        strbuf_add(&out, str_slice(style->text, atom->start, atom->end));
        strbuf_add_char(&out, '\0');
    }
    return strbuf_str(&out);
}

static Str content_of(Arena *arena, Str text) {
    Arena *scratch = arena_create();
    const Style style = scan(scratch, text);
    const Str result = content(arena, &style);
    arena_destroy(scratch);
    return result;
}

// The text in the one style, and what the source says, both in `arena`.
static Str restyle(Arena *arena, Str text, const Spans *errors, Str *source_content) {
    Arena *scratch = arena_create();
    Style style = scan(scratch, text);
    for (uint32_t i = 0; i < errors->count; i++) {
        style_freeze(&style, errors->items[i].start, errors->items[i].end);
    }
    style_freeze_whole(&style);
    style_lay(&style);
    style_align(&style);
    const Str result = write_lines(&style, arena);
    *source_content = content(arena, &style);
    arena_destroy(scratch);
    return result;
}

// Each step has an arena of its own, and what it made goes before the next one begins: a source of a megabyte may have
// a million atoms.
Str style_apply(Session *session, uint32_t source) {
    const Str text = source_get(session, source)->text;
    Arena *arena = arena_create();
    const Faults faults = find_faults(arena, text);
    Str result = text;
    if (!faults.is_too_much) {
        Str before;
        const Str restyled = restyle(arena, text, &faults.errors, &before);
        if (!str_equal(restyled, text) && str_equal(before, content_of(arena, restyled))) {
            result = str_copy(session->arena, restyled);
        }
    }
    arena_destroy(arena);
    if (faults.is_any) {
        parse(session, source); // says what is wrong, where the author has it
    }
    return result;
}
