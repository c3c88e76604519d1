// Bounded text: a formatted piece goes in whole or not at all, so that what comes out never ends in half a number.
#include "stdlib/node/collective/text.h"

#include "stdlib/node/contract.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void text_put(Text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const size_t room = text->size - text->len;
    const int count = vsnprintf(text->data + text->len, room, format, arguments);
    va_end(arguments);
    if (count < 0 || (size_t)count >= room) {
        text->data[text->len] = '\0';
        text->is_cut = true;
        return;
    }
    text->len += (size_t)count;
}

void text_put_quoted(Text *text, const char *string) {
    static const char CUT[] = "...";
    char quoted[2 * NODE_TEXT_BYTES_MAX + sizeof CUT];
    size_t len = 0;
    size_t i = 0;
    for (; string[i] != '\0' && i < NODE_TEXT_BYTES_MAX; i++) {
        const char byte = string[i];
        if (byte == '"' || byte == '\\') {
            quoted[len++] = '\\';
        }
        quoted[len++] = byte >= ' ' && byte <= '~' ? byte : '?';
    }
    quoted[len] = '\0';
    text_put(text, "\"%s%s\"", quoted, string[i] == '\0' ? "" : CUT);
}

void text_into(char *room, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(room, size, format, arguments) < 0) {
        room[0] = '\0';
    }
    va_end(arguments);
}
