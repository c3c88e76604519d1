// Bytes to base64, three to four characters.
#include "compiler/base/base64.h"

static const char DIGITS[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static uint32_t byte_at(Str bytes, size_t at) {
    return at < bytes.len ? (uint8_t)bytes.data[at] : 0;
}

// Up to three bytes from `at` on, as four characters.
static void encode_group(char *out, Str bytes, size_t at) {
    const uint32_t bits = byte_at(bytes, at) << 16 | byte_at(bytes, at + 1) << 8 | byte_at(bytes, at + 2);
    out[0] = DIGITS[bits >> 18];
    out[1] = DIGITS[bits >> 12 & 63];
    out[2] = at + 1 < bytes.len ? DIGITS[bits >> 6 & 63] : '=';
    out[3] = at + 2 < bytes.len ? DIGITS[bits & 63] : '=';
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
