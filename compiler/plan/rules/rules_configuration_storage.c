// Rules about the file systems of cluster configurations of ParallelCluster.
#include "compiler/plan/rules/rules_field.h"

#include "compiler/plan/model/allow.h"
#include "schema/file_systems.h"
#include "schema/limits.h"
#include "schema/names.h"

enum { COMPARED_MAX = 500 }; // places that are held against each other: far more than ParallelCluster takes

// ---- Lustre ----------------------------------------------------------------------------------------------------

static void bad_value(const Rules *rules, const PlanConfigurationStorage *storage, const PlanField *field, Str fault,
                      Str help) {
    Diag *diag = plan_report(rules->session, storage->subject, rule_span(field), DIAG(storage_value), field->name,
                             STR_ARG(field->text), str_c(rules->session->arena, fault));
    diag_help(rules->session, diag, "%.*s", STR_ARG(help));
}

// SCRATCH_1 and disks that turn have other steps.
static void check_capacity(const Rules *rules, const PlanConfigurationStorage *storage) {
    const int64_t size = field_number(&storage->capacity, -1);
    const int64_t least = LIMIT_LUSTRE_GIB_MIN;
    const int64_t step = LIMIT_LUSTRE_GIB_STEP;
    const bool is_other = field_is(&storage->deployment, "SCRATCH_1") || field_is(&storage->medium, "HDD") ||
                          storage->deployment.state != FIELD_KNOWN || storage->medium.state == FIELD_LATE;
    if (size < 0 || is_other || size == least || (size > 0 && size % step == 0)) {
        return;
    }
    Arena *arena = rules->session->arena;
    const int64_t below = size / step * step;
    bad_value(rules, storage, &storage->capacity,
              str_format(arena, "Lustre comes in %" PRId64 " GiB, or in steps of %" PRId64, least, step),
              size < least ? str_format(arena, "write `%" PRId64 "`", least)
              : below == 0 ? str_format(arena, "write `%" PRId64 "` or `%" PRId64 "`", least, step)
                           : str_format(arena, "write `%" PRId64 "` or `%" PRId64 "`", below, below + step));
}

// What the language calls the deployments that it has.
static const struct {
    const char *type;
    const char *deployment;
} DEPLOYMENTS[] = {
    { "SCRATCH_2", "scratch_2" },
    { "PERSISTENT_1", "persistent_1" },
    { "PERSISTENT_2", "persistent_2" },
};

static const LustreRow *row_of(const PlanField *type) {
    for (size_t i = 0; i < COUNT_OF(DEPLOYMENTS); i++) {
        if (field_is(type, DEPLOYMENTS[i].type)) {
            return lustre_row(str_of(DEPLOYMENTS[i].deployment));
        }
    }
    return NULL;
}

static void check_rate(const Rules *rules, const PlanConfigurationStorage *storage, const LustreRow *row) {
    const int64_t rate = field_number(&storage->rate, -1);
    if (rate < 0 || field_is(&storage->medium, "HDD") || storage->medium.state == FIELD_LATE) {
        return;
    }
    Arena *arena = rules->session->arena;
    StrBuf offered = { .arena = arena };
    for (size_t i = 0; i < LUSTRE_RATES_MAX && row->mbps_of_tib[i] != 0; i++) {
        if (row->mbps_of_tib[i] == rate) {
            return;
        }
        strbuf_add_format(&offered, "%s%" PRId64, i == 0 ? "" : ", ", row->mbps_of_tib[i]);
    }
    if (offered.len == 0) {
        bad_value(rules, storage, &storage->rate,
                  str_format(arena, "%.*s has a throughput of its own", STR_ARG(storage->deployment.text)),
                  STR("leave it out"));
    } else {
        bad_value(rules, storage, &storage->rate,
                  str_format(arena, "%.*s has %.*s", STR_ARG(storage->deployment.text), STR_ARG(strbuf_str(&offered))),
                  STR("write one of these"));
    }
}

static void check_lustre(const Rules *rules, const PlanConfigurationStorage *storage) {
    const LustreRow *row = row_of(&storage->deployment);
    check_capacity(rules, storage);
    if (row == NULL) {
        return;
    }
    check_rate(rules, storage, row);
    if (!row->has_import_path && storage->import_path.state == FIELD_KNOWN) {
        bad_value(rules, storage, &storage->import_path,
                  str_format(rules->session->arena, "%.*s is made without a bucket behind it",
                             STR_ARG(storage->deployment.text)),
                  STR("write `DataRepositoryAssociations`"));
    }
}

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

static void bad_mount(const Rules *rules, const PlanConfigurationStorage *storage, const char *fault,
                      const PlanField *other) {
    Diag *diag = plan_report(rules->session, storage->subject, rule_span(&storage->mount), DIAG(bad_mount),
                             STR_ARG(storage->mount.text), fault);
    if (other != NULL) {
        diag_label(rules->session, diag, rule_span(other), "this one");
    }
}

static void check_mount(const Rules *rules, const PlanConfiguration *configuration, uint32_t index) {
    const PlanConfigurationStorage *storage = &configuration->storages.items[index];
    if (storage->mount.state != FIELD_KNOWN) {
        return;
    }
    const Str path = path_of(rules->session->arena, &storage->mount);
    if (names_have(NAMES_SLURM_FOLDERS, path)) {
        bad_mount(rules, storage, "ParallelCluster keeps this folder", NULL);
        return;
    }
    for (uint32_t i = 0; i < index && index < COMPARED_MAX; i++) {
        const PlanField *other = &configuration->storages.items[i].mount;
        const Str place = other->state == FIELD_KNOWN ? path_of(rules->session->arena, other) : STR_NONE;
        if (place.len > 0 && (is_within(path, place) || is_within(place, path))) {
            bad_mount(rules, storage, "another file system is mounted there", other);
            return;
        }
    }
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
    const PlanConfigurationStorage *beyond = NULL;
    for (uint32_t i = 0; i < configuration->storages.count; i++) {
        const PlanConfigurationStorage *storage = &configuration->storages.items[i];
        const bool is_it = field_is(&storage->kind, row->kind) && (row->is_any || storage->is_new == row->is_new);
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
        const PlanConfigurationStorage *storage = &configuration->storages.items[i];
        if (field_is(&storage->kind, "FsxLustre") && storage->is_new) {
            check_lustre(rules, storage);
        }
        check_mount(rules, configuration, i);
    }
    for (size_t i = 0; i < COUNT_OF(COUNT_ROWS); i++) {
        check_count(rules, configuration, &COUNT_ROWS[i]);
    }
}
