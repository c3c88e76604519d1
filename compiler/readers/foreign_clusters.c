// Clusters of ParallelCluster in a template.
#include "compiler/readers/foreign_clusters.h"

#include "compiler/readers/parallelcluster/pcluster.h"

static const Value *late_value(Arena *arena, Span span) {
    Late *late = arena_new(arena, Late);
    *late = (Late){ .kind = LATE_TEXT };
    Value *value = value_of_span(arena, VALUE_LATE, span);
    value->late = late;
    return value;
}

static const Value *plain(Arena *arena, const Value *value);

static const Value *plain_list(Arena *arena, const Value *list) {
    Value *copy = value_of_span(arena, VALUE_LIST, list->span);
    copy->list.items = arena_new_array(arena, const Value *, list->list.count);
    for (uint32_t i = 0; i < list->list.count; i++) {
        if (list->list.items[i]->kind != VALUE_NULL) {
            copy->list.items[copy->list.count++] = plain(arena, list->list.items[i]);
        }
    }
    return copy;
}

static const Value *plain_map(Arena *arena, const Value *map) {
    Value *copy = value_of_span(arena, VALUE_MAP, map->span);
    ValueEntry *entries = arena_new_array(arena, ValueEntry, map->map.count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < map->map.count; i++) {
        ValueEntry entry = map->map.entries[i];
        if (entry.value->kind != VALUE_NULL) {
            entry.value = plain(arena, entry.value);
            entries[count++] = entry;
        }
    }
    copy->map.entries = entries;
    copy->map.count = count;
    return copy;
}

// The value as a file of ParallelCluster has it: without what AWS::NoValue takes away, and late where a function of the
// template stands.
static const Value *plain(Arena *arena, const Value *value) {
    const Value *argument;
    if (value->kind == VALUE_LIST) {
        return plain_list(arena, value);
    }
    if (value->kind != VALUE_MAP) {
        return value;
    }
    return raw_intrinsic(value, &argument).len > 0 ? late_value(arena, value->span) : plain_map(arena, value);
}

static const Value *configuration_of(Arena *arena, const RawResource *resource) {
    const bool is_custom = str_starts_with(resource->type, STR("Custom::")) ||
                           str_is(resource->type, "AWS::CloudFormation::CustomResource");
    const ValueEntry *entry =
        is_custom ? value_entry(resource->properties, resource->property_count, "ClusterConfiguration") : NULL;
    const Value *value = entry == NULL ? NULL : plain(arena, entry->value);
    return value != NULL && value->kind == VALUE_MAP ? value : NULL;
}

void foreign_add_clusters(Session *session, const Subject *file, Plan *plan, const CfnStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        const Value *value = configuration_of(session->arena, resource);
        const PlanRaw *raw = value == NULL ? NULL : pcluster_read(session, file, value);
        if (raw != NULL) {
            vec_push(session->arena, &plan->raw, raw);
        }
    }
}
