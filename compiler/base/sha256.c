// A sum by libmd, and its bytes as digits.
#include "compiler/base/sha256.h"

#include <sha256.h>

struct Sha256Start {
    SHA2_CTX context;
};

static Str digits_of(Arena *arena, SHA2_CTX *context) {
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA256Final(digest, context);
    static const char DIGITS[] = "0123456789abcdef";
    char *digits = arena_alloc(arena, 2 * sizeof(digest));
    for (size_t i = 0; i < sizeof(digest); i++) {
        digits[2 * i] = DIGITS[digest[i] >> 4];
        digits[2 * i + 1] = DIGITS[digest[i] & 15];
    }
    return (Str){ .data = digits, .len = 2 * sizeof(digest) };
}

Sha256Start *sha256_start(Arena *arena, Str text) {
    Sha256Start *start = arena_new(arena, Sha256Start);
    SHA256Init(&start->context);
    SHA256Update(&start->context, (const uint8_t *)text.data, text.len);
    return start;
}

Str sha256_finish(Arena *arena, const Sha256Start *start, Str rest) {
    SHA2_CTX context = start->context;
    SHA256Update(&context, (const uint8_t *)rest.data, rest.len);
    return digits_of(arena, &context);
}

Str sha256_text(Arena *arena, Str text) {
    SHA2_CTX context;
    SHA256Init(&context);
    SHA256Update(&context, (const uint8_t *)text.data, text.len);
    return digits_of(arena, &context);
}
