// Rules about ways through the network of a template: routes of subnets, and ports of a file system. What they hold
// against each other are references, so that they say nothing of what a parameter or another stack gives.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"

// CloudFormation takes 500 resources. Where a file has far more, these rules would take long, and stay silent.
enum { USES_MAX = 5000 };

static bool is_readable(const PlanTemplate *template) {
    return !template->is_open && template->uses.count <= USES_MAX && template->named.count <= USES_MAX;
}

// ---- routes ----------------------------------------------------------------------------------------------------

// Both count in the same deployments, as far as it is written.
static bool same_guard(const PlanGuard *left, const PlanGuard *right) {
    return left == right ||
           (left != NULL && right != NULL && left->condition != NULL && left->condition == right->condition &&
            left->holds == right->holds && same_guard(left->outer, right->outer));
}

static bool is_reference(const PlanUse *use, const char *type, const char *key) {
    return use->kind == USE_REF && !use->is_sub && use->to != NULL && use->from != NULL &&
           use->to->kind == NAMED_RESOURCE && str_is(use->from->type, type) && str_is(use->key, key);
}

// What a property of a resource refers to; NULL where that is not known, or counts in other deployments than `like`.
static const PlanUse *reference_of(const PlanTemplate *template, const PlanNamed *from, const char *key,
                                   const PlanUse *like) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_same = like == NULL || same_guard(use->guard, like->guard);
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
        const PlanUse *of = is_reference(use, "AWS::EC2::Route", "NatGatewayId") && use->to == gateway->from &&
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
        count += is_reference(use, ASSOCIATION, "SubnetId") && use->to == subnet ? 1 : 0;
    }
    return count;
}

// The gateway stands in a subnet whose way out is the gateway.
static void check_gateway(const Rules *rules, const PlanTemplate *template, const PlanUse *gateway) {
    const bool has_one = count_associations(template, gateway->to) == 1;
    for (uint32_t i = 0; has_one && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (!is_reference(use, ASSOCIATION, "SubnetId") || use->to != gateway->to ||
            !same_guard(use->guard, gateway->guard)) {
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
        if (is_reference(first, ASSOCIATION, "SubnetId") && first->to == use->to && first->from != use->from &&
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
    for (uint32_t i = 0; template != NULL && is_readable(template) && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (is_reference(use, ASSOCIATION, "SubnetId")) {
            check_association(rules, template, i);
        }
        if (is_reference(use, "AWS::EC2::NatGateway", "SubnetId")) {
            check_gateway(rules, template, use);
        }
    }
}

// ---- ports of Lustre ---------------------------------------------------------------------------------------------

// FSx for Lustre User Guide, File system access control with Amazon VPC, 2026-11. It wants ports 1018 to 1023 besides, but
// what there is on these is mostly the other end of a connection to this one.
enum { LUSTRE_PORT = 988 };

typedef struct {
    bool is_known; // all rules are written as they are
    bool has_port;
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
    ports->has_port =
        ports->has_port || (str_is(protocol->string, "tcp") && first <= LUSTRE_PORT && last >= LUSTRE_PORT);
}

static void add_group(Ports *ports, const PlanTemplate *template, const PlanNamed *group) {
    const Data *rules = data_get(data_get(group->data, "Properties"), "SecurityGroupIngress");
    for (uint32_t i = 0; rules != NULL && rules->kind == DATA_LIST && i < rules->count; i++) {
        add_rule(ports, rules->items[i]);
    }
    ports->is_known = ports->is_known && (rules == NULL || rules->kind == DATA_LIST);
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        if (str_is(named->type, "AWS::EC2::SecurityGroupIngress")) {
            add_rule(ports, data_get(named->data, "Properties"));
        }
    }
}

static void check_lustre(const Rules *rules, const PlanTemplate *template, const PlanNamed *storage) {
    const Data *properties = data_get(storage->data, "Properties");
    const Data *groups = data_get(properties, "SecurityGroupIds");
    Ports ports = { .is_known = true };
    const PlanUse *last = NULL;
    uint32_t found = 0;
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_group = use->from == storage && str_is(use->key, "SecurityGroupIds") && use->to != NULL &&
                              (use->kind == USE_REF || use->kind == USE_ATTRIBUTE) &&
                              str_is(use->to->type, "AWS::EC2::SecurityGroup");
        if (is_group) {
            add_group(&ports, template, use->to);
            last = use;
            found++;
        }
    }
    const bool is_all = groups != NULL && groups->kind == DATA_LIST && groups->count == found;
    if (last == NULL || !is_all || !ports.is_known || ports.has_port) {
        return;
    }
    Diag *diag = plan_report(rules->session, last->subject, last->span, DIAG(lustre_ports), STR_ARG(storage->name));
    diag_label(rules->session, diag, last->to->span, "does not let it in");
    diag_help(rules->session, diag,
              "add a rule with `IpProtocol: tcp`, `FromPort: %d`, `ToPort: %d`, and one for 1018 to 1023", LUSTRE_PORT,
              LUSTRE_PORT);
}

void rule_template_lustre(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && is_readable(template) && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const Data *properties = named->data == NULL ? NULL : data_get(named->data, "Properties");
        if (named->kind == NAMED_RESOURCE && str_is(named->type, "AWS::FSx::FileSystem") && properties != NULL &&
            str_is(data_text(properties, "FileSystemType"), "LUSTRE")) {
            check_lustre(rules, template, named);
        }
    }
}
