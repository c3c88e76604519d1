// Work that may hang within a driver, in a process of its own: it is ended after its time, and where even that does not
// end it, left alone.
#pragma once

#include <stdint.h>

typedef enum ChildEnd {
    CHILD_DONE,
    CHILD_HUNG,    // it was ended
    CHILD_CRASHED, // by a signal of its own
    CHILD_NONE,    // it could not be started
} ChildEnd;

// Runs `work` for at most `limit_ms`. What it writes to standard output goes to standard error.
ChildEnd child_run(void (*work)(void *), void *context, int64_t limit_ms);

int64_t child_now_ms(void);

// Memory that this process and its children share, filled with zeros; NULL: there is none.
void *child_memory(uint64_t bytes);
