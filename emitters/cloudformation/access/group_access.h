// What nodes of ParallelCluster may read and write in S3, as policies that it takes by their ARNs.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// A stack of its own, with a policy for each group whose jobs name places in S3 or whose nodes keep their verdicts there;
// nothing where none do.
void group_access_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output);
