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
