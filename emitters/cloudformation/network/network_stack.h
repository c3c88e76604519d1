// The stack of a network that this build makes.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// The artifact of a network of mode NETWORK_MADE.
void network_emit(Session *session, const Plan *plan, const PlanNetwork *network, Output *output);
