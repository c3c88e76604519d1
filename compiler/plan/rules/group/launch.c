// Rules about what a launch template says besides its interfaces: security groups, capacity, placement, user data.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_remove.h"

#include "compiler/plan/model/allow.h"
#include "schema/names.h"

#include <strings.h>

// ---- security groups -------------------------------------------------------------------------------------------

static bool has_some(const PlanFields *fields) {
    for (uint32_t i = 0; i < fields->count; i++) {
        if (!fields->items[i].may_be_null) {
            return true;
        }
    }
    return false;
}

void rule_launch_groups(const Rules *rules, const PlanLaunch *launch) {
    if (launch->interface_count == 0 || !has_some(&launch->groups)) {
        return;
    }
    Diag *diag = plan_report(rules->session, launch->subject, launch->groups.key, DIAG(groups_beside_interfaces),
                             launch->groups.name);
    diag_label(rules->session, diag, launch->interfaces_key, "each of these names its own");
    diag_help(rules->session, diag, "write `Groups` in each interface, and remove `%s`", launch->groups.name);
    bool has_all = launch->interfaces_state == FIELD_KNOWN;
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        has_all = has_all && has_some(&launch->interfaces[i].groups);
    }
    if (has_all) {
        rule_remove(rules, diag, launch->groups.key, false);
    }
}

// AWS Batch: "Either compute environment Security Groups or Network Interfaces in Launch template are exclusively allowed".
// EC2: "Network interfaces and an instance-level security groups may not be specified on the same request".
// source: aws/aws-cdk#21577; ansible-collections/amazon.aws#157, read 2026-11
void rule_group_security_groups(const Rules *rules, const PlanGroup *group) {
    const PlanLaunch *launch = group->launch;
    const PlanFields *groups = &group->groups;
    if (launch == NULL || launch->interface_count == 0 || !has_some(groups)) {
        return;
    }
    bool have_all = launch->interfaces_state == FIELD_KNOWN;
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        have_all = have_all && has_some(&launch->interfaces[i].groups);
    }
    Diag *diag = plan_report(rules->session, group->subject, groups->key, DIAG(groups_beside_interfaces), groups->name);
    diag_label(rules->session, diag, launch->interfaces_key, "the launch template has interfaces");
    diag_help(rules->session, diag,
              have_all ? "remove `%s`: each interface names its own"
                       : "write `Groups` in each interface, and remove `%s`",
              groups->name);
    if (have_all) {
        rule_remove(rules, diag, groups->key, false);
    }
}

void rule_launch_all_groups(const Rules *rules, const PlanLaunch *launch) {
    const PlanInterface *first = NULL; // without groups
    const PlanInterface *other = NULL; // with some
    uint32_t without = 0;
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        const PlanInterface *interface = &launch->interfaces[i];
        NicKind kind = NIC_INTERFACE;
        const bool is_efa = launch_nic_kind(interface, &kind) && kind != NIC_INTERFACE;
        if (is_efa && interface->groups.state == FIELD_ABSENT) {
            first = first == NULL ? interface : first;
            without++;
        }
        other = other == NULL && has_some(&interface->groups) ? interface : other;
    }
    if (first == NULL || other == NULL || !launch->efa.is_listed) {
        return;
    }
    Diag *diag = plan_report(rules->session, launch->subject, first->span, DIAG(interfaces_without_groups), without,
                             launch->interface_count, without == 1 ? "has" : "have");
    diag_label(rules->session, diag, other->groups.key, "this one has some");
    diag_help(rules->session, diag, "write the same `Groups` into each interface");
}

static void check_efa_group(const Rules *rules, const PlanSecurityGroup *group, Span use) {
    bool has_ingress = group->allows_ingress != ANSWER_NO;
    bool has_egress = group->allows_egress != ANSWER_NO;
    if (has_ingress && has_egress) {
        return;
    }
    const char *missing = has_ingress ? "egress" : has_egress ? "ingress" : "ingress and no egress";
    Diag *diag = plan_report(rules->session, group->subject, group->span, DIAG(efa_security_group),
                             STR_ARG(group->name), missing);
    diag_label(rules->session, diag, use, "carries EFA here");
    if (!has_egress && !span_is_none(group->open_egress)) {
        diag_label(rules->session, diag, group->open_egress, "covers no EFA");
    }
    Str name = group->name;
    if (!has_ingress) {
        rule_help_resource(
            rules, diag, group->subject,
            "add a resource \"AWS::EC2::SecurityGroupIngress\" with `GroupId = %.*s`, `IpProtocol = \"-1\"`, "
            "`SourceSecurityGroupId = %.*s`",
            STR_ARG(name), STR_ARG(name));
    }
    if (!has_egress) {
        rule_help_resource(
            rules, diag, group->subject,
            "add a resource \"AWS::EC2::SecurityGroupEgress\" with `GroupId = %.*s`, `IpProtocol = \"-1\"`, "
            "`DestinationSecurityGroupId = %.*s`",
            STR_ARG(name), STR_ARG(name));
    }
}

void rule_launch_efa_groups(const Rules *rules, const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->efa_groups.count; i++) {
        check_efa_group(rules, launch->efa_groups.items[i].group, launch->efa_groups.items[i].span);
    }
}

// ---- capacity and place ----------------------------------------------------------------------------------------

static void check_target(const Rules *rules, const PlanLaunch *launch) {
    const PlanReservation *source = &launch->reservation;
    bool may_be_ultraserver = launch->types.count == 0;
    for (uint32_t i = 0; i < launch->types.count; i++) {
        may_be_ultraserver = may_be_ultraserver || strcmp(launch->types.items[i].row->status, "ultraserver-only") == 0;
    }
    if (!source->has_target) {
        Diag *diag = plan_report(rules->session, launch->subject, rule_span(&source->field), DIAG(block_target),
                                 STR_ARG(source->field.text), "without the reservation of the block");
        rule_label_use(rules, diag, &source->field);
        switch (launch->form) {
        case FORM_DECLARED:
        case FORM_RESOURCE:
            rule_help_resource(rules, diag, launch->subject,
                               "write `CapacityReservationSpecification = { CapacityReservationTarget = { "
                               "CapacityReservationId = … } }`");
            break;
        case FORM_PCLUSTER:
            diag_help(rules->session, diag,
                      "write `CapacityReservationTarget`, with the block's CapacityReservationId");
            break;
        case FORM_EKSCTL:
            diag_help(rules->session, diag,
                      "write `capacityReservation: {capacityReservationTarget: {capacityReservationID: …}}`");
            break;
        }
    } else if (field_is_there(&source->group) && !may_be_ultraserver) {
        Diag *diag = plan_report(rules->session, launch->subject, source->group.key, DIAG(block_target),
                                 STR_ARG(source->field.text), "with a resource group");
        diag_label(rules->session, diag, rule_span(&launch->types.items[0].field), "no UltraServer");
        diag_help(rules->session, diag, "write the block's own id, as `CapacityReservationId`");
    }
}

void rule_launch_block(const Rules *rules, const PlanLaunch *launch) {
    if (launch->reservation.is_block) {
        check_target(rules, launch);
    }
}

static const char *shared_only(const PlanTypes *types) {
    for (uint32_t i = 0; i < types->count; i++) {
        const char *name = types->items[i].row->name;
        if (names_have(NAMES_EFA_SHARED_TENANCY, str_of(name))) {
            return name;
        }
    }
    return NULL;
}

void rule_launch_tenancy(const Rules *rules, const PlanLaunch *launch) {
    const PlanField *tenancy = &launch->tenancy;
    if (!field_is(tenancy, "dedicated") && !field_is(tenancy, "host")) {
        return;
    }
    const char *type = launch_has_efa(launch) ? shared_only(&launch->types) : NULL;
    bool is_block = launch->reservation.is_block;
    if (!is_block && type == NULL) {
        return;
    }
    Str what = is_block ? STR("for a Capacity Block") : str_format(rules->session->arena, "beside EFA on %s", type);
    Diag *diag = plan_report(rules->session, launch->subject, rule_span(tenancy), DIAG(tenancy_refused),
                             STR_ARG(tenancy->text), str_c(rules->session->arena, what));
    rule_label_use(rules, diag, tenancy);
    diag_help(rules->session, diag, "remove `Tenancy`");
    rule_remove(rules, diag, tenancy->is_own ? tenancy->span : SPAN_NONE, true);
}

// ---- user data -------------------------------------------------------------------------------------------------
