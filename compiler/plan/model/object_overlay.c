// The pods of a TrainJob: its runtime has their template, and the job says what one container of it gets, and what the
// pods get beside it. What is made here has that alone, so that nobody knows what it lacks.
// source: kubeflow/trainer@8c0f5059 pkg/runtime/framework/plugins/jobset/builder.go, Trainer, docs/operator-guides/runtime-patches.md, and pkg/constants/constants.go, Node, 2026-08-21; podSpecOverrides: kubeflow/training-operator@a55f03a8, 2025-02-24; read 2026-11
#include "compiler/plan/model/object_overlay.h"

#include "compiler/plan/model/object_value.h"

typedef VEC(ValueEntry) Entries;
typedef VEC(const Value *) Items;

static const char NODE[] = "node"; // the job of a runtime that trains, and its container

static const Value *item_of(const Value *list, uint32_t i) {
    return i < object_count(list) ? list->list.items[i] : NULL;
}

static const ValueEntry *entry_of(const Value *map, const char *key) {
    return map == NULL || map->kind != VALUE_MAP ? NULL : value_entry(map->map.entries, map->map.count, key);
}

static bool is_of_node(const Value *named) {
    return str_is(object_text(object_get(named, "name")), NODE);
}

static void add_all(Arena *arena, Items *items, const Value *list) {
    for (uint32_t i = 0; item_of(list, i) != NULL; i++) {
        vec_push(arena, items, item_of(list, i));
    }
}

typedef struct {
    Arena *arena;
    Entries pod;
    Entries container;
    Items env;
    Items mounts;
} Laid;

// A key once: what comes first stays.
static void put(Arena *arena, Entries *entries, ValueEntry entry) {
    for (uint32_t i = 0; i < entries->count; i++) {
        if (str_equal(entries->items[i].key, entry.key)) {
            return;
        }
    }
    vec_push(arena, entries, entry);
}

static void add_container(Laid *overlay, const Value *container) {
    add_all(overlay->arena, &overlay->env, object_get(container, "env"));
    add_all(overlay->arena, &overlay->mounts, object_get(container, "volumeMounts"));
}

// What an override of the pods says.
static void add_override(Laid *overlay, const Value *spec) {
    static const char *const KEYS[] = { "nodeSelector", "tolerations", "affinity", "volumes", "serviceAccountName" };
    const Value *containers = object_get(spec, "containers");
    for (uint32_t i = 0; item_of(containers, i) != NULL; i++) {
        if (is_of_node(item_of(containers, i))) {
            add_container(overlay, item_of(containers, i));
        }
    }
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        const ValueEntry *entry = entry_of(spec, KEYS[i]);
        if (entry != NULL) {
            put(overlay->arena, &overlay->pod, *entry);
        }
    }
}

// Until Trainer 2.1 with the fields of the pod beside its targets, then with a specification, and since 2.2 as a patch
// of the runtime.
static void add_overrides(Laid *overlay, const Value *job) {
    static const char *const LISTS[] = { "podSpecOverrides", "podTemplateOverrides" };
    for (size_t k = 0; k < COUNT_OF(LISTS); k++) {
        const Value *list = object_get(job, LISTS[k]);
        for (uint32_t i = 0; item_of(list, i) != NULL; i++) {
            const Value *override = item_of(list, i);
            const Value *targets = object_get(override, "targetJobs");
            bool is_of_all = false;
            for (uint32_t n = 0; item_of(targets, n) != NULL; n++) {
                is_of_all = is_of_all || is_of_node(item_of(targets, n));
            }
            if (is_of_all) {
                add_override(overlay, k == 0 ? override : object_get(override, "spec"));
            }
        }
    }
    const Value *patches = object_get(job, "runtimePatches");
    for (uint32_t i = 0; item_of(patches, i) != NULL; i++) {
        const Value *jobs = plan_value_at(item_of(patches, i), STR("trainingRuntimeSpec.template.spec.replicatedJobs"));
        for (uint32_t n = 0; item_of(jobs, n) != NULL; n++) {
            if (is_of_node(item_of(jobs, n))) {
                add_override(overlay, plan_value_at(item_of(jobs, n), STR("template.spec.template.spec")));
            }
        }
    }
}

static Value *map_of(Arena *arena, const Entries *entries, Span span) {
    Value *map = value_new(arena, VALUE_MAP, span, NULL);
    map->map.entries = entries->items;
    map->map.count = entries->count;
    return map;
}

static ValueEntry list_entry(const Laid *overlay, const char *key, const Items *items, Span span) {
    Value *list = value_new(overlay->arena, VALUE_LIST, span, NULL);
    list->list.items = items->items;
    list->list.count = items->count;
    return (ValueEntry){ .key = str_of(key), .key_span = span, .value = list };
}

// The container, of what the trainer says and of what overrides add.
static void make_container(Laid *overlay, const Value *trainer, Span span) {
    static const char *const KEYS[][2] = {
        { "image", "image" }, { "command", "command" }, { "args", "args" }, { "resourcesPerNode", "resources" }
    };
    Value *name = value_new(overlay->arena, VALUE_STRING, span, NULL);
    name->string = str_of(NODE);
    put(overlay->arena, &overlay->container, (ValueEntry){ .key = STR("name"), .key_span = span, .value = name });
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        const ValueEntry *entry = entry_of(trainer, KEYS[i][0]);
        if (entry != NULL) {
            ValueEntry own = *entry;
            own.key = str_of(KEYS[i][1]);
            put(overlay->arena, &overlay->container, own);
        }
    }
    const Value *env = object_get(trainer, "env");
    if (env != NULL && env->kind != VALUE_LIST) {
        put(overlay->arena, &overlay->container, (ValueEntry){ .key = STR("env"), .key_span = span, .value = env });
    } else if (overlay->env.count > 0) {
        put(overlay->arena, &overlay->container, list_entry(overlay, "env", &overlay->env, span));
    }
    if (overlay->mounts.count > 0) {
        put(overlay->arena, &overlay->container, list_entry(overlay, "volumeMounts", &overlay->mounts, span));
    }
}

const Value *object_overlay(Arena *arena, const Value *job, Span span) {
    const Value *trainer = object_get(job, "trainer");
    Laid overlay = { .arena = arena };
    add_all(arena, &overlay.env, object_get(trainer, "env"));
    add_overrides(&overlay, job);
    make_container(&overlay, trainer, span);
    Items containers = { 0 };
    vec_push(arena, &containers, (const Value *)map_of(arena, &overlay.container, job->span));
    put(arena, &overlay.pod, list_entry(&overlay, "containers", &containers, span));
    return map_of(arena, &overlay.pod, job->span);
}
