// Computes a sum with nettle, which uses the processor's own instructions where it has them. Writes the sum as
// hexadecimal digits.
#include "compiler/base/sha256.h"

#include <nettle/sha2.h>

Str sha256_text(Arena *arena, Str text) {
    static const char DIGITS[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, text.len, (const uint8_t *)text.data);
    sha256_digest(&context, sizeof(digest), digest);
    char *digits = arena_alloc(arena, 2 * sizeof(digest));
    for (size_t i = 0; i < sizeof(digest); i++) {
        digits[2 * i] = DIGITS[digest[i] >> 4];
        digits[2 * i + 1] = DIGITS[digest[i] & 15];
    }
    return (Str){ .data = digits, .len = 2 * sizeof(digest) };
}
