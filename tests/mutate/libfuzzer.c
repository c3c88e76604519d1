// The mutants as libFuzzer takes them, for fuzz_build: half of its inputs are changed by their values, half by their
// bytes.
#include "tests/mutate/seeds.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

// libFuzzer hands its mutator no context.
static const Harvest *harvest_once(void) {
    static Harvest *harvest;
    if (harvest == NULL) {
        Arena *arena = arena_create();
        Seeds seeds = { 0 };
        harvest = arena_new(arena, Harvest);
        *harvest = (Harvest){ .arena = arena, .values = { .arena = arena }, .blocks = { .arena = arena } };
        seeds_load(arena, "fixtures", &seeds, harvest);
    }
    return harvest;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    const Str text = { .data = (const char *)data, .len = size };
    size_t bad = 0;
    Random random = random_start(seed);
    if (random_below(&random, 2) == 0 || !str_is_utf8(text, &bad) || memchr(data, 0, size) != NULL) {
        return LLVMFuzzerMutate(data, size, max_size);
    }
    Arena *arena = arena_create();
    const Str mutant = mutate_program(arena, &random, harvest_once(), str_copy(arena, text));
    size = mutant.len < max_size ? mutant.len : max_size;
    if (size > 0) { // an empty text may have no address
        memcpy(data, mutant.data, size);
    }
    arena_destroy(arena);
    return size;
}
