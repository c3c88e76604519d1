// Reads a script line by line, for what is certain without its words.
#include "compiler/script/shell_lines.h"

Str shell_line(Str text, size_t at) {
    return str_slice(text, at, str_find(text, STR("\n"), at));
}

// Mail, whose form this is, ends lines with CR LF.
Str shell_trimmed_line(Str text, size_t at) {
    Str line = shell_line(text, at);
    while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]) != NULL) {
        line.len--;
    }
    return line;
}

Str shell_line_around(Str text, size_t at) {
    while (at > 0 && text.data[at - 1] != '\n') {
        at--;
    }
    return str_trim(shell_line(text, at));
}

size_t shell_next_line(Str text, size_t at) {
    return str_find(text, STR("\n"), at) + 1;
}

bool shell_has_line(Str text, Str line) {
    for (size_t at = 0; at < text.len; at = shell_next_line(text, at)) {
        if (str_equal(shell_trimmed_line(text, at), line)) {
            return true;
        }
    }
    return false;
}

size_t shell_end_of_command(Str text, size_t at) {
    for (at = str_find(text, STR("\n"), at); at < text.len && at > 0 && text.data[at - 1] == '\\';) {
        at = str_find(text, STR("\n"), at + 1);
    }
    return at;
}

Str shell_command_before(Str text, size_t at) {
    size_t start = at;
    while (start > 0) {
        const char before = text.data[start - 1];
        const bool goes_on = start > 1 && text.data[start - 2] == '\\';
        if (strchr(";&|", before) != NULL || (before == '\n' && !goes_on)) {
            break;
        }
        start--;
    }
    return str_slice(text, start, at);
}
