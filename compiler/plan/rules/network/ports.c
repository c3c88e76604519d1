// A rule about ports of file systems and of endpoints, and the security groups that let them in. Who may be given rules by
// another stack is passed over.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/network/endpoint_service.h"
#include "compiler/plan/rules/template_use.h"

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
