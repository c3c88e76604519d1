// SIGINT and SIGTERM, held back to the next safe point.
#pragma once

#include "compiler/base/base.h"

#include <signal.h>

// What stood before, for interrupts_release().
typedef struct {
    struct sigaction interrupt;
    struct sigaction terminate;
} Interrupts;

// From here on both signals are noted, and nothing else comes of them. Holds may be nested.
void interrupts_hold(Interrupts *before);
void interrupts_release(const Interrupts *before);

// True once one came, until the next outermost interrupts_hold().
bool interrupt_came(void);
