// Rules of ParallelCluster about everything except file systems and settings of Slurm: names, counts, interfaces, the
// head node. ParallelCluster refuses such mistakes when it makes the cluster, and some of them only after the network
// and the head node exist.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/slurm_name.h"

#include "compiler/plan/rules/head/slurm_block.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/network_ids.h"
#include "schema/names.h"

// ---- names -----------------------------------------------------------------------------------------------------

static void check_name(const Rules *rules, const Subject *subject, const Value *name, const char *what,
                       const char *fault, const char *help) {
    slurm_check_name(rules, subject, name->span, name->string, what, fault, help);
}

static void check_queue_names(const Rules *rules, const PlanNodes *nodes) {
    const char *fault = slurm_queue_name_fault(rules, nodes->head.id);
    if (fault != NULL) {
        check_name(rules, nodes->head.subject, nodes->head.name, "a queue", fault, "give the group another name");
        return; // the compute resource is called the same, unless it says otherwise
    }
    const Value *name = nodes->slurm->compute_resource;
    if (name != NULL) {
        check_name(rules, nodes->head.subject, name, "a compute resource", slurm_queue_name_fault(rules, name->string),
                   "leave it out: it is then the group's");
    }
}

static void check_storage_name(const Rules *rules, const PlanStorage *storage) {
    check_name(rules, storage->head.subject, storage->head.name, "a file system",
               slurm_storage_name_fault(rules, storage->head.id), "give it another name");
}

void rule_slurm_names(const Rules *rules, const PlanCluster *cluster) {
    const char *fault = slurm_cluster_name_fault(rules, cluster->head.name->string, cluster->slurm->database != NULL);
    check_name(rules, cluster->head.subject, cluster->head.name, "a cluster", fault, "write `name = \"…\"` in it");
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        check_queue_names(rules, cluster->nodes.items[i]);
    }
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        check_storage_name(rules, cluster->storages.items[i]);
    }
}

// ---- counts ----------------------------------------------------------------------------------------------------

void rule_slurm_queues(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->nodes.count > LIMIT_SLURM_QUEUES_MAX) {
        const PlanNodes *first = cluster->nodes.items[LIMIT_SLURM_QUEUES_MAX];
        rule_too_many(rules, cluster->head.subject, first->head.subject->name_span, cluster->head.id,
                      cluster->nodes.count, "groups of nodes", LIMIT_SLURM_QUEUES_MAX);
    }
}

Diag *slurm_report_block(const Rules *rules, const Subject *subject, Span count, Span capacity, int64_t low,
                         int64_t high) {
    Diag *diag = plan_report(rules->session, subject, count, DIAG(block_not_static), low, high);
    diag_label(rules->session, diag, capacity, "a Capacity Block");
    return diag;
}

void rule_block_is_static(const Rules *rules, const PlanNodes *nodes) {
    const bool is_block = capacity_has(nodes->capacity, CAPACITY_BLOCK);
    const Value *low = nodes->count.low;
    const Value *high = nodes->count.high;
    if (!is_block || low->kind != VALUE_INT || high->kind != VALUE_INT) {
        return;
    }
    if (low->integer == high->integer && low->integer > 0) {
        return;
    }
    const Subject *subject = nodes->head.subject;
    Diag *diag = slurm_report_block(rules, subject, subject_value(subject, NODES_COUNT)->span,
                                    subject_key(subject, NODES_CAPACITY), low->integer, high->integer);
    diag_help(rules->session, diag, "write `count = %" PRId64 "`", high->integer > 0 ? high->integer : INT64_C(1));
}

// ---- interfaces ------------------------------------------------------------------------------------------------

void rule_efa_is_placed(const Rules *rules, const PlanNodes *nodes) {
    const Value *layout = subject_value(nodes->head.subject, NODES_EFA_LAYOUT);
    if (layout != NULL && !str_is(layout->string, "auto")) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, layout->span, DIAG(efa_is_placed), "efa_layout");
        diag_help(rules->session, diag, "leave `efa_layout` out");
    }
    const Value *efa = subject_value(nodes->head.subject, NODES_EFA);
    const int all = nics_efa_all(nodes->instance, nodes->fabric.layout);
    if (efa != NULL && efa->kind == VALUE_INT && efa->integer > 0 && efa->integer < all) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, efa->span, DIAG(efa_is_placed), "efa");
        diag_label(rules->session, diag, nodes->instance_value->span, "has %d", all);
        diag_help(rules->session, diag, "write `efa = all` or `efa = none`");
    }
}

void rule_queue_in_one_subnet(const Rules *rules, const PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    if (network == NULL) {
        return;
    }
    const bool picks = subject_value(nodes->head.subject, NODES_SUBNET) != NULL || nodes->subnets.zone != NULL;
    const uint32_t count = plan_subnet_count(network);
    const bool may_have_several = plan_one_subnet(nodes).reason == NULL;
    // Several nodes with EFA, and those of a placement group, are in one zone on every target: DT0309.
    if (may_have_several || picks || count < 2 || plan_wants_one_zone(nodes)) {
        return;
    }
    plan_report_queue_in_subnets(rules->session, nodes, count);
}
