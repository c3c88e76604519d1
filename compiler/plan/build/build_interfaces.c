// The network interfaces of a group's nodes: how many are EFA, and on which card each one is. nics.c has the rule that
// places them. This file compares what the author wrote with what the type has.
#include "compiler/plan/build/builder.h"

#include "compiler/plan/build/read.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/group.h"
#include "compiler/plan/model/maker.h"
#include "schema/instances.h"

static NicLayout layout_of(Str word) {
    return str_is(word, "all_ip")          ? LAYOUT_ALL_IP
           : str_is(word, "max_bandwidth") ? LAYOUT_MAX_BANDWIDTH
                                           : LAYOUT_MIN_IP;
}

static void too_many_efa(Builder *builder, const PlanNodes *nodes, const Value *efa, int all) {
    Diag *diag = NULL;
    if (all == 0) {
        diag = report(builder->session, efa->span, DIAG(no_efa), nodes->instance->name);
        diag_help(builder->session, diag, "write `efa = none`, or take a type that has EFA: `dtc instances efa`");
    } else {
        diag = report(builder->session, efa->span, DIAG(too_many_efa), nodes->instance->name, all, all == 1 ? "" : "s",
                      efa->integer);
        diag_primary_label(builder->session, diag, "asks for %" PRId64, efa->integer);
        diag_help(builder->session, diag, "write `efa = all`, or leave it out");
        if (read_is_written_there(builder, nodes->head.block, NODES_EFA)) {
            diag_fix(builder->session, diag, efa->span, STR("all"));
        }
    }
    diag_label(builder->session, diag, nodes->instance_value->span, "%d network card%s, %d EFA interface%s",
               nodes->instance->network_cards, nodes->instance->network_cards == 1 ? "" : "s", all,
               all == 1 ? "" : "s");
}

// How many EFA interfaces the author asks for; -1 where that was reported.
static int read_efa(Builder *builder, const PlanNodes *nodes, const Value *efa) {
    int all = nics_efa_all(nodes->instance, nodes->layout);
    if (all == UNKNOWN) {
        return 0; // a type of which little is known, without EFA
    }
    if (efa == NULL) {
        return nodes->count_high->integer > 1 && all > 0 ? all : 0;
    }
    if (efa->kind == VALUE_WORD) {
        bool wants_all = str_is(efa->string, "all");
        if (wants_all && all == 0) {
            too_many_efa(builder, nodes, efa, all);
            return -1;
        }
        return wants_all ? all : 0;
    }
    if (efa->integer < 0) {
        Diag *diag = report(builder->session, efa->span, DIAG(negative), "efa", efa->integer);
        diag_help(builder->session, diag, "write `efa = none`, or leave it out");
        return -1;
    }
    if (efa->integer > all) {
        too_many_efa(builder, nodes, efa, all);
        return -1;
    }
    return (int)efa->integer;
}

// Where the target places the interfaces, rules efa_is_placed and interfaces_of_eksctl refuse a number.
static void check_fewer(Builder *builder, const Block *block, const PlanNodes *nodes, const Value *efa) {
    int all = nics_efa_all(nodes->instance, nodes->layout);
    if (efa == NULL || efa->kind == VALUE_WORD || nodes->efa_count == all || !plan_has_own_template(nodes)) {
        return;
    }
    Diag *diag = plan_report(builder->session, &block->subject, efa->span, DIAG(fewer_efa), nodes->instance->name, all,
                             "group", efa->integer);
    diag_label(builder->session, diag, nodes->instance_value->span, "has %d", all);
    diag_help(builder->session, diag, "write `efa = all`, or say why: `allow DT0305, \"…\"`");
}

static Str layouts_of(Builder *builder, const InstanceRow *row) {
    static const NicLayout ALL[] = { LAYOUT_MIN_IP, LAYOUT_ALL_IP, LAYOUT_MAX_BANDWIDTH };
    StrBuf text = { .arena = builder->arena };
    for (size_t i = 0; i < COUNT_OF(ALL); i++) {
        if (nics_efa_all(row, ALL[i]) != UNKNOWN) {
            strbuf_add_format(&text, "%s`%s`", text.len == 0 ? "" : ", ", nics_layout_name(ALL[i]));
        }
    }
    return strbuf_str(&text);
}

// The type has no such layout at all, or none with `count` EFA interfaces.
static void no_layout(Builder *builder, const PlanNodes *nodes, const Value *layout, int count) {
    bool has_it = nics_efa_all(nodes->instance, nodes->layout) != UNKNOWN;
    Str with = has_it ? str_format(builder->arena, " with %d EFA interface%s", count, count == 1 ? "" : "s") : STR_NONE;
    Diag *diag = report(builder->session, layout->span, DIAG(no_layout), nodes->instance->name,
                        nics_layout_name(nodes->layout), str_c(builder->arena, with));
    diag_label(builder->session, diag, nodes->instance_value->span, "has %.*s",
               STR_ARG(layouts_of(builder, nodes->instance)));
    diag_help(builder->session, diag, "%sleave `efa_layout` out: the schema knows the one to take",
              has_it ? "write `efa = all`, or " : "");
}

static void decide_nics(Builder *builder, const Block *block, const PlanNodes *nodes) {
    if (block_value(block, NODES_EFA) == NULL && plan_efa_is_unknown(nodes)) {
        builder_decide(builder, block->subject.name_span,
                       "%.*s: efa = all; how many EFA interfaces ParallelCluster makes on %s is not known",
                       STR_ARG(block->name), nodes->instance->name);
    } else if (block_value(block, NODES_EFA) == NULL && nodes->efa_count > 0) {
        builder_decide(builder, block->subject.name_span, "%.*s: efa = all, %d on %d network card%s of %s",
                       STR_ARG(block->name), nodes->efa_count, nodes->instance->network_cards,
                       nodes->instance->network_cards == 1 ? "" : "s", nodes->instance->name);
    }
    // On Batch a job says how many nodes belong together: rule fabric.
    const bool has_accelerators = nodes->instance->accelerator != ACCELERATOR_NONE;
    const bool is_quiet = block_value(block, NODES_EFA) != NULL || nodes->cluster->target == TARGET_BATCH;
    if (has_accelerators && nodes->instance->efa_max == 0 && nodes->count_high->integer > 1 && !is_quiet) {
        builder_decide(builder, block->subject.name_span, "%.*s: no EFA on %s, its nodes speak TCP to each other",
                       STR_ARG(block->name), nodes->instance->name);
    }
    if (nodes->cluster->target == TARGET_PARALLELCLUSTER && nodes->efa_count > 0) {
        builder_decide(builder, block->subject.name_span, "%.*s: ParallelCluster places the interfaces",
                       STR_ARG(block->name));
    } else if (plan_is_of_eksctl(nodes) && nodes->efa_count > 0) {
        builder_decide(builder, block->subject.name_span, "%.*s: eksctl places the interfaces", STR_ARG(block->name));
    } else if (block_value(block, NODES_EFA_LAYOUT) == NULL && nodes->efa_count > 0) {
        builder_decide(builder, block->subject.name_span,
                       "%.*s: efa_layout = %s, %d interfaces, %d private IP address%s a node", STR_ARG(block->name),
                       nics_layout_name(nodes->layout), nodes->nics.count, nics_private_ips(&nodes->nics),
                       nics_private_ips(&nodes->nics) == 1 ? "" : "es");
    }
}

bool build_interfaces(Builder *builder, const Block *block, PlanNodes *nodes) {
    const Value *layout = read_word(builder, block, NODES_EFA_LAYOUT, "auto");
    const Value *efa = read_known(builder, block, NODES_EFA);
    nodes->layout = layout_of(layout->string);
    const bool is_plain = schema_instance_gap(nodes->instance) != NULL; // it would be no plan otherwise
    if (!is_plain && nics_efa_all(nodes->instance, nodes->layout) == UNKNOWN) {
        no_layout(builder, nodes, layout, nodes->instance->efa_max);
        return false;
    }
    int count = read_efa(builder, nodes, efa);
    if (count < 0) {
        return false;
    }
    nodes->efa_count = count;
    const Origin *origin = origin_join(builder->arena, nodes->instance_value->origin, layout->origin);
    if (efa != NULL) {
        origin = origin_join(builder->arena, origin, efa->origin);
    } else {
        origin = origin_join(builder->arena, origin, nodes->count_high->origin);
    }
    nodes->nics_origin = origin_join(builder->arena, origin, origin_schema(builder->arena, nodes->instance->name));
    switch (nics_place(nodes->instance, nodes->layout, count, &nodes->nics)) {
    case NICS_PLACED:
        build_template(builder, nodes);
        check_fewer(builder, block, nodes, efa);
        decide_nics(builder, block, nodes);
        return true;
    case NICS_UNKNOWN:
        report(builder->session, nodes->instance_value->span, DIAG(instance_type_gap), nodes->instance->name,
               "which network cards and EFA interfaces it has");
        return false;
    case NICS_TOO_MANY:
        too_many_efa(builder, nodes, efa, nics_efa_all(nodes->instance, nodes->layout));
        return false;
    case NICS_NO_LAYOUT:
        no_layout(builder, nodes, layout, count);
        return false;
    }
    return false;
}
