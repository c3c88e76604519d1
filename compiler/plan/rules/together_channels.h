// Rules about pods that share memory over NVLink with pods on other nodes, and the ComputeDomains in files beside theirs.
#pragma once

#include "compiler/plan/rules/together.h"

// Whether the nodes of a pod are those of an UltraServer.
typedef enum { FABRIC_NONE, FABRIC_PERHAPS, FABRIC_CERTAIN } PodOnFabric;

// Adds what ComputeDomains make, and what pods claim.
void channels_add_made(MadeObjects *made, const Plan *plan);

// Adds what changes which nodes pods find: flavors of Kueue, configurations by which GPUs are shared.
void places_add_made(MadeObjects *made, const Plan *plan);

// Reports a pod that gets no channel although a ComputeDomain is there.
void channels_check(Session *session, const FilesTogether *together, const PlanObject *object, const Value *pod,
                    PodOnFabric fabric);
