// Finds where a line of user data stands in the author's file.
#include "compiler/plan/rules/user_data_text.h"

// ---- places -----------------------------------------------------------------------------------------------------

static size_t lines_before(Str text, size_t at) {
    size_t number = 0;
    for (size_t i = 0; i < at; i++) {
        number += text.data[i] == '\n' ? 1 : 0;
    }
    return number;
}

static Span line_span(const PlanUserData *data, Str source, size_t at) {
    while (at > 0 && source.data[at - 1] != '\n') {
        at--;
    }
    const Str line = shell_line(source, at);
    const Str words = str_trim(line);
    const uint32_t first = data->text.start + (uint32_t)(at + (size_t)(words.data - line.data));
    return (Span){ .source = data->text.source, .start = first, .end = first + (uint32_t)words.len };
}

// The line in a text that is put together from several, or has its signs escaped, where it is there once.
static Span find_line(const PlanUserData *data, Str source, Str words) {
    enum { SURE_BYTES = 8 };
    Str sure = STR_NONE;
    for (size_t start = 0; start < words.len; start++) {
        size_t end = start;
        while (end < words.len && strchr("\"\\'$", words.data[end]) == NULL) {
            end++;
        }
        sure = end - start > sure.len ? str_slice(words, start, end) : sure;
        start = end;
    }
    const size_t found = sure.len < SURE_BYTES ? source.len : str_find(source, sure, 0);
    const bool is_once = found < source.len && str_find(source, sure, found + 1) >= source.len;
    const bool has_lines = str_find(source, STR("\n"), 0) < source.len;
    return is_once && has_lines ? line_span(data, source, found) : data->text;
}

// The text that has the place, as its author wrote it. `*at` is the place in it.
static PlanUserData text_at(const PlanUserData *data, size_t *at) {
    if (data->pieces.count == 0) {
        return *data;
    }
    uint32_t last = 0;
    while (last + 1 < data->pieces.count && data->pieces.items[last + 1].at <= *at) {
        last++;
    }
    const PlanUserPiece *piece = &data->pieces.items[last];
    const size_t start = piece->at + piece->head;
    const size_t end = last + 1 < data->pieces.count ? piece[1].at : data->written.len;
    *at = *at > start ? *at - start : 0;
    return (PlanUserData){ .written = str_slice(data->written, start, end), .text = piece->text };
}

static Str source_of(const Rules *rules, const PlanUserData *data) {
    return str_slice(source_get(rules->session, data->text.source)->text, data->text.start, data->text.end);
}

static bool has_header(Str source) {
    return str_starts_with(source, STR("|")) || str_starts_with(source, STR(">"));
}

static bool is_block(Str source) {
    return has_header(source) || (source.len > 0 && strchr(" \t\r\n", source.data[0]) != NULL);
}

static Span place_of_line(const Rules *rules, const PlanUserData *data, size_t at) {
    const Str source = source_of(rules, data);
    if (!is_block(source)) {
        return find_line(data, source, str_trim(shell_line(data->written, at)));
    }
    size_t start = has_header(source) ? shell_next_line(source, 0) : 0;
    for (size_t i = lines_before(data->written, at); i > 0 && start < source.len; i--) {
        start = shell_next_line(source, start);
    }
    const bool has_words = start < source.len && str_trim(shell_line(source, start)).len > 0;
    return has_words ? line_span(data, source, start) : data->text;
}

// A block that begins with `>`, which stands in the text or in the line before it.
static bool is_folded(const Rules *rules, const PlanUserData *data, Str source) {
    const Str before = str_slice(source_get(rules->session, data->text.source)->text, 0, data->text.start);
    const bool is_inside = is_block(source) && !has_header(source) && str_ends_with(before, STR("\n"));
    const Str header = is_inside ? shell_line_around(before, before.len - 1) : shell_trimmed_line(source, 0);
    return is_block(source) &&
           (str_ends_with(header, STR(">")) || str_ends_with(header, STR(">-")) || str_ends_with(header, STR(">+")));
}

// In a folded block of YAML lines are put together, and keep their words.
static Span place_of_word(const PlanUserData *data, Str source, size_t at) {
    while (at < data->written.len && data->written.data[at] == ' ') {
        at++;
    }
    size_t end = at;
    while (end < data->written.len && strchr(" \t\r\n", data->written.data[end]) == NULL) {
        end++;
    }
    const Str word = str_slice(data->written, at, end);
    size_t found = word.len == 0 ? source.len : str_find(source, word, 0);
    for (size_t i = str_find(data->written, word, 0); i < at && found < source.len;) {
        i = str_find(data->written, word, i + 1);
        found = str_find(source, word, found + 1);
    }
    return found < source.len ? line_span(data, source, found) : data->text;
}

Span user_data_place(const Rules *rules, const PlanUserData *data, size_t at) {
    const PlanUserData text = text_at(data, &at);
    return place_of_line(rules, &text, at);
}

Span user_data_place_in(const Rules *rules, const PlanUserData *data, size_t at) {
    const PlanUserData text = text_at(data, &at);
    const Str source = source_of(rules, &text);
    size_t start = at;
    while (start > 0 && text.written.data[start - 1] != '\n') {
        start--;
    }
    return is_folded(rules, &text, source) ? place_of_word(&text, source, at) : place_of_line(rules, &text, start);
}

void user_data_write_tag(const Rules *rules, Diag *diag, const PlanUserData *data, Str key, Str tag) {
    if (span_is_none(data->text)) {
        return;
    }
    const Str text = source_get(rules->session, data->text.source)->text;
    size_t bar = data->text.start;
    while (bar > 0 && text.data[bar] != '|' && (bar == data->text.start || strchr(" \n-+", text.data[bar]) != NULL)) {
        bar--;
    }
    if (text.data[bar] == '|' && str_ends_with(str_slice(text, 0, bar), key)) {
        diag_fix(rules->session, diag,
                 (Span){ .source = data->text.source, .start = (uint32_t)bar, .end = (uint32_t)bar }, tag);
    }
}
