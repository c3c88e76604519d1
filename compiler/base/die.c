// Ends the program when the machine fails.
#include "compiler/base/die.h"

#include <stdarg.h>

_Noreturn void die(const char *format, ...) {
    enum { EXIT_MACHINE = 3 };
    va_list arguments;
    va_start(arguments, format);
    flockfile(stderr); // and it stays so: who dies beside this one waits for the end
    fputs("dtc: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_MACHINE);
}
