// What dtc says when it crashes. Memory may be broken then, so the handler calls only what a signal handler may:
// write(), waitpid() and _exit(). Where a spare process waits, that goes on with the other files. Files of an output
// that was begun keep their temporary names, and the next dtc removes them.
#include "compiler/driver/crash.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/signal_stack.h"
#include "compiler/driver/command/command.h"
#include "compiler/driver/spare.h"
#include "dtc_build.h" // generated: DTC_BUILD, the version with its commit

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static void say(const char *text) {
    size_t length = 0; // strlen() is safe in a handler since POSIX.1-2016 alone
    while (text[length] != '\0') {
        length++;
    }
    ssize_t written = write(STDERR_FILENO, text, length);
    (void)written;
}

// A path may hold what a terminal would act upon.
static void say_plain(const char *text) {
    char sign[2] = { 0 };
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        sign[0] = c < ' ' || c == 0x7F ? '?' : *text;
        say(sign);
    }
}

// Of several threads that crash the first one speaks for all.
static void on_crash(int signal_number) {
    static atomic_flag is_speaking = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&is_speaking)) {
        pause();
    }
    const char *path = spare_path();
    say("dtc: internal error: ");
    say(crash_name(signal_number));
    say(" in dtc " DTC_BUILD);
    if (path != NULL) {
        say(" at ");
        say_plain(path);
    }
    say("\n");
    say("dtc: this is a bug in dtc, not in the source: please report it with these lines, the command, and the source "
        "with the files that it uses\n");
    const int status = spare_take_over(signal_number);
    _exit(status < 0 ? STATUS_INTERNAL : status);
}

void crash_watch(void) {
    signal_stack_set();
    // A handler that fails in its turn ends the program at once: its signals are blocked.
    struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK };
    static const int SIGNALS[] = {
        SIGABRT,
#ifndef __SANITIZE_ADDRESS__ // which says more of these than we can
        SIGSEGV, SIGBUS, SIGFPE, SIGILL,
#endif
    };
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        sigaddset(&action.sa_mask, SIGNALS[i]);
    }
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        if (sigaction(SIGNALS[i], &action, NULL) != 0) {
            die("cannot handle signal %d", SIGNALS[i]);
        }
    }
}
