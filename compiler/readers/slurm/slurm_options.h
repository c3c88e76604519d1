// Takes options of sbatch and srun apart, as getopt_long does.
#pragma once

#include "compiler/plan/model/slurm_script.h"
#include "compiler/readers/slurm/slurm_words.h"

// Where the options end: at the first word that is none, or the count of the words. `*is_vague` where a word may stand for
// options that nobody sees, or where nobody knows whether an option takes the next word.
uint32_t slurm_read_options(const SlurmShell *shell, const SlurmWords *words, SlurmProgram program,
                            PlanSlurmOptions *options, bool *is_vague);

// The same of `#SBATCH` lines, which no shell reads.
uint32_t slurm_read_lines(const SlurmShell *shell, const SlurmWords *words, PlanSlurmOptions *options);
