// Signals that ask to end, noticed instead of obeyed, so that whoever is told to go leaves a verdict behind.
#pragma once

#include <stdbool.h>

// From now on SIGINT and SIGTERM wait until they are looked for, and output that nobody reads is an error and no end.
void signals_hold(void);

// For a child: as before signals_hold().
void signals_release(void);

// Whether one has come. It stays so.
bool signals_have_come(void);
