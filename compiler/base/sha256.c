// A sum by nettle, which has it in the processor's own instructions where there are such, and its bytes as digits.
#include "compiler/base/sha256.h"

#include <nettle/sha2.h>

struct Sha256Start {
    struct sha256_ctx context;
};

static Str digits_of(Arena *arena, struct sha256_ctx *context) {
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof(digest), digest);
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
    sha256_init(&start->context);
    sha256_update(&start->context, text.len, (const uint8_t *)text.data);
    return start;
}

Str sha256_finish(Arena *arena, const Sha256Start *start, Str rest) {
    struct sha256_ctx context = start->context;
    sha256_update(&context, rest.len, (const uint8_t *)rest.data);
    return digits_of(arena, &context);
}

Str sha256_text(Arena *arena, Str text) {
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, text.len, (const uint8_t *)text.data);
    return digits_of(arena, &context);
}
