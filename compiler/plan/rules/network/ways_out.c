// Rules about nodes of a template whose subnets have no route out: they reach the services that have an endpoint, and
// nothing else. Who may be given more by another stack, a custom resource or a proxy is passed over.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/network/endpoint_service.h"
#include "compiler/plan/rules/template_use.h"

// Of endpoints, and of subnets that nodes are in. A template with more would take long, and is none that people write.
enum { PARTS_MAX = 100 };

#define MANIFESTS "ecr.api", "ecr.dkr"
#define LAYERS "s3" // ECR keeps them in buckets

// What nodes call before a first container runs on them.
// source: Amazon ECR User Guide, Interface VPC endpoints; AWS Batch User Guide, Access AWS Batch using an interface
// endpoint; Amazon ECS Developer Guide, Interface VPC endpoints; Amazon EKS User Guide, Deploy private clusters with limited
// internet access; read 2026-11
typedef struct {
    const char *type;
    bool is_fargate;
    const char *services[6];
} NeedRow;

static const NeedRow NEED_ROWS[] = {
    { "AWS::Batch::ComputeEnvironment", false, { "ecs", "ecs-agent", MANIFESTS, LAYERS } },
    { "AWS::Batch::ComputeEnvironment", true, { MANIFESTS, LAYERS } }, // AWS itself runs the agent
    { "AWS::EKS::Nodegroup", false, { "ec2", MANIFESTS, LAYERS } },
};

// A subnet, and the route tables that are associated with it. Where there are none, it has the VPC's main one, which no
// route of a template can be in.
typedef struct {
    const PlanNamed *subnet;
    VEC(const PlanNamed *) tables;
} Ways;

// What a property is, or a list of it has, as it is written.
static const PlanNamed *referred(const PlanTemplate *template, const PlanNamed *from, const char *key) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use_is_written(use, from, key)) {
            return use->to;
        }
    }
    return NULL;
}

// ---- what is known -------------------------------------------------------------------------------------------------

static bool is_of_network(const PlanNamed *named) {
    return named != NULL && named->kind == NAMED_RESOURCE &&
           (str_is(named->type, "AWS::EC2::VPC") || str_is(named->type, "AWS::EC2::Subnet") ||
            str_is(named->type, "AWS::EC2::RouteTable"));
}

// Who gets the id of a part of the network may add routes and endpoints to it.
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
static bool propagates(const PlanNamed *named) {
    return str_is(named->type, "AWS::EC2::VPNGatewayRoutePropagation") ||
           str_is(named->type, "AWS::EC2::RouteServerPropagation");
}

static bool is_known(const PlanTemplate *template, const PlanNamed *named) {
    if (str_is(named->type, "AWS::EC2::VPCEndpoint")) {
        return endpoint_service(data_get(named->data, "Properties")).len > 0;
    }
    if (str_is(named->type, "AWS::EC2::SubnetRouteTableAssociation")) {
        return referred(template, named, "SubnetId") != NULL && referred(template, named, "RouteTableId") != NULL;
    }
    if (propagates(named)) {
        return false;
    }
    return !str_is(named->type, "AWS::EC2::Route") || referred(template, named, "RouteTableId") != NULL;
}

static bool is_whole_network(const PlanTemplate *template) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        if (may_change(template->uses.items[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind == NAMED_RESOURCE && !is_known(template, named)) {
            return false;
        }
    }
    return true;
}

// ---- ways out ------------------------------------------------------------------------------------------------------

static Ways ways_of(Arena *arena, const PlanTemplate *template, const PlanNamed *subnet) {
    Ways ways = { .subnet = subnet };
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use_is_reference(use, "AWS::EC2::SubnetRouteTableAssociation", "SubnetId") && use->to == subnet &&
            ways.tables.count < PARTS_MAX) {
            vec_push(arena, &ways.tables, referred(template, use->from, "RouteTableId"));
        }
    }
    return ways;
}

static bool has_table(const Ways *ways, const PlanNamed *table) {
    for (uint32_t i = 0; i < ways->tables.count; i++) {
        if (ways->tables.items[i] == table) {
            return true;
        }
    }
    return false;
}

// Wherever a route leads, there may be a way out behind it. A table that somebody else made may have one.
static bool has_route(const PlanTemplate *template, const Ways *ways) {
    for (uint32_t i = 0; i < ways->tables.count; i++) {
        if (ways->tables.items[i]->kind != NAMED_RESOURCE) {
            return true;
        }
    }
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use_is_reference(use, "AWS::EC2::Route", "RouteTableId") && has_table(ways, use->to)) {
            return true;
        }
    }
    return false;
}

// ---- endpoints -----------------------------------------------------------------------------------------------------

// A gateway endpoint is for the subnets of its route tables, and any other for the whole VPC.
static bool is_for(const PlanTemplate *template, const PlanNamed *endpoint, const Ways *ways) {
    const Data *tables = data_get(data_get(endpoint->data, "Properties"), "RouteTableIds");
    uint32_t found = 0;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->from == endpoint && use->is_whole && str_is(use->key, "RouteTableIds")) {
            if (has_table(ways, use->to)) {
                return true;
            }
            found++;
        }
    }
    return tables == NULL || tables->kind != DATA_LIST || tables->count != found;
}

static bool has_endpoint(const PlanTemplate *template, const char *service, const Ways *ways) {
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (named->kind == NAMED_RESOURCE && str_is(named->type, "AWS::EC2::VPCEndpoint") &&
            str_is(endpoint_service(data_get(named->data, "Properties")), service) && is_for(template, named, ways)) {
            return true;
        }
    }
    return false;
}

// "`ecr.dkr` and `s3`"; empty: all are there.
static Str missing(Arena *arena, const PlanTemplate *template, const NeedRow *row, const Ways *ways) {
    const char *names[COUNT_OF(row->services)];
    StrBuf text = { .arena = arena };
    size_t count = 0;
    for (size_t i = 0; i < COUNT_OF(row->services) && row->services[i] != NULL; i++) {
        if (!has_endpoint(template, row->services[i], ways)) {
            names[count++] = row->services[i];
        }
    }
    for (size_t i = 0; i < count; i++) {
        strbuf_add_format(&text, "%s`%s`", i == 0 ? "" : i + 1 == count ? " and " : ", ", names[i]);
    }
    return strbuf_str(&text);
}

// --------------------------------------------------------------------------------------------------------------------

// Why another stack may add what is missing; NULL: none can, before the nodes are to start. A stack that nodes of EKS do not
// join never gives anything to another one.
static const char *elsewhere(const PlanTemplate *template, const PlanNamed *subnet, const NeedRow *row) {
    const PlanNamed *vpc = referred(template, subnet, "VpcId");
    bool is_given = false;
    if (vpc == NULL || vpc->kind != NAMED_RESOURCE) {
        return "the VPC comes from elsewhere, where endpoints for all of it may be";
    }
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        is_given = is_given || (use->to == vpc && use->from != NULL && use->from->kind == NAMED_OUTPUT);
    }
    return is_given && str_is(str_of(row->type), "AWS::Batch::ComputeEnvironment")
               ? "another stack that is told of the VPC may add endpoints to it"
               : NULL;
}

// What the nodes are asked for in; NULL: it is not known what runs them.
static const Data *nodes_of(const PlanNamed *named, const NeedRow *row) {
    const Data *properties = data_get(named->data, "Properties");
    const Data *resources = data_get(properties, "ComputeResources");
    if (!str_is(named->type, "AWS::Batch::ComputeEnvironment")) {
        return properties;
    }
    const Str type = data_text(resources, "Type");
    const bool is_on_ec2 = str_is_in_any_case(type, "EC2") || str_is_in_any_case(type, "SPOT");
    const bool is_fargate = str_starts_with_in_any_case(type, STR("FARGATE"));
    const bool is_of_row = row->is_fargate ? is_fargate : is_on_ec2;
    return is_of_row && data_get(properties, "EksConfiguration") == NULL ? resources : NULL;
}

static void check_nodes(const Rules *rules, const PlanTemplate *template, const PlanNamed *named, const NeedRow *row) {
    Arena *arena = rules->session->arena;
    const Data *nodes = nodes_of(named, row);
    const Data *subnets = data_get(nodes, "Subnets");
    const PlanUse *first = NULL;
    Str lacks = STR_NONE;
    uint32_t found = 0;
    for (uint32_t i = 0; nodes != NULL && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (!use_is_reference(use, row->type, "Subnets") || use->from != named || !use->is_whole ||
            !str_is(use->to->type, "AWS::EC2::Subnet")) {
            continue;
        }
        const Ways ways = ways_of(arena, template, use->to);
        if (has_route(template, &ways)) {
            return;
        }
        const Str missed = missing(arena, template, row, &ways);
        lacks = first == NULL || missed.len > 0 ? missed : lacks;
        first = first == NULL ? use : first;
        found++;
    }
    if (lacks.len == 0 || subnets == NULL || subnets->kind != DATA_LIST || subnets->count != found) {
        return;
    }
    const char *why = elsewhere(template, first->to, row);
    Diag *diag = why == NULL ? plan_report(rules->session, first->subject, first->span, DIAG(nodes_without_way),
                                           STR_ARG(named->name), STR_ARG(lacks))
                             : plan_report(rules->session, first->subject, first->span, DIAG(nodes_without_way_here),
                                           STR_ARG(named->name), STR_ARG(lacks));
    if (why != NULL) {
        diag_note(rules->session, diag, "%s", why);
    }
    diag_label(rules->session, diag, first->to->span, "no route leads out of this subnet");
    diag_help(
        rules->session, diag,
        "add a VPC endpoint for each, for S3 a gateway in the route table of this subnet; or a route to a NAT gateway");
}

// A proxy of the VPC is a way out that is no route. It stands in user data, or in the variables of jobs.
static bool names_proxy(const Session *session, const PlanTemplate *template) {
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const Str text = named->data == NULL ? STR_NONE : source_text(session, named->data->span);
        if (str_has(text, "_proxy") || str_has(text, "_PROXY")) {
            return true;
        }
    }
    return false;
}

static bool is_of_nodes(const PlanNamed *named) {
    bool is = false;
    for (size_t i = 0; named != NULL && i < COUNT_OF(NEED_ROWS); i++) {
        is = is || str_is(named->type, NEED_ROWS[i].type);
    }
    return is;
}

// Whether the template has nodes, and says which routes there are: who makes none at all leaves that to another one.
static bool has_nodes_and_tables(const PlanTemplate *template) {
    uint32_t subnets = 0;
    uint32_t endpoints = 0;
    bool has_tables = false;
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        has_tables = has_tables || str_is(named->type, "AWS::EC2::RouteTable");
        endpoints += str_is(named->type, "AWS::EC2::VPCEndpoint") ? 1 : 0;
    }
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        subnets += is_of_nodes(use->from) && str_is(use->key, "Subnets") ? 1 : 0;
    }
    return has_tables && subnets > 0 && subnets <= PARTS_MAX && endpoints <= PARTS_MAX;
}

void rule_template_ways_out(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    if (template == NULL || !template_is_readable(template) || !has_nodes_and_tables(template) ||
        !is_whole_network(template) || names_proxy(rules->session, template)) {
        return;
    }
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        for (size_t k = 0; named->kind == NAMED_RESOURCE && k < COUNT_OF(NEED_ROWS); k++) {
            if (str_is(named->type, NEED_ROWS[k].type)) {
                check_nodes(rules, template, named, &NEED_ROWS[k]);
            }
        }
    }
}
