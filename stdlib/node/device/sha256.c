// SHA-256. The 72 constants are what the standard says they are, the first bits behind the point of roots of primes:
// they are worked out.
#include "stdlib/node/device/sha256.h"

#include <stdbool.h>

__extension__ typedef unsigned __int128 Wide;

// The first 32 bits behind the point of the square root, or cube root, of a number below 512, bit by bit: the largest
// number whose power does not pass prime * 2^64, or prime * 2^96.
static uint32_t root_fraction(unsigned number, bool is_cube) {
    uint64_t root = 0;
    for (uint64_t bit = (uint64_t)1 << 36; bit != 0; bit >>= 1) {
        const uint64_t next = root | bit;
        const Wide square = (Wide)next * next;
        const bool fits = is_cube ? square * next <= (Wide)number << 96 : square <= (Wide)number << 64;
        root = fits ? next : root;
    }
    return (uint32_t)root;
}

static bool is_prime(unsigned number) {
    for (unsigned divisor = 2; divisor < number; divisor++) {
        if (number % divisor == 0) {
            return false;
        }
    }
    return true;
}

static uint32_t turn(uint32_t word, int right) {
    return word >> right | word << (32 - right);
}

static void compress(Sha256 *hash) {
    uint32_t words[64];
    for (int i = 0; i < 64; i++) {
        if (i < 16) {
            const uint8_t *at = hash->block + 4 * i;
            words[i] = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        } else {
            const uint32_t early = words[i - 15];
            const uint32_t late = words[i - 2];
            words[i] = words[i - 16] + words[i - 7] + (turn(early, 7) ^ turn(early, 18) ^ early >> 3) +
                       (turn(late, 17) ^ turn(late, 19) ^ late >> 10);
        }
    }
    uint32_t s[8];
    for (int i = 0; i < 8; i++) {
        s[i] = hash->state[i];
    }
    for (int i = 0; i < 64; i++) {
        const uint32_t first = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                               ((s[4] & s[5]) ^ (~s[4] & s[6])) + hash->constants[i] + words[i];
        const uint32_t second =
            (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        for (int k = 7; k > 0; k--) {
            s[k] = s[k - 1];
        }
        s[4] += first;
        s[0] = first + second;
    }
    for (int i = 0; i < 8; i++) {
        hash->state[i] += s[i];
    }
}

void sha256_begin(Sha256 *hash) {
    unsigned prime = 2;
    for (int i = 0; i < 64; i++) {
        while (!is_prime(prime)) {
            prime++;
        }
        if (i < 8) {
            hash->state[i] = root_fraction(prime, false);
        }
        hash->constants[i] = root_fraction(prime, true);
        prime++;
    }
    hash->length = 0;
}

void sha256_add(Sha256 *hash, const void *data, int len) {
    for (const uint8_t *at = data; len > 0; len--) {
        hash->block[hash->length++ % 64] = *at++;
        if (hash->length % 64 == 0) {
            compress(hash);
        }
    }
}

void sha256_end(Sha256 *hash, char digits[SHA256_DIGITS]) {
    const uint64_t bits = hash->length * 8;
    sha256_add(hash, "\x80", 1);
    while (hash->length % 64 != 56) {
        sha256_add(hash, "", 1);
    }
    for (int shift = 56; shift >= 0; shift -= 8) {
        const uint8_t byte = (uint8_t)(bits >> shift);
        sha256_add(hash, &byte, 1);
    }
    for (int i = 0; i < SHA256_DIGITS; i++) {
        digits[i] = "0123456789abcdef"[hash->state[i / 8] >> (28 - i % 8 * 4) & 15];
    }
}
