// Nodes with several interfaces are in no public subnet.
#include "compiler/plan/rules/group/spelling.h"

#include "compiler/plan/model/allow.h"

// What is given to a node by its launch template; of declared groups rule private_subnet asks.
void rule_group_public(const Rules *rules, const PlanGroup *group) {
    const PlanLaunch *launch = group->launch;
    const PlanField *subnet = &group->subnets.public;
    if (subnet->state == FIELD_ABSENT || launch->interface_count < 2) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, subnet->span, DIAG(public_subnet), STR_ARG(group->name),
                             (int)launch->interface_count);
    diag_label(rules->session, diag, launch->interfaces_key, "%d network interfaces a node",
               (int)launch->interface_count);
    diag_help(rules->session, diag, "name a subnet whose way out is a NAT gateway");
}
