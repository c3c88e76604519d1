// Between which numbers what a shell works out lies: `$((60000 + $SLURM_JOB_ID % 10000))`.
#pragma once

#include "compiler/base/str.h"

typedef struct {
    bool is_known;
    int64_t least;
    int64_t most;
} ShellAmount;

// What a variable may be.
typedef ShellAmount ShellAmountOf(const void *context, Str name);

ShellAmount shell_amount_of_number(int64_t number);

// Of a number, a variable, `$((…))`, `$(expr …)`, and `$(echo -n $NAME | tail -c 4)`. Of another text nothing is known.
ShellAmount shell_amount(Str text, ShellAmountOf *amount_of, const void *context);
