// Rules about where pods of a declared cluster can go. They are silent where nodes can join that this build does not make:
// those of a cluster that is there already, and those of Karpenter, unless a pod asks for one of its pools.
#include "compiler/plan/rules/places/pod_places.h"
#include "compiler/plan/rules/places/pool_places.h"

// Whether all nodes of the cluster are those of its groups.
static bool is_whole(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        if (str_starts_with(cluster->eks->objects.items[i]->resource->type, STR("karpenter."))) {
            return false;
        }
    }
    return cluster->eks->existing == NULL && cluster->nodes.count > 0;
}

static PodGroups groups_of(const Rules *rules, const PlanCluster *cluster) {
    PodGroups groups = { .name = cluster->head.id, .is_whole = true };
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        vec_push(rules->session->arena, &groups.items, (const PlanGroup *)cluster->nodes.items[i]->group);
    }
    return groups;
}

void rule_places_of_pods(const Rules *rules, const PlanCluster *cluster) {
    const PodGroups groups = is_whole(cluster) ? groups_of(rules, cluster) : (PodGroups){ 0 };
    PodGroups pools = { 0 };
    pool_places_add(rules->session, rules->plan, &pools);
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        const PlanObject *object = cluster->eks->objects.items[i];
        for (uint32_t k = 0; !object->is_changed && k < object->pods.count; k++) {
            const PlanPod *pod = &object->pods.items[k];
            const PlanGroup *pool = groups.items.count > 0 ? NULL : pool_places_asked(&pools, false, pod);
            if (groups.items.count > 0) {
                pod_places_check(rules->session, &groups, object, pod);
            } else if (pool != NULL) {
                pool_places_check(rules->session, &pools, pool, object, pod);
            }
        }
    }
}
