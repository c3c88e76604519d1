// A rule about nodes whose subnets have no route out, or one that takes no packets of theirs: they reach the services that
// have an endpoint, and nothing else. Where others may add to the network, it is passed over.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

// Of endpoints, and of subnets of a group. A file with more would take long, and is none that people write.
enum { PARTS_MAX = 100 };

// What nodes call before a first container runs on them.
typedef struct {
    PlanGroupForm form;
    const char *kind;  // of a compute environment: the beginning of its type; NULL: there is none
    const char *usual; // what most jobs call besides, as they start; NULL: nothing
    const char *services[6];
} NeedRow;

static const NeedRow NEED_ROWS[] = {
#define GROUP_NEED(form, kind, usual, ...) { form, kind, usual, { __VA_ARGS__ } },
#include "schema/endpoint_needs.def"
};

// NULL: nobody knows what the nodes call.
static const NeedRow *needs_of(const PlanGroup *group) {
    for (size_t i = 0; i < COUNT_OF(NEED_ROWS); i++) {
        const NeedRow *row = &NEED_ROWS[i];
        const PlanBatchGroup *batch = group->batch;
        const bool is_kind = row->kind == NULL || (batch != NULL && batch->cluster.state == FIELD_ABSENT &&
                                                   str_starts_with_in_any_case(batch->kind.text, str_of(row->kind)));
        if (row->form == group->form && is_kind) {
            return row;
        }
    }
    return NULL;
}

// What nodes in a subnet do not reach.
typedef struct {
    const char *names[COUNT_OF(((NeedRow *)NULL)->services) + 1];
    size_t count;
    size_t vital; // those of them without which no job runs
    // Endpoints for them whose private names are off.
    VEC(const PlanVpcEndpoint *) nameless;
} Missing;

static void miss(Arena *arena, Missing *missing, const PlanVpcSubnet *subnet, const char *service) {
    const PlanVpcEndpoint *nameless = NULL;
    for (uint32_t i = 0; i < subnet->vpc->endpoints.count; i++) {
        const PlanVpcEndpoint *endpoint = subnet->vpc->endpoints.items[i];
        if (!str_is(endpoint->service, service) || !endpoint_serves(endpoint, subnet)) {
            continue;
        }
        if (endpoint_is_named(endpoint) || endpoint->names.state == FIELD_ABSENT) { // of which rule_vpc_names() speaks
            return;
        }
        nameless = endpoint;
    }
    missing->names[missing->count++] = service;
    if (nameless != NULL) {
        vec_push(arena, &missing->nameless, nameless);
    }
}

// Whether a job of the group is known to log elsewhere.
static bool logs_elsewhere(const PlanGroup *group) {
    bool is_known = false;
    for (uint32_t i = 0; i < group->jobs.count; i++) {
        const PlanField *driver = &group->jobs.items[i]->log_driver;
        is_known = is_known || (driver->state != FIELD_ABSENT && !field_is(driver, "awslogs"));
    }
    return is_known;
}

static Missing missing_in(Arena *arena, const PlanGroup *group, const NeedRow *row, const PlanVpcSubnet *subnet) {
    Missing missing = { 0 };
    for (size_t i = 0; i < COUNT_OF(row->services) && row->services[i] != NULL; i++) {
        miss(arena, &missing, subnet, row->services[i]);
    }
    missing.vital = missing.count;
    if (row->usual != NULL && !logs_elsewhere(group)) {
        miss(arena, &missing, subnet, row->usual);
    }
    return missing;
}

// "`ecr.dkr` and `s3`"
static Str missing_names(Arena *arena, const Missing *missing) {
    StrBuf text = { .arena = arena };
    for (size_t i = 0; i < missing->count; i++) {
        strbuf_add_format(&text, "%s`%s`", i == 0 ? "" : i + 1 == missing->count ? " and " : ", ", missing->names[i]);
    }
    return strbuf_str(&text);
}

// Why another stack may add what is missing; NULL: none can, before the nodes are to start. A stack that nodes of EKS do not
// join never gives anything to another one.
static const char *elsewhere(const PlanGroup *group, const PlanVpc *vpc) {
    return vpc->maker != VPC_BY_STACK ? "the VPC comes from elsewhere, where endpoints for all of it may be"
           : vpc->is_told && group->form != GROUP_EKS ? "another stack that is told of the VPC may add endpoints to it"
                                                      : NULL;
}

// Whether its interfaces have no address of the internet where the subnet gives none. Tasks of Fargate ask for one each, and
// of several interfaces rule_group_public speaks.
static bool has_no_address(const PlanGroup *group, const NeedRow *row) {
    const PlanLaunch *launch = group->launch;
    const bool is_of_hosts = row->kind == NULL || !str_is(str_of(row->kind), "FARGATE");
    bool has_none = is_of_hosts && launch->interfaces_state != FIELD_LATE && group->interfaces < 2;
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        const PlanInterface *interface = &launch->interfaces[i];
        const bool is_off = interface->public_ip.state == FIELD_ABSENT || field_is(&interface->public_ip, "false");
        has_none = has_none && is_off && interface->address.state == FIELD_ABSENT;
    }
    return has_none;
}

// An internet gateway takes packets of hosts with an address of the internet alone.
static bool has_no_way(const PlanGroup *group, const NeedRow *row, const PlanVpcSubnet *subnet) {
    const PlanWay way = subnet_way(subnet);
    return way == WAY_NONE || (way == WAY_INTERNET && subnet->gives_no_address && has_no_address(group, row));
}

// Whether no subnet of the group has a route, in a network that says which routes there are: who makes none at all leaves
// that to another one.
static bool is_closed(const PlanGroup *group, const NeedRow *row) {
    const PlanNodeSubnets *subnets = &group->subnets;
    for (uint32_t i = 0; i < subnets->named.count; i++) {
        const PlanVpcSubnet *subnet = subnets->named.items[i].subnet;
        if (subnet->vpc->may_have_more || subnet->vpc->tables.count == 0 || !has_no_way(group, row, subnet) ||
            subnet->vpc->endpoints.count > PARTS_MAX) {
            return false;
        }
    }
    return subnets->named.count > 0 && subnets->named.count <= PARTS_MAX && !subnets->has_others;
}

// Each endpoint is there, and only lacks its names.
static void help_names(const Rules *rules, Diag *diag, const Missing *missing) {
    StrBuf text = { .arena = rules->session->arena };
    for (uint32_t i = 0; i < missing->nameless.count; i++) {
        strbuf_add_format(&text, "%s`%.*s`",
                          i == 0                             ? ""
                          : i + 1 == missing->nameless.count ? " and "
                                                             : ", ",
                          STR_ARG(missing->nameless.items[i]->name));
    }
    diag_help(rules->session, diag, "write `PrivateDnsEnabled: true` into %.*s", STR_ARG(strbuf_str(&text)));
}

static void help_out(const Rules *rules, Diag *diag, const PlanVpcSubnet *subnet, const Missing *missing) {
    const bool is_public = subnet_way(subnet) == WAY_INTERNET;
    diag_label(rules->session, diag, subnet->span,
               is_public ? "hosts have no address of the internet here" : "no route leads out of this subnet");
    for (uint32_t i = 0; i < missing->nameless.count; i++) {
        const PlanVpcEndpoint *endpoint = missing->nameless.items[i];
        diag_label(rules->session, diag, endpoint->service_span, "no name leads to this endpoint");
    }
    if (missing->nameless.count == missing->count) {
        help_names(rules, diag, missing);
        return;
    }
    diag_help(rules->session, diag, "%s",
              is_public
                  ? "name a subnet with a route to a NAT gateway; or write `MapPublicIpOnLaunch: true` into this one, "
                    "whose nodes the internet can then address"
              : missing->vital == 0
                  ? "add a VPC endpoint for it, or a route to a NAT gateway"
                  : "add a VPC endpoint for each, for S3 a gateway in the route table of this subnet; or a route "
                    "to a NAT gateway");
}

static void report_missing(const Rules *rules, const PlanGroup *group, const Missing *missing) {
    const PlanNamedSubnet *first = &group->subnets.named.items[0];
    const Str lacks = missing_names(rules->session->arena, missing);
    const char *why = missing->vital == 0
                          ? "a job logs there where its definition names no other `LogDriver`, and fails without"
                          : elsewhere(group, first->subnet->vpc);
    Diag *diag = why == NULL ? plan_report(rules->session, group->subject, field_place(&first->field),
                                           DIAG(nodes_without_way), STR_ARG(group->name), STR_ARG(lacks))
                             : plan_report(rules->session, group->subject, field_place(&first->field),
                                           DIAG(nodes_without_way_here), STR_ARG(group->name), STR_ARG(lacks));
    if (why != NULL) {
        diag_note(rules->session, diag, "%s", why);
    }
    help_out(rules, diag, first->subnet, missing);
}

void rule_group_way_out(const Rules *rules, const PlanGroup *group) {
    const PlanNodeSubnets *subnets = &group->subnets;
    const NeedRow *row = needs_of(group);
    Missing lacks = { 0 };
    const bool is_asked = row != NULL && is_closed(group, row);
    for (uint32_t i = 0; is_asked && i < subnets->named.count; i++) {
        const Missing missing = missing_in(rules->session->arena, group, row, subnets->named.items[i].subnet);
        lacks = missing.vital > lacks.vital || lacks.count == 0 ? missing : lacks;
    }
    if (lacks.count > 0) {
        report_missing(rules, group, &lacks);
    }
}
