// Reads which variables a script sets for what it starts.
#pragma once

#include "compiler/plan/model/slurm_script.h"
#include "compiler/readers/slurm/slurm_words.h"
#include "compiler/script/shell_commands.h"

// Of one command: those before it, those of `export`, and those that an option of mpirun or of docker hands on.
void slurm_add_sets(const SlurmShell *shell, const ShellSimple *command, PlanLauncherVariables *sets);

// Those of `--export` and `--container-env`.
void slurm_add_options(const SlurmShell *shell, const PlanSlurmOptions *options, PlanLauncherVariables *sets);
