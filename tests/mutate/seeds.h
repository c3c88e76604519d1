// The sources of the fixtures, with what belongs to each: its folder, its options, a file of params or facts.
#pragma once

#include "tests/mutate/mutate.h"

enum { SEED_OPTIONS_MAX = 64 };

typedef struct {
    Str folder; // from the root, ends in `/`
    Str file;   // in it
    Str text;
    Str data_file; // params.json, params.yaml or facts.json; empty without
    Str data;
    const char *options[SEED_OPTIONS_MAX]; // of the command line
    int option_count;
    bool is_right; // as it is, it has no error
} Seed;

typedef VEC(Seed) Seeds;

// All under `fixtures`, in the order of their paths, and what they have in them.
void seeds_load(Arena *arena, const char *fixtures, Seeds *seeds, Harvest *harvest);
