// Objects of a cluster on EKS: NAME.k8s.yaml for each that has any.
#pragma once

#include "emitters/emitter.h"

Emit kubernetes_emit;
