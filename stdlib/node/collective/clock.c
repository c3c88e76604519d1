// The machine's clock as one number. CLOCK_MONOTONIC ignores leap seconds and the steps of NTP, which are frequent at
// boot.
#include "stdlib/node/collective/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

uint64_t clock_ns(void) {
    struct timespec now = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t clock_waited_ns(void) {
    FILE *file = fopen("/proc/self/schedstat", "re");
    if (file == NULL) {
        return 0;
    }
    uint64_t waited = 0;
    const int count = fscanf(file, "%*u %" SCNu64, &waited);
    fclose(file);
    return count == 1 ? waited : 0;
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
