// A rule about gateway endpoints of a template: they are for the subnets of their route tables alone, and those of a table
// behind a NAT gateway go on paying for each byte to S3. What a parameter or another stack gives is taken for right.
// source: AWS PrivateLink Guide, Gateway endpoints for Amazon S3; Amazon VPC User Guide, Pricing for NAT gateways; read
// 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/endpoint_service.h"
#include "compiler/plan/rules/template_use.h"

// Of endpoints and route tables. A template with more is none that people write.
enum { PARTS_MAX = 100 };

typedef VEC(const PlanNamed *) Parts;

typedef struct {
    const Rules *rules;
    const PlanTemplate *template;
    Parts endpoints; // gateways
    Parts tables;    // with subnets, and a NAT gateway as the way out
} Check;

static bool is_of(const PlanUse *use, const PlanNamed *from, const char *key) {
    return use->from == from && use->kind == USE_REF && use->is_whole && str_is(use->key, key);
}

// What a property is; NULL where it is not known, or not always.
static const PlanNamed *referred(const PlanTemplate *template, const PlanNamed *from, const char *key) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (is_of(use, from, key) && use->guard == NULL) {
            return use->to;
        }
    }
    return NULL;
}

static bool has_table(const PlanTemplate *template, const PlanNamed *endpoint, const PlanNamed *table) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        if (is_of(template->uses.items[i], endpoint, "RouteTableIds") && template->uses.items[i]->to == table) {
            return true;
        }
    }
    return false;
}

// The first of its route tables, where the template makes each of them; else NULL.
static const PlanUse *first_table(const PlanTemplate *template, const PlanNamed *endpoint) {
    const Data *tables = data_get(data_get(endpoint->data, "Properties"), "RouteTableIds");
    const PlanUse *first = NULL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (is_of(use, endpoint, "RouteTableIds") && use->guard == NULL && use->to != NULL &&
            use->to->kind == NAMED_RESOURCE) {
            first = first == NULL ? use : first;
            found++;
        }
    }
    return tables != NULL && tables->kind == DATA_LIST && tables->count == found ? first : NULL;
}

static bool is_nat_route(const PlanUse *use) {
    return use_is_reference(use, "AWS::EC2::Route", "RouteTableId") && use->guard == NULL && use->from->data != NULL &&
           data_get(data_get(use->from->data, "Properties"), "NatGatewayId") != NULL;
}

// Whether subnets have the table, and go out by a NAT gateway.
static bool is_private(const PlanTemplate *template, const PlanNamed *table) {
    bool has_subnet = false;
    bool has_nat = false;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->to == table) {
            has_subnet = has_subnet || use_is_reference(use, "AWS::EC2::SubnetRouteTableAssociation", "RouteTableId");
            has_nat = has_nat || is_nat_route(use);
        }
    }
    return has_subnet && has_nat;
}

static Check check_of(const Rules *rules, const PlanTemplate *template) {
    Arena *arena = rules->session->arena;
    Check check = { .rules = rules, .template = template };
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const bool is_resource = named->kind == NAMED_RESOURCE && named->data != NULL;
        if (is_resource && str_is(named->type, "AWS::EC2::VPCEndpoint") && check.endpoints.count <= PARTS_MAX) {
            vec_push(arena, &check.endpoints, named);
        }
        if (is_resource && str_is(named->type, "AWS::EC2::RouteTable") && check.tables.count <= PARTS_MAX &&
            data_get(named->data, "Condition") == NULL && is_private(template, named)) {
            vec_push(arena, &check.tables, named);
        }
    }
    return check;
}

// Whether another endpoint for the service has the table, or may have it. One with addresses is for the whole VPC.
static bool has_other(const Check *check, const PlanNamed *endpoint, Str service, const PlanNamed *table) {
    for (uint32_t i = 0; i < check->endpoints.count; i++) {
        const PlanNamed *other = check->endpoints.items[i];
        const Str of_other = endpoint_service(data_get(other->data, "Properties"));
        if (other != endpoint && (of_other.len == 0 || str_equal(of_other, service)) &&
            (first_table(check->template, other) == NULL || has_table(check->template, other, table))) {
            return true;
        }
    }
    return false;
}

static void check_endpoint(const Check *check, const PlanNamed *endpoint) {
    Session *session = check->rules->session;
    const Str service = endpoint_service(data_get(endpoint->data, "Properties"));
    const PlanUse *first = first_table(check->template, endpoint);
    const PlanNamed *vpc = referred(check->template, endpoint, "VpcId");
    const PlanNamed *left_out = NULL;
    StrBuf text = { .arena = session->arena };
    for (uint32_t i = 0; first != NULL && vpc != NULL && service.len > 0 && i < check->tables.count; i++) {
        const PlanNamed *table = check->tables.items[i];
        if (referred(check->template, table, "VpcId") == vpc && !has_table(check->template, endpoint, table) &&
            !has_other(check, endpoint, service, table)) {
            strbuf_add_format(&text, "%s`!Ref %.*s`", left_out == NULL ? "" : ", ", STR_ARG(table->name));
            left_out = left_out == NULL ? table : left_out;
        }
    }
    if (left_out == NULL) {
        return;
    }
    Diag *diag = plan_report(session, endpoint->subject, first->span, DIAG(endpoint_passed_by), STR_ARG(left_out->name),
                             STR_ARG(service), STR_ARG(endpoint->name));
    diag_label(session, diag, left_out->span, "has a NAT gateway as its way out");
    diag_help(session, diag, "add %.*s to `RouteTableIds`", STR_ARG(strbuf_str(&text)));
}

void rule_gateway_endpoints(const Rules *rules, const PlanFile *file) {
    if (file->names == NULL || !template_is_readable(file->names)) {
        return;
    }
    const Check check = check_of(rules, file->names);
    const bool is_small = check.endpoints.count <= PARTS_MAX && check.tables.count <= PARTS_MAX;
    for (uint32_t i = 0; is_small && i < check.endpoints.count; i++) {
        const Data *type = data_get(data_get(check.endpoints.items[i]->data, "Properties"), "VpcEndpointType");
        if ((type == NULL || str_is(type->string, "Gateway")) && check.tables.count > 0) {
            check_endpoint(&check, check.endpoints.items[i]);
        }
    }
}
