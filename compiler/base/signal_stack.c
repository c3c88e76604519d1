// The alternate stack of sigaltstack(2). Each thread has its own.
#include "compiler/base/signal_stack.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"

#include <signal.h>
#include <sys/mman.h>

// Large enough for the handler and what the processor saves before it.
enum { SIGNAL_STACK_BYTES = 32 * 1024 };

void signal_stack_set(void) {
    void *stack = mmap(NULL, SIGNAL_STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const stack_t alternate = { .ss_sp = stack, .ss_size = SIGNAL_STACK_BYTES };
    if (stack == MAP_FAILED) {
        die("out of memory: %d bytes for a stack of signals", (int)SIGNAL_STACK_BYTES);
    }
    if (sigaltstack(&alternate, NULL) != 0) {
        die("cannot set a stack for signals");
    }
}
