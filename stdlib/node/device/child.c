// fork(), a deadline, SIGKILL. A process that waits for a driver cannot always be killed.
#include "stdlib/node/device/child.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 5, FAREWELL_MS = 500, NS_OF_MS = 1000000 };

int64_t child_now_ms(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / NS_OF_MS;
}

void *child_memory(uint64_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// Whether it ended before the deadline.
static int await(pid_t child, int *status, int64_t deadline) {
    pid_t ended;
    while ((ended = waitpid(child, status, WNOHANG)) == 0 && child_now_ms() < deadline) {
        nanosleep(&(struct timespec){ .tv_nsec = LOOK_MS * NS_OF_MS }, NULL);
    }
    return ended != 0;
}

ChildEnd child_run(void (*work)(void *), void *context, int64_t limit_ms) {
    int status = 0;
    (void)fflush(NULL);
    const pid_t child = fork();
    if (child < 0) {
        return CHILD_NONE;
    }
    if (child == 0) {
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
        work(context);
        _exit(0);
    }
    if (!await(child, &status, child_now_ms() + limit_ms)) {
        (void)kill(child, SIGKILL);
        (void)await(child, &status, child_now_ms() + FAREWELL_MS);
        return CHILD_HUNG;
    }
    return WIFSIGNALED(status) ? CHILD_CRASHED : CHILD_DONE;
}
