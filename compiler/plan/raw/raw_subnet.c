// From raw subnets that a group names to what is known of them: their zones, their addresses, and whether they are public.
#include "compiler/plan/raw/raw.h"

#include "compiler/base/cidr.h"
#include "schema/limits.h"

// Whether the stack has an endpoint that nodes reach services by; one of a gateway leads to S3 or DynamoDB alone.
static bool has_endpoint(const RawStack *stack) {
    bool has_one = false;
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawMap properties = raw_properties(stack->resources.items[i]);
        const bool is_endpoint = str_is(stack->resources.items[i]->type, "AWS::EC2::VPCEndpoint");
        const PlanField type =
            is_endpoint ? raw_field(stack, &properties, "VpcEndpointType") : (PlanField){ .state = FIELD_ABSENT };
        has_one = has_one || (is_endpoint && type.state != FIELD_ABSENT && !field_is(&type, "Gateway"));
    }
    return has_one;
}

// Of the properties of a subnet: how many addresses AWS leaves to others; -1 where only the deployment knows.
static int64_t free_addresses_of(const RawStack *stack, const RawMap *subnet) {
    const PlanField block = raw_field(stack, subnet, "CidrBlock");
    Cidr cidr;
    const bool is_known = block.state == FIELD_KNOWN && cidr_parse(block.text, &cidr);
    return is_known ? (INT64_C(1) << (32 - cidr.prefix)) - LIMIT_SUBNET_ADDRESSES_KEPT : -1;
}

const RawResource *raw_own_subnet(const PlanField *field) {
    const RawResource *resource = field->resource;
    const bool is_own = resource != NULL && str_is(resource->type, "AWS::EC2::Subnet") && !resource->is_changed;
    return is_own ? resource : NULL;
}

// Overrides of a fleet name a subnet once for each type.
static bool is_there_before(const PlanFields *fields, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (fields->items[i].resource == fields->items[index].resource) {
            return true;
        }
    }
    return false;
}

// The first subnet with a route to an internet gateway. With endpoints for services nodes need no way out.
static void read_public(const RawStack *stack, const PlanFields *fields, PlanNodeSubnets *subnets) {
    for (uint32_t i = 0; i < fields->count && subnets->public.state == FIELD_ABSENT; i++) {
        const RawSubnet *raw = raw_find_subnet(stack, &fields->items[i]);
        if (raw != NULL && subnet_way(raw->subnet) == WAY_INTERNET && !has_endpoint(stack)) {
            subnets->public = field_known("SubnetId", fields->items[i].span, raw->resource->name);
            subnets->private_help = "name a subnet whose way out is a NAT gateway";
        }
    }
}

PlanField raw_zone(const RawStack *stack, const RawMap *subnet) {
    const PlanField name = raw_field(stack, subnet, "AvailabilityZone");
    return name.state == FIELD_ABSENT ? raw_field(stack, subnet, "AvailabilityZoneId") : name;
}

PlanNodeSubnets raw_subnets(const RawStack *stack, const PlanFields *fields) {
    PlanNodeSubnets subnets = {
        .key = fields->key, .blocks = SPAN_NONE, .public_span = SPAN_NONE, .network_zones = SPAN_NONE
    };
    bool are_known = fields->state == FIELD_KNOWN && fields->count > 0;
    for (uint32_t i = 0; i < fields->count; i++) {
        const RawResource *resource = raw_own_subnet(&fields->items[i]);
        const RawSubnet *raw = raw_find_subnet(stack, &fields->items[i]);
        if (resource == NULL || raw == NULL) {
            are_known = false;
            subnets.has_others = true;
            subnets.has_other_zones = true;
            continue;
        }
        vec_push(stack->arena, &subnets.named, ((PlanNamedSubnet){ .field = fields->items[i], .subnet = raw->subnet }));
        const RawMap properties = raw_properties(resource);
        const PlanField zone = raw_zone(stack, &properties);
        const int64_t free = free_addresses_of(stack, &properties);
        are_known = are_known && free >= 0;
        subnets.free_addresses += is_there_before(fields, i) ? 0 : free;
        if (zone.state == FIELD_KNOWN) {
            vec_push(stack->arena, &subnets.zones, zone);
        } else {
            subnets.has_other_zones = true;
        }
    }
    subnets.has_others = subnets.has_others || fields->state == FIELD_LATE;
    subnets.has_other_zones = subnets.has_other_zones || fields->state == FIELD_LATE;
    subnets.free_addresses = are_known ? subnets.free_addresses : -1;
    read_public(stack, fields, &subnets);
    return subnets;
}
