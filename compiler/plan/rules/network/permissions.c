// Rules about the rules of security groups: ports, the same rule twice, and what EFA needs.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/allow.h"

static bool has_ports(const PlanPermission *permission) {
    static const char *const PROTOCOLS[] = { "tcp", "udp", "6", "17" };
    bool has = false;
    for (size_t i = 0; i < COUNT_OF(PROTOCOLS); i++) {
        has = has || field_is(&permission->protocol, PROTOCOLS[i]);
    }
    return has;
}

// False where nothing is wrong with it.
static bool check_port(const Rules *rules, const PlanPermission *permission, const PlanField *port) {
    int64_t number;
    if (!field_integer(port, &number) || number <= UINT16_MAX) {
        return false;
    }
    Diag *diag = plan_report(rules->session, permission->subject, rule_span(port), DIAG(bad_port), port->name,
                             STR_ARG(port->text), "ports end at 65535");
    rule_label_use(rules, diag, port);
    if (port == &permission->last) {
        rule_write_field(rules, diag, port, "65535");
    } else {
        diag_help(rules->session, diag, "write a port from 0 to 65535");
    }
    return true;
}

static void check_order(const Rules *rules, const PlanPermission *permission) {
    int64_t first;
    int64_t last;
    if (!field_integer(&permission->first, &first) || !field_integer(&permission->last, &last) || last < 0 ||
        first <= last) {
        return;
    }
    Diag *diag = plan_report(rules->session, permission->subject, rule_span(&permission->first), DIAG(bad_port),
                             permission->first.name, STR_ARG(permission->first.text), "it is above `ToPort`");
    diag_label(rules->session, diag, rule_span(&permission->last), "`ToPort`");
    rule_help_resource(rules, diag, permission->subject,
                       "write the lower one first: `FromPort = %" PRId64 "`, `ToPort = %" PRId64 "`", last, first);
}

// source: EC2 API Reference, AuthorizeSecurityGroupIngress, FromPort and ToPort, 2026-11, read 2026-11
void rule_permission_ports(const Rules *rules, const PlanSecurityGroup *group) {
    for (uint32_t i = 0; i < group->permissions.count; i++) {
        const PlanPermission *permission = &group->permissions.items[i];
        const bool is_asked = has_ports(permission);
        const bool is_first_bad = is_asked && check_port(rules, permission, &permission->first);
        const bool is_last_bad = is_asked && check_port(rules, permission, &permission->last);
        if (is_asked && !is_first_bad && !is_last_bad) {
            check_order(rules, permission);
        }
    }
}

// CloudFormation takes both for made, and removes the rule with either of them.
// source: aws-cloudformation/cloudformation-coverage-roadmap#612 and #1534; EC2 API Reference, Error codes, InvalidPermission.Duplicate, 2026-11, read 2026-11
void rule_permission_twice(const Rules *rules, const PlanSecurityGroup *group) {
    StrMap seen = { .arena = rules->session->arena };
    for (uint32_t i = 0; i < group->permissions.count; i++) {
        const PlanPermission *permission = &group->permissions.items[i];
        const PlanPermission *first =
            permission->same.len == 0 ? NULL : str_map_add(&seen, permission->same, permission);
        if (first == NULL) {
            continue;
        }
        const Subject *subject = plan_either(permission->subject, first->subject, DIAG_permission_twice);
        Diag *diag = plan_report(rules->session, subject, permission->span, DIAG(permission_twice),
                                 permission->is_egress ? "egress" : "ingress");
        diag_label(rules->session, diag, first->span, "the first one");
        diag_help(rules->session, diag,
                  "write what the second was to be; remove it only in a stack that is not made yet: later the rule "
                  "goes with it");
    }
}

// source: CloudFormation Template Reference, AWS::EC2::SecurityGroupIngress and AWS::EC2::SecurityGroupEgress: "Otherwise, the
// stack launches successfully, but the rule is not added to the security group", 2026-11, read 2026-11
void rule_permission_for_nobody(const Rules *rules, const PlanSecurityGroup *group) {
    for (uint32_t i = 0; i < group->permissions.count; i++) {
        const PlanPermission *permission = &group->permissions.items[i];
        if (permission->has_other_end || permission->protocol.state == FIELD_ABSENT) {
            continue;
        }
        const char *way = permission->is_egress ? "egress" : "ingress";
        Diag *diag = plan_report(rules->session, permission->subject, rule_span(&permission->protocol),
                                 DIAG(permission_for_nobody), way);
        rule_help_resource(rules, diag, permission->subject,
                           permission->is_egress
                               ? "say to whom: `CidrIp = \"10.0.0.0/16\"`, or a group as `DestinationSecurityGroupId`"
                               : "say from whom: `CidrIp = \"10.0.0.0/16\"`, or a group as `SourceSecurityGroupId`");
    }
}

// ---- what listens over TCP alone -------------------------------------------------------------------------------------

// source: FSx for Lustre User Guide, File system access control with Amazon VPC; EFS User Guide, Using VPC security groups;
// Slurm, slurm.conf, SlurmctldPort, SlurmdPort; Amazon EKS User Guide, View Amazon EKS security group requirements;
// Kubernetes, Ports and Protocols, 2026-11, read 2026-11
static const struct {
    int64_t first;
    int64_t last;
    const char *service;
} TCP_ALONE[] = {
    { 22, 22, "ssh" },     { 988, 988, "Lustre" },       { 988, 1023, "Lustre" }, { 1018, 1023, "Lustre" },
    { 2049, 2049, "NFS" }, { 6443, 6443, "Kubernetes" }, { 6817, 6819, "Slurm" }, { 10250, 10250, "a kubelet" },
};

static bool is_of_protocol(const PlanPermission *permission, const char *name, const char *number) {
    return field_is(&permission->protocol, name) || field_is(&permission->protocol, number);
}

// Who listens on these ports, and not over UDP; NULL: that is not known.
static const char *listener(int64_t first, int64_t last) {
    for (size_t i = 0; i < COUNT_OF(TCP_ALONE); i++) {
        if (first <= last && first >= TCP_ALONE[i].first && last <= TCP_ALONE[i].last) {
            return TCP_ALONE[i].service;
        }
    }
    return NULL;
}

// Whether it may let TCP through on one of these ports: from whom, only two rules of the group with itself have in common.
static bool may_let_tcp(const PlanPermission *permission, const PlanPermission *udp, int64_t first, int64_t last) {
    int64_t from;
    int64_t to;
    if (permission->is_egress != udp->is_egress || (permission->is_with_itself && !udp->is_with_itself) ||
        is_of_protocol(permission, "udp", "17")) {
        return false;
    }
    const bool are_ports = is_of_protocol(permission, "tcp", "6") && field_integer(&permission->first, &from) &&
                           field_integer(&permission->last, &to);
    return !are_ports || (from <= last && to >= first);
}

void rule_permission_of_udp(const Rules *rules, const PlanSecurityGroup *group) {
    const bool is_whole = group->name.len > 0;
    for (uint32_t i = 0; is_whole && i < group->permissions.count; i++) {
        const PlanPermission *udp = &group->permissions.items[i];
        int64_t first;
        int64_t last;
        const bool are_known = is_of_protocol(udp, "udp", "17") && field_integer(&udp->first, &first) &&
                               field_integer(&udp->last, &last) &&
                               (udp->is_egress ? group->allows_egress : group->allows_ingress) != ANSWER_MAYBE;
        const char *service = are_known ? listener(first, last) : NULL;
        for (uint32_t k = 0; service != NULL && k < group->permissions.count; k++) {
            service = may_let_tcp(&group->permissions.items[k], udp, first, last) ? NULL : service;
        }
        if (service != NULL) {
            Diag *diag = plan_report(rules->session, udp->subject, rule_span(&udp->protocol), DIAG(permission_of_udp),
                                     first, service);
            rule_label_use(rules, diag, &udp->protocol);
            diag_help(rules->session, diag, "write `tcp`, or add the same rule of TCP");
            rule_fix_word(rules, diag, &udp->protocol, field_is(&udp->protocol, "17") ? "6" : "tcp");
        }
    }
}

// ---- EFA ---------------------------------------------------------------------------------------------------------------

// A rule of a group with itself that lets through less than all, in a direction; NULL: none.
static const PlanPermission *permission_with_itself(const PlanSecurityGroup *group, bool is_egress) {
    for (uint32_t i = 0; i < group->permissions.count; i++) {
        const PlanPermission *permission = &group->permissions.items[i];
        if (permission->is_with_itself && permission->is_egress == is_egress &&
            permission->protocol.state == FIELD_KNOWN) {
            return permission;
        }
    }
    return NULL;
}

// Groups that interfaces of instances wear are asked where these are: rule launch_efa_groups. A group whose rules stand
// in another file says none here.
void rule_group_for_efa(const Rules *rules, const PlanSecurityGroup *group) {
    const bool has_ingress = group->allows_ingress != ANSWER_NO;
    const bool has_egress = group->allows_egress != ANSWER_NO;
    const bool is_used = !span_is_none(group->use_of_efa);
    const bool is_named = !span_is_none(group->name_of_efa) && group->permissions.count > 0;
    if (group->is_of_nodes || (has_ingress && has_egress) || !(is_used || is_named)) {
        return;
    }
    const char *missing = has_ingress ? "egress" : has_egress ? "ingress" : "ingress and no egress";
    const PlanPermission *near = has_ingress || has_egress ? permission_with_itself(group, has_ingress) : NULL;
    Diag *diag = plan_report(rules->session, near == NULL ? group->subject : near->subject,
                             near == NULL ? group->span : rule_span(&near->protocol), DIAG(group_for_efa),
                             STR_ARG(group->name), missing);
    if (near != NULL) {
        diag_label(rules->session, diag, group->span, "%s", "");
        rule_help_resource(rules, diag, group->subject, "write `IpProtocol = \"-1\"` there");
        return;
    }
    if (is_used) {
        diag_label(rules->session, diag, group->use_of_efa, "carries EFA");
    }
    if (!has_ingress) {
        rule_help_resource(rules, diag, group->subject,
                           "add a resource \"AWS::EC2::SecurityGroupIngress\" with `GroupId = %.*s`, `IpProtocol = "
                           "\"-1\"`, `SourceSecurityGroupId = %.*s`",
                           STR_ARG(group->name), STR_ARG(group->name));
    }
    if (!has_egress) {
        rule_help_resource(rules, diag, group->subject,
                           "add a resource \"AWS::EC2::SecurityGroupEgress\" with `GroupId = %.*s`, `IpProtocol = "
                           "\"-1\"`, `DestinationSecurityGroupId = %.*s`",
                           STR_ARG(group->name), STR_ARG(group->name));
    }
}
