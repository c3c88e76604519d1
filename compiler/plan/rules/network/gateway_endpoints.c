// A rule about gateway endpoints of a VPC: they are for the subnets of their route tables alone, and those of a table behind a
// NAT gateway go on paying for each byte to S3. What a parameter or another stack gives is taken for right.
// source: AWS PrivateLink Guide, Gateway endpoints for Amazon S3; Amazon VPC User Guide, Pricing for NAT gateways; read
// 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

// Of endpoints and route tables. A VPC with more is none that people write.
enum { PARTS_MAX = 100 };

// Whether subnets have the table, and go out by a NAT gateway, in each deployment of one or the other.
static bool is_private(const PlanRouteTable *table, const PlanVpcEndpoint *endpoint) {
    const Str there = endpoint->condition;
    bool has_nat = false;
    for (uint32_t i = 0; i < table->routes.count; i++) {
        const PlanRoute *route = &table->routes.items[i];
        const bool is_there = route->condition.len == 0 || there.len == 0 || str_equal(route->condition, there);
        has_nat = has_nat || (route->way == WAY_NAT && is_there);
    }
    return table->has_subnets && has_nat && table->condition.len == 0;
}

// Whether another endpoint for the service has the table, or may have it. One with addresses is for the whole VPC.
static bool has_other(const PlanVpc *vpc, const PlanVpcEndpoint *endpoint, const PlanRouteTable *table) {
    for (uint32_t i = 0; i < vpc->endpoints.count; i++) {
        const PlanVpcEndpoint *other = vpc->endpoints.items[i];
        const bool is_for_it = other->service.len == 0 || str_equal(other->service, endpoint->service);
        if (other != endpoint && is_for_it &&
            (other->has_other_tables || other->tables.count == 0 || endpoint_has_table(other, table))) {
            return true;
        }
    }
    return false;
}

static void check_endpoint(const Rules *rules, const PlanVpc *vpc, const PlanVpcEndpoint *endpoint) {
    const PlanRouteTable *left_out = NULL;
    StrBuf text = { .arena = rules->session->arena };
    for (uint32_t i = 0; i < vpc->tables.count; i++) {
        const PlanRouteTable *table = vpc->tables.items[i];
        if (is_private(table, endpoint) && !endpoint_has_table(endpoint, table) && !has_other(vpc, endpoint, table)) {
            strbuf_add_format(&text, "%s`!Ref %.*s`", left_out == NULL ? "" : ", ", STR_ARG(table->name));
            left_out = left_out == NULL ? table : left_out;
        }
    }
    if (left_out == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, endpoint->subject, field_place(&endpoint->routes.items[0]),
                             DIAG(endpoint_passed_by), STR_ARG(left_out->name), STR_ARG(endpoint->service),
                             STR_ARG(endpoint->name));
    diag_label(rules->session, diag, left_out->span, "has a NAT gateway as its way out");
    diag_help(rules->session, diag, "add %.*s to `RouteTableIds`", STR_ARG(strbuf_str(&text)));
}

void rule_vpc_gateway_endpoints(const Rules *rules, const PlanVpc *vpc) {
    const bool is_small = vpc->endpoints.count <= PARTS_MAX && vpc->tables.count <= PARTS_MAX;
    for (uint32_t i = 0; is_small && i < vpc->endpoints.count; i++) {
        const PlanVpcEndpoint *endpoint = vpc->endpoints.items[i];
        if (endpoint_is_gateway(endpoint) == ANSWER_YES && endpoint->service.len > 0 && endpoint->tables.count > 0 &&
            !endpoint->has_other_tables) {
            check_endpoint(rules, vpc, endpoint);
        }
    }
}
