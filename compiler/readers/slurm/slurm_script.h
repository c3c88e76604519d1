// Reads batch scripts of Slurm, and other scripts of a shell that launch.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether a text is a batch script, by its first lines: a shell is to run it, or its name says so, and `#SBATCH` lines stand in it.
bool slurm_is(Str path, Str text);

// Whether a file is called as scripts are: `.sh`, `.sbatch`, `.slurm`. Others are none in folders.
bool slurm_is_called(Str path);

// Whether a shell is to run it, by its first line, or by its name where that says nothing.
bool slurm_is_of_shell(Str path, Str text);

// Whether it starts a launcher, srun or sbatch.
bool slurm_launches(const struct PlanSlurmScript *script);

// Whether something is to fill it in before.
bool slurm_is_rendered(Str text);

const struct PlanSlurmScript *slurm_read(Session *session, const Subject *file, uint32_t source);
