// ParallelCluster has SharedStorage, and EKS has drivers. AWS Batch and AWS PCS leave file systems to the launch template
// (AWS Batch User Guide, Use Amazon EC2 launch templates; AWS PCS User Guide, Working with Amazon EC2 user data, 2026-11).
#include "compiler/plan/model/user_data_mounts.h"

bool plan_mounts_by_user_data(const PlanCluster *cluster) {
    return cluster->target == TARGET_BATCH || cluster->target == TARGET_PCS;
}
