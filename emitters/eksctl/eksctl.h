// eksctl's ClusterConfig: NAME.eksctl.yaml for each cluster on EKS, and NAME-nodes.eksctl.yaml for its groups whose
// launch template dtc writes.
#pragma once

#include "emitters/emitter.h"

Emit eksctl_emit;
Emit eksctl_emit_templates; // behind the stack that the templates are in
