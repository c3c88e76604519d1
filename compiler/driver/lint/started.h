// Scripts that a batch script starts by srun, and that stand beside it.
#pragma once

#include "compiler/readers/foreign.h"

// Tells the plans of a file what launchers the scripts start that its steps name.
void started_find(Session *session, uint32_t source, const ForeignFile *file);
