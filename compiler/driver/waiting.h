// Files that cannot be written yet, because they need what only a deployed stack can tell.
#pragma once

#include "emitters/emitter.h"

// Reports facts files that have no stack of this build and, where the build has to be complete, files that wait.
void waiting_check(Session *session, const Facts *facts, const Output *output, bool must_be_complete);

// The list `waiting` of plan.json: each file with the facts it misses and the commands that get them.
Data *waiting_data(Arena *arena, const Output *output);

// The same for people: one line a file, one a command.
void waiting_print(StrBuf *out, const Output *output);
