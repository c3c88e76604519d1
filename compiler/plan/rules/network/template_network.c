// Rules about ways through the network of a template: routes of subnets, mount targets and ports of a file system. What
// they hold against each other are references, so that they say nothing of what a parameter or another stack gives.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/endpoints.h"
#include "compiler/plan/rules/network/endpoint_service.h"
#include "compiler/plan/rules/template_use.h"
#include "compiler/plan/rules/rule_word.h"

// ---- routes ----------------------------------------------------------------------------------------------------

// Both count in the same deployments, as far as it is written.
static bool same_guard(const PlanGuard *left, const PlanGuard *right) {
    return left == right ||
           (left != NULL && right != NULL && left->condition != NULL && left->condition == right->condition &&
            left->holds == right->holds && same_guard(left->outer, right->outer));
}

// What counts always, or as the other one does.
static bool counts_with(const PlanUse *use, const PlanUse *like) {
    return use->guard == NULL || same_guard(use->guard, like->guard);
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
                                    same_guard(use->guard, gateway->guard)
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
            same_guard(first->guard, use->guard)) {
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

// ---- names of endpoints ---------------------------------------------------------------------------------------------

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

// ---- mount targets -------------------------------------------------------------------------------------------------

// Written in the same way, so that it is the same wherever it stands.
static bool is_same_text(const Data *left, const Data *right) {
    if (left->kind != right->kind || left->count != right->count || !str_equal(left->tag, right->tag) ||
        !str_equal(left->string, right->string)) {
        return false;
    }
    for (uint32_t i = 0; i < left->count; i++) {
        const bool is_map = left->kind == DATA_MAP;
        if ((is_map && !str_equal(left->entries[i].key, right->entries[i].key)) ||
            !is_same_text(is_map ? left->entries[i].value : left->items[i],
                          is_map ? right->entries[i].value : right->items[i])) {
            return false;
        }
    }
    return true;
}

static bool is_in_same_zone(const PlanNamed *left, const PlanNamed *right) {
    const bool are_resources = left->kind == NAMED_RESOURCE && right->kind == NAMED_RESOURCE;
    const Data *zone = are_resources ? data_get(data_get(left->data, "Properties"), "AvailabilityZone") : NULL;
    const Data *other = are_resources ? data_get(data_get(right->data, "Properties"), "AvailabilityZone") : NULL;
    return left == right || (zone != NULL && other != NULL && is_same_text(zone, other));
}

static const char MOUNT_TARGET[] = "AWS::EFS::MountTarget";

// The file system that a mount target is of, whether this template makes it or another one.
static const PlanNamed *system_of(const PlanTemplate *template, const PlanNamed *target) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->from == target && use->kind == USE_REF && use->is_whole && str_is(use->key, "FileSystemId")) {
            return use->to;
        }
    }
    return NULL;
}

static bool is_subnet_of_target(const PlanUse *use) {
    return use->kind == USE_REF && use->is_whole && use->to != NULL && use->from != NULL &&
           str_is(use->from->type, MOUNT_TARGET) && str_is(use->key, "SubnetId");
}

// EFS takes one in each zone.
static void check_mount_target(const Rules *rules, const PlanTemplate *template, uint32_t index) {
    const PlanUse *use = template->uses.items[index];
    const PlanNamed *system = system_of(template, use->from);
    for (uint32_t i = 0; system != NULL && i < index; i++) {
        const PlanUse *first = template->uses.items[i];
        if (is_subnet_of_target(first) && first->from != use->from && same_guard(first->guard, use->guard) &&
            is_in_same_zone(first->to, use->to) && system_of(template, first->from) == system) {
            Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(mount_target_twice),
                                     STR_ARG(use->from->name), STR_ARG(system->name));
            diag_label(rules->session, diag, first->span, "the first one");
            diag_help(rules->session, diag,
                      "leave it out: all subnets of a zone mount by one; or name a subnet in another zone");
            return;
        }
    }
}

void rule_template_mount_targets(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->uses.count; i++) {
        if (is_subnet_of_target(template->uses.items[i])) {
            check_mount_target(rules, template, i);
        }
    }
}

// ---- ports of file systems -----------------------------------------------------------------------------------------

// Source: FSx for Lustre User Guide, File system access control with Amazon VPC; EFS User Guide, Using VPC security groups;
// read 2026-11. AWS names ports 1018 to 1023 for Lustre besides. What there is on these is the other end of a connection to
// 988, which a security group lets in by itself: ParallelCluster asks for 988 alone, and so does a stack of its own
// (aws/aws-parallelcluster@451cc532 cli/src/pcluster/constants.py, FSX_PORTS; cloudformation/storage/storage-stack.yaml).
typedef struct {
    const char *type;
    const char *kind;   // FileSystemType; NULL: there is no such property
    const char *groups; // the property that names them
    int port;
    const char *also;        // what else is to be opened
    bool is_checked_at_once; // the resource is not made otherwise: who opens the port later is too late
} PortRow;

enum { HTTPS = 443 };

static const PortRow PORT_ROWS[] = {
    { "AWS::FSx::FileSystem", "LUSTRE", "SecurityGroupIds", 988, ", and one for 1018 to 1023", true },
    { "AWS::EFS::MountTarget", NULL, "SecurityGroups", 2049, "", false },
    { "AWS::EC2::VPCEndpoint", NULL, "SecurityGroupIds", HTTPS, "", false }, // of a service that answers there
};

typedef struct {
    int port;
    bool is_known; // all rules are written as they are
    bool is_open;
} Ports;

// Ports may be written as numbers or as texts.
static bool port_of(const Data *rule, const char *key, int64_t *port) {
    const Data *value = data_get(rule, key);
    *port = 0;
    for (size_t i = 0; value != NULL && i < value->string.len; i++) {
        const char c = value->string.data[i];
        if (c < '0' || c > '9' || *port > UINT16_MAX) {
            return false;
        }
        *port = *port * 10 + (c - '0');
    }
    return value != NULL && value->string.len > 0 && (value->kind == DATA_INT || value->kind == DATA_STRING);
}

static void add_rule(Ports *ports, const Data *rule) {
    const Data *protocol = data_get(rule, "IpProtocol");
    int64_t first = 0;
    int64_t last = 0;
    const bool is_text = protocol != NULL && (protocol->kind == DATA_STRING || protocol->kind == DATA_INT);
    if (!is_text || (!str_is(protocol->string, "tcp") && !str_is(protocol->string, "udp"))) {
        ports->is_known = false; // all protocols, or a number
        return;
    }
    if (!port_of(rule, "FromPort", &first) || !port_of(rule, "ToPort", &last)) {
        ports->is_known = false;
        return;
    }
    ports->is_open = ports->is_open || (str_is(protocol->string, "tcp") && first <= ports->port && last >= ports->port);
}

// A group that does not let a port in, and the message that says so: one rule of it mends all that wear it.
typedef struct {
    const PlanNamed *group;
    int port;
    Diag *diag;
} ShutPort;

typedef struct {
    const Rules *rules;
    const PlanTemplate *template;
    VEC(ShutPort) said;
    const PlanNamed **groups; // by the index of a rule of its own: the resource that it is for; NULL: nobody knows
} PortCheck;

static const PlanNamed **groups_of_rules(Arena *arena, const PlanTemplate *template) {
    const PlanNamed **groups = arena_new_array(arena, const PlanNamed *, template->named.count);
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->from != NULL && use->from->kind == NAMED_RESOURCE && str_is(use->key, "GroupId") && use->is_whole) {
            groups[use->from->index] = use->to;
        }
    }
    return groups;
}

static void add_group(const PortCheck *check, Ports *ports, const PlanNamed *group) {
    const Data *rules = data_get(data_get(group->data, "Properties"), "SecurityGroupIngress");
    for (uint32_t i = 0; rules != NULL && rules->kind == DATA_LIST && i < rules->count; i++) {
        add_rule(ports, rules->items[i]);
    }
    ports->is_known = ports->is_known && (rules == NULL || rules->kind == DATA_LIST);
    for (uint32_t i = 0; i < check->template->named.count; i++) {
        const PlanNamed *named = check->template->named.items[i];
        const PlanNamed *other = check->groups[named->index];
        const bool is_of_another = other != NULL && other != group && str_is(other->type, "AWS::EC2::SecurityGroup");
        if (str_is(named->type, "AWS::EC2::SecurityGroupIngress") && !is_of_another) {
            add_rule(ports, data_get(named->data, "Properties"));
        }
    }
}

// Whoever is given the id of a group may add rules to it: another stack, nested or not, that reads an output or a parameter,
// or a custom resource. Who only wears the group does not.
static bool is_handed_on(const PlanTemplate *template, const PlanNamed *group) {
    static const char *const WEARERS[] = { "AWS::AutoScaling::", "AWS::Batch::", "AWS::EC2::", "AWS::ECS::",
                                           "AWS::EFS::",         "AWS::EKS::",   "AWS::FSx::", "AWS::PCS::" };
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        bool is_worn = use->to != group || use->kind == USE_DEPENDS_ON;
        for (size_t k = 0; !is_worn && use->from != NULL && k < COUNT_OF(WEARERS); k++) {
            is_worn = use->from->kind == NAMED_RESOURCE && str_starts_with(use->from->type, str_of(WEARERS[k]));
        }
        if (!is_worn) {
            return true;
        }
    }
    return false;
}

// The message that was given of the group already; NULL: there is none.
static Diag *said_of(const PortCheck *check, const PlanNamed *group, int port) {
    for (uint32_t i = 0; i < check->said.count; i++) {
        if (check->said.items[i].group == group && check->said.items[i].port == port) {
            return check->said.items[i].diag;
        }
    }
    return NULL;
}

static void say_port(PortCheck *check, const PlanNamed *storage, const PortRow *row, const PlanUse *last) {
    Session *session = check->rules->session;
    const bool is_allowed = plan_allows(last->subject, DIAG_storage_port);
    Diag *other = is_allowed ? NULL : said_of(check, last->to, row->port);
    if (other != NULL) {
        diag_label(session, other, last->span, "nor to `%.*s`", STR_ARG(storage->name));
        return;
    }
    Diag *diag = plan_report(session, last->subject, last->span, DIAG(storage_port), STR_ARG(storage->name), row->port);
    diag_label(session, diag, last->to->span, "does not let it in");
    diag_help(session, diag, "add a rule with `IpProtocol: tcp`, `FromPort: %d`, `ToPort: %d`%s", row->port, row->port,
              row->also);
    if (!is_allowed) {
        const ShutPort shut = { .group = last->to, .port = row->port, .diag = diag };
        vec_push(session->arena, &check->said, shut);
    }
}

static void check_ports(PortCheck *check, const PlanNamed *storage, const PortRow *row) {
    const PlanTemplate *template = check->template;
    const Data *groups = data_get(data_get(storage->data, "Properties"), row->groups);
    Ports ports = { .port = row->port, .is_known = true };
    const PlanUse *last = NULL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_group = use->from == storage && str_is(use->key, row->groups) && use->to != NULL &&
                              (use->kind == USE_REF || use->kind == USE_ATTRIBUTE) &&
                              str_is(use->to->type, "AWS::EC2::SecurityGroup");
        if (is_group) {
            add_group(check, &ports, use->to);
            ports.is_known = ports.is_known && (row->is_checked_at_once || !is_handed_on(template, use->to));
            last = use;
            found++;
        }
    }
    const bool is_all = groups != NULL && groups->kind == DATA_LIST && groups->count == found;
    if (last == NULL || !is_all || !ports.is_known || ports.is_open) {
        return;
    }
    say_port(check, storage, row, last);
}

void rule_template_ports(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    if (template == NULL || !template_is_readable(template)) {
        return;
    }
    PortCheck check = { .rules = rules,
                        .template = template,
                        .groups = groups_of_rules(rules->session->arena, template) };
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const Data *properties = named->data == NULL ? NULL : data_get(named->data, "Properties");
        for (size_t k = 0; named->kind == NAMED_RESOURCE && properties != NULL && k < COUNT_OF(PORT_ROWS); k++) {
            const PortRow *row = &PORT_ROWS[k];
            const bool is_kind = row->port == HTTPS
                                     ? endpoint_is_known(endpoint_service(properties))
                                     : row->kind == NULL || str_is(data_text(properties, "FileSystemType"), row->kind);
            if (str_is(named->type, row->type) && is_kind) {
                check_ports(&check, named, row);
            }
        }
    }
}
