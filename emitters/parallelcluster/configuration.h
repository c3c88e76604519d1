// The parts of a ParallelCluster configuration, each in a file of its own.
#pragma once

#include "emitters/tool/tool_file.h"

typedef struct {
    ToolFile *file;
    const PlanCluster *cluster;
    Output *output; // of the build, for what its files share
} Configuration;

void parallelcluster_head(const Configuration *configuration, DocNode *root);
void parallelcluster_queues(const Configuration *configuration, DocNode *scheduling);
void parallelcluster_storage(const Configuration *configuration, DocNode *root);

// `AdditionalIamPolicies:` of names and ARNs, in the map of `Iam`.
void parallelcluster_policies(const Configuration *configuration, DocNode *iam, const Value *policies);

// What the head node runs once it is configured. In place of a script with a SHA-256 stands one of dtc's that compares it.
PlanScripts parallelcluster_head_setup(const Configuration *configuration);

// What the nodes of a group run once they are configured, in order: the author's scripts, and what dtc puts behind
// them.
PlanScripts parallelcluster_setup(const Configuration *configuration, const PlanNodes *nodes);

// `CustomActions:` and `Iam:`, whose role may read the scripts that stand in S3; nothing where there is nothing.
// `policies` may be NULL.
void parallelcluster_actions(const Configuration *configuration, DocNode *map, const PlanScripts *setup);
void parallelcluster_iam(const Configuration *configuration, DocNode *map, const Value *policies,
                         const PlanScripts *setup);

// The scripts of the project as files, each with the step that puts it where nodes fetch it.
void parallelcluster_scripts(const Configuration *configuration, Output *output);

// The jobs in which nodes measure each other, a script for sbatch each, and the program that it fetches.
void parallelcluster_first_jobs(const Configuration *configuration, Output *output);

// The script with which nodes that are checked look at themselves again, before each job and every few minutes; nothing
// where there are none.
void parallelcluster_prolog(const Configuration *configuration, Output *output);

// The lines of slurm.conf that have slurmd run it every few minutes.
void parallelcluster_health_check(const Configuration *configuration, DocNode *list);

// `RootVolume: Size:`, nothing where the AMI's own is kept.
void parallelcluster_root_volume(const Configuration *configuration, DocNode *storage, const Value *disk);

// `Tags:` as a list of keys and values; nothing where there are none.
void parallelcluster_tags(const Configuration *configuration, DocNode *map, const Value *tags);
