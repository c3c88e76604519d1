// The network interfaces of a group's nodes: how many are EFA, and on which card each one is. nics.c has the rule that
// places them. What the author wrote is judged by the rules.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "schema/instances.h"

// As many EFA interfaces as the group gets. If the author asks for more than there are, or for fewer than none, a rule
// reports it. The rest of the Plan has what there is.
static int count_efa(const PlanNodes *nodes, const Value *efa) {
    const int all = nics_efa_all(nodes->instance, nodes->fabric.layout);
    if (all == UNKNOWN) {
        return 0; // a type of which little is known, without EFA
    }
    if (efa == NULL) {
        const bool is_default = nodes->count.high->integer > 1 && nics_efa_is_default(nodes->instance);
        return is_default && all > 0 ? all : 0;
    }
    if (efa->kind == VALUE_WORD) {
        return str_is(efa->string, "all") ? all : 0;
    }
    return efa->integer < 0 ? 0 : efa->integer > all ? all : (int)efa->integer;
}

static const char *reason_of(const PlanNodes *nodes) {
    switch (nodes->fabric.layout) {
    case LAYOUT_SPARE:
        return "; EFA and IP share one interface of network card 0, because AWS Batch attaches a second one there for "
               "the container of a multi-node job; without such jobs, write `efa_layout = min_ip`";
    case LAYOUT_ALL_IP:
        return "; AWS PCS launches no `efa-only` interface";
    case LAYOUT_MIN_IP:
    case LAYOUT_MAX_BANDWIDTH:
        return "";
    }
    return "";
}

static void decide_nics(Builder *builder, const Block *block, const PlanNodes *nodes) {
    if (block_value(block, NODES_EFA) == NULL && plan_efa_is_unknown(nodes)) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "efa = all; how many EFA interfaces ParallelCluster makes on %s is not known",
                             nodes->instance->name);
    } else if (block_value(block, NODES_EFA) == NULL && nodes->fabric.efa_count > 0) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "efa = all, %d on %d network card%s of %s", nodes->fabric.efa_count,
                             nodes->instance->network_cards, nodes->instance->network_cards == 1 ? "" : "s",
                             nodes->instance->name);
    }
    if (plan_leaves_efa(nodes)) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "efa = none, %s has %d EFA interface%s; write `efa = all` for jobs of several nodes",
                             nodes->instance->name, nodes->instance->efa_max, nodes->instance->efa_max == 1 ? "" : "s");
    }
    // On Batch a job says how many nodes belong together: rule fabric.
    const bool has_accelerators = nodes->instance->accelerator != ACCELERATOR_NONE;
    const bool is_quiet = block_value(block, NODES_EFA) != NULL || nodes->cluster->target == TARGET_BATCH;
    if (has_accelerators && nodes->instance->efa_max == 0 && nodes->count.high->integer > 1 && !is_quiet) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "no EFA on %s, its nodes speak TCP to each other", nodes->instance->name);
    }
    if (nodes->cluster->target == TARGET_PARALLELCLUSTER && nodes->fabric.efa_count > 0) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "ParallelCluster places the interfaces");
    } else if (plan_is_of_eksctl(nodes) && nodes->fabric.efa_count > 0) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "eksctl places the interfaces");
    } else if (block_value(block, NODES_EFA_LAYOUT) == NULL && nodes->fabric.efa_count > 0) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "efa_layout = %s, %d interface%s, %d private IP address%s a node%s",
                             nics_layout_name(nodes->fabric.layout), nodes->fabric.nics.count,
                             nodes->fabric.nics.count == 1 ? "" : "s", nics_private_ips(&nodes->fabric.nics),
                             nics_private_ips(&nodes->fabric.nics) == 1 ? "" : "es", reason_of(nodes));
    }
}

// Of a layout that the type does not have, or not with so few interfaces, a rule speaks.
static NicsResult place(PlanNodes *nodes, NicLayout layout, const Value *efa) {
    nodes->fabric.layout = layout;
    nodes->fabric.efa_count = count_efa(nodes, efa);
    return nics_place(nodes->instance, layout, nodes->fabric.efa_count, &nodes->fabric.nics);
}

// The launch template is that of all types, and the container of a multi-node job needs a place on each of them.
static bool min_ip_fills_card(const PlanNodes *nodes) {
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        if (nics_min_ip_fills_card(nodes->types.items[i].row)) {
            return true;
        }
    }
    return false;
}

static NicLayout layout_of(const PlanNodes *nodes, Str word) {
    if (str_is(word, "auto") && nodes->cluster->target == TARGET_BATCH && min_ip_fills_card(nodes)) {
        return LAYOUT_SPARE;
    }
    const NicLayout layout =
        str_is(word, "auto") ? nics_layout_on(schema_target_name(nodes->cluster->target)) : nics_layout(word);
    return nics_efa_all(nodes->instance, layout) != UNKNOWN ? layout : LAYOUT_MIN_IP;
}

bool build_interfaces(Builder *builder, const Block *block, PlanNodes *nodes) {
    const Value *layout = read_word(builder, block, NODES_EFA_LAYOUT, "auto");
    const Value *efa = read_known(builder, block, NODES_EFA);
    NicsResult result = place(nodes, layout_of(nodes, layout->string), efa);
    if (result == NICS_NO_LAYOUT) {
        result = place(nodes, LAYOUT_MIN_IP, efa);
    }
    const char *gap = result == NICS_PLACED ? NULL : "which network cards and EFA interfaces it has";
    if (!build_has_facts(builder, nodes->instance_value->span, nodes->instance, gap)) {
        return false;
    }
    const Origin *origin = origin_join(builder->arena, nodes->instance_value->origin, layout->origin);
    origin = origin_join(builder->arena, origin, efa != NULL ? efa->origin : nodes->count.high->origin);
    nodes->fabric.origin = origin_join(builder->arena, origin, origin_schema(builder->arena, nodes->instance->name));
    build_maker(builder, nodes);
    decide_nics(builder, block, nodes);
    return true;
}
