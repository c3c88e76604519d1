// The stack of a new network: the VPC itself and what the stack exports. The parts are in the files beside this one,
// in the order in which a reader looks for them: subnets, routes, groups, endpoints, logs.
#include "emitters/cloudformation/network/network_stack.h"

#include "compiler/plan/model/region.h"
#include "emitters/cloudformation/network/network_parts.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/network_output.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/extras.h"
#include "emitters/cloudformation/template/sub.h"
#include "emitters/cloudformation/template/tags.h"

Str network_id(const Network *network, const char *role, uint32_t number) {
    return stack_numbered_id(network->stack, network->plan->head.id, role, number);
}

bool network_has_tags(const Network *network) {
    return network->plan->made.tags->map.count > (value_get(network->plan->made.tags, "Name") == NULL ? 0 : 1);
}

void network_put_tags(const Network *network, DocNode *properties) {
    Tags tags = { .inner = network->plan->made.tags, .skips_name = true };
    tree_put(network->stack->doc, properties, "Tags", tags_list(network->stack, tags));
}

static DocNode *block_cidr(const Network *network, uint32_t i) {
    const Value *block = network->plan->made.cidr->list.items[i];
    return doc_string(network->stack->doc, block->string, block->origin);
}

static void add_vpc(const Network *network) {
    Stack *stack = network->stack;
    Str id = network_id(network, "VPC", 0);
    DocNode *vpc = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::EC2::VPC" });
    tree_put(stack->doc, vpc, "CidrBlock", block_cidr(network, 0));
    tree_put(stack->doc, vpc, "EnableDnsHostnames", tree_bool(stack->doc, WHY_NETWORK_DNS, true));
    tree_put(stack->doc, vpc, "EnableDnsSupport", tree_bool(stack->doc, WHY_NETWORK_DNS, true));
    tree_put(stack->doc, vpc, "Tags", tags_list(stack, (Tags){ .inner = network->plan->made.tags }));
    for (uint32_t i = 1; i < network->block_count; i++) {
        DocNode *block = stack_resource(stack, (StackResource){
                                                   .id = network_id(network, "VPCCidrBlock", i),
                                                   .type = "AWS::EC2::VPCCidrBlock",
                                                   .origin = network->plan->made.cidr->origin,
                                               });
        tree_put(stack->doc, block, "VpcId", intrinsic_ref(stack, id));
        tree_put(stack->doc, block, "CidrBlock", block_cidr(network, i));
    }
}

// The name of a zone's subnet: "lab Private Subnet - us-east-1a".
static DocNode *subnet_name(const Network *network, const PlanZone *zone, const char *what) {
    SubText text = { .stack = network->stack };
    const Value *name = value_get(network->plan->made.tags, "Name");
    if (name != NULL && name->kind != VALUE_NULL) {
        sub_add_value(&text, name);
        sub_add(&text, STR(" "), why(WHY_NETWORK_NAME));
    }
    sub_add(&text, str_of(what), why(WHY_NETWORK_NAME));
    sub_add(&text, STR(" - "), why(WHY_NETWORK_NAME));
    sub_add_value(&text, zone->zone);
    return sub_node(&text);
}

// cfn-lint takes every zone's name in a template for an oversight; these are what the source asks for.
static void allow_zone_names(const Network *network) {
    Stack *stack = network->stack;
    bool has_names = false;
    for (uint32_t i = 0; i < network->zone_count; i++) {
        has_names = has_names || network->zones[i].zone->kind == VALUE_STRING;
    }
    if (has_names) {
        DocNode *config = tree_put_map(stack->doc, tree_put_map(stack->doc, stack->metadata, "cfn-lint"), "config");
        DocNode *checks = tree_put_list(stack->doc, config, "ignore_checks");
        doc_add(stack->doc, checks, tree_text(stack->doc, WHY_NETWORK_ZONE_NAMES, "W3010"));
    }
}

// A zone is given by its name or, the same in every account, by its id ("use1-az4").
static const char *zone_property(const Value *zone) {
    bool is_id = zone->kind == VALUE_STRING && str_find(zone->string, STR("-az"), 0) < zone->string.len;
    return is_id ? "AvailabilityZoneId" : "AvailabilityZone";
}

static void add_subnet(const Network *network, const PlanZone *zone, bool is_public) {
    Stack *stack = network->stack;
    Str waits_for = STR_NONE;
    if (!is_public && zone->private_block > 0) {
        waits_for = network_id(network, "VPCCidrBlock", zone->private_block);
    }
    doc_because(stack->doc, is_public ? network->plan->made.public->origin : NULL);
    DocNode *subnet =
        stack_resource(stack, (StackResource){
                                  .id = network_id(network, is_public ? "PublicSubnet" : "PrivateSubnet", zone->number),
                                  .type = "AWS::EC2::Subnet",
                                  .depends_on = waits_for,
                              });
    tree_put(stack->doc, subnet, "VpcId", intrinsic_ref(stack, network_id(network, "VPC", 0)));
    const Value *block = network->plan->made.cidr->list.items[is_public ? 0 : zone->private_block];
    Str cidr = cidr_print(stack->arena, is_public ? zone->public_cidr : zone->private_cidr);
    doc_because(stack->doc, block->origin);
    tree_put(stack->doc, subnet, "CidrBlock", tree_string(stack->doc, WHY_NETWORK_CIDR, cidr));
    doc_unbecause(stack->doc);
    tree_put(stack->doc, subnet, zone_property(zone->zone), template_value(stack, zone->zone));
    if (is_public) {
        tree_put(stack->doc, subnet, "MapPublicIpOnLaunch", tree_bool(stack->doc, WHY_NETWORK_PUBLIC, true));
    }
    DocNode *name = subnet_name(network, zone, is_public ? "Public Subnet" : "Private Subnet");
    const char *role = is_public ? "kubernetes.io/role/elb" : "kubernetes.io/role/internal-elb";
    const Tags tags = {
        .inner = network->plan->made.tags,
        .name = name,
        .mark = network->plan->serves_eks ? role : NULL,
        .why_mark = WHY_NETWORK_LOAD_BALANCERS,
    };
    tree_put(stack->doc, subnet, "Tags", tags_list(stack, tags));
    doc_unbecause(stack->doc);
}

static void add_subnets(const Network *network) {
    for (uint32_t i = 0; network->has_public && i < network->zone_count; i++) {
        add_subnet(network, &network->zones[i], true);
    }
    for (uint32_t i = 0; i < network->zone_count; i++) {
        add_subnet(network, &network->zones[i], false);
    }
}

// What an output rests on beside the network itself; NULL: nothing. It is there where that is true.
static const Value *output_switch(const Network *network, const NetworkOutputRow *row) {
    if (str_is(str_of(row->field), "public")) {
        return network->plan->made.public;
    }
    return str_is(str_of(row->field), "lustre_security_group") ? network->plan->made.lustre : NULL;
}

static void add_outputs(const Network *network) {
    Stack *stack = network->stack;
    bool is_exported = network->plan->made.export->boolean;
    for (size_t i = 0; i < NETWORK_OUTPUT_COUNT; i++) {
        const NetworkOutputRow *row = &NETWORK_OUTPUTS[i];
        const Value *toggle = output_switch(network, row);
        if (toggle == NULL || toggle->boolean) {
            doc_because(stack->doc, toggle == NULL ? NULL : toggle->origin);
            DocNode *value = network_output_text(stack, network->plan, row);
            const char *key = schema_output(&KIND_ROWS[KIND_NETWORK], str_of(row->field))->export_key;
            stack_output(stack, str_of(key), row->description, value, is_exported);
            doc_unbecause(stack->doc);
        }
    }
    extras_add(stack, network->plan->head.part, is_exported);
}

void network_emit(Session *session, const Plan *plan, const PlanNetwork *planned, Output *output) {
    Stack *stack = stack_open(session, plan, &planned->head, plan_network_region(planned));
    const PlanLayout layout = plan_layout(stack->arena, planned);
    assert(layout.fault == LAYOUT_FITS); // rule room_for_subnets
    const Network network = {
        .stack = stack,
        .plan = planned,
        .has_public = layout.has_public,
        .blocks = layout.blocks,
        .block_count = layout.block_count,
        .zones = layout.zones,
        .zone_count = layout.zone_count,
    };
    allow_zone_names(&network);
    add_vpc(&network);
    add_subnets(&network);
    network_add_routes(&network);
    network_add_groups(&network);
    network_add_endpoints(&network);
    network_add_flow_logs(&network);
    add_outputs(&network);
    Str description = str_format(stack->arena, "VPC %.*s: %s subnets in %" PRIu32 " zone%s", STR_ARG(planned->head.id),
                                 network.has_public ? "public and private" : "private", network.zone_count,
                                 network.zone_count == 1 ? "" : "s");
    stack_write(stack, description, planned->made.public->origin, output);
}
