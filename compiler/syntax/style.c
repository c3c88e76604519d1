// Writes a source in the one style, and makes sure that it still says the same.
#include "compiler/syntax/style_parts.h"

// The message of an `assert` stands on the next line.
static bool ends_in_comma(const Style *style, const StyleLine *line) {
    const uint32_t last = line->end - 1;
    const uint32_t next = style_next(style, last);
    return style->atoms.items[last].kind != ATOM_COMMENT && next != ATOM_NONE && style->atoms.items[next].is_message;
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

static Str write_lines(const Style *style) {
    StrBuf out = { .arena = style->arena };
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

// Whether a text has the same atoms: every token, every comment, and the ends of entries.
static bool is_same(const Style *style, Str text) {
    Session *session = session_create();
    const Tokens tokens = lex(session, source_add(session, STR("formatted"), text));
    Style other = { .arena = session->arena, .text = text };
    style_scan(&other, &tokens);
    bool is_same = other.atoms.count == style->atoms.count;
    for (uint32_t i = 0; is_same && i < other.atoms.count; i++) {
        const Atom *a = &style->atoms.items[i];
        const Atom *b = &other.atoms.items[i];
        is_same = a->kind == b->kind && a->is_separated == b->is_separated && a->is_message == b->is_message &&
                  str_equal(str_slice(style->text, a->start, a->end), str_slice(text, b->start, b->end));
    }
    session_destroy(session);
    return is_same;
}

// The text in the one style, in a session of its own: its mistakes are those of this text alone.
static Str restyle(Session *session, Str text) {
    const uint32_t source = source_add(session, STR("source"), text);
    const File *file = parse(session, source);
    if (diags_are_full(session)) {
        return text;
    }
    Style style = { .arena = session->arena, .text = text };
    style_scan(&style, &file->tokens);
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        const Diag *diag = session->diags.items.items[i];
        if (diag->severity == SEVERITY_ERROR && diag->span.source == source) {
            style_freeze(&style, diag->span.start, diag->span.end);
        }
    }
    style_freeze_whole(&style);
    style_lay(&style);
    style_align(&style);
    const Str result = write_lines(&style);
    return is_same(&style, result) ? result : text;
}

Str style_apply(Session *session, uint32_t source) {
    const Str text = source_get(session, source)->text;
    Session *inner = session_create();
    const Str result = restyle(inner, text);
    const Str copy = str_equal(result, text) ? text : str_copy(session->arena, result);
    const bool is_wrong = inner->diags.items.count > 0;
    session_destroy(inner);
    if (is_wrong) {
        parse(session, source); // says what is wrong, where the author has it
    }
    return copy;
}
