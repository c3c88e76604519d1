// From raw subnets, route tables, gateways and endpoints to the ways out of their VPC. A VPC that another file makes has
// what is written of it here.
#include "compiler/plan/raw/raw.h"

#include "compiler/base/cidr.h"

// Each map is by the ids of resources.
typedef struct {
    RawStack *stack;
    StrMap tables;   // to PlanRouteTable
    StrMap gateways; // to PlanNatGateway
    bool has_zones;  // which may have names of endpoints
} Ways;

static PlanRouteTable *find_table(const Ways *ways, const PlanField *field) {
    return field->resource == NULL ? NULL : str_map_get_mutable(&ways->tables, field->resource->id);
}

// ---- whose they are --------------------------------------------------------------------------------------------------

// What a value is called: a parameter's name, or an id; empty: it has no name. The value may be NULL.
static Str name_of(const Value *value) {
    const Value *argument = NULL;
    const bool is_ref =
        value != NULL && str_is(raw_intrinsic(value, &argument), "Ref") && argument->kind == VALUE_STRING;
    return is_ref ? argument->string : value != NULL && value->kind == VALUE_STRING ? value->string : STR_NONE;
}

// Nothing tells its other parts.
static PlanVpc *new_vpc(RawStack *stack, const RawResource *resource, const Value *id) {
    PlanVpc *vpc = arena_new(stack->arena, PlanVpc);
    *vpc = (PlanVpc){ .subject = resource->subject,
                      .maker = VPC_OF_OTHERS,
                      .name = name_of(id),
                      .has_other_blocks = true,
                      .hosts = { .state = FIELD_LATE },
                      .private_span = SPAN_NONE,
                      .region_span = SPAN_NONE };
    vec_push(stack->arena, &stack->vpcs, ((RawVpc){ .id = id, .vpc = vpc }));
    vec_push(stack->arena, &stack->parts.vpcs, (const PlanVpc *)vpc);
    return vpc;
}

// Where nothing is said of it, it is one of its own.
static PlanVpc *vpc_of(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const PlanField of = raw_field(stack, &properties, "VpcId");
    Span key = SPAN_NONE;
    const Value *id = raw_value(&properties, "VpcId", &key);
    for (uint32_t i = 0; id != NULL && i < stack->vpcs.count; i++) {
        const RawVpc *raw = &stack->vpcs.items[i];
        if (raw->resource != NULL ? raw_refers(&of, raw->resource) : raw->id != NULL && value_equal(raw->id, id)) {
            return raw->vpc;
        }
    }
    return new_vpc(stack, resource, id);
}

// ---- parts -----------------------------------------------------------------------------------------------------------

static void add_table(Ways *ways, const RawResource *resource) {
    RawStack *stack = ways->stack;
    PlanVpc *vpc = vpc_of(stack, resource);
    PlanRouteTable *table = arena_new(stack->arena, PlanRouteTable);
    *table = (PlanRouteTable){
        .subject = resource->subject, .name = resource->name, .span = resource->span, .condition = resource->condition
    };
    str_map_add(&ways->tables, resource->id, table);
    vec_push(stack->arena, &vpc->tables, (const PlanRouteTable *)table);
}

static bool is_off(const RawStack *stack, const RawMap *properties, const char *name) {
    const PlanField field = raw_field(stack, properties, name);
    return field.state == FIELD_ABSENT || field_is(&field, "false");
}

static void add_subnet(Ways *ways, const RawResource *resource) {
    RawStack *stack = ways->stack;
    PlanVpc *vpc = vpc_of(stack, resource);
    PlanVpcSubnet *subnet = arena_new(stack->arena, PlanVpcSubnet);
    *subnet = (PlanVpcSubnet){ .vpc = vpc, .name = resource->name, .span = resource->span };
    RawSubnet *raw = arena_new(stack->arena, RawSubnet);
    *raw = (RawSubnet){ .resource = resource, .subnet = subnet, .vpc = vpc };
    str_map_add(&stack->subnets, resource->id, raw);
    vec_push(stack->arena, &vpc->parts, (const PlanVpcSubnet *)subnet);
    const RawMap properties = raw_properties(resource);
    const PlanField block = raw_field(stack, &properties, "CidrBlock");
    subnet->gives_no_address =
        is_off(stack, &properties, "MapPublicIpOnLaunch") && is_off(stack, &properties, "AssignIpv6AddressOnCreation");
    if (block.state == FIELD_KNOWN) {
        vec_push(stack->arena, &vpc->subnets, raw_block(resource, block));
    }
}

// An address of the stack that is in the border group of the region; absent: it is another one.
static PlanField usual_address(const RawStack *stack, const RawMap *gateway) {
    const PlanField address = raw_field(stack, gateway, "AllocationId");
    const bool is_own =
        address.resource != NULL && str_is(address.resource->type, "AWS::EC2::EIP") && !address.resource->is_changed;
    const RawMap properties = is_own ? raw_properties(address.resource) : (RawMap){ 0 };
    return is_own && raw_presence(&properties, "NetworkBorderGroup").state == FIELD_ABSENT &&
                   raw_presence(&properties, "PublicIpv4Pool").state == FIELD_ABSENT &&
                   raw_presence(&properties, "IpamPoolId").state == FIELD_ABSENT
               ? address
               : (PlanField){ .state = FIELD_ABSENT };
}

static void add_nat(Ways *ways, const RawResource *resource) {
    RawStack *stack = ways->stack;
    const RawMap properties = raw_properties(resource);
    const PlanField place = raw_field(stack, &properties, "SubnetId");
    const RawSubnet *subnet = raw_find_subnet(stack, &place);
    const RawMap where = subnet == NULL ? (RawMap){ 0 } : raw_properties(subnet->resource);
    PlanNatGateway *gateway = arena_new(stack->arena, PlanNatGateway);
    *gateway = (PlanNatGateway){ .subject = resource->subject,
                                 .name = resource->name,
                                 .condition = resource->condition,
                                 .place = place,
                                 .zone = raw_zone(stack, &where),
                                 .address = usual_address(stack, &properties),
                                 .subnet = subnet == NULL ? NULL : subnet->subnet };
    str_map_add(&ways->gateways, resource->id, gateway);
    if (subnet != NULL) {
        vec_push(stack->arena, &subnet->vpc->gateways, (const PlanNatGateway *)gateway);
    }
}

static void associate(Ways *ways, const RawResource *resource) {
    RawStack *stack = ways->stack;
    const RawMap properties = raw_properties(resource);
    const PlanField of = raw_field(stack, &properties, "SubnetId");
    const PlanField to = raw_field(stack, &properties, "RouteTableId");
    const RawSubnet *subnet = raw_find_subnet(stack, &of);
    PlanRouteTable *table = find_table(ways, &to);
    if (table != NULL) {
        table->has_subnets = true;
    }
    if (subnet != NULL) {
        vec_push(stack->arena, &subnet->subnet->tables,
                 ((PlanTableOfSubnet){
                     .subject = resource->subject, .subnet = of, .table = table, .condition = resource->condition }));
    }
}

static void add_route(Ways *ways, const RawResource *resource) {
    RawStack *stack = ways->stack;
    const RawMap properties = raw_properties(resource);
    const PlanField of = raw_field(stack, &properties, "RouteTableId");
    const PlanField nat = raw_field(stack, &properties, "NatGatewayId");
    const PlanField gateway = raw_field(stack, &properties, "GatewayId");
    const PlanField range = raw_field(stack, &properties, "DestinationCidrBlock");
    const bool has_nat = nat.state != FIELD_ABSENT;
    const bool is_internet = gateway.resource != NULL && str_is(gateway.resource->type, "AWS::EC2::InternetGateway");
    PlanRouteTable *table = find_table(ways, &of);
    Cidr block;
    const bool is_block = range.state == FIELD_KNOWN && cidr_parse(range.text, &block);
    if (table != NULL) {
        const PlanRoute route = { .subject = resource->subject,
                                  .range = range,
                                  .way = has_nat       ? WAY_NAT
                                         : is_internet ? WAY_INTERNET
                                                       : WAY_OTHER,
                                  .gateway = has_nat ? nat : gateway,
                                  .nat = nat.resource == NULL ? NULL : str_map_get(&ways->gateways, nat.resource->id),
                                  .condition = resource->condition,
                                  .is_inner = is_block && cidr_is_private(block),
                                  .is_default = field_is(&range, "0.0.0.0/0") };
        vec_push(stack->arena, &table->routes, route);
    }
}

// ---- endpoints -------------------------------------------------------------------------------------------------------

// A text with `${}` for each part that only the deployment knows.
static void add_text(StrBuf *text, const Value *value) {
    const Value *argument = NULL;
    if (value->kind == VALUE_STRING) {
        strbuf_add(text, value->string);
    } else if (str_is(raw_intrinsic(value, &argument), "Fn::Sub")) {
        add_text(text, argument->kind == VALUE_LIST && argument->list.count > 0 ? argument->list.items[0] : argument);
    } else if (value->kind == VALUE_LATE && value->late->kind == LATE_TEXT) {
        for (uint32_t i = 0; i < value->late->part_count; i++) {
            add_text(text, value->late->parts[i]);
        }
    } else {
        strbuf_add(text, STR("${}"));
    }
}

static void read_tables(const Ways *ways, const RawMap *properties, PlanVpcEndpoint *endpoint) {
    endpoint->routes = raw_fields(ways->stack, properties, "RouteTableIds");
    endpoint->has_other_tables = endpoint->routes.state == FIELD_LATE;
    for (uint32_t i = 0; i < endpoint->routes.count; i++) {
        const PlanRouteTable *table = find_table(ways, &endpoint->routes.items[i]);
        endpoint->has_other_tables = endpoint->has_other_tables || table == NULL;
        if (table != NULL) {
            vec_push(ways->stack->arena, &endpoint->tables, table);
        }
    }
}

// Private zones that the stack makes, or names in them.
// source: Amazon Route 53 Developer Guide, Working with private hosted zones, and Amazon Route 53 Profiles, read 2026-11
static bool has_zones(const RawStack *stack) {
    bool has_one = false;
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        has_one = has_one || str_starts_with(stack->resources.items[i]->type, STR("AWS::Route53"));
    }
    return has_one;
}

static void add_endpoint(Ways *ways, const RawResource *resource) {
    RawStack *stack = ways->stack;
    const RawMap properties = raw_properties(resource);
    PlanVpc *vpc = vpc_of(stack, resource);
    PlanVpcEndpoint *endpoint = arena_new(stack->arena, PlanVpcEndpoint);
    Span key = SPAN_NONE;
    const Value *service = raw_value(&properties, "ServiceName", &key);
    StrBuf text = { .arena = stack->arena };
    if (service != NULL) {
        add_text(&text, service);
    }
    *endpoint = (PlanVpcEndpoint){ .subject = resource->subject,
                                   .name = resource->name,
                                   .condition = resource->condition,
                                   .service = endpoint_service_in(strbuf_str(&text)),
                                   .service_span = service == NULL ? SPAN_NONE : service->span,
                                   .type = raw_field(stack, &properties, "VpcEndpointType"),
                                   .names = raw_field(stack, &properties, "PrivateDnsEnabled"),
                                   .has_zones = ways->has_zones };
    read_tables(ways, &properties, endpoint);
    vec_push(stack->arena, &vpc->endpoints, (const PlanVpcEndpoint *)endpoint);
}

// ----------------------------------------------------------------------------------------------------------------------

static void add_all(Ways *ways, const char *type, void (*add)(Ways *ways, const RawResource *resource)) {
    for (uint32_t i = 0; i < ways->stack->resources.count; i++) {
        const RawResource *resource = ways->stack->resources.items[i];
        if (str_is(resource->type, type) && !resource->is_changed) {
            add(ways, resource);
        }
    }
}

const RawSubnet *raw_find_subnet(const RawStack *stack, const PlanField *field) {
    return field->resource == NULL ? NULL : str_map_get(&stack->subnets, field->resource->id);
}

void raw_add_ways(RawStack *stack) {
    Ways ways = { .stack = stack,
                  .tables = { .arena = stack->arena },
                  .gateways = { .arena = stack->arena },
                  .has_zones = has_zones(stack) };
    add_all(&ways, "AWS::EC2::RouteTable", add_table);
    add_all(&ways, "AWS::EC2::Subnet", add_subnet);
    add_all(&ways, "AWS::EC2::NatGateway", add_nat);
    add_all(&ways, "AWS::EC2::SubnetRouteTableAssociation", associate);
    add_all(&ways, "AWS::EC2::Route", add_route);
    add_all(&ways, "AWS::EC2::VPCEndpoint", add_endpoint);
    raw_close_ways(stack);
}
