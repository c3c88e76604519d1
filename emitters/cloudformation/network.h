// The stack of a network that this build makes, and what it is asked for by others.
#pragma once

#include "emitters/cloudformation/stack.h"

// What a network's stack exports; the export's name is in the schema's row of the output.
typedef struct {
    const char *field; // "private"
    const char *role;  // of the resource whose Ref it is
    const char *description;
    bool is_per_zone; // one resource for each zone
} NetworkOutputRow;

// NULL where a network has no such field.
const NetworkOutputRow *network_output_row(Str field);

// In the network's own template: a reference, or a list of them; as one text, joined with commas.
DocNode *network_output_node(Stack *stack, const PlanNetwork *network, const NetworkOutputRow *row);
DocNode *network_output_text(Stack *stack, const PlanNetwork *network, const NetworkOutputRow *row);

// The artifact of a network of mode NETWORK_MADE.
void network_emit(Session *session, const Plan *plan, const PlanNetwork *network, Output *output);
