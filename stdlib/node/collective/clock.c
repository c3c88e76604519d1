// The machine's clock as one number. CLOCK_MONOTONIC ignores leap seconds and the steps of NTP, which are frequent at
// boot.
#include "stdlib/node/collective/clock.h"

#include <time.h>

uint64_t clock_ns(void) {
    struct timespec now = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

int clock_left_ms(uint64_t deadline_ns, int ms_max) {
    const uint64_t now = clock_ns();
    if (now >= deadline_ns) {
        return 0;
    }
    // Rounded up, so that a wait does not end a moment before its deadline and spin.
    const uint64_t left = (deadline_ns - now) / NS_PER_MS + 1;
    return left < (uint64_t)ms_max ? (int)left : ms_max;
}
