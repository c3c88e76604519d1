// What a group's nodes run before they take work: the author's scripts, and scratch space on their own disks. Whether a
// script is one, and a path a good one, is for script/setup.c.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/launcher.h"

static PlanScript script_of(const Builder *builder, const Value *tag) {
    bool is_file = tag->tag.source != 0;
    bool has_sum = tag->tag.count > 1 && tag->tag.arguments[1]->kind == VALUE_STRING;
    bool has_arguments = tag->tag.count > 2 && tag->tag.arguments[2]->kind == VALUE_LIST;
    return (PlanScript){
        .value = tag,
        .name = tag->tag.arguments[0]->string,
        .text = is_file ? source_get(builder->session, tag->tag.source)->text : STR_NONE,
        .sha256 = has_sum ? tag->tag.arguments[1]->string : STR_NONE,
        .arguments = has_arguments ? tag->tag.arguments[2] : NULL,
    };
}

static void decide_scratch(Builder *builder, const PlanNodes *nodes, const InstanceRow *row) {
    const Span span = nodes->scratch->span;
    const bool is_one = nodes->types.count == 1;
    if (row->nvme_count == UNKNOWN) {
        builder_add_decision(builder, span, builder_subject(builder, nodes->head.block),
                             "scratch = %.*s; whether %s has NVMe disks of its own is not known",
                             STR_ARG(nodes->scratch->string), row->name);
    } else if (row->nvme_count > 0) {
        builder_add_decision(builder, span, builder_subject(builder, nodes->head.block),
                             "scratch = %.*s, %d NVMe disk%s%s, %" PRId64 " GB%s%s", STR_ARG(nodes->scratch->string),
                             row->nvme_count, row->nvme_count == 1 ? "" : "s", row->nvme_count == 1 ? "" : " striped",
                             row->nvme_total_gb, is_one ? "" : " on ", is_one ? "" : row->name);
    }
}

void build_scripts(Builder *builder, const Block *block, int attribute, PlanScripts *scripts) {
    const Value *setup = read_known_list(builder, block, attribute);
    for (uint32_t i = 0; i < setup->list.count; i++) {
        vec_push(builder->arena, scripts, script_of(builder, setup->list.items[i]));
    }
}

void build_setup(Builder *builder, const Block *block, PlanNodes *nodes) {
    build_scripts(builder, block, NODES_SETUP, &nodes->setup);
    nodes->launch->launcher = launcher_of_scripts(builder->session, &nodes->setup);
    nodes->scratch = read_known(builder, block, NODES_SCRATCH);
    const bool is_path = nodes->scratch != NULL && nodes->scratch->kind == VALUE_STRING;
    for (uint32_t i = 0; is_path && i < nodes->types.count; i++) {
        decide_scratch(builder, nodes, nodes->types.items[i].row);
    }
}
