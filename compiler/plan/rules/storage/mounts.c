// Rules about the places where nodes mount file systems: nothing else is there, and no two are in one another.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/user_data_mounts.h"
#include "schema/names.h"

static bool is_within(Str path, Str folder) {
    return str_starts_with(path, folder) && (path.len == folder.len || path.data[folder.len] == '/');
}

static bool do_overlap(Str a, Str b) {
    return is_within(a, b) || is_within(b, a);
}

static void bad_mount(const Rules *rules, const PlanStorage *storage, const char *fault, const Value *other,
                      const char *label) {
    Diag *diag = plan_report(rules->session, storage->head.subject, storage->mount->span, DIAG(bad_mount),
                             STR_ARG(storage->mount->string), fault);
    if (other != NULL) {
        diag_label(rules->session, diag, other->span, "%s", label);
    }
}

// What a container gets of the kernel. Nothing can be mounted there: the runtime ends the container.
static bool is_of_kernel(Str path) {
    return do_overlap(path, STR("/dev")) || do_overlap(path, STR("/proc")) || do_overlap(path, STR("/sys"));
}

static const char *place_fault(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    if (cluster->target == TARGET_PCS && str_is(storage->mount->string, "/home")) {
        return NULL; // users of AWS PCS have their homes there, on login nodes and on compute nodes
    }
    if (plan_mounts_by_user_data(cluster)) {
        return rules_place_fault(rules, storage->mount->string);
    }
    const char *fault = rules_path_fault(rules, storage->mount->string);
    if (cluster->target == TARGET_EKS) {
        return fault == NULL && is_of_kernel(storage->mount->string) ? "each container has its own" : fault;
    }
    if (fault == NULL && names_have(NAMES_SLURM_FOLDERS, storage->mount->string)) {
        fault = "ParallelCluster keeps this folder";
    }
    return fault;
}

// Where a group's own disks are: ParallelCluster mounts them at /scratch where nothing is said. On AWS Batch nobody does.
static void check_scratch(const Rules *rules, const PlanStorage *storage, const PlanNodes *nodes) {
    const bool is_given = nodes->scratch != NULL && nodes->scratch->kind == VALUE_STRING;
    bool has_disks = false;
    for (uint32_t i = 0; nodes->slurm != NULL && i < nodes->types.count; i++) {
        has_disks = has_disks || nodes->types.items[i].row->nvme_count > 0;
    }
    const Str place = is_given ? nodes->scratch->string : STR("/scratch");
    if ((is_given || has_disks) && do_overlap(storage->mount->string, place)) {
        bad_mount(rules, storage, "the nodes' own disks are mounted there",
                  is_given ? nodes->scratch : nodes->instance_value,
                  is_given ? "here" : "its disks are mounted at /scratch");
    }
}

void rule_mounts(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        const char *fault = place_fault(rules, cluster, storage);
        if (fault != NULL) {
            bad_mount(rules, storage, fault, NULL, NULL);
            continue;
        }
        for (uint32_t k = 0; cluster->target != TARGET_EKS && k < i; k++) {
            const PlanStorage *other = cluster->storages.items[k];
            if (do_overlap(storage->mount->string, other->mount->string) &&
                place_fault(rules, cluster, other) == NULL) {
                bad_mount(rules, storage, "another file system is mounted there", other->mount, "this one");
                break;
            }
        }
        for (uint32_t k = 0; k < cluster->nodes.count; k++) {
            check_scratch(rules, storage, cluster->nodes.items[k]);
        }
    }
}
