// The variables that dtc gives to a job, beside those of its author: the rows of GIVEN in schema/variables.def.
#pragma once

#include "compiler/plan/model/plan.h"
#include "emitters/doc/constants.h"
#include "schema/variables.h"

// What a job has that an option or a variable depends on: bits, and those of variables.h.
enum {
    JOB_OF_NODES = PLACE_NODES,   // of several
    JOB_HAS_EFA = PLACE_EFA,      // its nodes have EFA interfaces
    JOB_ON_NVIDIA = PLACE_NVIDIA, // NVIDIA GPUs
    JOB_ON_NEURON = PLACE_NEURON, // Neuron devices
    JOB_ON_ACCELERATORS =
        1 << PLACE_BITS, // either: the launcher starts the processes, and another library moves their data
    JOB_IN_CONTAINER = 2 << PLACE_BITS, // on AWS Batch and EKS
    JOB_ON_BATCH = 4 << PLACE_BITS,
    JOB_ON_SLURM = 8 << PLACE_BITS, // of ParallelCluster and AWS PCS
};

unsigned job_needs(const PlanJob *job);

// Whether `needs` has all that is wanted.
bool job_has(unsigned needs, unsigned wanted);

typedef struct {
    const char *name;
    const char *value;
    Why why;
} JobVariable;

enum { JOB_VARIABLES_MAX = VARIABLE_GIVEN_COUNT };

// Those that the job needs, in the order of the rows, without those that its author wrote or took away. Returns how
// many.
int job_variables(const PlanJob *job, JobVariable variables[JOB_VARIABLES_MAX]);

// The author's entry, `null` included: who takes a variable away has decided too. NULL: there is none.
const ValueEntry *job_author_variable(const PlanJob *job, const char *name);
