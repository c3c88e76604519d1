// Reads batch scripts of Slurm.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether a text is one, by its first lines: a shell is to run it, or its name says so, and `#SBATCH` lines stand in it.
bool slurm_is(Str path, Str text);

// Whether a file is called as scripts are: `.sh`, `.sbatch`, `.slurm`. Others are none in folders.
bool slurm_is_called(Str path);

// Whether something is to fill it in before.
bool slurm_is_rendered(Str text);

const struct PlanSlurmScript *slurm_read(Session *session, const Subject *file, uint32_t source);
