// Of what may be locked, a process is often given less than it may take: Slurm hands on the limit of the shell that
// submitted. CAP_IPC_LOCK lifts the limit altogether, as in the pod of a first job on EKS.
#include "stdlib/node/collective/memlock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum {
    IPC_LOCK = 14, // its bit: capabilities(7)
    STATUS_BYTES = 4096,
    MIB_SHIFT = 20,
    HEXADECIMAL = 16,
};

bool memlock_is_lifted(const char *status) {
    static const char KEY[] = "\nCapEff:";
    const char *at = strstr(status, KEY);
    return at != NULL && (strtoull(at + sizeof KEY - 1, NULL, HEXADECIMAL) >> IPC_LOCK & 1) != 0;
}

static bool is_lifted(void) {
    char status[STATUS_BYTES] = "";
    FILE *file = fopen("/proc/self/status", "re");
    if (file == NULL) {
        return false;
    }
    const size_t len = fread(status, 1, sizeof status - 1, file);
    (void)fclose(file);
    status[len] = '\0';
    return memlock_is_lifted(status);
}

uint32_t memlock_raise(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) {
        return MEMLOCK_NO_LIMIT;
    }
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_MEMLOCK, &limit);
    if (limit.rlim_max == RLIM_INFINITY || is_lifted()) {
        return MEMLOCK_NO_LIMIT;
    }
    const uint64_t mib = limit.rlim_max >> MIB_SHIFT;
    return mib < MEMLOCK_NO_LIMIT ? (uint32_t)mib : MEMLOCK_NO_LIMIT;
}
