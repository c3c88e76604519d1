// The outputs of a network's stack, for other stacks and for itself.
#pragma once

#include "emitters/cloudformation/template/stack.h"

// What a network's stack exports; the export's name is in the schema's row of the output.
typedef struct {
    const char *field; // "private"
    const char *role;  // of the resource whose Ref it is
    const char *description;
    bool is_per_zone; // one resource for each zone
} NetworkOutputRow;

enum { NETWORK_OUTPUT_COUNT = 5 };
extern const NetworkOutputRow NETWORK_OUTPUTS[NETWORK_OUTPUT_COUNT]; // in the order in which they are written

// NULL where a network has no such field.
const NetworkOutputRow *network_output_row(Str field);

// In the network's own template: a reference, or a list of them; as one text, joined with commas.
DocNode *network_output_node(Stack *stack, const PlanNetwork *network, const NetworkOutputRow *row);
DocNode *network_output_text(Stack *stack, const PlanNetwork *network, const NetworkOutputRow *row);
