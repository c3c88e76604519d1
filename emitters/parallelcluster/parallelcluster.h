// ParallelCluster 3 configurations: NAME.pcluster.yaml for each Slurm cluster.
#pragma once

#include "emitters/emitter.h"

Emit parallelcluster_emit;
