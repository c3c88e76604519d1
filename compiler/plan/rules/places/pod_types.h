// Types of instances that a pod can have, where nothing says which nodes there are.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports a pod with devices of AWS that asks for more than any type with these devices has: where 32 EFA interfaces are,
// there are 192 CPUs. Not for a pod that names its types, nor for one whose groups of nodes are known.
void pod_types_check_devices(Session *session, const PlanObject *object, const Value *pod);

// "95", "1900Gi": what a pod may ask for, where a node has this room.
Str pod_room_text(Arena *arena, const char *name, double room);
