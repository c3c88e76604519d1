// What the time of a Capacity Block means for the nodes of a group. No node starts before the block begins, and EC2 ends
// them before it ends (EC2 User Guide, Work with Capacity Blocks, 2026-11). Each target meets that in its own way, and
// no template shows it, so a line of the build says it.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "schema/limits.h"

// What lets a group begin without nodes.
static const char *way_to_empty(const PlanNodes *nodes) {
    const Value *low = nodes->count.written_low;
    const bool is_low_zero = low->kind == VALUE_INT && low->integer == 0;
    if (is_low_zero) {
        return "write `desired = 0`";
    }
    return nodes->eks->desired != NULL ? "let `count` begin with 0, and write `desired = 0`"
                                       : "let `count` begin with 0";
}

// eksctl@99984adb, pkg/eks/client.go, WaitForNodes, 2026-08: it waits for as many nodes as are desired. The stack of
// groups waits for their signals.
static Str begin_on_eks(Builder *builder, const PlanNodes *nodes) {
    if (plan_begins_empty(nodes)) {
        return STR("until it begins no node starts");
    }
    if (nodes->maker == MAKER_STACK) {
        return str_format(builder->arena, "until it begins the stack waits for nodes, and is rolled back: %s",
                          way_to_empty(nodes));
    }
    return str_format(builder->arena, "until it begins eksctl waits for nodes, and fails after %d minutes: %s",
                      LIMIT_EKSCTL_WAIT_MINUTES_USUAL, way_to_empty(nodes));
}

// AWS Batch: User Guide, Jobs stuck in RUNNABLE due to capacity. ParallelCluster: Launch instances with Capacity Blocks.
// AWS PCS: User Guide, Frequently asked questions about using Capacity Blocks. All of 2026-11.
static Str begin(Builder *builder, const PlanNodes *nodes) {
    switch (nodes->maker) {
    case MAKER_BATCH:
        return STR("until it begins jobs wait in RUNNABLE");
    case MAKER_PARALLELCLUSTER:
    case MAKER_PCS:
        return STR("until it begins Slurm keeps the nodes in maintenance, and jobs wait");
    case MAKER_MANAGED:
    case MAKER_MANAGED_WITH_TEMPLATE:
    case MAKER_EKSCTL:
    case MAKER_STACK:
        return begin_on_eks(builder, nodes);
    }
    return STR_NONE;
}

// Of its managed groups EKS drains the nodes first (Amazon EKS User Guide, Create a managed node group with Capacity
// Blocks for ML, 2026-11).
void build_block(Builder *builder, const PlanNodes *nodes) {
    if (capacity_has(nodes->capacity, CAPACITY_BLOCK)) {
        // Those of an UltraServer are gone before EKS would drain them.
        const bool is_ultraserver = nodes->instance->ultraserver_sizes[0] > 0;
        const bool is_managed = plan_is_managed(nodes) && !is_ultraserver;
        const int end = is_ultraserver ? LIMIT_ULTRASERVER_END_MINUTES : LIMIT_BLOCK_END_MINUTES;
        const Str begins = begin(builder, nodes);
        builder_add_decision(builder, subject_key(nodes->head.subject, NODES_CAPACITY),
                             builder_subject(builder, nodes->head.block),
                             "%s its nodes %d minutes before its Capacity Block ends; %.*s",
                             is_managed ? "EKS drains and ends" : "EC2 ends",
                             is_managed ? LIMIT_BLOCK_DRAIN_MINUTES : end, STR_ARG(begins));
    }
}
