// A crash on one file of many must not take what is known of the others. A second process, the spare, waits while the first
// one works. Where the first one crashes, the spare learns on what, and does the work again without that; it has its memory
// from before, which nothing has damaged. Where all goes well, it ends unseen.
#pragma once

#include "compiler/base/workers.h"

enum { CRASHES_MAX = 32 }; // that a run gets over: the processes that crashed wait for the last one

// What the work before this one crashed on.
typedef struct {
    uint32_t item;
    int signal;
} Crash;

typedef struct {
    Crash items[CRASHES_MAX];
    uint32_t count;
} Crashes;

// Starts a spare, and returns where there is work to do: at once, and again in the spare if this process crashed. `crashes`
// then has one more. Nothing may have been printed, and no thread may have been started.
void spare_start(Crashes *crashes);

const Crash *crash_on(const Crashes *crashes, uint32_t item); // NULL: none

// The work is done: the spare ends.
void spare_end(void);

// The calling thread works on an item, which is called `path`, until the second is called. `slot` is as workers.h has it.
void spare_enter(uint32_t slot, uint32_t item, const char *path);
void spare_leave(uint32_t slot);

// For the handler of a crash, which may call these: what the thread works on, or NULL; and the spare's exit status when it
// has done the work, or -1 where there is no spare for it.
const char *spare_path(void);
int spare_take_over(int signal);

// "SIGSEGV"
const char *crash_name(int signal);
