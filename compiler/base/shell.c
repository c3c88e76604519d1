// Quotes words for a POSIX shell. Between single quotes nothing means anything but the single quote itself, which stands
// between them as '\''.
#include "compiler/base/shell.h"

void shell_add_word(StrBuf *out, Str text) {
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:@%+";
    bool is_plain = text.len > 0;
    for (size_t i = 0; i < text.len && is_plain; i++) {
        is_plain = text.data[i] != '\0' && strchr(PLAIN, text.data[i]) != NULL;
    }
    if (is_plain) {
        strbuf_add(out, text);
        return;
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
