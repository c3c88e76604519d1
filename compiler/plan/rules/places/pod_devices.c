// Rules about what pods ask devices for: names that a device plugin offers, amounts that a node has, and memory behind
// them. Kubernetes takes all of it; the pods wait for ever, or run on a part of the fabric.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/device_name.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/places/pod_fabric.h"
#include "compiler/plan/model/pod_type.h"
#include "schema/instances.h"
#include "schema/pod_devices.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const PlanPod *pod;
    const InstanceRow *row;
    const Value *type; // what names the row
} PodDevicesCheck;

// "64Gi", without quotes.
static Str as_written(Session *session, const Value *value) {
    return value->kind == VALUE_STRING ? value->string : value_print(session->arena, value);
}

// ---- pages -----------------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    double bytes;
} PAGES[] = { { "hugepages-2Mi", 2.0 * 1024 * 1024 }, { "hugepages-1Gi", 1024.0 * 1024 * 1024 } };

static void check_pages(const PodDevicesCheck *check, const ValueEntry *entry) {
    for (size_t i = 0; i < COUNT_OF(PAGES); i++) {
        double amount;
        if (!str_is(entry->key, PAGES[i].name) || !quantity_read(entry->value, &amount) || amount < 0 ||
            amount > (double)(INT64_C(1) << 52)) {
            continue;
        }
        const int64_t pages = (int64_t)(amount / PAGES[i].bytes);
        if ((double)pages * PAGES[i].bytes < amount) {
            Diag *diag =
                plan_report(check->rules->session, check->object->subject, entry->value->span, DIAG(pod_part_of_page),
                            STR_ARG(as_written(check->rules->session, entry->value)), PAGES[i].name);
            diag_help(check->rules->session, diag, "write a unit: %s",
                      check->object->is_manifest ? "`hugepages-2Mi: 5120Mi`" : "`\"5120Mi\"`");
        }
    }
}

// Whether a container has an amount of it; true where that is not known.
static bool asks_for(const Value *container, Str name) {
    const Value *resources = object_get(container, "resources");
    const Value *const maps[] = { object_get(resources, "requests"), object_get(resources, "limits") };
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        if (maps[i] != NULL && (maps[i]->kind != VALUE_MAP || value_find(maps[i], name) != NULL)) {
            return true;
        }
    }
    return false;
}

static bool pod_asks_for(const Value *pod, Str name) {
    static const char *const KEYS[] = { "containers", "initContainers" };
    bool asks = asks_for(pod, name); // for all of its containers
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        const Value *containers = object_get(pod, KEYS[i]);
        for (uint32_t k = 0; k < object_count(containers); k++) {
            asks = asks || asks_for(containers->list.items[k], name);
        }
    }
    return asks;
}

// A volume of pages of one size, `HugePages-2Mi`. One of `HugePages` takes those that there are.
// Source: getPageSizeMountOption of kubernetes/kubernetes@03790634 pkg/volume/emptydir/empty_dir.go, read 2026-11-26.
static void check_volumes_of_pages(const PodDevicesCheck *check) {
    const Value *volumes = object_get(check->pod->spec, "volumes");
    const Str start = STR("HugePages-");
    for (uint32_t i = 0; i < object_count(volumes); i++) {
        const Value *medium = object_get(object_get(volumes->list.items[i], "emptyDir"), "medium");
        const Str text = object_text(medium);
        const Str name =
            str_format(check->rules->session->arena, "hugepages-%.*s", STR_ARG(str_slice(text, start.len, text.len)));
        if (!str_starts_with(text, start) || check->pod->is_part || pod_asks_for(check->pod->spec, name)) {
            continue;
        }
        Diag *diag =
            plan_report(check->rules->session, check->object->subject, medium->span, DIAG(pages_of_volume),
                        STR_ARG(object_text(object_get(volumes->list.items[i], "name"))), STR_ARG(text), STR_ARG(name));
        diag_help(check->rules->session, diag, "add `%.*s` to the limits, or write the size that the containers have",
                  STR_ARG(name));
    }
}

// ---- volumes in memory -----------------------------------------------------------------------------------------

static const Value *volume_named(const Value *pod, Str name) {
    const Value *volumes = object_get(pod, "volumes");
    for (uint32_t i = 0; i < object_count(volumes); i++) {
        if (str_equal(object_text(object_get(volumes->list.items[i], "name")), name)) {
            return volumes->list.items[i];
        }
    }
    return NULL;
}

static void check_memory(const PodDevicesCheck *check, const Value *container, const Value *limits) {
    const Value *mounts = object_get(container, "volumeMounts");
    const Value *memory = object_get(limits, "memory");
    double most;
    if (memory == NULL || !quantity_read(memory, &most)) {
        return;
    }
    for (uint32_t i = 0; i < object_count(mounts); i++) {
        const Str name = object_text(object_get(mounts->list.items[i], "name"));
        const Value *room = object_get(name.len == 0 ? NULL : volume_named(check->pod->spec, name), "emptyDir");
        const Value *size = object_get(room, "sizeLimit");
        double bytes;
        if (!str_is(object_text(object_get(room, "medium")), "Memory") || size == NULL ||
            !quantity_read(size, &bytes) || bytes <= most) {
            continue;
        }
        Session *session = check->rules->session;
        Diag *diag =
            plan_report(session, check->object->subject, size->span, DIAG(pod_volume_over_memory), STR_ARG(name),
                        STR_ARG(as_written(session, size)), STR_ARG(as_written(session, memory)));
        diag_label(session, diag, memory->span, "the limit of the container");
        diag_help(session, diag, "write a smaller `sizeLimit`, or a larger limit of `memory`");
    }
}

// ---- the index of a pod ----------------------------------------------------------------------------------------

static const char INDEX[] = "JOB_COMPLETION_INDEX";

static void check_index(const PodDevicesCheck *check, const Value *container) {
    const PlanLauncher *launcher = workload_of_container(check->object, container)->launcher;
    const Value *mode = object_get(check->pod->outer, "completionMode");
    if (!plan_object_is(check->object, IS_INDEXED) || pod_has_index(check->object, check->pod) ||
        launcher_may_set(launcher, INDEX) || (mode != NULL && !str_is(object_text(mode), "NonIndexed"))) {
        return;
    }
    const CommandWord *use = launcher_says(launcher, INDEX);
    if (use == NULL) {
        return;
    }
    Diag *diag = plan_report(check->rules->session, check->object->subject, use->span, DIAG(pod_without_index));
    if (mode != NULL) {
        diag_label(check->rules->session, diag, mode->span, "such pods have no index");
    }
    diag_help(check->rules->session, diag, "write `%s` into the `spec` of the Job",
              check->object->is_manifest ? "completionMode: Indexed" : "completionMode = \"Indexed\"");
    const Value *completions = object_get(check->pod->outer, "completions");
    if (mode != NULL) {
        rule_replace(check->rules, diag, mode->span, object_text(mode), STR("Indexed"));
    } else if (completions != NULL) {
        rule_insert_beside(check->rules, diag, completions->span, STR("completionMode"), STR("Indexed"));
    }
}

// ---- slots -----------------------------------------------------------------------------------------------------

// Whether a launcher starts no more on each worker, whatever the slots are.
static bool starts_fewer(const PlanObject *object, int64_t devices) {
    for (uint32_t i = 0; i < object->workloads.count; i++) {
        const int64_t each = launcher_each(object->workloads.items[i]->launcher);
        if (each >= 0 && each <= devices) {
            return true;
        }
    }
    return false;
}

static void check_slots(const Rules *rules, const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    const Value *slots = object_get(spec, "slotsPerWorker");
    const Value *worker = object_get(object_get(spec, "mpiReplicaSpecs"), "Worker");
    const Value *pod = object_get(object_get(worker, "template"), "spec");
    const Value *containers = object_get(pod, "containers");
    if (!str_starts_with(object->resource->type, STR("kubeflow.org/")) || object_count(containers) == 0) {
        return;
    }
    const Value *limits = object_get(object_get(containers->list.items[0], "resources"), "limits");
    const Value *gpus = object_get(limits, "nvidia.com/gpu");
    const int64_t count = quantity_whole(gpus, -1);
    if (slots == NULL || count < 1 || quantity_whole(slots, -1) <= count || starts_fewer(object, count)) {
        return;
    }
    Diag *diag = plan_report(rules->session, object->subject, slots->span, DIAG(slots_over_gpus),
                             quantity_whole(slots, -1), count);
    diag_label(rules->session, diag, gpus->span, "GPUs of a worker");
    diag_help(rules->session, diag,
              object->is_manifest ? "write `slotsPerWorker: %" PRId64 "`" : "write `slotsPerWorker = %" PRId64 "`",
              count);
}

// ----------------------------------------------------------------------------------------------------------------

static void check_container(const PodDevicesCheck *check, const Value *container) {
    const Value *resources = object_get(container, "resources");
    const Value *limits = object_get(resources, "limits");
    const Value *const maps[] = { object_get(resources, "requests"), limits };
    for (size_t i = 0; i < COUNT_OF(maps); i++) {
        for (uint32_t k = 0; maps[i] != NULL && maps[i]->kind == VALUE_MAP && k < maps[i]->map.count; k++) {
            rules_device_name(check->rules, check->object, &maps[i]->map.entries[k]);
            check_pages(check, &maps[i]->map.entries[k]);
        }
    }
    if (check->row != NULL) {
        const PodNode node = { .row = check->row, .span = check->type->span };
        pod_fabric_check(check->rules->session, check->object, check->pod, container, &node);
    }
    check_memory(check, container, limits);
    check_index(check, container);
}

static void check_list(const PodDevicesCheck *check, const char *key) {
    const Value *containers = object_get(check->pod->spec, key);
    for (uint32_t i = 0; i < object_count(containers); i++) {
        check_container(check, containers->list.items[i]);
    }
}

void rule_pod_devices(const Rules *rules, const PlanObject *object) {
    if (object->is_changed) {
        return;
    }
    for (uint32_t i = 0; i < object->pods.count; i++) {
        const Value *pod = object->pods.items[i].spec;
        const Value *type = pod_type(pod);
        const InstanceRow *row = pod_row(rules->session, object_text(type));
        const PodDevicesCheck check = {
            .rules = rules, .object = object, .pod = &object->pods.items[i], .row = row, .type = type
        };
        check_list(&check, "initContainers");
        check_list(&check, "containers");
        check_volumes_of_pages(&check);
    }
    check_slots(rules, object);
}

// ---- twice -----------------------------------------------------------------------------------------------------

static const Value *name_of(const PlanObject *object) {
    const Value *name = object_get(object_get(object->fields, "metadata"), "name");
    return name != NULL && name->kind == VALUE_STRING ? name : NULL;
}

static void report_twice(const Rules *rules, const PlanObject *object, const PlanObject *first) {
    const Value *name = name_of(object);
    Diag *diag = plan_report(rules->session, object->subject, name->span, DIAG(object_twice),
                             STR_ARG(str_after_last(object->resource->type, '/')), STR_ARG(name->string));
    diag_label(rules->session, diag, name_of(first)->span, "the first one");
    diag_help(rules->session, diag, "give one of them another name");
}

void rule_object_names_once(const Rules *rules) {
    Arena *arena = rules->session->arena;
    StrMap firsts = { .arena = arena };
    for (uint32_t i = 0; i < rules->plan->objects.count; i++) {
        const PlanObject *object = rules->plan->objects.items[i];
        const Value *name = name_of(object);
        if (name == NULL) {
            continue;
        }
        const Str key = str_format(arena, "%.*s\n%.*s\n%.*s", STR_ARG(object->resource->type),
                                   STR_ARG(plan_namespace_of_object(object)), STR_ARG(name->string));
        const PlanObject *first = str_map_add(&firsts, key, object);
        if (first != NULL && object->is_manifest) {
            report_twice(rules, object, first);
        }
    }
}
