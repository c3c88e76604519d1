// Names that ParallelCluster takes.
#pragma once

#include "compiler/plan/rules/rules.h"

// What is wrong with the name of a queue or a compute resource, or of a file system; NULL where nothing is.
const char *slurm_queue_name_fault(const Rules *rules, Str name);
const char *slurm_storage_name_fault(const Rules *rules, Str name);
