// A rule about the zone of the head.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/network_ids.h"

// Every queue is known to be in another zone than the head's. Where there is one subnet for all nothing is asked.
static bool is_apart(const PlanCluster *cluster, const Value *here) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const Value *subnet = plan_single_subnet(cluster->nodes.items[i]);
        const Value *zone = subnet == NULL ? NULL : plan_zone_of_subnet(cluster->network, subnet);
        if (zone == NULL || value_equal(zone, here)) {
            return false;
        }
    }
    return cluster->nodes.count > 0;
}

void rule_zone_of_head(const Rules *rules, const PlanCluster *cluster) {
    const PlanHeadNode *head = cluster->slurm->head_node;
    const PlanNetwork *network = cluster->network;
    if (head == NULL || network == NULL || head->subnet == NULL) {
        return;
    }
    // Public subnets of a network that is there may have another order than its zones, or be fewer.
    const bool is_late = network->mode != NETWORK_MADE && head->subnet->kind == VALUE_LATE;
    const Value *here = is_late ? NULL : plan_zone_of_subnet(network, head->subnet);
    if (here == NULL || !is_apart(cluster, here)) {
        return;
    }
    const PlanNodes *queue = cluster->nodes.items[0];
    const Value *there = plan_zone_of_subnet(network, plan_single_subnet(queue));
    const Value *written = subject_value(head->head.subject, HEAD_SUBNET);
    Diag *diag =
        plan_report(rules->session, head->head.subject, written != NULL ? written->span : head->head.subject->name_span,
                    DIAG(head_in_other_zone), STR_ARG(here->string));
    diag_label(rules->session, diag, queue->head.subject->name_span, "in %.*s", STR_ARG(there->string));
    diag_help(rules->session, diag, "write `subnet = \"…\"` of %.*s in `head`", STR_ARG(there->string));
}
