// Writes down which lines of emitters and rules a program runs, for tests/mutants.sh. gcc calls
// __sanitizer_cov_trace_pc() at the start of each basic block. Where REACHED names a file, the addresses of these calls
// in the library are added to it when the program ends, a line each.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN = 1 << 24 }; // the library's code is smaller

static const char *file;
static uintptr_t base;
static unsigned char is_reached[SPAN];

void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void) {
    const uintptr_t offset = (uintptr_t)__builtin_return_address(0) - base;
    if (file != NULL && offset < SPAN) {
        is_reached[offset] = 1;
    }
}

__attribute__((constructor)) static void begin(void) {
    Dl_info info;
    file = getenv("REACHED");
    if (dladdr((void *)begin, &info) != 0) {
        base = (uintptr_t)info.dli_fbase;
    }
}

__attribute__((destructor)) static void end(void) {
    FILE *out = file == NULL ? NULL : fopen(file, "a");
    if (out == NULL) {
        return;
    }
    for (uintptr_t i = 0; i < SPAN; i++) {
        const unsigned char *next = memchr(is_reached + i, 1, SPAN - i);
        if (next == NULL) {
            break;
        }
        i = (uintptr_t)(next - is_reached);
        fprintf(out, "0x%lx\n", (unsigned long)i - 1); // of the call, not of what follows it
    }
    fclose(out);
}
