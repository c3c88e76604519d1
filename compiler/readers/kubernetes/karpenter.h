// From a NodePool and an EC2NodeClass of Karpenter to launches: what the rules about launches ask for.
#pragma once

#include "compiler/plan/model/plan.h"

// Adds the launch of an object to the plan; nothing where it is another object.
void karpenter_add(Session *session, const PlanObject *object, Plan *plan);
