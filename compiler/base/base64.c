// Bytes to base64, three to four characters.
#include "compiler/base/base64.h"

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_group(StrBuf *out, Str bytes, size_t at) {
    const size_t left = bytes.len - at;
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; i++) {
        bits = bits << 8 | (i < left ? (uint8_t)bytes.data[at + i] : 0);
    }
    for (size_t i = 0; i < 4; i++) {
        strbuf_add_char(out, i > left ? '=' : DIGITS[bits >> (18 - 6 * i) & 63]);
    }
}

void base64_add_lines(StrBuf *out, Str bytes) {
    size_t column = 0;
    for (size_t at = 0; at < bytes.len; at += 3) {
        add_group(out, bytes, at);
        column += 4;
        if (column == BASE64_LINE) {
            strbuf_add_char(out, '\n');
            column = 0;
        }
    }
    if (column > 0) {
        strbuf_add_char(out, '\n');
    }
}
