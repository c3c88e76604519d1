// The variables that dtc gives to a job, beside those of its author: schema/environment.def has the rows.
#pragma once

#include "compiler/plan/model/plan.h"
#include "emitters/doc/constants.h"

// What a job has that an option or a variable depends on: bits.
enum {
    JOB_OF_NODES = 1,         // of several
    JOB_HAS_EFA = 2,          // its nodes have EFA interfaces
    JOB_ON_NVIDIA = 4,        // NVIDIA GPUs
    JOB_ON_NEURON = 8,        // Neuron devices
    JOB_ON_ACCELERATORS = 16, // either: the launcher starts the processes, and another library moves their data
    JOB_IN_CONTAINER = 32,    // on AWS Batch and EKS
};

unsigned job_needs(const PlanJob *job);

// Whether `needs` has all that is wanted.
bool job_has(unsigned needs, unsigned wanted);

typedef struct {
    const char *name;
    const char *value;
    Why why;
} JobVariable;

enum {
#define ENVIRONMENT(name, value, needs) JOB_VARIABLE_##name,
#include "schema/environment.def"
    JOB_VARIABLES_MAX
};

// Those that the job needs, in the order of the rows, without those that its author wrote or took away. Returns how
// many.
int job_variables(const PlanJob *job, JobVariable variables[JOB_VARIABLES_MAX]);

// The author's entry, `null` included: who takes a variable away has decided too. NULL: there is none.
const ValueEntry *job_author_variable(const PlanJob *job, const char *name);
