// A stack for signals, so that what happens on a stack that is used up can still be said.
#pragma once

// Gives the calling thread one, of pages that cost nothing while nothing crashes. It stays until the program ends. Ends
// the program where the machine has no memory for it.
void signal_stack_set(void);
