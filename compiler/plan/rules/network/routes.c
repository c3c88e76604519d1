// Rules about routes of a VPC. Of tables and gateways that somebody else makes they say nothing.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/region.h"

// Wherever one of the two is there, so is the other one.
static bool is_there_with(Str condition, Str other) {
    return condition.len == 0 || other.len == 0 || str_equal(condition, other);
}

// The route of the table of a subnet whose way out is this gateway; NULL: there is none.
static const PlanRoute *route_to(const PlanTableOfSubnet *of, const PlanNatGateway *gateway) {
    for (uint32_t i = 0; of->table != NULL && i < of->table->routes.count; i++) {
        const PlanRoute *route = &of->table->routes.items[i];
        if (route->nat == gateway && is_there_with(route->condition, gateway->condition) &&
            is_there_with(route->condition, of->condition)) {
            return route;
        }
    }
    return NULL;
}

// The gateway stands in a subnet whose way out is the gateway. A subnet with two tables is another rule's.
void rule_vpc_gateways(const Rules *rules, const PlanVpc *vpc) {
    for (uint32_t i = 0; i < vpc->gateways.count; i++) {
        const PlanNatGateway *gateway = vpc->gateways.items[i];
        const PlanVpcSubnet *subnet = gateway->subnet;
        const PlanTableOfSubnet *of = subnet->tables.count == 1 ? &subnet->tables.items[0] : NULL;
        const bool is_there = of != NULL && is_there_with(of->condition, gateway->condition);
        const PlanRoute *route = is_there ? route_to(of, gateway) : NULL;
        if (route != NULL) {
            Diag *diag = plan_report(rules->session, gateway->subject, field_place(&gateway->place),
                                     DIAG(gateway_in_circle), STR_ARG(gateway->name), STR_ARG(subnet->name));
            diag_label(rules->session, diag, field_place(&of->subnet), "has this route table");
            diag_label(rules->session, diag, field_place(&route->gateway), "whose way out is the gateway itself");
            diag_help(rules->session, diag, "name a public subnet, whose way out is an internet gateway");
        }
    }
}

// A Local Zone has a border group of its own, and addresses of another one do not go there.
// source: Amazon EC2 API Reference, AllocateAddress, NetworkBorderGroup, and AssociateNatGatewayAddress, 2026-11, read 2026-11
void rule_vpc_gateway_addresses(const Rules *rules, const PlanVpc *vpc) {
    for (uint32_t i = 0; i < vpc->gateways.count; i++) {
        const PlanNatGateway *gateway = vpc->gateways.items[i];
        const bool is_asked = gateway->zone.state == FIELD_KNOWN && gateway->address.state != FIELD_ABSENT;
        const Value zone = { .kind = VALUE_STRING, .string = is_asked ? gateway->zone.text : STR_NONE };
        const Str border = is_asked ? plan_border_group(rules->session->arena, &zone) : STR_NONE;
        if (border.len > 0) {
            Diag *diag = rule_combination(rules, gateway->subject, field_place(&gateway->address), "EC2",
                                          STR("address without `NetworkBorderGroup`"),
                                          STR(" for a NAT gateway in a Local Zone"), NULL);
            diag_label(rules->session, diag, field_place(&gateway->place), "this subnet is in `%.*s`",
                       STR_ARG(gateway->zone.text));
            diag_help(rules->session, diag, "write `NetworkBorderGroup: %.*s` into the `AWS::EC2::EIP`",
                      STR_ARG(border));
        }
    }
}

static void check_tables(const Rules *rules, const PlanVpcSubnet *subnet, uint32_t index) {
    const PlanTableOfSubnet *table = &subnet->tables.items[index];
    for (uint32_t i = 0; i < index; i++) {
        const PlanTableOfSubnet *first = &subnet->tables.items[i];
        if (is_there_with(first->condition, table->condition)) {
            Diag *diag = plan_report(rules->session, table->subject, field_place(&table->subnet),
                                     DIAG(subnet_in_two_tables), STR_ARG(subnet->name));
            diag_label(rules->session, diag, field_place(&first->subnet), "the first one");
            diag_help(rules->session, diag, "name the other subnet that this route table is for");
            return;
        }
    }
}

void rule_vpc_tables(const Rules *rules, const PlanVpc *vpc) {
    for (uint32_t i = 0; i < vpc->parts.count; i++) {
        for (uint32_t k = 1; k < vpc->parts.items[i]->tables.count; k++) {
            check_tables(rules, vpc->parts.items[i], k);
        }
    }
}

// ---- routes to itself ------------------------------------------------------------------------------------------------

// A block of the VPC that is exactly this range, and known to be; NULL: there is none.
static const PlanVpcBlock *block_of(const PlanVpc *vpc, const PlanField *range) {
    for (uint32_t i = 0; range->state == FIELD_KNOWN && i < vpc->blocks.count; i++) {
        const PlanField *block = &vpc->blocks.items[i].block;
        if (block->state == FIELD_KNOWN && str_equal(block->text, range->text)) {
            return &vpc->blocks.items[i];
        }
    }
    return NULL;
}

// Each table has a local route for each block of the VPC.
// source: EC2 API Reference, CreateRoute; Amazon VPC User Guide, Route table concepts, Local route, 2026-11, read 2026-12
void rule_vpc_own_routes(const Rules *rules, const PlanVpc *vpc) {
    enum { ROUTES_MAX = 1000 };
    uint32_t routes = 0;
    for (uint32_t i = 0; i < vpc->tables.count; i++) {
        const PlanRouteTable *table = vpc->tables.items[i];
        for (uint32_t k = 0; k < table->routes.count && routes++ < ROUTES_MAX; k++) {
            const PlanRoute *route = &table->routes.items[k];
            const PlanVpcBlock *block = block_of(vpc, &route->range);
            if (block != NULL) {
                Diag *diag = plan_report(rules->session, route->subject, rule_span(&route->range),
                                         DIAG(route_to_itself), STR_ARG(route->range.text), STR_ARG(vpc->name));
                rule_label_use(rules, diag, &route->range);
                diag_label(rules->session, diag, rule_span(&block->block), "the block of the VPC");
                diag_help(rules->session, diag, "write `0.0.0.0/0` for all that is outside, or leave the route out");
            }
        }
    }
}
