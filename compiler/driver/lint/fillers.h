// What fills in a file before somebody applies it: scripts beside it, or the one who renders a file of its name.
#pragma once

#include "compiler/readers/foreign.h"

// Tells the plans of a file with placeholders what the scripts in its folder replace, whether they were given or not.
void fillers_find(Session *session, uint32_t source, const ForeignFile *file);

// Hides what was reported from a number on about words of the file that these scripts replace.
void fillers_hide(Session *session, const ForeignFile *file, uint32_t first);
