// The two processes have a pipe between them. The spare reads it. It gets a crash, or the end of the pipe, since a process
// that ends closes it, however it ends.
#include "compiler/driver/spare.h"

#include "compiler/base/diag/diag.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NO_PIPE = -1 };

// A thread writes its own slot, and reads no other one: its handler runs in it.
typedef struct {
    volatile pid_t thread; // 0: nobody
    volatile uint32_t item;
    const char *volatile path;
} Work;

// A handler is given nothing but a number, so that this is a variable of the program.
static struct {
    volatile int pipe; // to the spare
    volatile pid_t process;
    Work works[SLOTS_MAX];
} spare = { .pipe = NO_PIPE };

const char *crash_name(int signal) {
    switch (signal) {
    case SIGSEGV:
        return "SIGSEGV";
    case SIGBUS:
        return "SIGBUS";
    case SIGFPE:
        return "SIGFPE";
    case SIGILL:
        return "SIGILL";
    default:
        return "SIGABRT";
    }
}

static bool wait_for_crash(int from, Crash *crash) {
    ssize_t length;
    do {
        length = read(from, crash, sizeof *crash);
    } while (length < 0 && errno == EINTR);
    close(from);
    return length == (ssize_t)sizeof *crash;
}

// False in the process that works, also where no other one can be had; true in the spare, if that one crashed.
static bool split(Crash *crash) {
    int ends[2];
    spare.pipe = NO_PIPE;
    if (pipe(ends) != 0) {
        return false;
    }
    const pid_t child = fork();
    if (child != 0) {
        close(ends[0]);
        if (child < 0) {
            close(ends[1]);
            return false;
        }
        spare.process = child;
        spare.pipe = ends[1];
        return false;
    }
    close(ends[1]);
    for (size_t i = 0; i < COUNT_OF(spare.works); i++) {
        spare.works[i] = (Work){ 0 };
    }
    if (!wait_for_crash(ends[0], crash)) {
        _exit(0);
    }
    return true;
}

void spare_start(Crashes *crashes) {
    Crash crash;
    while (crashes->count < CRASHES_MAX && split(&crash)) {
        crashes->items[crashes->count++] = crash;
    }
}

const Crash *crash_on(const Crashes *crashes, uint32_t item) {
    for (uint32_t i = 0; i < crashes->count; i++) {
        if (crashes->items[i].item == item) {
            return &crashes->items[i];
        }
    }
    return NULL;
}

void spare_end(void) {
    if (spare.pipe == NO_PIPE) {
        return;
    }
    const int end = spare.pipe;
    spare.pipe = NO_PIPE;
    close(end);
    while (waitpid(spare.process, NULL, 0) < 0 && errno == EINTR) {}
}

void spare_enter(uint32_t slot, uint32_t item, const char *path) {
    spare.works[slot].item = item;
    spare.works[slot].path = path;
    spare.works[slot].thread = gettid();
}

void spare_leave(uint32_t slot) {
    spare.works[slot].thread = 0;
}

static const Work *own_work(void) {
    const pid_t thread = gettid();
    for (size_t i = 0; i < COUNT_OF(spare.works); i++) {
        if (spare.works[i].thread == thread) {
            return &spare.works[i];
        }
    }
    return NULL;
}

const char *spare_path(void) {
    const Work *work = own_work();
    return work == NULL ? NULL : work->path;
}

int spare_take_over(int signal) {
    const Work *work = own_work();
    if (work == NULL || spare.pipe == NO_PIPE) {
        return -1;
    }
    const Crash crash = { .item = work->item, .signal = signal };
    int status = 0;
    if (write(spare.pipe, &crash, sizeof crash) != (ssize_t)sizeof crash) {
        return -1;
    }
    while (waitpid(spare.process, &status, 0) < 0) {
        if (errno != EINTR) {
            return -1;
        }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
