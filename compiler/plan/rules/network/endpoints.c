// Rules about endpoints of a VPC: their services, and the names that they take over.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/endpoints.h"
#include "compiler/plan/rules/network/endpoint_service.h"
#include "compiler/plan/rules/rule_word.h"

// A VPC gives names to hosts only where it says so. Where it does, but has no servers of names, another rule speaks. Of the
// endpoints of a VPC, the first is told.
// source: EC2 API Reference, CreateVpcEndpoint, PrivateDnsEnabled, and ModifyVpcAttribute, 2026-11, read 2026-11
void rule_vpc_hosts(const Rules *rules, const PlanVpc *vpc) {
    const bool gives_names = vpc->hosts.state != FIELD_ABSENT && !field_is(&vpc->hosts, "false");
    for (uint32_t i = 0; !gives_names && vpc->maker == VPC_BY_STACK && i < vpc->endpoints.count; i++) {
        const PlanVpcEndpoint *endpoint = vpc->endpoints.items[i];
        if (field_is(&endpoint->names, "true")) {
            Diag *diag =
                rule_combination(rules, endpoint->subject, field_place(&endpoint->names), "EC2",
                                 STR("`PrivateDnsEnabled: true`"), STR(" in a VPC without `EnableDnsHostnames`"), NULL);
            diag_label(rules->session, diag, vpc->span, "the VPC");
            diag_help(rules->session, diag, "write `EnableDnsHostnames: true` into `%.*s`", STR_ARG(vpc->name));
            return;
        }
    }
}

static void check_end(const Rules *rules, const PlanVpcEndpoint *endpoint) {
    for (size_t i = 0; i < ENDPOINT_GONE_ROW_COUNT; i++) {
        const EndpointGoneRow *row = &ENDPOINT_GONE_ROWS[i];
        if (str_is(endpoint->service, row->service)) {
            Diag *diag = plan_report(rules->session, endpoint->subject, endpoint->service_span, DIAG(endpoint_gone),
                                     row->service, row->day);
            diag_help(rules->session, diag, "leave the endpoint out; that of `%s` has its calls", row->instead);
        }
    }
}

void rule_vpc_services(const Rules *rules, const PlanVpc *vpc) {
    for (uint32_t i = 0; i < vpc->endpoints.count; i++) {
        const PlanVpcEndpoint *endpoint = vpc->endpoints.items[i];
        const Str meant = endpoint_meant(endpoint->service);
        check_end(rules, endpoint);
        if (!endpoint_is_known(endpoint->service) && meant.len > 0) {
            Diag *diag = plan_report(rules->session, endpoint->subject, endpoint->service_span, DIAG(endpoint_unknown),
                                     STR_ARG(endpoint->service));
            diag_help(rules->session, diag, "write `%.*s`", STR_ARG(meant));
            rule_replace_part(rules, diag, endpoint->service_span, endpoint->service, meant);
        }
    }
}

// Whether its private names are there wherever it is.
static bool has_names(const PlanVpcEndpoint *endpoint) {
    return endpoint->service.len > 0 && field_is(&endpoint->names, "true") && field_is(&endpoint->type, "Interface");
}

// Where nothing is said of names, calls go past an endpoint. Who writes `false` has names of their own. Services that have
// gateways as well are called through these.
static bool has_forgotten_names(const PlanVpcEndpoint *endpoint) {
    bool is_by_address = false;
    for (size_t i = 0; i < ENDPOINT_ROW_COUNT; i++) {
        const EndpointRow *row = &ENDPOINT_ROWS[i];
        is_by_address = is_by_address || (!row->is_gateway && str_is(endpoint->service, row->service));
    }
    return is_by_address && !endpoint_is_named(endpoint) && endpoint->names.state == FIELD_ABSENT &&
           field_is(&endpoint->type, "Interface");
}

// One message names all of them: they were written in one go.
static void check_nameless(const Rules *rules, const PlanVpc *vpc) {
    Diag *first = NULL;
    for (uint32_t i = 0; i < vpc->endpoints.count; i++) {
        const PlanVpcEndpoint *endpoint = vpc->endpoints.items[i];
        if (!has_forgotten_names(endpoint)) {
            continue;
        }
        const bool is_allowed = plan_allows(endpoint->subject, DIAG_combination_harmful);
        if (first != NULL && !is_allowed) {
            diag_label(rules->session, first, field_place(&endpoint->type), "nor has `%.*s`", STR_ARG(endpoint->name));
            continue;
        }
        Diag *diag = rule_combination(rules, endpoint->subject, field_place(&endpoint->type), "EC2",
                                      STR("`VpcEndpointType: Interface`"), STR(" without `PrivateDnsEnabled`"),
                                      "CloudFormation gives the endpoint no private names, and calls of its service go "
                                      "past it");
        diag_help(rules->session, diag,
                  "write `PrivateDnsEnabled: true`, or `false` where a zone of yours has the name");
        first = is_allowed ? first : diag;
    }
}

// The first endpoint of the service that is always there; with a condition, one that is there wherever this one is.
static const PlanVpcEndpoint *first_of(StrMap *seen, const PlanVpcEndpoint *endpoint) {
    const PlanVpcEndpoint *first = str_map_get(seen, endpoint->service);
    if (endpoint->condition.len == 0) {
        return first != NULL ? first : str_map_add(seen, endpoint->service, endpoint);
    }
    const Str key = str_format(seen->arena, "%.*s %.*s", STR_ARG(endpoint->service), STR_ARG(endpoint->condition));
    return first != NULL ? first : str_map_add(seen, key, endpoint);
}

static void check_names(const Rules *rules, const PlanVpc *vpc, StrMap *seen, bool is_conditional) {
    for (uint32_t i = 0; vpc->name.len > 0 && i < vpc->endpoints.count; i++) {
        const PlanVpcEndpoint *endpoint = vpc->endpoints.items[i];
        const bool is_asked = has_names(endpoint) && (endpoint->condition.len > 0) == is_conditional;
        const PlanVpcEndpoint *first = is_asked ? first_of(seen, endpoint) : NULL;
        if (first != NULL && first != endpoint) {
            Diag *diag = plan_report(rules->session, endpoint->subject, endpoint->service_span, DIAG(endpoint_twice),
                                     STR_ARG(endpoint->service), STR_ARG(vpc->name));
            diag_label(rules->session, diag, first->service_span, "the first one");
            diag_help(rules->session, diag, "name another service, or leave one of the two out");
        }
    }
}

// A VPC has one endpoint for the public name of a service. Those that are always there come first.
void rule_vpc_names(const Rules *rules, const PlanVpc *vpc) {
    check_nameless(rules, vpc);
    StrMap seen = { .arena = rules->session->arena };
    check_names(rules, vpc, &seen, false);
    check_names(rules, vpc, &seen, true);
}
