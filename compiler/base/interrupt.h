// SIGINT and SIGTERM, which wait until the program reaches a safe point.
#pragma once

#include "compiler/base/base.h"

#include <signal.h>

// How both signals were handled before, for interrupts_release().
typedef struct {
    struct sigaction interrupt;
    struct sigaction terminate;
} Interrupts;

// From here on a signal is only noted, until interrupts_release(). Holds may be nested.
void interrupts_hold(Interrupts *before);
void interrupts_release(const Interrupts *before);

// Whether a signal came since the outermost interrupts_hold(), or the last one where none holds.
bool interrupt_came(void);
