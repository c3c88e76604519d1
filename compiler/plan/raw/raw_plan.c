// Which parts of a plan share a stack: a cluster, its jobs, and the images whose repositories its stack makes.
// Networks, buckets and other images have stacks of their own.
#include "compiler/plan/raw/raw_plan.h"

#include "compiler/plan/raw/raw.h"

static void add_stack(Session *session, Plan *plan, const PlanCluster *cluster, const PlanParts *parts) {
    const RawStack *stack = raw_stack(session, cluster, parts);
    vec_push(session->arena, &plan->raw, &stack->parts);
}

static void add_part(Session *session, Plan *plan, const PlanPart *part) {
    PlanParts parts = { 0 };
    vec_push(session->arena, &parts, part);
    add_stack(session, plan, NULL, &parts);
}

static void add_cluster(Session *session, Plan *plan, const PlanCluster *cluster) {
    PlanParts parts = { 0 };
    vec_push(session->arena, &parts, cluster->head.part);
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        vec_push(session->arena, &parts, cluster->jobs.items[i]->head.part);
    }
    for (uint32_t i = 0; i < cluster->images.count; i++) {
        vec_push(session->arena, &parts, cluster->images.items[i]->head.part);
    }
    add_stack(session, plan, cluster, &parts);
}

void raw_add(Session *session, Plan *plan) {
    for (uint32_t i = 0; i < plan->networks.count; i++) {
        if (!plan->networks.items[i]->is_used_module) {
            add_part(session, plan, plan->networks.items[i]->head.part);
        }
    }
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        add_cluster(session, plan, plan->clusters.items[i]);
        if (plan->clusters.items[i]->eks != NULL) {
            raw_add_pools(session, &plan->clusters.items[i]->eks->objects, plan);
        }
    }
    for (uint32_t i = 0; i < plan->images.count; i++) {
        const PlanImage *image = plan->images.items[i];
        if (image->owner == NULL && !image->head.part->is_used) {
            add_part(session, plan, image->head.part);
        }
    }
    for (uint32_t i = 0; i < plan->buckets.count; i++) {
        add_part(session, plan, plan->buckets.items[i]->head.part);
    }
}
