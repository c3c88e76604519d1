// NVIDIA GPUs that are cut (MIG) or offered several times (time-slicing, MPS): pods find more of them than the node's type has.
#pragma once

#include "compiler/plan/model/plan_object.h"

// Whether labels of a node, or those that a pod selects it by, say so. NULL: there are none.
bool labels_share_gpus(const Value *labels);

// Whether it is a configuration of NVIDIA's device plugin by which each GPU is offered several times.
bool object_shares_gpus(const PlanObject *object);
