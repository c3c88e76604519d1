// Finds the resources of a network's stack that an output names.
#include "emitters/cloudformation/template/network_output.h"

#include "emitters/cloudformation/template/intrinsic.h"

const NetworkOutputRow NETWORK_OUTPUTS[NETWORK_OUTPUT_COUNT] = {
    { "vpc", "VPC", "The VPC", false },
    { "public", "PublicSubnet", "Public subnets, one for each zone, joined by commas", true },
    { "private", "PrivateSubnet", "Private subnets, one for each zone, joined by commas", true },
    { "security_group", "SecurityGroup", "Security group that lets EFA traffic pass between its members", false },
    { "lustre_security_group", "FSXSecurityGroup", "Security group of FSx for Lustre file systems", false },
};

const NetworkOutputRow *network_output_row(Str field) {
    for (size_t i = 0; i < NETWORK_OUTPUT_COUNT; i++) {
        if (str_is(field, NETWORK_OUTPUTS[i].field)) {
            return &NETWORK_OUTPUTS[i];
        }
    }
    return NULL;
}

// References to the resources that a row stands for.
static DocNode *references(Stack *stack, const PlanNetwork *network, const NetworkOutputRow *row) {
    DocNode *list = doc_list(stack->doc);
    uint32_t count = network->zones->list.count;
    for (uint32_t i = 0; i < count; i++) {
        Str id = stack_numbered_id(stack, network->head.id, row->role, count == 1 ? 0 : i + 1);
        doc_add(stack->doc, list, intrinsic_ref(stack, id));
    }
    return list;
}

DocNode *network_output_node(Stack *stack, const PlanNetwork *network, const NetworkOutputRow *row) {
    if (row->is_per_zone) {
        return references(stack, network, row);
    }
    return intrinsic_ref(stack, stack_id(stack, network->head.id, STR_NONE, row->role));
}

DocNode *network_output_text(Stack *stack, const PlanNetwork *network, const NetworkOutputRow *row) {
    if (row->is_per_zone && network->zones->list.count > 1) {
        return intrinsic_join(stack, references(stack, network, row));
    }
    return intrinsic_ref(stack, stack_numbered_id(stack, network->head.id, row->role, 0));
}
