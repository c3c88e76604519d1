// Rules about VPC endpoints of a template: their services, and the names that they take over.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/endpoints.h"
#include "compiler/plan/rules/network/endpoint_service.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/template_use.h"

// A VPC gives names to hosts only where it says so. Where it does, but has no servers of names, another rule speaks.
// source: EC2 API Reference, CreateVpcEndpoint, PrivateDnsEnabled, and ModifyVpcAttribute, 2026-11, read 2026-11
static bool gives_no_names(const PlanNamed *vpc) {
    const Data *properties = data_get(vpc->data, "Properties");
    const Data *hosts = properties == NULL ? NULL : data_get(properties, "EnableDnsHostnames");
    return properties != NULL && (hosts == NULL || str_is(hosts->string, "false"));
}

// Of the endpoints of a VPC, the first is told.
void rule_template_endpoints(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    const PlanNamed *told = NULL;
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_vpc = use_is_reference(use, "AWS::EC2::VPCEndpoint", "VpcId") && use->is_whole &&
                            str_is(use->to->type, "AWS::EC2::VPC") && use->to != told;
        const Data *names = is_vpc ? data_get(data_get(use->from->data, "Properties"), "PrivateDnsEnabled") : NULL;
        if (names != NULL && str_is(names->string, "true") && gives_no_names(use->to)) {
            Diag *diag = rule_combination(rules, use->subject, names->span, "EC2", STR("`PrivateDnsEnabled: true`"),
                                          STR(" in a VPC without `EnableDnsHostnames`"), NULL);
            diag_label(rules->session, diag, use->to->span, "the VPC");
            diag_help(rules->session, diag, "write `EnableDnsHostnames: true` into `%.*s`", STR_ARG(use->to->name));
            told = use->to;
        }
    }
}

static const Data *service_name(const PlanNamed *endpoint) {
    return data_get(data_get(endpoint->data, "Properties"), "ServiceName");
}

static void check_end(const Rules *rules, const PlanNamed *endpoint, Str service) {
    for (size_t i = 0; i < ENDPOINT_GONE_ROW_COUNT; i++) {
        const EndpointGoneRow *row = &ENDPOINT_GONE_ROWS[i];
        if (str_is(service, row->service)) {
            Diag *diag = plan_report(rules->session, endpoint->subject, service_name(endpoint)->span,
                                     DIAG(endpoint_gone), row->service, row->day);
            diag_help(rules->session, diag, "leave the endpoint out; that of `%s` has its calls", row->instead);
        }
    }
}

static void check_service(const Rules *rules, const PlanNamed *endpoint, Str service) {
    check_end(rules, endpoint, service);
    const Str meant = endpoint_meant(service);
    if (!endpoint_is_known(service) && meant.len > 0) {
        Diag *diag = plan_report(rules->session, endpoint->subject, service_name(endpoint)->span,
                                 DIAG(endpoint_unknown), STR_ARG(service));
        diag_help(rules->session, diag, "write `%.*s`", STR_ARG(meant));
        rule_replace_part(rules, diag, service_name(endpoint)->span, service, meant);
    }
}

// The VPC or the parameter of an endpoint whose private names are there in any case; else NULL.
static const PlanNamed *vpc_of_names(const PlanUse *use) {
    const Data *properties = use->from == NULL || use->from->kind != NAMED_RESOURCE || use->guard != NULL
                                 ? NULL
                                 : data_get(use->from->data, "Properties");
    const bool is_vpc = properties != NULL && use->kind == USE_REF && use->is_whole && str_is(use->key, "VpcId") &&
                        str_is(use->from->type, "AWS::EC2::VPCEndpoint") &&
                        str_is(data_text(properties, "VpcEndpointType"), "Interface");
    const Data *names = is_vpc ? data_get(properties, "PrivateDnsEnabled") : NULL;
    return names != NULL && str_is(names->string, "true") ? use->to : NULL;
}

// A VPC has one endpoint for the public name of a service.
void rule_template_services(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    StrMap seen = { .arena = rules->session->arena };
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind == NAMED_RESOURCE && named->data != NULL && str_is(named->type, "AWS::EC2::VPCEndpoint")) {
            check_service(rules, named, endpoint_service(data_get(named->data, "Properties")));
        }
    }
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const PlanNamed *vpc = vpc_of_names(use);
        if (vpc == NULL) {
            continue;
        }
        const Str service = endpoint_service(data_get(use->from->data, "Properties"));
        const Str key = str_format(rules->session->arena, "%.*s %.*s", STR_ARG(service), STR_ARG(vpc->name));
        const PlanNamed *first = service.len == 0 ? NULL : str_map_add(&seen, key, use->from);
        if (first != NULL && first != use->from) {
            Diag *diag = plan_report(rules->session, use->subject, service_name(use->from)->span, DIAG(endpoint_twice),
                                     STR_ARG(service), STR_ARG(vpc->name));
            diag_label(rules->session, diag, service_name(first)->span, "the first one");
            diag_help(rules->session, diag, "name another service, or leave one of the two out");
        }
    }
}
