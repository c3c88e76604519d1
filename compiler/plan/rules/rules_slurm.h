// Settings of Slurm, held against the tables of names and values, wherever they are written.
#pragma once

#include "compiler/plan/rules/rules.h"

typedef enum { SLURM_CLUSTER, SLURM_NODE, SLURM_PARTITION } SlurmPlace;

// `settings` is a map; anything else, and NULL, is nothing to judge.
void slurm_check_names(const Rules *rules, const Subject *subject, const Value *settings, SlurmPlace place);
void slurm_check_values(const Rules *rules, const Subject *subject, const Value *settings, SlurmPlace place);
