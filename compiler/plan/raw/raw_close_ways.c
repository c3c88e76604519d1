// Whether all ways out of the VPCs of a stack stand in it. Who is given the id of a part may add routes and endpoints to it:
// another stack, or a custom resource. In another deployment of the template there may be more, too.
#include "compiler/plan/raw/raw.h"

static bool is_routing(Str type) {
    return str_is(type, "AWS::EC2::RouteTable") || str_is(type, "AWS::EC2::Route") ||
           str_is(type, "AWS::EC2::SubnetRouteTableAssociation") || str_is(type, "AWS::EC2::VPCEndpoint");
}

static bool is_of_network(const PlanNamed *named) {
    return named != NULL && named->kind == NAMED_RESOURCE &&
           (str_is(named->type, "AWS::EC2::VPC") || str_is(named->type, "AWS::EC2::Subnet") ||
            str_is(named->type, "AWS::EC2::RouteTable"));
}

static bool may_change(const PlanUse *use) {
    const PlanNamed *from = use->from;
    if (!is_of_network(use->to) || use->kind == USE_DEPENDS_ON) {
        return false;
    }
    if (from == NULL || from->kind != NAMED_RESOURCE) {
        return str_is(use->to->type, "AWS::EC2::RouteTable");
    }
    return !str_starts_with(from->type, STR("AWS::")) || str_starts_with(from->type, STR("AWS::CloudFormation::"));
}

// What puts routes into a table that no template shows: they come over BGP.
// source: Amazon VPC User Guide, Route propagation, and Dynamic routing with Amazon VPC Route Server, read 2026-11
static bool propagates(Str type) {
    return str_is(type, "AWS::EC2::VPNGatewayRoutePropagation") || str_is(type, "AWS::EC2::RouteServerPropagation");
}

// Whether a property is a text, or a reference: what a function makes of several may be anything.
static bool is_plain(const RawStack *stack, const RawMap *properties, const char *key) {
    const PlanField field = raw_field(stack, properties, key);
    Span span = SPAN_NONE;
    const Value *value = raw_value(properties, key, &span);
    const Value *argument = NULL;
    return field.state == FIELD_KNOWN || field.resource != NULL ||
           (value != NULL && str_is(raw_intrinsic(value, &argument), "Ref"));
}

static bool is_known(const RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const bool is_association = str_is(resource->type, "AWS::EC2::SubnetRouteTableAssociation");
    if (is_association || str_is(resource->type, "AWS::EC2::Route")) {
        return is_plain(stack, &properties, "RouteTableId") &&
               (!is_association || is_plain(stack, &properties, "SubnetId"));
    }
    return !propagates(resource->type) && !(resource->is_changed && is_routing(resource->type));
}

// A proxy of the VPC is a way out that is no route. It stands in user data, or in the variables of jobs.
static bool names_proxy(const RawStack *stack, const PlanNamed *named) {
    const Str text = named->data == NULL ? STR_NONE : source_text(stack->session, named->data->span);
    return str_has(text, "_proxy") || str_has(text, "_PROXY");
}

static bool is_of_stack(const RawStack *stack, const PlanNamed *named) {
    return named->kind != NAMED_RESOURCE || !is_routing(named->type) || str_map_get(&stack->by_id, named->name) != NULL;
}

static bool is_whole(const RawStack *stack) {
    const PlanTemplate *names = stack->names;
    if (names == NULL || names->is_open) {
        return false;
    }
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        if (!is_known(stack, stack->resources.items[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < names->uses.count; i++) {
        if (may_change(names->uses.items[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < names->named.count; i++) {
        if (!is_of_stack(stack, names->named.items[i]) || names_proxy(stack, names->named.items[i])) {
            return false;
        }
    }
    return true;
}

static bool is_output(const RawStack *stack, const RawResource *vpc) {
    const PlanTemplate *names = stack->names;
    for (uint32_t i = 0; vpc != NULL && names != NULL && i < names->uses.count; i++) {
        const PlanUse *use = names->uses.items[i];
        if (use->to != NULL && use->from != NULL && use->from->kind == NAMED_OUTPUT &&
            str_equal(use->to->name, vpc->id)) {
            return true;
        }
    }
    return false;
}

void raw_close_ways(RawStack *stack) {
    const bool is_closed = stack->vpcs.count > 0 && is_whole(stack);
    for (uint32_t i = 0; i < stack->vpcs.count; i++) {
        PlanVpc *vpc = stack->vpcs.items[i].vpc;
        vpc->may_have_more = !is_closed;
        vpc->is_told = is_output(stack, stack->vpcs.items[i].resource);
        for (uint32_t k = 0; k < vpc->endpoints.count; k++) {
            vpc->may_have_more = vpc->may_have_more || vpc->endpoints.items[k]->service.len == 0;
        }
    }
}
