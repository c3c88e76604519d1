// Makes names of environment variables from those of parameters.
#include "emitters/deployment/variable.h"

#include "schema/names.h"

// Beside those of shells the one that the command takes itself: `Path="${PATH:?}"` would always find a value, and never
// the one that is meant.
static bool is_taken(Str name) {
    return names_have(NAMES_SHELL_VARIABLES, name) || names_beginning(NAMES_SHELL_VARIABLE_BEGINNINGS, name) != NULL ||
           str_is(name, "S3_BUCKET");
}

void variable_add(StrBuf *text, Str parameter) {
    const size_t start = text->len;
    for (size_t i = 0; i < parameter.len; i++) {
        char c = parameter.data[i];
        bool is_upper = c >= 'A' && c <= 'Z';
        if (is_upper && i > 0) {
            strbuf_add_char(text, '_');
        }
        strbuf_add_char(text, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
    if (is_taken(str_slice(strbuf_str(text), start, text->len))) {
        strbuf_add_char(text, '_');
    }
}
