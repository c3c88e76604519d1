// How much of a product of cases a test tries: `SAMPLE=N` in the environment asks for one of N. tests/suites has it for
// sanitized builds, which take several times as long; plain ones try all.
#pragma once

#include <stdlib.h>

static inline unsigned sample_size(void) {
    const char *sample = getenv("SAMPLE");
    const unsigned long size = sample == NULL ? 1 : strtoul(sample, NULL, 10);
    return size == 0 ? 1 : (unsigned)size;
}
