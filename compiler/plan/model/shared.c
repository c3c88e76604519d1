// Names what stacks give to each other. Who writes an export and who imports it ask here, so that both spell it alike.
#include "compiler/plan/model/shared.h"

#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/region.h"

const Resource *plan_shared_resource(const Value *value, Str *attribute) {
    *attribute = STR_NONE;
    if (value->kind == VALUE_RESOURCE) {
        return value->resource;
    }
    if (value->kind != VALUE_LATE || (value->late->kind != LATE_REF && value->late->kind != LATE_ATTRIBUTE)) {
        return NULL;
    }
    *attribute = value->late->kind == LATE_ATTRIBUTE ? value->late->name : STR_NONE;
    return value->late->resource;
}

Str plan_resource_id(Arena *arena, const PlanPart *part, const Resource *resource) {
    const char *name = str_c(arena, plan_logical_id(arena, resource->name, STR_NONE, ""));
    return part->outer != NULL ? plan_logical_id(arena, part->outer->name, part->name, name)
                               : plan_logical_id(arena, part->name, STR_NONE, name);
}

// An attribute may have dots of its own, which no key of an output has: Endpoint.Address.
Str plan_export_key(Arena *arena, const Plan *plan, const Resource *resource, Str attribute) {
    StrBuf key = { .arena = arena };
    strbuf_add(&key, plan_resource_id(arena, plan_part(plan, resource->block), resource));
    for (size_t start = 0; start < attribute.len;) {
        const size_t end = str_find(attribute, STR("."), start);
        strbuf_add(&key, plan_logical_id(arena, str_slice(attribute, start, end), STR_NONE, ""));
        start = end + 1;
    }
    return strbuf_str(&key);
}

static const Value *stack_of_nodes(Arena *arena, const PlanCluster *cluster) {
    const Value *name = cluster->head.name;
    const char *suffix = cluster->eks->existing == NULL ? "-nodes" : "";
    const Str stack = plan_eks_stack_name(arena, name->string);
    return value_string(arena, name->span, name->origin, str_format(arena, "%.*s%s", STR_ARG(stack), suffix));
}

const Value *plan_stack_name(Arena *arena, const PlanPart *part) {
    if (part->network != NULL) {
        return part->network->mode == NETWORK_IMPORTED ? NULL : part->network->head.name;
    }
    if (part->cluster != NULL) {
        const bool is_of_eks = part->cluster->target == TARGET_EKS;
        return is_of_eks ? stack_of_nodes(arena, part->cluster) : part->cluster->head.name;
    }
    // Clusters of used files are not planned. The `name` of a bucket is not that of its stack.
    const int attribute = part_is(part, KIND_BUCKET) ? -1 : schema_attribute(part->kind, STR("name"));
    const Value *given = attribute < 0 ? NULL : subject_value(part->subject, attribute);
    if (given != NULL && given->kind == VALUE_STRING) {
        return given;
    }
    return value_string(arena, part->subject->name_span, part->origin, part->name);
}

Str plan_stack_region(const PlanPart *part) {
    const PlanPart *stack = part->stack;
    return stack->cluster != NULL  ? stack->cluster->region
           : stack->bucket != NULL ? stack->bucket->region
                                   : plan_network_region(stack->network);
}

bool plan_writes_stack(const PlanPart *part) {
    const PlanNetwork *network = part->stack->network;
    const PlanCluster *cluster = part->stack->cluster;
    if (cluster != NULL && cluster->target == TARGET_EKS) {
        return part->nodes != NULL && plan_is_in_stack(part->nodes);
    }
    return cluster != NULL ? cluster->target == TARGET_BATCH || cluster->target == TARGET_PCS
                           : part_is(part->stack, KIND_IMAGE) || part_is(part->stack, KIND_BUCKET) ||
                                 (network != NULL && network->mode == NETWORK_MADE);
}

bool plan_is_patch_of_stack(const PlanPart *stack, const BlockPatch *patch) {
    return stack->target == TARGET_EKS ? str_is(patch->file, "cfn") : stack->target != TARGET_PARALLELCLUSTER;
}
