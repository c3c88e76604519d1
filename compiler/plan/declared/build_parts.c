// Makes a part of each block, and says what is planned of it.
#include "compiler/plan/declared/builder.h"

static PlanPart *add_part(Builder *builder, const Block *block, const PlanPart *outer) {
    PlanPart *part = arena_new(builder->arena, PlanPart);
    *part = (PlanPart){ .subject = &block->subject,
                        .kind = block->kind,
                        .name = block->name,
                        .origin = block->origin,
                        .outer = outer,
                        .target = block->target,
                        .is_used = block->is_used,
                        .is_named = block->is_named,
                        .outputs = block->outputs,
                        .resources = block->resources,
                        .patches = block->patches };
    plan_add_part(builder->arena, builder->plan, block, part);
    for (uint32_t i = 0; i < block->children.count; i++) {
        vec_push(builder->arena, &part->inner, add_part(builder, block->children.items[i], part));
    }
    return part;
}

void build_parts(Builder *builder, const Program *program) {
    for (uint32_t i = 0; i < program->blocks.count; i++) {
        add_part(builder, program->blocks.items[i], NULL);
    }
}

// The cluster that a block is, is part of, or is a job on; NULL where there is none.
static const PlanCluster *cluster_around(const Plan *plan, const Block *block) {
    while (block->parent != NULL) {
        block = block->parent;
    }
    return plan_cluster(plan, block->on != NULL ? block->on : block);
}

static const Block *stack_block(const Plan *plan, const Block *block) {
    while (block->parent != NULL) {
        block = block->parent;
    }
    const PlanImage *image = plan_image(plan, block);
    if (image != NULL && image->maker->owner != NULL) {
        return image->maker->owner->head.block;
    }
    return block->on != NULL ? block->on : block;
}

static void end_part(Builder *builder, const Block *block) {
    const Plan *plan = builder->plan;
    PlanPart *part = plan_own_part(builder->plan, block);
    part->cluster = cluster_around(plan, block);
    part->network = plan_network(plan, block);
    part->image = plan_image(plan, block);
    part->bucket = plan_bucket(plan, block);
    part->stack = plan_part(plan, stack_block(plan, block));
    for (uint32_t i = 0; i < block->children.count; i++) {
        end_part(builder, block->children.items[i]);
    }
}

void build_parts_end(Builder *builder, const Program *program) {
    for (uint32_t i = 0; i < program->blocks.count; i++) {
        end_part(builder, program->blocks.items[i]);
    }
}
