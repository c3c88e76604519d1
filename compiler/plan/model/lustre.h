// A file system for Lustre that somebody's file makes: of a cluster configuration of ParallelCluster, or of a stack.
#pragma once

#include "compiler/plan/model/field.h"
#include "compiler/semantics/subject.h"

typedef struct {
    const Subject *subject;
    bool is_of_stack;     // a resource of CloudFormation
    PlanField capacity;   // StorageCapacity, in GiB
    PlanField deployment; // DeploymentType
    PlanField rate;       // PerUnitStorageThroughput
    PlanField medium;     // StorageType
    PlanField import_path;
    PlanField export_path;
    PlanField version; // FileSystemTypeVersion
    PlanField backups; // AutomaticBackupRetentionDays, in days
} PlanLustre;
