// Reads the commands of a batch script.
#pragma once

#include "compiler/plan/model/slurm_script.h"
#include "compiler/readers/slurm/slurm_words.h"

// Adds what srun starts, and launchers that run without it. A script that is not understood has none.
void slurm_read_steps(Session *session, SlurmShell *shell, PlanSlurmScript *script);
