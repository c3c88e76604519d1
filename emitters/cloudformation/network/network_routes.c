// The ways out of the subnets: an internet gateway for public ones, NAT gateways in them for the private ones. Nothing
// of this without public subnets: the private ones then have the VPC's own route and its endpoints alone.
#include "emitters/cloudformation/network/network_parts.h"

#include "compiler/plan/model/region.h"
#include "emitters/cloudformation/template/intrinsic.h"

static const char ANYWHERE[] = "0.0.0.0/0";

static uint32_t nat_count(const Network *network) {
    switch (network->plan->made.nat) {
    case NAT_NONE:
        return 0;
    case NAT_ONE:
        return network->has_public ? 1 : 0;
    case NAT_PER_ZONE:
        return network->has_public ? network->zone_count : 0;
    }
    return 0;
}

// NAT gateways stand in public subnets.
static const Origin *nat_origin(const Network *network) {
    return origin_join(network->stack->arena, network->plan->made.nat_value->origin,
                       network->plan->made.public->origin);
}

uint32_t network_private_tables(const Network *network) {
    uint32_t count = nat_count(network);
    return count > 1 ? count : 1;
}

uint32_t network_table_number(const Network *network, uint32_t i) {
    return network_private_tables(network) == 1 ? 0 : i + 1;
}

static DocNode *vpc(const Network *network) {
    return intrinsic_ref(network->stack, network_id(network, "VPC", 0));
}

static void add_gateway(const Network *network) {
    Stack *stack = network->stack;
    Str id = network_id(network, "InternetGateway", 0);
    DocNode *gateway = stack_resource(stack, (StackResource){
                                                 .id = id,
                                                 .type = "AWS::EC2::InternetGateway",
                                                 .is_bare = !network_has_tags(network),
                                             });
    if (gateway != NULL) {
        network_put_tags(network, gateway);
    }
    DocNode *attachment = stack_resource(stack, (StackResource){
                                                    .id = network_id(network, "GatewayToInternet", 0),
                                                    .type = "AWS::EC2::VPCGatewayAttachment",
                                                });
    tree_put(stack->doc, attachment, "VpcId", vpc(network));
    tree_put(stack->doc, attachment, "InternetGatewayId", intrinsic_ref(stack, id));
}

static Str add_table(const Network *network, const char *role, uint32_t number) {
    Stack *stack = network->stack;
    Str id = network_id(network, role, number);
    DocNode *table = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::EC2::RouteTable" });
    tree_put(stack->doc, table, "VpcId", vpc(network));
    network_put_tags(network, table);
    return id;
}

static void associate(const Network *network, const char *subnet, uint32_t number, Str table) {
    Stack *stack = network->stack;
    const char *role = str_c(stack->arena, str_format(stack->arena, "%sRouteTableAssociation", subnet));
    DocNode *association = stack_resource(stack, (StackResource){
                                                     .id = network_id(network, role, number),
                                                     .type = "AWS::EC2::SubnetRouteTableAssociation",
                                                 });
    tree_put(stack->doc, association, "SubnetId", intrinsic_ref(stack, network_id(network, subnet, number)));
    tree_put(stack->doc, association, "RouteTableId", intrinsic_ref(stack, table));
}

static void add_public(const Network *network) {
    Stack *stack = network->stack;
    Str table = add_table(network, "PublicRouteTable", 0);
    // A route through a gateway that is not attached yet fails.
    DocNode *route = stack_resource(stack, (StackResource){
                                               .id = network_id(network, "PublicRoute", 0),
                                               .type = "AWS::EC2::Route",
                                               .depends_on = network_id(network, "GatewayToInternet", 0),
                                           });
    tree_put(stack->doc, route, "RouteTableId", intrinsic_ref(stack, table));
    tree_put_text(stack->doc, route, "DestinationCidrBlock", WHY_NETWORK_ROUTE, ANYWHERE);
    tree_put(stack->doc, route, "GatewayId", intrinsic_ref(stack, network_id(network, "InternetGateway", 0)));
    for (uint32_t i = 0; i < network->zone_count; i++) {
        associate(network, "PublicSubnet", network->zones[i].number, table);
    }
}

static void add_nat(const Network *network, uint32_t i) {
    Stack *stack = network->stack;
    uint32_t number = network_table_number(network, i);
    // Not every Local Zone has NAT gateways; those of a region serve it too.
    const uint32_t place = network->plan->made.nat == NAT_ONE ? plan_home_zone(network->plan) : i;
    Str address_id = network_id(network, "ElasticIP", number);
    // A NAT gateway wants the internet gateway attached; it waits for its address, and the address for that.
    DocNode *address = stack_resource(stack, (StackResource){
                                                 .id = address_id,
                                                 .type = "AWS::EC2::EIP",
                                                 .depends_on = network_id(network, "GatewayToInternet", 0),
                                             });
    tree_put_text(stack->doc, address, "Domain", WHY_NETWORK_NAT, "vpc");
    const Str group = plan_border_group(stack->arena, network->zones[place].zone);
    if (group.len > 0) {
        tree_put(stack->doc, address, "NetworkBorderGroup", tree_string(stack->doc, WHY_NETWORK_BORDER, group));
    }
    network_put_tags(network, address);
    DocNode *gateway = stack_resource(stack, (StackResource){
                                                 .id = network_id(network, "NATGateway", number),
                                                 .type = "AWS::EC2::NatGateway",
                                             });
    tree_put(stack->doc, gateway, "AllocationId", intrinsic_get_att(stack, address_id, "AllocationId"));
    tree_put(stack->doc, gateway, "SubnetId",
             intrinsic_ref(stack, network_id(network, "PublicSubnet", network->zones[place].number)));
    network_put_tags(network, gateway);
}

static void add_private_table(const Network *network, uint32_t i) {
    Stack *stack = network->stack;
    uint32_t number = network_table_number(network, i);
    Str table = add_table(network, "PrivateRouteTable", number);
    if (nat_count(network) == 0) {
        return;
    }
    doc_because(stack->doc, nat_origin(network));
    DocNode *route = stack_resource(stack, (StackResource){
                                               .id = network_id(network, "PrivateRoute", number),
                                               .type = "AWS::EC2::Route",
                                           });
    tree_put(stack->doc, route, "RouteTableId", intrinsic_ref(stack, table));
    tree_put_text(stack->doc, route, "DestinationCidrBlock", WHY_NETWORK_ROUTE, ANYWHERE);
    tree_put(stack->doc, route, "NatGatewayId", intrinsic_ref(stack, network_id(network, "NATGateway", number)));
    doc_unbecause(stack->doc);
}

void network_add_routes(const Network *network) {
    Stack *stack = network->stack;
    if (network->has_public) {
        doc_because(stack->doc, network->plan->made.public->origin);
        add_gateway(network);
        add_public(network);
        doc_unbecause(stack->doc);
    }
    for (uint32_t i = 0; i < nat_count(network); i++) {
        doc_because(stack->doc, nat_origin(network));
        add_nat(network, i);
        doc_unbecause(stack->doc);
    }
    for (uint32_t i = 0; i < network_private_tables(network); i++) {
        add_private_table(network, i);
    }
    for (uint32_t i = 0; i < network->zone_count; i++) {
        Str table = network_id(network, "PrivateRouteTable", network_table_number(network, i));
        associate(network, "PrivateSubnet", network->zones[i].number, table);
    }
}
