// Rules about batch scripts of Slurm, and the cluster configuration of ParallelCluster in a file beside theirs.
#pragma once

#include "compiler/plan/rules/together.h"

// Whether a plan has queues of Slurm, which scripts name as partitions.
bool partitions_are_in(const Plan *plan);

// Whether a plan has another cluster of Slurm, of AWS PCS or HyperPod, that scripts beside it may be for.
bool partitions_are_elsewhere(const Plan *plan);

// Reports where the batch script of `plan` asks for a partition that the cluster of `beside` does not have, or for more than
// the partition's nodes have. Says nothing where `plan` has no batch script.
void partitions_check(Session *session, const Plan *plan, const Plan *beside);
