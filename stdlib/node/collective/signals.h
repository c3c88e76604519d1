// Signals that ask the program to end. They are noted and not obeyed at once, so that the program can leave a verdict.
#pragma once

#include <stdbool.h>

// From now on SIGINT and SIGTERM wait until they are looked for, and output that nobody reads is an error and no end.
void signals_hold(void);

// For a child: as before signals_hold().
void signals_release(void);

// Whether one has come. It stays so.
bool signals_have_come(void);
