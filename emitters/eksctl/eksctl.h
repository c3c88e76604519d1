// eksctl's ClusterConfig: NAME.eksctl.yaml for each cluster on EKS.
#pragma once

#include "emitters/emitter.h"

Emit eksctl_emit;
