// Names that ParallelCluster takes.
#pragma once

#include "compiler/plan/rules/rules.h"

// What is wrong with the name of a cluster, of a queue or a compute resource, or of a file system; NULL where nothing is.
// A cluster with accounting has a shorter name.
const char *slurm_cluster_name_fault(const Rules *rules, Str name, bool is_accounted);
const char *slurm_queue_name_fault(const Rules *rules, Str name);
const char *slurm_storage_name_fault(const Rules *rules, Str name);

// Reports the name of `what`, such as "a queue", where it has a fault; nothing where that is NULL.
void slurm_check_name(const Rules *rules, const Subject *subject, Span span, Str name, const char *what,
                      const char *fault, const char *help);
