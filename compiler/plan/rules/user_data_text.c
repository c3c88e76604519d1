// Reads the text of user data: its lines, the headers of its parts, and where a line stands in the author's file.
#include "compiler/plan/rules/user_data_text.h"

#include <strings.h>

// ---- lines -------------------------------------------------------------------------------------------------------

Str user_data_line(Str text, size_t at) {
    return str_slice(text, at, str_find(text, STR("\n"), at));
}

// Mail, whose form this is, ends lines with CR LF.
Str user_data_trimmed_line(Str text, size_t at) {
    Str line = user_data_line(text, at);
    while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]) != NULL) {
        line.len--;
    }
    return line;
}

size_t user_data_next_line(Str text, size_t at) {
    return str_find(text, STR("\n"), at) + 1;
}

bool user_data_has_line(Str text, Str line) {
    for (size_t at = 0; at < text.len; at = user_data_next_line(text, at)) {
        if (str_equal(user_data_trimmed_line(text, at), line)) {
            return true;
        }
    }
    return false;
}

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

// ---- places -----------------------------------------------------------------------------------------------------

static size_t lines_before(Str text, size_t at) {
    size_t number = 0;
    for (size_t i = 0; i < at; i++) {
        number += text.data[i] == '\n' ? 1 : 0;
    }
    return number;
}

Span user_data_place(const Rules *rules, const PlanUserData *data, size_t at) {
    const Str file = source_get(rules->session, data->text.source)->text;
    const Str source = str_slice(file, data->text.start, data->text.end);
    const bool has_header = str_starts_with(source, STR("|")) || str_starts_with(source, STR(">"));
    size_t start = has_header ? str_find(source, STR("\n"), 0) + 1 : 0;
    for (size_t i = lines_before(data->written, at); i > 0 && start < source.len; i--) {
        start = str_find(source, STR("\n"), start) + 1;
    }
    if (start >= source.len || lines_before(source, source.len) + 1 < lines_before(data->written, data->written.len)) {
        return data->text;
    }
    const Str line = user_data_line(source, start);
    const Str words = str_trim(line);
    const uint32_t first = data->text.start + (uint32_t)(start + (size_t)(words.data - line.data));
    return words.len == 0 ? data->text
                          : (Span){ .source = data->text.source, .start = first, .end = first + (uint32_t)words.len };
}
