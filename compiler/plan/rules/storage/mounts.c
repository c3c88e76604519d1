// Rules about what the nodes of a cluster mount: each file system has a place of its own, which hides nothing, and there
// are no more of them than ParallelCluster takes.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "schema/limits.h"
#include "schema/names.h"

enum { COMPARED_MAX = 500 }; // places that are held against each other: far more than ParallelCluster takes

// ---- places ----------------------------------------------------------------------------------------------------

// ParallelCluster takes a path with or without its first `/`.
static Str path_of(const Rules *rules, const PlanField *mount) {
    Str path = mount->text;
    while (path.len > 1 && path.data[path.len - 1] == '/') {
        path.len--;
    }
    return str_starts_with(path, STR("/")) ? path : str_format(rules->session->arena, "/%.*s", STR_ARG(path));
}

static Diag *bad_mount(const Rules *rules, const PlanFileSystem *system, const char *fault) {
    return plan_report(rules->session, system->subject, rule_span(&system->mount), DIAG(bad_mount),
                       STR_ARG(system->mount.text), fault);
}

// What a container gets of the kernel. Nothing can be mounted there: the runtime ends the container.
static bool is_of_kernel(Str path) {
    return str_paths_overlap(path, STR("/dev")) || str_paths_overlap(path, STR("/proc")) ||
           str_paths_overlap(path, STR("/sys"));
}

static const char *place_fault(const Rules *rules, const PlanClusterStorage *mounts, const PlanFileSystem *system) {
    const Str path = path_of(rules, &system->mount);
    if (mounts->has_home && str_is(path, "/home")) {
        return NULL;
    }
    if (mounts->by == MOUNTS_BY_USER_DATA) {
        return rules_place_fault(rules, system->mount.text);
    }
    const char *fault = system->maker == MADE_BY_DTC ? rules_path_fault(rules, system->mount.text) : NULL;
    return fault != NULL                                        ? fault
           : mounts->by == MOUNTS_BY_PODS && is_of_kernel(path) ? "each container has its own"
           : mounts->by == MOUNTS_BY_PARALLELCLUSTER && names_have(NAMES_SLURM_FOLDERS, path)
               ? "ParallelCluster keeps this folder"
           : mounts->by == MOUNTS_BY_PARALLELCLUSTER && str_is(str_trim(system->mount.text), "/")
               ? "the system of each node is there"
               : NULL;
}

static const char DISKS_DEFAULT[] = "/scratch"; // ParallelCluster's own: User Guide, EphemeralVolume, 2026-11

static bool check_disks(const Rules *rules, const PlanClusterStorage *mounts, const PlanFileSystem *system,
                        const PlanNodeDisks *disks) {
    const bool is_written = disks->mount.state == FIELD_KNOWN;
    const Str path = path_of(rules, &system->mount);
    const Str place = is_written ? path_of(rules, &disks->mount) : str_of(DISKS_DEFAULT);
    const bool is_same = str_equal(path, place) && mounts->by == MOUNTS_BY_PARALLELCLUSTER;
    if (disks->mount.state == FIELD_LATE || !str_paths_overlap(path, place)) {
        return false;
    }
    Diag *diag = is_same ? plan_report(rules->session, system->subject, rule_span(&system->mount),
                                       DIAG(mount_over_disks), STR_ARG(system->mount.text))
                         : bad_mount(rules, system, "the nodes' own disks are mounted there");
    if (is_written) {
        diag_label(rules->session, diag, rule_span(&disks->mount), "the nodes' own disks");
    } else {
        diag_label(rules->session, diag, rule_span(&disks->type), "its disks are mounted at %s", DISKS_DEFAULT);
    }
    diag_help(rules->session, diag, "mount it elsewhere, or write another `%s`",
              system->maker == MADE_BY_DTC ? "scratch" : "MountDir` in `EphemeralVolume");
    return true;
}

static void check_mount(const Rules *rules, const PlanClusterStorage *mounts, uint32_t index) {
    const PlanFileSystem *system = mounts->systems.items[index];
    const char *fault = system->mount.state == FIELD_KNOWN ? place_fault(rules, mounts, system) : NULL;
    if (fault != NULL) {
        bad_mount(rules, system, fault);
    }
    if (fault != NULL || system->mount.state != FIELD_KNOWN || mounts->by == MOUNTS_BY_PODS) {
        return;
    }
    for (uint32_t i = 0; i < index && index < COMPARED_MAX; i++) {
        const PlanFileSystem *other = mounts->systems.items[i];
        if (other->mount.state == FIELD_KNOWN && place_fault(rules, mounts, other) == NULL &&
            str_paths_overlap(path_of(rules, &system->mount), path_of(rules, &other->mount))) {
            Diag *diag = bad_mount(rules, system, "another file system is mounted there");
            diag_label(rules->session, diag, rule_span(&other->mount), "this one");
            return;
        }
    }
    for (uint32_t i = 0; i < mounts->disks.count && !check_disks(rules, mounts, system, &mounts->disks.items[i]); i++) {
    }
}

void rule_mounts(const Rules *rules, const PlanClusterStorage *mounts) {
    for (uint32_t i = 0; i < mounts->systems.count; i++) {
        check_mount(rules, mounts, i);
    }
}

// ---- how many --------------------------------------------------------------------------------------------------

typedef struct {
    int kinds;
    bool is_new;
    bool is_any; // new ones and those that are there
    const char *what;
    int most;
} CountRow;

static const CountRow COUNT_ROWS[] = {
    { KINDS_LUSTRE, true, false, "new file systems for Lustre", LIMIT_SLURM_NEW_LUSTRE_MAX },
    { KINDS_EFS, true, false, "new file systems on EFS", LIMIT_SLURM_NEW_EFS_MAX },
    { KINDS_LUSTRE | KINDS_OPENZFS | KINDS_ONTAP, false, false, "file systems on FSx that are there already",
      LIMIT_SLURM_EXISTING_FSX_MAX },
    { KINDS_EFS, false, false, "file systems on EFS that are there already", LIMIT_SLURM_EXISTING_EFS_MAX },
    { KINDS_EBS, false, true, "volumes of EBS", LIMIT_SLURM_EBS_MAX },
};

static void check_count(const Rules *rules, const PlanClusterStorage *mounts, const CountRow *row) {
    uint32_t count = 0;
    const PlanFileSystem *beyond = NULL;
    for (uint32_t i = 0; i < mounts->systems.count; i++) {
        const PlanFileSystem *system = mounts->systems.items[i];
        const bool is_it = (row->kinds & 1 << system->kind) != 0 && (row->is_any || system->is_new == row->is_new);
        count += is_it;
        beyond = is_it && count == (uint32_t)row->most + 1 ? system : beyond;
    }
    if (beyond != NULL) {
        rule_too_many(rules, mounts->subject, rule_span(&beyond->name), mounts->name, count, row->what, row->most);
    }
}

void rule_mount_counts(const Rules *rules, const PlanClusterStorage *mounts) {
    for (size_t i = 0; mounts->by == MOUNTS_BY_PARALLELCLUSTER && i < COUNT_OF(COUNT_ROWS); i++) {
        check_count(rules, mounts, &COUNT_ROWS[i]);
    }
}

// ---- the subnet of a new file system -----------------------------------------------------------------------------

// What makes the file system stand apart.
static const char *const APART[] = {
    [MADE_BY_DTC] = "write the same `zone` in both, or make the file system apart and name it with `existing`",
    [MADE_BY_STACK] = NULL,
    [MADE_BY_PARALLELCLUSTER] = "name one subnet in both, or make the file system apart and write its `FileSystemId`",
    [MADE_BY_DRIVER] = NULL,
};

// Only what is certain: two ids that are written, or two places of one list.
static bool is_other_subnet(const PlanQueueSubnet *a, const PlanQueueSubnet *b) {
    return a->subnet.len > 0 && b->subnet.len > 0 ? !str_equal(a->subnet, b->subnet)
                                                  : a->place >= 0 && b->place >= 0 && a->place != b->place;
}

static void check_queues(const Rules *rules, const PlanClusterStorage *mounts, const PlanFileSystem *lustre) {
    const PlanQueueSubnet *first = mounts->queues.items;
    for (uint32_t i = 1; i < mounts->queues.count; i++) {
        const PlanQueueSubnet *queue = &mounts->queues.items[i];
        if (is_other_subnet(first, queue)) {
            Diag *diag = plan_report(rules->session, queue->subject, queue->span, DIAG(queues_beside_lustre),
                                     STR_ARG(first->name), STR_ARG(queue->name), STR_ARG(lustre->name.text));
            diag_label(rules->session, diag, first->span, "another subnet");
            diag_label(rules->session, diag, rule_span(&lustre->name), "a new file system, in one subnet");
            diag_help(rules->session, diag, "%s", APART[lustre->maker]);
            return;
        }
    }
}

// Of a queue with several subnets, rule queue_in_one_subnet speaks.
void rule_subnet_of_lustre(const Rules *rules, const PlanClusterStorage *mounts) {
    for (uint32_t i = 0; i < mounts->systems.count; i++) {
        if (mounts->systems.items[i]->kind == STORAGE_LUSTRE && mounts->systems.items[i]->is_new) {
            check_queues(rules, mounts, mounts->systems.items[i]);
        }
    }
}
