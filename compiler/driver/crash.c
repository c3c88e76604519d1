// What dtc says when it crashes. Memory may be broken then, so the handler calls only what a signal handler may:
// write() and _exit(). Files of an output that was begun keep their temporary names, and the next dtc removes them.
#include "compiler/driver/crash.h"

#include "compiler/base/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/signal_stack.h"
#include "compiler/driver/command/command.h"
#include "dtc_build.h" // generated: DTC_BUILD, the version with its commit

#include <signal.h>
#include <unistd.h>

static const char *name_of(int signal_number) {
    switch (signal_number) {
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

static void say(const char *text) {
    size_t length = 0; // strlen() is safe in a handler since POSIX.1-2016 alone
    while (text[length] != '\0') {
        length++;
    }
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
}

static void on_crash(int signal_number) {
    say("dtc: internal error: ");
    say(name_of(signal_number));
    say(" in dtc " DTC_BUILD "\n");
    say("dtc: this is a bug in dtc, not in the source: please report it with these lines, the command, and the source "
        "with the files that it uses\n");
    _exit(STATUS_INTERNAL);
}

void crash_watch(void) {
    signal_stack_set();
    // A handler that fails in its turn ends the program at once.
    const struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND };
    static const int SIGNALS[] = {
        SIGABRT,
#ifndef __SANITIZE_ADDRESS__ // which says more of these than we can
        SIGSEGV, SIGBUS, SIGFPE, SIGILL,
#endif
    };
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        if (sigaction(SIGNALS[i], &action, NULL) != 0) {
            die("cannot handle signal %d", SIGNALS[i]);
        }
    }
}
