// The program: hands the command line to the table of commands. An internal check that fails (assert) is dtc's own
// fault, and says so.
#include "compiler/driver/command.h"

#include <signal.h>
#include <unistd.h>

// Only what is safe in a signal handler: write() and _exit().
static void on_abort(int signal_number) {
    static const char TEXT[] = "dtc: this is a bug in dtc, not in the source: please report it with the line above\n";
    (void)signal_number;
    ssize_t written = write(STDERR_FILENO, TEXT, sizeof(TEXT) - 1);
    (void)written;
    _exit(STATUS_INTERNAL);
}

int main(int argc, char **argv) {
    struct sigaction action = { .sa_handler = on_abort };
    if (sigaction(SIGABRT, &action, NULL) != 0) {
        die("cannot handle SIGABRT");
    }
    // A file beyond `ulimit -f` is then a fault of its write(), which is reported and cleaned up after.
    const struct sigaction ignore = { .sa_handler = SIG_IGN };
    if (sigaction(SIGXFSZ, &ignore, NULL) != 0) {
        die("cannot ignore SIGXFSZ");
    }
    return (int)command_main(argc > 0 ? argc - 1 : 0, (const char *const *)argv + 1);
}
