// A program that is disturbed at one of its system calls, by ptrace(2).
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum { DO_NOTHING, DO_KILL, DO_TERMINATE, DO_FAIL } Deed;

typedef struct {
    Deed deed;
    int at;    // which call of the write phase, from 0
    int error; // of a call that is to fail
} Plan;

typedef struct {
    int status;
    int calls;         // of the write phase
    int second_rename; // which call it is
    bool is_done;
    uint64_t number; // of the call to which something was done
} Outcome;

// Runs a child, which has asked to be traced, to its end.
Outcome run_traced(pid_t child, const Plan *plan);
