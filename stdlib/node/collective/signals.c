// Blocked signals stay pending, which is looked at from time to time. A handler would need a variable of the whole
// program; and without either, the first process of a container, as which orchestrators start this one, would never
// hear of a SIGTERM.
#include "stdlib/node/collective/signals.h"

#include <signal.h>
#include <stddef.h>

static sigset_t of_an_end(void) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void signals_hold(void) {
    const sigset_t set = of_an_end();
    // Neither can fail: the signals and the way to treat them are valid.
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    (void)signal(SIGPIPE, SIG_IGN);
}

void signals_release(void) {
    const sigset_t set = of_an_end();
    (void)signal(SIGPIPE, SIG_DFL);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

bool signals_have_come(void) {
    sigset_t pending;
    return sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1);
}
