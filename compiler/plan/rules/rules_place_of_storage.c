// Rules about where a new Lustre file system stands: in one subnet, and so in one zone, which need not be that of the
// nodes.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/claim.h"

static bool is_new_lustre(const PlanStorage *storage) {
    return storage->kind == STORAGE_LUSTRE && storage->existing == NULL;
}

// ---- ParallelCluster -------------------------------------------------------------------------------------------------

// Only what is certain: two ids that are written, or two places of one list.
static bool is_other_subnet(const PlanNetwork *network, const Value *a, const Value *b) {
    if (a->kind == VALUE_STRING && b->kind == VALUE_STRING) {
        return !value_equal(a, b);
    }
    const int64_t first = rules_place_of_subnet(network, a);
    const int64_t second = rules_place_of_subnet(network, b);
    return a->kind == VALUE_LATE && b->kind == VALUE_LATE && first >= 0 && second >= 0 && first != second;
}

static void check_queues(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    const PlanNodes *first = cluster->nodes.items[0];
    for (uint32_t i = 1; i < cluster->nodes.count; i++) {
        const PlanNodes *other = cluster->nodes.items[i];
        const Value *a = rules_one_subnet(first);
        const Value *b = rules_one_subnet(other);
        if (a == NULL || b == NULL || !is_other_subnet(cluster->network, a, b)) {
            continue; // of a queue with several, rule queue_in_one_subnet speaks
        }
        Diag *diag = plan_report(rules->session, cluster->head.subject, other->head.subject->name_span,
                                 DIAG(queues_beside_lustre), STR_ARG(first->head.id), STR_ARG(other->head.id),
                                 STR_ARG(storage->head.id));
        diag_label(rules->session, diag, storage->head.subject->name_span, "a new file system, in one subnet");
        diag_help(rules->session, diag,
                  "write the same `zone` in both, or make the file system apart and name it with `existing`");
        return;
    }
}

void rule_subnet_of_lustre(const Rules *rules, const PlanCluster *cluster) {
    const bool is_asked = cluster->network != NULL && cluster->nodes.count > 0;
    for (uint32_t i = 0; is_asked && i < cluster->storages.count; i++) {
        if (is_new_lustre(cluster->storages.items[i])) {
            check_queues(rules, cluster, cluster->storages.items[i]);
        }
    }
}

// ---- EKS -------------------------------------------------------------------------------------------------------------

static void check_zone(const Rules *rules, const PlanNodes *nodes, const PlanStorage *storage) {
    const PlanNetwork *network = nodes->cluster->network;
    const Value *subnet =
        storage->subnet != NULL ? storage->subnet : rules_one_subnet(plan_claim_group(nodes->cluster));
    const Value *here = rules_zone_of_subnet(network, subnet);
    const Value *there = rules_zone_of_subnet(network, rules_one_subnet(nodes));
    if (here == NULL || there == NULL || value_equal(here, there)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, nodes->head.subject->name_span, DIAG(lustre_in_other_zone),
                    STR_ARG(nodes->head.id), STR_ARG(there->string), STR_ARG(storage->head.id), STR_ARG(here->string));
    diag_label(rules->session, diag, storage->head.subject->name_span, "in %.*s", STR_ARG(here->string));
    diag_help(rules->session, diag, "write `zone = \"%.*s\"` in the group, or `subnet = …` of %.*s in the storage",
              STR_ARG(here->string), STR_ARG(there->string));
}

// Groups without accelerators may have nothing to do with the data.
void rule_zone_of_lustre(const Rules *rules, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const bool is_asked = cluster->network != NULL && nodes->instance->accelerator != ACCELERATOR_NONE;
    for (uint32_t i = 0; is_asked && i < cluster->storages.count; i++) {
        if (is_new_lustre(cluster->storages.items[i])) {
            check_zone(rules, nodes, cluster->storages.items[i]);
        }
    }
}
