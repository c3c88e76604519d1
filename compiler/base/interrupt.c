// Signals that would end dtc while it writes. They are noted, and whoever writes looks at the note where it can stop.
// The note is a `volatile sig_atomic_t`, the only mutable global of dtc.
#include "compiler/base/interrupt.h"

static volatile sig_atomic_t interrupt_seen;

static void on_interrupt(int signal_number) {
    (void)signal_number;
    interrupt_seen = 1;
}

// One that the caller ignores, as nohup does, stays ignored.
static void hold(int signal_number, struct sigaction *before) {
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    // sigaction() fails for numbers that are no signal only.
    sigaction(signal_number, NULL, before);
    if (before->sa_handler != SIG_IGN) {
        sigaction(signal_number, &action, NULL);
    }
}

void interrupts_hold(Interrupts *before) {
    hold(SIGINT, &before->interrupt);
    hold(SIGTERM, &before->terminate);
    if (before->interrupt.sa_handler != on_interrupt && before->terminate.sa_handler != on_interrupt) {
        interrupt_seen = 0;
    }
}

void interrupts_release(const Interrupts *before) {
    sigaction(SIGINT, &before->interrupt, NULL);
    sigaction(SIGTERM, &before->terminate, NULL);
}

bool interrupt_came(void) {
    return interrupt_seen != 0;
}
