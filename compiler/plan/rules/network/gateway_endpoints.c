// A rule about gateway endpoints of a template: they are for the subnets of their route tables alone, and those of a table
// behind a NAT gateway go on paying for each byte to S3. What a parameter or another stack gives is taken for right.
// source: AWS PrivateLink Guide, Gateway endpoints for Amazon S3; Amazon VPC User Guide, Pricing for NAT gateways; read
// 2026-11
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/network/endpoint_service.h"
#include "compiler/plan/rules/template_use.h"

// Of endpoints and route tables. A template with more is none that people write.
enum { PARTS_MAX = 100 };

typedef VEC(const PlanNamed *) Parts;

typedef struct {
    const PlanNamed *named;
    Str service;          // empty: not known
    const PlanUse *first; // of its route tables, where the template makes each of them; else NULL
    Parts tables;         // that it names
} Endpoint;

typedef struct {
    const Rules *rules;
    const PlanTemplate *template;
    VEC(Endpoint) endpoints;
    Parts tables; // with subnets, and a NAT gateway as the way out
} EndpointsCheck;

// What a property is; NULL where it is not known, or not always.
static const PlanNamed *referred(const PlanTemplate *template, const PlanNamed *from, const char *key) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use_is_written(use, from, key) && use->guard == NULL) {
            return use->to;
        }
    }
    return NULL;
}

static bool has_table(const Endpoint *endpoint, const PlanNamed *table) {
    for (uint32_t i = 0; i < endpoint->tables.count; i++) {
        if (endpoint->tables.items[i] == table) {
            return true;
        }
    }
    return false;
}

static Endpoint endpoint_of(const Rules *rules, const PlanTemplate *template, const PlanNamed *named) {
    const Data *properties = data_get(named->data, "Properties");
    const Data *tables = data_get(properties, "RouteTableIds");
    Endpoint endpoint = { .named = named, .service = endpoint_service(properties) };
    uint32_t found = 0;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (!use_is_written(use, named, "RouteTableIds")) {
            continue;
        }
        vec_push(rules->session->arena, &endpoint.tables, use->to);
        if (use->guard == NULL && use->to != NULL && use->to->kind == NAMED_RESOURCE) {
            endpoint.first = endpoint.first == NULL ? use : endpoint.first;
            found++;
        }
    }
    if (tables == NULL || tables->kind != DATA_LIST || tables->count != found) {
        endpoint.first = NULL;
    }
    return endpoint;
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

static EndpointsCheck check_of(const Rules *rules, const PlanTemplate *template) {
    Arena *arena = rules->session->arena;
    EndpointsCheck check = { .rules = rules, .template = template };
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const bool is_resource = named->kind == NAMED_RESOURCE && named->data != NULL;
        if (is_resource && str_is(named->type, "AWS::EC2::VPCEndpoint") && check.endpoints.count <= PARTS_MAX) {
            vec_push(arena, &check.endpoints, endpoint_of(rules, template, named));
        }
        if (is_resource && str_is(named->type, "AWS::EC2::RouteTable") && check.tables.count <= PARTS_MAX &&
            data_get(named->data, "Condition") == NULL && is_private(template, named)) {
            vec_push(arena, &check.tables, named);
        }
    }
    return check;
}

// Whether another endpoint for the service has the table, or may have it. One with addresses is for the whole VPC.
static bool has_other(const EndpointsCheck *check, const Endpoint *endpoint, const PlanNamed *table) {
    for (uint32_t i = 0; i < check->endpoints.count; i++) {
        const Endpoint *other = &check->endpoints.items[i];
        if (other != endpoint && (other->service.len == 0 || str_equal(other->service, endpoint->service)) &&
            (other->first == NULL || has_table(other, table))) {
            return true;
        }
    }
    return false;
}

static void check_endpoint(const EndpointsCheck *check, const Endpoint *endpoint) {
    Session *session = check->rules->session;
    const PlanUse *first = endpoint->first;
    const PlanNamed *vpc = referred(check->template, endpoint->named, "VpcId");
    const PlanNamed *left_out = NULL;
    StrBuf text = { .arena = session->arena };
    for (uint32_t i = 0; first != NULL && vpc != NULL && endpoint->service.len > 0 && i < check->tables.count; i++) {
        const PlanNamed *table = check->tables.items[i];
        if (referred(check->template, table, "VpcId") == vpc && !has_table(endpoint, table) &&
            !has_other(check, endpoint, table)) {
            strbuf_add_format(&text, "%s`!Ref %.*s`", left_out == NULL ? "" : ", ", STR_ARG(table->name));
            left_out = left_out == NULL ? table : left_out;
        }
    }
    if (left_out == NULL) {
        return;
    }
    Diag *diag = plan_report(session, endpoint->named->subject, first->span, DIAG(endpoint_passed_by),
                             STR_ARG(left_out->name), STR_ARG(endpoint->service), STR_ARG(endpoint->named->name));
    diag_label(session, diag, left_out->span, "has a NAT gateway as its way out");
    diag_help(session, diag, "add %.*s to `RouteTableIds`", STR_ARG(strbuf_str(&text)));
}

void rule_gateway_endpoints(const Rules *rules, const PlanFile *file) {
    if (file->names == NULL || !template_is_readable(file->names)) {
        return;
    }
    const EndpointsCheck check = check_of(rules, file->names);
    const bool is_small = check.endpoints.count <= PARTS_MAX && check.tables.count <= PARTS_MAX;
    for (uint32_t i = 0; is_small && i < check.endpoints.count; i++) {
        const Endpoint *endpoint = &check.endpoints.items[i];
        const Data *type = data_get(data_get(endpoint->named->data, "Properties"), "VpcEndpointType");
        if ((type == NULL || str_is(type->string, "Gateway")) && check.tables.count > 0) {
            check_endpoint(&check, endpoint);
        }
    }
}
