// Rules about the subnets that nodes stand in.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/network_ids.h"

static bool is_same(const Value *a, const Value *b) {
    if (a->kind == VALUE_LATE && b->kind == VALUE_LATE) {
        return a->late->kind == LATE_PARAM && b->late->kind == LATE_PARAM && a->late->param == b->late->param;
    }
    return a->kind == VALUE_STRING && b->kind == VALUE_STRING && str_equal(a->string, b->string);
}

// Where a network says that the subnet is a public one; NULL where none does.
static const Value *find_public(const Plan *plan, const Value *subnet) {
    bool is_output = subnet->kind == VALUE_LATE && subnet->late->kind == LATE_OUTPUT;
    if (is_output && str_is(subnet->late->name, "public")) {
        return subnet;
    }
    for (uint32_t i = 0; i < plan->networks.count; i++) {
        const Value *ids = plan->networks.items[i]->given.public;
        for (uint32_t k = 0; ids != NULL && ids->kind == VALUE_LIST && k < ids->list.count; k++) {
            if (is_same(ids->list.items[k], subnet)) {
                return ids->list.items[k];
            }
        }
    }
    return NULL;
}

void rule_private_subnet(const Rules *rules, const PlanNodes *nodes) {
    for (uint32_t i = 0;
         nodes->fabric.nics.count > 1 && nodes->subnets.ids != NULL && i < nodes->subnets.ids->list.count; i++) {
        const Value *subnet = nodes->subnets.ids->list.items[i];
        const Value *public = find_public(rules->plan, subnet);
        if (public == NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, nodes->head.subject, subnet->span, DIAG(public_subnet),
                                 STR_ARG(nodes->head.id), nodes->fabric.nics.count);
        if (public != subnet) {
            diag_label(rules->session, diag, public->span, "a public subnet");
        }
        diag_label(rules->session, diag, nodes->instance_value->span, "%d network interfaces a node",
                   nodes->fabric.nics.count);
        bool is_written = subject_value(nodes->head.subject, NODES_SUBNET) != NULL;
        diag_help(rules->session, diag,
                  is_written ? "name one of the private subnets, or leave `subnet` out"
                             : "`private` is for subnets whose way out is a NAT gateway");
    }
}

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
