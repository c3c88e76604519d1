// Where the stack of a cluster on AWS Batch or AWS PCS makes its file systems: beside the nodes.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/claim.h"
#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/user_data_mounts.h"

static bool is_same_subnet(const Value *a, const Value *b) {
    const bool are_items =
        a->kind == VALUE_LATE && b->kind == VALUE_LATE && a->late->kind == LATE_ITEM && b->late->kind == LATE_ITEM;
    return are_items ? a->late->index == b->late->index
                     : a->kind == VALUE_STRING && b->kind == VALUE_STRING && value_equal(a, b);
}

// EFS takes one mount target a zone.
static void add_subnet(Builder *builder, const PlanNetwork *network, PlanPlace *place, const Value *subnet) {
    const Value *zone = plan_zone_of_subnet(network, subnet);
    for (uint32_t i = 0; i < place->subnets.count; i++) {
        const Value *other = plan_zone_of_subnet(network, place->subnets.items[i]);
        const bool has_zones = zone != NULL && other != NULL;
        if (is_same_subnet(subnet, place->subnets.items[i]) || (has_zones && value_equal(zone, other))) {
            return;
        }
        place->may_share_zone = place->may_share_zone || (!has_zones && network->mode != NETWORK_MADE);
    }
    vec_push(builder->arena, &place->subnets, subnet);
}

// An item may be a list that only the deployment knows.
static void add_subnets(Builder *builder, const PlanNodes *nodes, PlanPlace *place) {
    const PlanNetwork *network = nodes->cluster->network;
    const Value *ids = nodes->subnets.ids;
    for (uint32_t i = 0; ids != NULL && ids->kind == VALUE_LIST && i < ids->list.count; i++) {
        const Value *item = ids->list.items[i];
        if (!value_is_list(item)) {
            add_subnet(builder, network, place, item);
            continue;
        }
        const uint32_t count = plan_subnet_count(network);
        for (uint32_t k = 0; k < count; k++) {
            add_subnet(builder, network, place, build_item(builder, item, k, item->origin));
        }
        place->has_unknown = place->has_unknown || count == 0;
    }
}

static void add_one(Builder *builder, const PlanCluster *cluster, PlanPlace *place) {
    const PlanNodes *nodes = plan_claim_group(cluster);
    const Value *ids = nodes->subnets.ids;
    const Value *subnet = place->storage->subnet;
    if (subnet == NULL && ids != NULL && ids->kind == VALUE_LIST && ids->list.count > 0) {
        const Value *first = ids->list.items[0];
        subnet = value_is_list(first) ? build_item(builder, first, 0, first->origin) : first;
    }
    if (subnet != NULL) {
        vec_push(builder->arena, &place->subnets, subnet);
    }
}

void build_places(Builder *builder, PlanCluster *cluster) {
    const bool has_nodes = plan_mounts_by_user_data(cluster) && cluster->network != NULL && cluster->nodes.count > 0;
    for (uint32_t i = 0; has_nodes && i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        if (storage->existing != NULL || (storage->kind != STORAGE_LUSTRE && storage->kind != STORAGE_EFS)) {
            continue;
        }
        PlanPlace *place = arena_new(builder->arena, PlanPlace);
        place->storage = storage;
        if (storage->kind == STORAGE_LUSTRE) {
            add_one(builder, cluster, place);
        }
        for (uint32_t k = 0; storage->kind == STORAGE_EFS && k < cluster->nodes.count; k++) {
            add_subnets(builder, cluster->nodes.items[k], place);
        }
        vec_push(builder->arena, &cluster->places, (const PlanPlace *)place);
    }
}
