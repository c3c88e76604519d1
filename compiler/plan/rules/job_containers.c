// Finds the containers of a job definition.
#include "compiler/plan/rules/job_containers.h"

#include "compiler/plan/model/object_value.h"

static void add(Arena *arena, JobContainers *containers, const Value *container, const Value *volumes) {
    if (container != NULL && container->kind == VALUE_MAP) {
        const JobContainer found = { .container = container, .volumes = volumes };
        vec_push(arena, containers, found);
    }
}

// The containers of a task share its volumes.
static void add_tasks(Arena *arena, JobContainers *containers, const Value *properties) {
    const Value *tasks = object_get(properties, "TaskProperties");
    for (uint32_t i = 0; i < object_count(tasks); i++) {
        const Value *task = tasks->list.items[i];
        const Value *list = object_get(task, "Containers");
        for (uint32_t k = 0; k < object_count(list); k++) {
            add(arena, containers, list->list.items[k], object_get(task, "Volumes"));
        }
    }
}

static void add_range(Arena *arena, JobContainers *containers, const Value *range) {
    const Value *container = object_get(range, "Container");
    add(arena, containers, container, object_get(container, "Volumes"));
    add_tasks(arena, containers, object_get(range, "EcsProperties"));
}

JobContainers job_containers_of_range(Arena *arena, const Value *range) {
    JobContainers containers = { 0 };
    add_range(arena, &containers, range);
    return containers;
}

JobContainers job_containers(Arena *arena, const Resource *resource) {
    JobContainers containers = { 0 };
    if (!str_is(resource->type, "AWS::Batch::JobDefinition")) {
        return containers;
    }
    const Value *own = resource_property(resource, "ContainerProperties");
    const Value *ranges = object_get(resource_property(resource, "NodeProperties"), "NodeRangeProperties");
    add(arena, &containers, own, object_get(own, "Volumes"));
    add_tasks(arena, &containers, resource_property(resource, "EcsProperties"));
    for (uint32_t i = 0; i < object_count(ranges); i++) {
        add_range(arena, &containers, ranges->list.items[i]);
    }
    return containers;
}
