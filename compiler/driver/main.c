// The program: hands the command line to the table of commands.
#include "compiler/driver/command/command.h"

#include "compiler/base/die.h"
#include "compiler/driver/crash.h"
#include "dtc_build.h" // generated: DTC_BUILD, the version with its commit

#include <signal.h>

int main(int argc, char **argv) {
    crash_watch();
    // A file beyond `ulimit -f` is then a fault of its write(), which is reported and cleaned up after.
    const struct sigaction ignore = { .sa_handler = SIG_IGN };
    if (sigaction(SIGXFSZ, &ignore, NULL) != 0) {
        die("cannot ignore SIGXFSZ");
    }
    return (int)command_main(DTC_BUILD, argc > 0 ? argc - 1 : 0, (const char *const *)argv + 1);
}
