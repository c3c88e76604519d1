// fork(), execve() into a file in memory, a deadline.
#include "stdlib/node/device/program.h"

#include "stdlib/node/contract.h"
#include "stdlib/node/device/child.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LOOK_MS = 5, NS_OF_MS = 1000000 };

static void become(const char *path, const char *first, const char *second, int output) {
    // FI_HMEM: libfabric (1.20 and later) would else open every GPU to say what EFA there is, for longer than it has.
    static const char *const ENVIRONMENT[] = { "PATH=/usr/bin:/bin", "LC_ALL=C", "FI_HMEM=system", NULL };
    const char *const arguments[] = { path, first, second, NULL };
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)setpgid(0, 0);
    (void)dup2(nothing, STDIN_FILENO);
    (void)dup2(output, STDOUT_FILENO);
    (void)dup2(nothing, STDERR_FILENO);
    (void)execve(path, (char *const *)arguments, (char *const *)ENVIRONMENT);
    _exit(PROGRAM_ABSENT);
}

// Its status as wait() has it.
static int await(pid_t process) {
    const int64_t deadline = child_now_ms() + NODE_PROGRAM_MS;
    int status = 0;
    pid_t ended;
    while ((ended = waitpid(process, &status, WNOHANG)) == 0 && child_now_ms() < deadline) {
        nanosleep(&(struct timespec){ .tv_nsec = LOOK_MS * NS_OF_MS }, NULL);
    }
    if (ended == 0) {
        (void)kill(-process, SIGKILL);
        (void)kill(process, SIGKILL); // before it has a group of its own
        (void)waitpid(process, NULL, 0);
        return PROGRAM_LATE << 8;
    }
    return status;
}

int program_run(const char *path, const char *first, const char *second, char output[PROGRAM_OUTPUT_BYTES]) {
    output[0] = '\0';
    (void)fflush(NULL);
    const int file = memfd_create("output", MFD_CLOEXEC);
    const pid_t process = file < 0 ? -1 : fork();
    if (process < 0) {
        (void)close(file);
        return PROGRAM_ABSENT;
    }
    if (process == 0) {
        become(path, first, second, file);
    }
    const int status = await(process);
    const ssize_t len = pread(file, output, PROGRAM_OUTPUT_BYTES - 1, 0);
    output[len > 0 ? len : 0] = '\0';
    (void)close(file);
    return WIFSIGNALED(status) ? PROGRAM_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}
