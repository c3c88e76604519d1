// From raw VPCs, their further blocks and their subnets to the addresses that each has.
#include "compiler/plan/raw/raw.h"

typedef struct {
    const RawResource *resource;
    PlanVpc *vpc;
} RawVpc;

typedef VEC(RawVpc) RawVpcs;

static void add_vpc(RawStack *stack, RawVpcs *vpcs, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const PlanField block = raw_field(stack, &properties, "CidrBlock");
    PlanVpc *vpc = arena_new(stack->arena, PlanVpc);
    *vpc = (PlanVpc){ .name = resource->name, .has_other_blocks = block.state != FIELD_KNOWN };
    if (block.state == FIELD_KNOWN) {
        vec_push(stack->arena, &vpc->blocks,
                 ((PlanVpcBlock){ .subject = resource->subject, .name = resource->name, .block = block }));
    }
    vec_push(stack->arena, vpcs, ((RawVpc){ .resource = resource, .vpc = vpc }));
    vec_push(stack->arena, &stack->parts.vpcs, (const PlanVpc *)vpc);
}

// A block of IPv6 is none of these.
static void add_block(const RawStack *stack, const RawVpcs *vpcs, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const PlanField of = raw_field(stack, &properties, "VpcId");
    const PlanField block = raw_field(stack, &properties, "CidrBlock");
    const PlanField pool = raw_field(stack, &properties, "Ipv4IpamPoolId");
    const bool is_known = block.state == FIELD_KNOWN && !resource->is_changed;
    for (uint32_t i = 0; i < vpcs->count; i++) {
        const bool is_of_it = raw_refers(&of, vpcs->items[i].resource);
        const bool may_be = is_of_it || resource->is_changed || (of.state == FIELD_LATE && of.resource == NULL);
        PlanVpc *vpc = vpcs->items[i].vpc;
        if (is_of_it && is_known) {
            vec_push(stack->arena, &vpc->blocks,
                     ((PlanVpcBlock){ .subject = resource->subject, .name = resource->name, .block = block }));
        } else if (may_be && (block.state != FIELD_ABSENT || pool.state != FIELD_ABSENT)) {
            vpc->has_other_blocks = true;
        }
    }
}

static void add_subnet(const RawStack *stack, const RawVpcs *vpcs, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const PlanField of = raw_field(stack, &properties, "VpcId");
    const PlanField block = raw_field(stack, &properties, "CidrBlock");
    for (uint32_t i = 0; i < vpcs->count && block.state == FIELD_KNOWN; i++) {
        if (raw_refers(&of, vpcs->items[i].resource)) {
            vec_push(stack->arena, &vpcs->items[i].vpc->subnets,
                     ((PlanVpcBlock){ .subject = resource->subject, .name = resource->name, .block = block }));
        }
    }
}

void raw_add_vpcs(RawStack *stack) {
    RawVpcs vpcs = { 0 };
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EC2::VPC") && !resource->is_changed) {
            add_vpc(stack, &vpcs, resource);
        }
    }
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EC2::VPCCidrBlock")) {
            add_block(stack, &vpcs, resource);
        }
        if (str_is(resource->type, "AWS::EC2::Subnet") && !resource->is_changed) {
            add_subnet(stack, &vpcs, resource);
        }
    }
}
