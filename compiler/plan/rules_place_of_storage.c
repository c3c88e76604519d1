// Rules about where a new Lustre file system stands: in one subnet, and so in one zone, which need not be that of the
// nodes.
#include "compiler/plan/rules.h"

static bool is_new_lustre(const PlanStorage *storage) {
    return storage->kind == STORAGE_LUSTRE && storage->existing == NULL;
}

// Where a subnet stands in the network's list of private ones; -1 where nothing says.
static int64_t index_of(const PlanNetwork *network, const Value *subnet) {
    const Value *ids = network->private_ids;
    if (subnet->kind == VALUE_LATE && subnet->late->kind == LATE_ITEM) {
        return subnet->late->index;
    }
    for (uint32_t i = 0; ids != NULL && ids->kind == VALUE_LIST && i < ids->list.count; i++) {
        if (ids->list.items[i]->kind == VALUE_STRING && value_equal(ids->list.items[i], subnet)) {
            return i;
        }
    }
    return -1;
}

// The one subnet of a group; NULL where there are several.
static const Value *subnet_of(const PlanNodes *nodes) {
    const Value *ids = nodes->subnet_ids;
    return ids != NULL && ids->kind == VALUE_LIST && ids->list.count == 1 ? ids->list.items[0] : NULL;
}

// ---- ParallelCluster -------------------------------------------------------------------------------------------------

// Only what is certain: two ids that are written, or two places of one list.
static bool is_other_subnet(const PlanNetwork *network, const Value *a, const Value *b) {
    if (a->kind == VALUE_STRING && b->kind == VALUE_STRING) {
        return !value_equal(a, b);
    }
    const int64_t first = index_of(network, a);
    const int64_t second = index_of(network, b);
    return a->kind == VALUE_LATE && b->kind == VALUE_LATE && first >= 0 && second >= 0 && first != second;
}

static void check_queues(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    const PlanNodes *first = cluster->nodes.items[0];
    for (uint32_t i = 1; i < cluster->nodes.count; i++) {
        const PlanNodes *other = cluster->nodes.items[i];
        const Value *a = subnet_of(first);
        const Value *b = subnet_of(other);
        if (a == NULL || b == NULL || !is_other_subnet(cluster->network, a, b)) {
            continue; // of a queue with several, rule queue_in_one_subnet speaks
        }
        Diag *diag = plan_report(rules->session, cluster->head.block, other->head.block->name_span,
                                 DIAG(queues_beside_lustre), STR_ARG(first->head.id), STR_ARG(other->head.id),
                                 STR_ARG(storage->head.id));
        diag_label(rules->session, diag, storage->head.block->name_span, "a new file system, in one subnet");
        diag_help(rules->session, diag,
                  "write the same `zone` in both, or make the file system apart and name it with `existing`");
        return;
    }
}

void rule_subnet_of_lustre(const Rules *rules, const PlanCluster *cluster) {
    const bool is_asked =
        cluster->target == TARGET_PARALLELCLUSTER && cluster->network != NULL && cluster->nodes.count > 0;
    for (uint32_t i = 0; is_asked && i < cluster->storages.count; i++) {
        if (is_new_lustre(cluster->storages.items[i])) {
            check_queues(rules, cluster, cluster->storages.items[i]);
        }
    }
}

// ---- EKS -------------------------------------------------------------------------------------------------------------

// The zone of a subnet as the network lists its own; NULL where nothing says.
static const Value *zone_of(const PlanNetwork *network, const Value *subnet) {
    const int64_t index = subnet == NULL ? -1 : index_of(network, subnet);
    const Value *zones = network->zones;
    const bool is_listed = index >= 0 && zones != NULL && zones->kind == VALUE_LIST && index < zones->list.count;
    const Value *zone = is_listed ? zones->list.items[index] : NULL;
    return zone != NULL && zone->kind == VALUE_STRING ? zone : NULL;
}

// As emitters/kubernetes/storage.c has it: the first group with EFA, else the first.
static const PlanNodes *main_group(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (cluster->nodes.items[i]->efa_count > 0) {
            return cluster->nodes.items[i];
        }
    }
    return cluster->nodes.items[0];
}

static void check_zone(const Rules *rules, const PlanNodes *nodes, const PlanStorage *storage) {
    const PlanNetwork *network = nodes->cluster->network;
    const Value *subnet = storage->subnet != NULL ? storage->subnet : subnet_of(main_group(nodes->cluster));
    const Value *here = zone_of(network, subnet);
    const Value *there = zone_of(network, subnet_of(nodes));
    if (here == NULL || there == NULL || value_equal(here, there)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, nodes->head.block, nodes->head.block->name_span, DIAG(lustre_in_other_zone),
                    STR_ARG(nodes->head.id), STR_ARG(there->string), STR_ARG(storage->head.id), STR_ARG(here->string));
    diag_label(rules->session, diag, storage->head.block->name_span, "in %.*s", STR_ARG(here->string));
    diag_help(rules->session, diag, "write `zone = \"%.*s\"` in the group, or `subnet = …` of %.*s in the storage",
              STR_ARG(here->string), STR_ARG(there->string));
}

// Groups without accelerators may have nothing to do with the data.
void rule_zone_of_lustre(const Rules *rules, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const bool is_asked = cluster->target == TARGET_EKS && cluster->network != NULL &&
                          nodes->instance->accelerator != ACCELERATOR_NONE;
    for (uint32_t i = 0; is_asked && i < cluster->storages.count; i++) {
        if (is_new_lustre(cluster->storages.items[i])) {
            check_zone(rules, nodes, cluster->storages.items[i]);
        }
    }
}
