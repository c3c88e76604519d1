// Queues over several groups of a cluster.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"

static const PlanNodes *group_named(const PlanCluster *cluster, Str name) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (str_equal(cluster->nodes.items[i]->head.id, name)) {
            return cluster->nodes.items[i];
        }
    }
    return NULL;
}

// A name without a path means what stands beside the queue: if `like` copies the queue, a group of the cluster that it is
// copied into.
static const PlanNodes *group_of(Builder *builder, const PlanCluster *cluster, const Value *reference) {
    const Block *written = reference->block;
    const PlanNodes *group = group_named(cluster, written->name);
    const Str text = source_text(builder->session, reference->span);
    const bool is_path = str_find(text, STR("."), 0) < text.len;
    if (group != NULL && (group->head.block == written || !is_path)) {
        return group;
    }
    if (!cluster->lacks_parts) {
        Diag *diag = report(builder->session, reference->span, DIAG(group_elsewhere), STR_ARG(written->name),
                            STR_ARG(cluster->head.id));
        diag_label(builder->session, diag, written->subject.name_span, "stands in another block");
        diag_help(builder->session, diag, "name a group that stands beside the queue");
    }
    return NULL;
}

static void build_queue(Builder *builder, const Block *block, PlanCluster *cluster) {
    PlanQueue *queue = arena_new(builder->arena, PlanQueue);
    queue->head = builder_head(builder, block, -1);
    const Value *nodes = read_known_list(builder, block, QUEUE_NODES);
    for (uint32_t i = 0; i < nodes->list.count; i++) {
        const PlanNodes *group = group_of(builder, cluster, nodes->list.items[i]);
        if (group != NULL) {
            vec_push(builder->arena, &queue->nodes, group);
        }
    }
    const Value *priority = block_value(block, QUEUE_PRIORITY);
    queue->priority = priority != NULL || cluster->batch == NULL ? priority : cluster->batch->priority;
    queue->shares = read_map(builder, block, QUEUE_SHARES);
    queue->share_decay = read_known(builder, block, QUEUE_SHARE_DECAY);
    queue->share_reservation = read_known(builder, block, QUEUE_SHARE_RESERVATION);
    vec_push(builder->arena, &cluster->queues, queue);
}

void build_queues(Builder *builder, const Block *block, PlanCluster *cluster) {
    for (uint32_t i = 0; i < block->children.count; i++) {
        if (block->children.items[i]->kind == &KIND_ROWS[KIND_QUEUE]) {
            build_queue(builder, block->children.items[i], cluster);
        }
    }
}
