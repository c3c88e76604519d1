// Bytes to base64, three to four characters.
#include "compiler/base/base64.h"

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Up to three bytes from `at` on, as four characters.
static void encode_group(char *out, Str bytes, size_t at) {
    const size_t left = bytes.len - at;
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; i++) {
        bits = bits << 8 | (i < left ? (uint8_t)bytes.data[at + i] : 0);
    }
    for (size_t i = 0; i < 4; i++) {
        out[i] = i > left ? '=' : DIGITS[bits >> (18 - 6 * i) & 63];
    }
}

void base64_add_lines(StrBuf *out, Str bytes) {
    char line[BASE64_LINE + 1];
    size_t column = 0;
    for (size_t at = 0; at < bytes.len; at += 3) {
        encode_group(line + column, bytes, at);
        column += 4;
        if (column == BASE64_LINE || at + 3 >= bytes.len) {
            line[column] = '\n';
            strbuf_add(out, (Str){ .data = line, .len = column + 1 });
            column = 0;
        }
    }
}
