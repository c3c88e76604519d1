// The security groups of a network. One lets EFA traffic pass. With `lustre` there is one for file systems and their
// clients. With interface endpoints there is one for these.
#include "emitters/cloudformation/network/network_parts.h"

#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/access/security_group.h"

typedef struct {
    int64_t from;
    int64_t to;
} Ports;

static DocNode *vpc(const Network *network) {
    return intrinsic_ref(network->stack, network_id(network, "VPC", 0));
}

// TCP rules for ports and each of the VPC's blocks, inside of a group.
static void add_rules(const Network *network, DocNode *rules, Why reason, const Ports *ports, size_t count) {
    Stack *stack = network->stack;
    for (uint32_t i = 0; i < network->block_count; i++) {
        const Value *block = network->plan->made.cidr->list.items[i];
        for (size_t k = 0; k < count; k++) {
            DocNode *rule = tree_add_map(stack->doc, rules);
            tree_put_text(stack->doc, rule, "IpProtocol", reason, "tcp");
            tree_put(stack->doc, rule, "FromPort", tree_number(stack->doc, reason, ports[k].from));
            tree_put(stack->doc, rule, "ToPort", tree_number(stack->doc, reason, ports[k].to));
            tree_put(stack->doc, rule, "CidrIp", doc_string(stack->doc, block->string, block->origin));
        }
    }
}

static void add_lustre_group(const Network *network) {
    Stack *stack = network->stack;
    const Ports ports[] = {
        { schema_constant(CONSTANT_LUSTRE_PORT), schema_constant(CONSTANT_LUSTRE_PORT) },
        { schema_constant(CONSTANT_LUSTRE_PORT_FIRST), schema_constant(CONSTANT_LUSTRE_PORT_LAST) },
    };
    DocNode *group = security_group_add(stack, network->plan->head.id, "FSXSecurityGroup",
                                        "FSx for Lustre: file systems and clients in the VPC", WHY_NETWORK_LUSTRE_PORTS,
                                        vpc(network));
    DocNode *in = tree_put_list(stack->doc, group, "SecurityGroupIngress");
    add_rules(network, in, WHY_NETWORK_LUSTRE_PORTS, ports, COUNT_OF(ports));
    DocNode *out = tree_put_list(stack->doc, group, "SecurityGroupEgress");
    add_rules(network, out, WHY_NETWORK_LUSTRE_PORTS, ports, COUNT_OF(ports));
    network_put_tags(network, group);
}

void network_add_endpoint_group(const Network *network) {
    static const Ports HTTPS = { 443, 443 };
    Stack *stack = network->stack;
    DocNode *group =
        security_group_add(stack, network->plan->head.id, "EndpointSecurityGroup",
                           "Interface endpoints: HTTPS from the VPC", WHY_NETWORK_ENDPOINT_GROUP, vpc(network));
    DocNode *in = tree_put_list(stack->doc, group, "SecurityGroupIngress");
    add_rules(network, in, WHY_NETWORK_ENDPOINT_GROUP, &HTTPS, 1);
    network_put_tags(network, group);
}

void network_add_groups(const Network *network) {
    Stack *stack = network->stack;
    network_put_tags(network, security_group_add_efa(stack, network->plan->head.id, vpc(network)));
    if (network->plan->made.lustre->boolean) {
        doc_because(stack->doc, network->plan->made.lustre->origin);
        add_lustre_group(network);
        doc_unbecause(stack->doc);
    }
}
