// Jobs of a cluster on Slurm: a script for sbatch each.
#pragma once

#include "emitters/emitter.h"

Emit slurm_emit;
