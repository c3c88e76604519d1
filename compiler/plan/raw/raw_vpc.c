// From raw VPCs, their further blocks and their subnets to the addresses that each has; and from raw clusters of EKS to the
// places of their control planes.
#include "compiler/plan/raw/raw.h"

PlanVpcBlock raw_block(const RawResource *resource, PlanField block) {
    return (
        PlanVpcBlock){ .subject = resource->subject, .name = resource->name, .span = resource->span, .block = block };
}

static void add_vpc(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const PlanField block = raw_field(stack, &properties, "CidrBlock");
    PlanVpc *vpc = arena_new(stack->arena, PlanVpc);
    *vpc = (PlanVpc){ .subject = resource->subject,
                      .maker = VPC_BY_STACK,
                      .name = resource->name,
                      .span = resource->span,
                      .has_other_blocks = block.state != FIELD_KNOWN,
                      .hosts = raw_field(stack, &properties, "EnableDnsHostnames"),
                      .private_span = SPAN_NONE,
                      .region_span = SPAN_NONE };
    if (block.state == FIELD_KNOWN) {
        vec_push(stack->arena, &vpc->blocks, raw_block(resource, block));
    }
    vec_push(stack->arena, &stack->vpcs, ((RawVpc){ .resource = resource, .vpc = vpc }));
    vec_push(stack->arena, &stack->parts.vpcs, (const PlanVpc *)vpc);
}

// A block of IPv6 is none of these.
static void add_block(const RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const PlanField of = raw_field(stack, &properties, "VpcId");
    const PlanField block = raw_field(stack, &properties, "CidrBlock");
    const PlanField pool = raw_field(stack, &properties, "Ipv4IpamPoolId");
    const bool is_known = block.state == FIELD_KNOWN && !resource->is_changed;
    for (uint32_t i = 0; i < stack->vpcs.count; i++) {
        const bool is_of_it = raw_refers(&of, stack->vpcs.items[i].resource);
        const bool may_be = is_of_it || resource->is_changed || (of.state == FIELD_LATE && of.resource == NULL);
        PlanVpc *vpc = stack->vpcs.items[i].vpc;
        if (is_of_it && is_known) {
            vec_push(stack->arena, &vpc->blocks, raw_block(resource, block));
        } else if (may_be && (block.state != FIELD_ABSENT || pool.state != FIELD_ABSENT)) {
            vpc->has_other_blocks = true;
        }
    }
}

// ---- control planes --------------------------------------------------------------------------------------------------

static const PlanVpc *vpc_of(const RawStack *stack, const RawMap *subnet) {
    const PlanField of = raw_field(stack, subnet, "VpcId");
    for (uint32_t i = 0; i < stack->vpcs.count; i++) {
        if (raw_refers(&of, stack->vpcs.items[i].resource)) {
            return stack->vpcs.items[i].vpc;
        }
    }
    return NULL;
}

// Where a cluster has one subnet, whatever its zone.
static void read_place(const RawStack *stack, const PlanFields *subnets, PlanControlPlane *plane) {
    const bool is_one = subnets->state == FIELD_KNOWN && subnets->count == 1;
    if (is_one &&
        (raw_own_subnet(&subnets->items[0]) != NULL || str_starts_with(subnets->items[0].text, STR("subnet-")))) {
        plane->place_help = "add a subnet of another zone";
        vec_push(stack->arena, &plane->places,
                 ((PlanEksPlaces){ .what = "subnet", .span = subnets->key, .count = subnets->count }));
    }
}

// The zones of the subnets that the stack makes; where it makes all of them, they may be one, of whatever name.
static void read_subnets(const RawStack *stack, const RawMap *config, PlanControlPlane *plane) {
    const PlanFields subnets = raw_fields(stack, config, "SubnetIds");
    const Value *first = NULL;
    PlanField last = { .state = FIELD_ABSENT };
    bool are_alike = subnets.state == FIELD_KNOWN && subnets.count > 0;
    for (uint32_t i = 0; i < subnets.count; i++) {
        const RawResource *resource = raw_own_subnet(&subnets.items[i]);
        const RawMap subnet = resource == NULL ? (RawMap){ 0 } : raw_properties(resource);
        const PlanField zone = raw_zone(stack, &subnet);
        Span key = SPAN_NONE;
        const Value *name = raw_value(&subnet, "AvailabilityZone", &key);
        const Value *value = name == NULL ? raw_value(&subnet, "AvailabilityZoneId", &key) : name;
        are_alike = are_alike && value != NULL && (first == NULL || value_equal(first, value));
        first = first == NULL ? value : first;
        last = zone;
        plane->vpc = plane->vpc == NULL ? vpc_of(stack, &subnet) : plane->vpc;
        if (zone.state == FIELD_KNOWN) {
            vec_push(stack->arena, &plane->zones, zone);
        }
    }
    if (are_alike && subnets.count > 1) {
        plane->alike =
            field_known("AvailabilityZone", last.span, last.state == FIELD_KNOWN ? last.text : STR("one zone"));
    } else if (are_alike && last.state == FIELD_KNOWN) {
        plane->alike = field_known("SubnetIds", subnets.key, last.text);
    } else {
        read_place(stack, &subnets, plane);
    }
}

static void add_control_plane(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap config = raw_map(&properties, "ResourcesVpcConfig");
    const RawMap network = raw_map(&properties, "KubernetesNetworkConfig");
    const RawMap nodes = raw_map(&properties, "ComputeConfig");
    const PlanField services = raw_field(stack, &network, "ServiceIpv4Cidr");
    const PlanField enabled = raw_field(stack, &nodes, "Enabled");
    PlanControlPlane *plane = arena_new(stack->arena, PlanControlPlane);
    *plane = (PlanControlPlane){ .subject = resource->subject,
                                 .maker = VPC_BY_STACK,
                                 .name = resource->name,
                                 .name_span = resource->span,
                                 .zone_help = "name subnets of zones" };
    plane->makes_nodes = nodes.state != FIELD_ABSENT && !field_is(&enabled, "false");
    read_subnets(stack, &config, plane);
    if (services.state == FIELD_KNOWN) {
        vec_push(stack->arena, &plane->services, services);
    }
    vec_push(stack->arena, &stack->parts.control_planes, (const PlanControlPlane *)plane);
}

// ----------------------------------------------------------------------------------------------------------------------

void raw_add_vpcs(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EC2::VPC") && !resource->is_changed) {
            add_vpc(stack, resource);
        }
    }
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EC2::VPCCidrBlock")) {
            add_block(stack, resource);
        }
    }
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EKS::Cluster") && !resource->is_changed) {
            add_control_plane(stack, resource);
        }
    }
}
