// SHA-256 (FIPS 180-4) of data that comes in pieces.
#pragma once

#include <stdint.h>

enum { SHA256_DIGITS = 64 };

typedef struct {
    uint32_t state[8];
    uint32_t constants[64];
    uint64_t length; // in bytes, so far
    uint8_t block[64];
} Sha256;

void sha256_begin(Sha256 *hash);
void sha256_add(Sha256 *hash, const void *data, int len);
void sha256_end(Sha256 *hash, char digits[SHA256_DIGITS]); // without a NUL behind them
