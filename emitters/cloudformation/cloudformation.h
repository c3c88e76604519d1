// CloudFormation templates: new networks, clusters on AWS Batch, and image repositories that belong to no cluster.
#pragma once

#include "emitters/emitter.h"

// An artifact for each stack, in the order of the plan; their waves are set. Reports DT0501 to DT0549.
void cloudformation_emit(Session *session, const Plan *plan, Output *output);

// The stacks of groups of nodes on EKS, which come behind what makes the clusters.
Emit cloudformation_emit_node_groups;
