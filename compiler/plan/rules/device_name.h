// The name of a device that nodes offer, where pods ask for it or a pool limits it.
#pragma once

#include "compiler/plan/model/object.h"
#include "compiler/plan/rules/rules.h"

// Reports a key of `limits` or `requests` that is nearly the name of a device plugin's resource (DT1645). Names of others'
// devices, and those of shared and divided GPUs, are none of these.
void rules_device_name(const Rules *rules, const PlanObject *object, const ValueEntry *entry);
