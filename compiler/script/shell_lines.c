// Reads a script line by line, for what is certain without its words: here-documents are told from commands.
#include "compiler/script/shell_lines.h"

// ---- lines -------------------------------------------------------------------------------------------------------

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

// ---- here-documents ---------------------------------------------------------------------------------------------

Str shell_heredoc_word(Str line, bool *is_tabbed) {
    const size_t found = str_find(line, STR("<<"), 0);
    const bool is_other = found >= line.len || str_at(line, found + 2) == '<' ||
                          (found > 0 && str_find(str_slice(line, 0, found), STR("#"), 0) < found) ||
                          str_find(line, STR("(("), 0) < found;
    if (is_other) {
        return STR_NONE;
    }
    size_t at = found + 2;
    *is_tabbed = str_at(line, at) == '-';
    at += *is_tabbed ? 1 : 0;
    while (str_at(line, at) == ' ') {
        at++;
    }
    const char quote = str_at(line, at);
    at += quote == '\'' || quote == '"' || quote == '\\' ? 1 : 0;
    const size_t start = at;
    while (char_is_of_name(str_at(line, at))) {
        at++;
    }
    return str_slice(line, start, at);
}

static bool ends_heredoc(Str line, Str word, bool is_tabbed) {
    while (is_tabbed && str_starts_with(line, STR("\t"))) {
        line = str_slice(line, 1, line.len);
    }
    return str_equal(line, word);
}

size_t shell_heredoc_end(Str text, size_t at, Str word, bool is_tabbed) {
    while (at < text.len) {
        const Str line = shell_line(text, at);
        at = str_find(text, STR("\n"), at) + 1;
        if (ends_heredoc(line, word, is_tabbed)) {
            return at < text.len ? at : text.len; // the last line needs no end of its own
        }
    }
    return text.len + 1;
}

size_t shell_next_command(Str text, size_t at) {
    bool is_tabbed = false;
    const Str word = shell_heredoc_word(shell_line(text, at), &is_tabbed);
    const size_t next = shell_next_line(text, at);
    return word.len == 0 ? next : shell_heredoc_end(text, next, word, is_tabbed);
}
