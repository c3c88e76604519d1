// A sum by libmd, and its bytes as digits.
#include "compiler/base/sha256.h"

#include <sha256.h>

Str sha256_text(Arena *arena, Str text) {
    SHA2_CTX context;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)text.data, text.len);
    SHA256Final(digest, &context);
    static const char DIGITS[] = "0123456789abcdef";
    char *digits = arena_alloc(arena, 2 * sizeof(digest));
    for (size_t i = 0; i < sizeof(digest); i++) {
        digits[2 * i] = DIGITS[digest[i] >> 4];
        digits[2 * i + 1] = DIGITS[digest[i] & 15];
    }
    return (Str){ .data = digits, .len = 2 * sizeof(digest) };
}
