// The Kubernetes objects of a cluster on EKS: NAME.k8s.yaml for each cluster that has any.
#pragma once

#include "emitters/emitter.h"

Emit kubernetes_emit;
