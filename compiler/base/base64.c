// Bytes to base64, three to four characters.
#include "compiler/base/base64.h"

enum { LINE_BYTES = BASE64_LINE / 4 * 3 };

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

// A whole line, whose bytes are all there. Nearly all of a text is such lines, so this is the fast one.
static void encode_line(char *out, const uint8_t *bytes) {
    for (size_t at = 0; at < LINE_BYTES; at += 3, out += 4) {
        const uint32_t bits = (uint32_t)bytes[at] << 16 | (uint32_t)bytes[at + 1] << 8 | bytes[at + 2];
        out[0] = DIGITS[bits >> 18];
        out[1] = DIGITS[bits >> 12 & 63];
        out[2] = DIGITS[bits >> 6 & 63];
        out[3] = DIGITS[bits & 63];
    }
}

void base64_add_lines(StrBuf *out, Str bytes) {
    char line[BASE64_LINE + 1];
    line[BASE64_LINE] = '\n';
    for (; bytes.len >= LINE_BYTES; bytes = str_slice(bytes, LINE_BYTES, bytes.len)) {
        encode_line(line, (const uint8_t *)bytes.data);
        strbuf_add(out, (Str){ .data = line, .len = sizeof(line) });
    }
    size_t column = 0;
    for (size_t at = 0; at < bytes.len; at += 3, column += 4) {
        encode_group(line + column, bytes, at);
    }
    if (column > 0) {
        line[column] = '\n';
        strbuf_add(out, (Str){ .data = line, .len = column + 1 });
    }
}
