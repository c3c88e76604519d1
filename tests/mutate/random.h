// Random numbers for tests: xorshift64*, the same on every machine.
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t state; // never 0
} Random;

// Neighbouring seeds give numbers that have nothing to do with each other (the last step of splitmix64).
static inline Random random_start(uint64_t seed) {
    uint64_t state = seed + UINT64_C(0x9E3779B97F4A7C15);
    state = (state ^ state >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    state = (state ^ state >> 27) * UINT64_C(0x94D049BB133111EB);
    state ^= state >> 31;
    return (Random){ .state = state == 0 ? 1 : state };
}

// 0 up to, not including, `limit`.
static inline uint32_t random_below(Random *random, uint32_t limit) {
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * UINT64_C(2685821657736338717)) >> 33) % limit;
}
