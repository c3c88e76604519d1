// Makes the head of what is declared, and of a cluster configuration.
#include "compiler/plan/model/head_machine.h"

#include "compiler/plan/model/plan.h"

PlanHeadMachine head_of_cluster(Arena *arena, const PlanCluster *cluster) {
    const PlanHeadNode *node = cluster->slurm->head_node;
    PlanHeadMachine head = { .runs_slurm = true };
    if (node == NULL || node->instance == NULL) {
        return head;
    }
    head.subject = node->head.subject;
    head.row = node->instance;
    head.type = node->instance_value->span;
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const PlanHeadGroup group = { nodes->head.id, nodes->instance, nodes->instance_value->span };
        vec_push(arena, &head.groups, group);
    }
    return head;
}

PlanHeadMachine head_of_configuration(Arena *arena, const PlanConfiguration *configuration) {
    const PlanField *type = &configuration->head.type;
    PlanHeadMachine head = { .subject = configuration->head.subject,
                             .row = configuration->head.row,
                             .type = span_is_none(type->span) ? type->key : type->span,
                             .runs_slurm = configuration->is_slurm };
    for (uint32_t i = 0; i < configuration->resources.count; i++) {
        const PlanComputeResource *resource = configuration->resources.items[i];
        if (resource->launch->types.count > 0) {
            const PlanType *first = &resource->launch->types.items[0];
            const Span span = span_is_none(first->field.span) ? first->field.key : first->field.span;
            const PlanHeadGroup group = { resource->name.text, first->row, span };
            vec_push(arena, &head.groups, group);
        }
    }
    return head;
}

const PlanHeadGroup *head_other_architecture(const PlanHeadMachine *head) {
    if (head->row == NULL || head->row->architecture == ARCHITECTURE_UNKNOWN) {
        return NULL;
    }
    for (uint32_t i = 0; i < head->groups.count; i++) {
        const Architecture architecture = head->groups.items[i].row->architecture;
        if (architecture != ARCHITECTURE_UNKNOWN && architecture != head->row->architecture) {
            return &head->groups.items[i];
        }
    }
    return NULL;
}
