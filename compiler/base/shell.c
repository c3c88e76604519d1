// Quotes words for a POSIX shell. Between single quotes nothing means anything but the single quote itself, which
// stands between them as '\''.
#include "compiler/base/shell.h"

#include "compiler/base/terminal.h"

static bool is_plain_char(char c) {
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:@%+";
    return c != '\0' && strchr(PLAIN, c) != NULL;
}

// `"$(printf 'a\033b')"`: bytes that a terminal would act upon stand as octal numbers, which every printf takes. So does
// a dash in front, which would be an option of printf.
static void add_escaped(StrBuf *out, Str text) {
    strbuf_add(out, STR("\"$(printf '"));
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (c == '%') {
            strbuf_add(out, STR("%%"));
        } else if (c == ' ' || (is_plain_char(c) && (i > 0 || c != '-'))) {
            strbuf_add_char(out, c);
        } else {
            strbuf_add_format(out, "\\%03o", (unsigned)(unsigned char)c);
        }
    }
    strbuf_add(out, STR("')\""));
}

void shell_add_word(StrBuf *out, Str text) {
    bool is_plain = text.len > 0;
    for (size_t i = 0; i < text.len && is_plain; i++) {
        is_plain = is_plain_char(text.data[i]);
    }
    if (is_plain) {
        strbuf_add(out, text);
        return;
    }
    // A command substitution takes line ends at the end away: they stand in quotes behind it.
    size_t end = text.len;
    while (end > 0 && text.data[end - 1] == '\n') {
        end--;
    }
    const Str before = str_slice(text, 0, end);
    if (!terminal_is_safe(before)) {
        add_escaped(out, before);
        text = str_slice(text, end, text.len);
        if (text.len == 0) {
            return;
        }
    }
    strbuf_add_char(out, '\'');
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] == '\'') {
            strbuf_add(out, STR("'\\'"));
        }
        strbuf_add_char(out, text.data[i]);
    }
    strbuf_add_char(out, '\'');
}

void shell_add(StrBuf *command, const char *words, Str text) {
    if (command->len > 0) {
        strbuf_add_char(command, ' ');
    }
    if (words[0] != '\0') {
        strbuf_add(command, str_of(words));
        strbuf_add_char(command, ' ');
    }
    shell_add_word(command, text);
}

void shell_add_given(StrBuf *command, const char *words, Str text) {
    if (text.len > 0) {
        shell_add(command, words, text);
    }
}
