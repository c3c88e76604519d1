// Which blocks share a stack: a cluster, its jobs, and the images whose repositories its stack makes. Networks, and other
// images, have stacks of their own.
#include "compiler/plan/given/handwritten.h"

#include "compiler/plan/given/raw.h"

static void add_stack(Session *session, Plan *plan, const PlanCluster *cluster, const Blocks *blocks) {
    const RawStack *stack = raw_stack(session, cluster, blocks->items, blocks->count);
    vec_push(session->arena, &plan->handwritten, &stack->parts);
}

static void add_block(Session *session, Plan *plan, const Block *block) {
    Blocks blocks = { 0 };
    vec_push(session->arena, &blocks, block);
    add_stack(session, plan, NULL, &blocks);
}

static void add_cluster(Session *session, Plan *plan, const PlanCluster *cluster) {
    Blocks blocks = { 0 };
    vec_push(session->arena, &blocks, cluster->head.block);
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        vec_push(session->arena, &blocks, cluster->jobs.items[i]->head.block);
    }
    for (uint32_t i = 0; i < cluster->images.count; i++) {
        vec_push(session->arena, &blocks, cluster->images.items[i]->head.block);
    }
    add_stack(session, plan, cluster, &blocks);
}

void handwritten_add(Session *session, Plan *plan) {
    for (uint32_t i = 0; i < plan->networks.count; i++) {
        if (!plan->networks.items[i]->is_used_module) {
            add_block(session, plan, plan->networks.items[i]->head.block);
        }
    }
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        add_cluster(session, plan, plan->clusters.items[i]);
    }
    for (uint32_t i = 0; i < plan->images.count; i++) {
        const PlanImage *image = plan->images.items[i];
        if (image->owner == NULL && !image->head.block->is_used) {
            add_block(session, plan, image->head.block);
        }
    }
}
