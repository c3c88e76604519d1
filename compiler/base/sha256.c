// Computes a sum with nettle, which uses the processor's own instructions where it has them. Writes the sum as
// hexadecimal digits.
#include "compiler/base/sha256.h"

#include "compiler/base/file.h"

#include <errno.h>
#include <nettle/sha2.h>

static Str end_sum(Arena *arena, struct sha256_ctx *context) {
    static const char DIGITS[] = "0123456789abcdef";
    uint8_t digest[SHA256_DIGEST_SIZE];
    sha256_digest(context, sizeof(digest), digest);
    char *digits = arena_alloc(arena, 2 * sizeof(digest));
    for (size_t i = 0; i < sizeof(digest); i++) {
        digits[2 * i] = DIGITS[digest[i] >> 4];
        digits[2 * i + 1] = DIGITS[digest[i] & 15];
    }
    return (Str){ .data = digits, .len = 2 * sizeof(digest) };
}

Str sha256_text(Arena *arena, Str text) {
    struct sha256_ctx context;
    sha256_init(&context);
    sha256_update(&context, text.len, (const uint8_t *)text.data);
    return end_sum(arena, &context);
}

const char *sha256_file(Arena *arena, int file, uint64_t bytes_max, Str *sum, uint64_t *bytes) {
    enum { BLOCK = 64 * 1024 };
    uint8_t block[BLOCK];
    struct sha256_ctx context;
    sha256_init(&context);
    *bytes = 0;
    for (;;) {
        const ssize_t got = file_read_some(file, block, sizeof(block));
        if (got < 0) {
            return file_fault(arena, errno);
        }
        if (got == 0) {
            break;
        }
        *bytes += (uint64_t)got;
        if (*bytes > bytes_max) {
            return FILE_TOO_LARGE;
        }
        sha256_update(&context, (size_t)got, block);
    }
    *sum = end_sum(arena, &context);
    return NULL;
}
