// Reads the text of user data: the headers of its parts, and where a line stands in the author's file.
#include "compiler/plan/rules/user_data_text.h"

#include <strings.h>

// ---- headers ----------------------------------------------------------------------------------------------------

Str user_data_header(Str text, const char *name) {
    Str wanted = str_of(name);
    for (size_t at = 0; at < text.len;) {
        size_t end = str_find(text, STR("\n"), at);
        Str line = str_slice(text, at, end);
        if (str_trim(line).len == 0) {
            break;
        }
        bool is_it = line.len > wanted.len && strncasecmp(line.data, wanted.data, wanted.len) == 0;
        if (is_it) {
            return str_trim(str_slice(line, wanted.len, line.len));
        }
        at = end + 1;
    }
    return STR_NONE;
}

Str user_data_boundary(Str content_type) {
    const Str name = STR("boundary=");
    size_t found = str_find(content_type, name, 0);
    Str value = str_slice(content_type, found + name.len, content_type.len);
    if (str_starts_with(value, STR("\""))) {
        return str_slice(value, 1, str_find(value, STR("\""), 1));
    }
    return str_trim(str_slice(value, 0, str_find(value, STR(";"), 0)));
}

bool user_data_is_mime(const PlanUserData *data) {
    return (str_starts_with(data->written, STR("MIME-Version:")) ||
            str_starts_with(data->written, STR("Content-Type:"))) &&
           str_starts_with(user_data_header(data->written, "Content-Type:"), STR("multipart/"));
}

bool user_data_is_header(Str line) {
    const size_t colon = str_find(line, STR(":"), 0);
    bool is_name = colon > 0 && colon < line.len;
    for (size_t i = 0; i < colon && i < line.len; i++) {
        const char c = line.data[i];
        is_name = is_name && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-');
    }
    return is_name || str_starts_with(line, STR(" ")) || str_starts_with(line, STR("\t"));
}

// ---- parts -----------------------------------------------------------------------------------------------------

// From the line behind a boundary on.
static UserDataPart read_part(Str text, size_t start, size_t end) {
    static const char name[] = "Content-Type:";
    UserDataPart part = { .type_at = start, .at = end };
    for (size_t at = start; at < end && part.at == end; at = shell_next_line(text, at)) {
        const Str line = shell_trimmed_line(text, at);
        if (line.len == 0) {
            part.at = shell_next_line(text, at);
        } else if (!user_data_is_header(line)) {
            part.at = at; // cloud-init takes it for the part
        } else if (str_starts_with_in_any_case(line, str_of(name))) {
            part.type = str_trim(str_slice(line, sizeof name - 1, str_find(line, STR(";"), 0)));
            part.type_at = at;
        }
    }
    part.at = part.at < end ? part.at : end;
    part.body = str_slice(text, part.at, end);
    return part;
}

enum { TEXT_MAX = 64 * 1024 }; // bytes, four times what EC2 takes: to look for a place in it is not worth the time

UserDataParts user_data_parts(Arena *arena, const PlanUserData *data) {
    UserDataParts parts = { 0 };
    const Str text = data->written;
    if (text.len > TEXT_MAX) {
        return parts;
    }
    const bool has_pieces = data->pieces.count > 0 && !data->is_joined;
    for (uint32_t i = 0; has_pieces && i < data->pieces.count; i++) {
        const size_t at = data->pieces.items[i].at;
        const size_t end = i + 1 < data->pieces.count ? data->pieces.items[i + 1].at : text.len;
        vec_push(arena, &parts, ((UserDataPart){ .type_at = at, .at = at, .body = str_slice(text, at, end) }));
    }
    if (!user_data_is_mime(data) || has_pieces) {
        if (!has_pieces && text.len > 0) {
            vec_push(arena, &parts, ((UserDataPart){ .body = text }));
        }
        return parts;
    }
    const Str boundary = user_data_boundary(user_data_header(text, "Content-Type:"));
    const Str opening = str_format(arena, "--%.*s", STR_ARG(boundary));
    size_t start = text.len;
    for (size_t at = boundary.len == 0 ? text.len : str_find(text, opening, 0); at < text.len;
         at = str_find(text, opening, at + opening.len)) {
        if (at > 0 && text.data[at - 1] != '\n') {
            continue;
        }
        if (start < text.len) {
            vec_push(arena, &parts, read_part(text, start, at));
        }
        start = shell_next_line(text, at);
    }
    return parts;
}

bool user_data_is_script(Str body) {
    const Str text = str_trim(body);
    const Str line = shell_trimmed_line(text, 0);
    const Str program = str_slice(line, 2, line.len);
    for (size_t at = 0; str_starts_with(text, STR("#!")) && at < program.len; at++) {
        const Str rest = str_slice(program, at, program.len);
        const bool is_shell = str_starts_with(rest, STR("sh")) || str_starts_with(rest, STR("bash"));
        const char before = at == 0 ? '/' : program.data[at - 1];
        const char after = str_at(rest, str_starts_with(rest, STR("sh")) ? 2 : 4);
        if (is_shell && (before == '/' || before == ' ') && (after == '\0' || after == ' ')) {
            return true;
        }
    }
    return false;
}

// Lines of YAML that are a comment.
static void blank_comments(char *text, Str body) {
    for (size_t at = 0; at < body.len; at = shell_next_line(body, at)) {
        const Str line = shell_line(body, at);
        if (str_starts_with(str_trim(line), STR("#")) && !str_starts_with(line, STR("#cloud-"))) {
            memset(text + at, ' ', line.len);
        }
    }
}

Str user_data_shell(Arena *arena, const PlanUserData *data, ShellPart part) {
    const UserDataParts parts = user_data_parts(arena, data);
    char *text = arena_alloc(arena, data->written.len);
    if (data->written.len > 0) {
        memcpy(text, data->written.data, data->written.len);
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *one = &parts.items[i];
        if (user_data_is_script(one->body) || str_is(one->type, "text/cloud-boothook")) {
            const Str run = shell_text(arena, one->body, part);
            memcpy(text + one->at, run.len > 0 ? run.data : "", run.len);
        } else {
            blank_comments(text + one->at, one->body);
        }
    }
    return (Str){ .data = text, .len = data->written.len };
}

size_t user_data_runs(Arena *arena, const PlanUserData *data, Str program) {
    const UserDataParts parts = user_data_parts(arena, data);
    for (uint32_t i = 0; i < parts.count; i++) {
        const UserDataPart *one = &parts.items[i];
        const bool is_script = user_data_is_script(one->body) || str_is(one->type, "text/cloud-boothook");
        const size_t at = !str_has(one->body, str_c(arena, program)) ? one->body.len
                          : is_script                                ? shell_runs(arena, one->body, program)
                                                                     : shell_line_runs(one->body, program);
        if (at < one->body.len) {
            return one->at + at;
        }
    }
    return data->written.len;
}

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
