// Signals that would end dtc while it writes. The handler only notes them. Whoever writes looks at the note where it
// can stop. The note is a `volatile sig_atomic_t`, the only mutable global of dtc.
#include "compiler/base/interrupt.h"

static volatile sig_atomic_t interrupt_seen;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupt_seen = 1;
}

// A signal that the caller ignores, as under nohup, stays ignored.
static void hold(int signal_number, const struct sigaction *before) {
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    if (before->sa_handler != SIG_IGN) {
        sigaction(signal_number, &action, NULL);
    }
}

// No result of sigaction() is looked at: it fails only for a number that is no signal.
void interrupts_hold(Interrupts *before) {
    sigaction(SIGINT, NULL, &before->interrupt);
    sigaction(SIGTERM, NULL, &before->terminate);
    // Cleared before the first handler is set: a signal that came between the two would be forgotten.
    if (before->interrupt.sa_handler != on_interrupt && before->terminate.sa_handler != on_interrupt) {
        interrupt_seen = 0;
    }
    hold(SIGINT, &before->interrupt);
    hold(SIGTERM, &before->terminate);
}

void interrupts_release(const Interrupts *before) {
    sigaction(SIGINT, &before->interrupt, NULL);
    sigaction(SIGTERM, &before->terminate, NULL);
}

bool interrupt_came(void) {
    return interrupt_seen != 0;
}
