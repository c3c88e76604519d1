// Rules about batch scripts of Slurm, and the cluster configuration of ParallelCluster in a file beside theirs.
#pragma once

#include "compiler/plan/rules/together.h"

// Whether a plan has queues of Slurm, which scripts name as partitions.
bool partitions_are_in(const Plan *plan);

// Reports where the batch script of `plan` asks for a partition that the cluster of `beside` does not have, or for more than
// the partition's nodes have. Says nothing where `plan` has no batch script.
void partitions_check(Session *session, const Plan *plan, const Plan *beside);
