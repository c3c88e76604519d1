// Clusters of ParallelCluster in a template: its custom resource takes a whole cluster configuration.
// Source: AWS ParallelCluster User Guide, Creating a cluster with AWS CloudFormation, read 2026-12.
#pragma once

#include "compiler/readers/cloudformation/cfn_stack.h"

// Adds the configurations that the resources of a stack hand to ParallelCluster to `plan`, each as its own file would be
// read. `file` is the template's, from foreign_file(). What a function of the template puts together is late in them.
void foreign_add_clusters(Session *session, const Subject *file, Plan *plan, const CfnStack *stack);
