// Files that cannot be written yet, because they need facts of a deployed stack.
#pragma once

#include "emitters/emitter.h"

// Reports facts files that have no stack of this build and, where the build has to be complete, files that wait.
void waiting_check(Session *session, const Facts *facts, const Output *output, bool must_be_complete);

// The list `waiting` of plan.json: each file with the facts it misses and the commands that get them.
Data *waiting_data(Arena *arena, const Output *output);

// What a file misses, for people: "PublicSubnet and PrivateSubnet of the stack lab, the param `key`".
Str waiting_describe(Arena *arena, const Artifact *artifact);

// The command that gets the facts of a stack, and the file that it writes them to, in the directory it is typed in.
Str waiting_command(Arena *arena, const MissingFact *fact);
Str waiting_file(Arena *arena, Str stack);
