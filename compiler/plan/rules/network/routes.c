// Rules about routes of subnets in a template. What they hold against each other are references, so that they say nothing of
// what a parameter or another stack gives.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/template_use.h"

// What counts always, or as the other one does.
static bool counts_with(const PlanUse *use, const PlanUse *like) {
    return use->guard == NULL || guard_is_same(use->guard, like->guard);
}

// What a property of a resource refers to; NULL where that is not known, or counts in other deployments than `like`.
static const PlanUse *reference_of(const PlanTemplate *template, const PlanNamed *from, const char *key,
                                   const PlanUse *like) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_same = like == NULL || counts_with(use, like);
        if (use->from == from && use->kind == USE_REF && !use->is_sub && use->to != NULL &&
            use->to->kind == NAMED_RESOURCE && str_is(use->key, key) && is_same) {
            return use;
        }
    }
    return NULL;
}

static const char ASSOCIATION[] = "AWS::EC2::SubnetRouteTableAssociation";

// The route of a table whose way out is this gateway; NULL: there is none.
static const PlanUse *route_to(const PlanTemplate *template, const PlanNamed *table, const PlanUse *gateway) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const PlanUse *of = use_is_reference(use, "AWS::EC2::Route", "NatGatewayId") && use->to == gateway->from &&
                                    guard_is_same(use->guard, gateway->guard)
                                ? reference_of(template, use->from, "RouteTableId", gateway)
                                : NULL;
        if (of != NULL && of->to == table) {
            return use;
        }
    }
    return NULL;
}

// What is associated twice is another rule's.
static uint32_t count_associations(const PlanTemplate *template, const PlanNamed *subnet) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        count += use_is_reference(use, ASSOCIATION, "SubnetId") && use->to == subnet ? 1 : 0;
    }
    return count;
}

// The gateway stands in a subnet whose way out is the gateway.
static void check_gateway(const Rules *rules, const PlanTemplate *template, const PlanUse *gateway) {
    const bool has_one = count_associations(template, gateway->to) == 1;
    for (uint32_t i = 0; has_one && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (!use_is_reference(use, ASSOCIATION, "SubnetId") || use->to != gateway->to || !counts_with(use, gateway)) {
            continue;
        }
        const PlanUse *table = reference_of(template, use->from, "RouteTableId", gateway);
        const PlanUse *route = table == NULL ? NULL : route_to(template, table->to, gateway);
        if (route != NULL) {
            Diag *diag = plan_report(rules->session, gateway->subject, gateway->span, DIAG(gateway_in_circle),
                                     STR_ARG(gateway->from->name), STR_ARG(gateway->to->name));
            diag_label(rules->session, diag, use->span, "has this route table");
            diag_label(rules->session, diag, route->span, "whose way out is the gateway itself");
            diag_help(rules->session, diag, "name a public subnet, whose way out is an internet gateway");
            return;
        }
    }
}

static void check_association(const Rules *rules, const PlanTemplate *template, uint32_t index) {
    const PlanUse *use = template->uses.items[index];
    for (uint32_t i = 0; i < index; i++) {
        const PlanUse *first = template->uses.items[i];
        if (use_is_reference(first, ASSOCIATION, "SubnetId") && first->to == use->to && first->from != use->from &&
            guard_is_same(first->guard, use->guard)) {
            Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(subnet_in_two_tables),
                                     STR_ARG(use->to->name));
            diag_label(rules->session, diag, first->span, "the first one");
            diag_help(rules->session, diag, "name the other subnet that this route table is for");
            return;
        }
    }
}

void rule_template_routes(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use_is_reference(use, ASSOCIATION, "SubnetId")) {
            check_association(rules, template, i);
        }
        if (use_is_reference(use, "AWS::EC2::NatGateway", "SubnetId")) {
            check_gateway(rules, template, use);
        }
    }
}
