// Rules about the file systems of cluster configurations of ParallelCluster.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "schema/limits.h"
#include "schema/names.h"

enum { COMPARED_MAX = 500 }; // places that are held against each other: far more than ParallelCluster takes

// ---- places ----------------------------------------------------------------------------------------------------

static bool is_within(Str path, Str folder) {
    return str_starts_with(path, folder) && (path.len == folder.len || path.data[folder.len] == '/');
}

// ParallelCluster takes a path with or without its first `/`.
static Str path_of(Arena *arena, const PlanField *mount) {
    Str path = mount->text;
    while (path.len > 1 && path.data[path.len - 1] == '/') {
        path.len--;
    }
    return str_starts_with(path, STR("/")) ? path : str_format(arena, "/%.*s", STR_ARG(path));
}

static void bad_mount(const Rules *rules, const PlanFileSystem *storage, const char *fault,
                      const PlanField *other) {
    Diag *diag = plan_report(rules->session, storage->subject, rule_span(&storage->mount), DIAG(bad_mount),
                             STR_ARG(storage->mount.text), fault);
    if (other != NULL) {
        diag_label(rules->session, diag, rule_span(other), "this one");
    }
}

// A queue, or the head, whose nodes have disks of their own.
typedef struct {
    PlanField mount; // absent: ParallelCluster's own place
    PlanField type;  // the first one that has disks
} Disks;

static const char DISKS_DEFAULT[] = "/scratch"; // ParallelCluster's own: User Guide, EphemeralVolume, 2026-11

static bool check_disks(const Rules *rules, const PlanFileSystem *storage, const Disks *disks) {
    const bool is_written = disks->mount.state == FIELD_KNOWN;
    const Str path = path_of(rules->session->arena, &storage->mount);
    const Str place = is_written ? path_of(rules->session->arena, &disks->mount) : str_of(DISKS_DEFAULT);
    const bool is_same = str_equal(path, place);
    if (disks->mount.state == FIELD_LATE || (!is_within(path, place) && !is_within(place, path))) {
        return false;
    }
    Diag *diag = is_same ? plan_report(rules->session, storage->subject, rule_span(&storage->mount),
                                       DIAG(mount_over_disks), STR_ARG(storage->mount.text))
                         : plan_report(rules->session, storage->subject, rule_span(&storage->mount), DIAG(bad_mount),
                                       STR_ARG(storage->mount.text), "the nodes' own disks are mounted there");
    if (is_written) {
        diag_label(rules->session, diag, rule_span(&disks->mount), "the nodes' own disks");
    } else {
        diag_label(rules->session, diag, rule_span(&disks->type), "its disks are mounted at %s", DISKS_DEFAULT);
    }
    diag_help(rules->session, diag, "mount it elsewhere, or write another `MountDir` in `EphemeralVolume`");
    return true;
}

// The head's disks, or those of the first queue with the same fault: one file system, one message.
static void check_beside_disks(const Rules *rules, const PlanConfiguration *configuration,
                               const PlanFileSystem *storage) {
    const PlanConfigurationHead *head = &configuration->head;
    const Disks of_head = { .mount = head->disks, .type = head->type };
    if (head->row != NULL && head->row->nvme_count > 0 && check_disks(rules, storage, &of_head)) {
        return;
    }
    for (uint32_t i = 0; i < configuration->resources.count; i++) {
        const PlanComputeResource *resource = configuration->resources.items[i];
        const PlanTypes *types = &resource->launch->types;
        for (uint32_t k = 0; k < types->count; k++) {
            const Disks disks = { .mount = resource->queue->disks, .type = types->items[k].field };
            if (types->items[k].row->nvme_count > 0 && check_disks(rules, storage, &disks)) {
                return;
            }
        }
    }
}

static void check_mount(const Rules *rules, const PlanConfiguration *configuration, uint32_t index) {
    const PlanFileSystem *storage = configuration->storages.items[index];
    if (storage->mount.state != FIELD_KNOWN) {
        return;
    }
    const Str path = path_of(rules->session->arena, &storage->mount);
    if (names_have(NAMES_SLURM_FOLDERS, path)) {
        bad_mount(rules, storage, "ParallelCluster keeps this folder", NULL);
        return;
    }
    for (uint32_t i = 0; i < index && index < COMPARED_MAX; i++) {
        const PlanField *other = &configuration->storages.items[i]->mount;
        const Str place = other->state == FIELD_KNOWN ? path_of(rules->session->arena, other) : STR_NONE;
        if (place.len > 0 && (is_within(path, place) || is_within(place, path))) {
            bad_mount(rules, storage, "another file system is mounted there", other);
            return;
        }
    }
    check_beside_disks(rules, configuration, storage);
}

// ---- how many --------------------------------------------------------------------------------------------------

typedef struct {
    const char *kind;
    bool is_new;
    bool is_any; // new ones and those that are there
    const char *what;
    int most;
} CountRow;

static const CountRow COUNT_ROWS[] = {
    { "FsxLustre", true, false, "new file systems for Lustre", LIMIT_SLURM_NEW_LUSTRE_MAX },
    { "Efs", true, false, "new file systems on EFS", LIMIT_SLURM_NEW_EFS_MAX },
    { "Efs", false, false, "file systems on EFS that are there already", LIMIT_SLURM_EXISTING_EFS_MAX },
    { "Ebs", false, true, "volumes of EBS", LIMIT_SLURM_EBS_MAX },
};

static void check_count(const Rules *rules, const PlanConfiguration *configuration, const CountRow *row) {
    uint32_t count = 0;
    const PlanFileSystem *beyond = NULL;
    for (uint32_t i = 0; i < configuration->storages.count; i++) {
        const PlanFileSystem *storage = configuration->storages.items[i];
        const bool is_it = field_is(&storage->type, row->kind) && (row->is_any || storage->is_new == row->is_new);
        count += is_it;
        beyond = is_it && count == (uint32_t)row->most + 1 ? storage : beyond;
    }
    if (beyond != NULL) {
        plan_report(rules->session, beyond->subject, rule_span(&beyond->name), DIAG(too_many_on_target),
                    STR_ARG(STR("SharedStorage")), count, row->what, row->most);
    }
}

void rule_configuration_storages(const Rules *rules, const PlanConfiguration *configuration) {
    for (uint32_t i = 0; i < configuration->storages.count; i++) {
        check_mount(rules, configuration, i);
    }
    for (size_t i = 0; i < COUNT_OF(COUNT_ROWS); i++) {
        check_count(rules, configuration, &COUNT_ROWS[i]);
    }
}
