// A build that goes on behind mistakes of words, names and types: what else is wrong in their blocks comes in the same
// run.
#pragma once

#include "compiler/driver/chain.h"

enum {
    MENDED_BUILDS_MAX = 200,             // of one run, each some milliseconds
    MENDED_BYTES_MAX = 64 * 1024 * 1024, // that the first build and all others may take: what takes long takes memory
    MENDED_STEPS_MAX = 20 * 1000 * 1000, // or steps (Session.step_count): as many take some tenths of a second
};

// build(). While the program has mistakes that leave blocks out, it is built again, in memory, as though they were mended.
// What is wrong then and was not said is added, at its place in the author's text. A mistake that has a fix is mended by
// that. Of one with guesses (diag.h) only that is added which comes up with every guess, and does not point to the place.
// The session counts what these builds take: `beside_bytes`, `step_count`.
Build build_mended(Session *session, const BuildRequest *request);
