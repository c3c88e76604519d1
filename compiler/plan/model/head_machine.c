// Makes the head of what is declared, and of a cluster configuration.
#include "compiler/plan/model/head_machine.h"

#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/plan.h"

// Where `subnet` says nothing the head is in the first public one that there is.
static bool is_in_public_subnet(Arena *arena, const PlanCluster *cluster) {
    if (cluster->network == NULL) {
        return false;
    }
    const Value *public = plan_network_ids(arena, cluster->network).public;
    const Value *written = subject_value(cluster->slurm->head_node->head.subject, HEAD_SUBNET);
    if (public == NULL || written == NULL) {
        return public != NULL && (public->kind != VALUE_LIST || public->list.count > 0);
    }
    for (uint32_t i = 0; public->kind == VALUE_LIST && i < public->list.count; i++) {
        if (value_equal(public->list.items[i], written)) {
            return true;
        }
    }
    return false;
}

static void add_ssh(Arena *arena, const PlanCluster *cluster, PlanHeadMachine *head) {
    const PlanHeadNode *node = cluster->slurm->head_node;
    head->has_address = is_in_public_subnet(arena, cluster);
    head->address = SPAN_NONE;
    head->has_key = !value_may_be_null(node->key);
    head->key = head->has_key ? node->key->span : SPAN_NONE;
    head->takes_everybody = node->allowed_ips == NULL;
    head->range = node->head.subject->name_span;
    head->better = "allowed_ips = \"203.0.113.0/24\"";
}

static void add_written_ssh(const PlanConfigurationHead *written, PlanHeadMachine *head) {
    const bool has_range = written->allowed_ips.state != FIELD_ABSENT;
    head->has_address = written->elastic_ip.state == FIELD_KNOWN && !field_is(&written->elastic_ip, "false");
    head->address = field_place(&written->elastic_ip);
    head->has_key = written->key.state != FIELD_ABSENT;
    head->key = field_place(&written->key);
    head->takes_everybody = !written->has_groups && (!has_range || field_is(&written->allowed_ips, "0.0.0.0/0"));
    head->range = has_range ? field_place(&written->allowed_ips) : head->key;
    head->better = "AllowedIps: 203.0.113.0/24";
}

PlanHeadMachine head_of_cluster(Arena *arena, const PlanCluster *cluster) {
    const PlanHeadNode *node = cluster->slurm->head_node;
    PlanHeadMachine head = { .runs_slurm = true };
    if (node == NULL) {
        return head;
    }
    head.subject = node->head.subject;
    add_ssh(arena, cluster, &head);
    if (node->instance == NULL) {
        return head;
    }
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
                             .type = field_place(type),
                             .runs_slurm = configuration->is_slurm };
    add_written_ssh(&configuration->head, &head);
    for (uint32_t i = 0; i < configuration->groups.count; i++) {
        const PlanGroup *group = configuration->groups.items[i];
        if (group->types.count > 0) {
            const PlanType *first = &group->types.items[0];
            const PlanHeadGroup of_head = { group->name, first->row, field_place(&first->field) };
            vec_push(arena, &head.groups, of_head);
        }
    }
    return head;
}

bool head_is_open(const PlanHeadMachine *head) {
    return head->has_address && head->has_key && head->takes_everybody;
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
