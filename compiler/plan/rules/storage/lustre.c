// Rules about new file systems, for Lustre and of EFS: sizes, speeds and versions that FSx has together.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_remove.h"

#include "compiler/base/arn.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/storage/storage_value.h"
#include "schema/file_systems.h"
#include "schema/limits.h"

static Diag *bad_value(const Rules *rules, const PlanFileSystem *lustre, const PlanField *field, Str fault, Str help) {
    Diag *diag = storage_bad_value(rules, lustre->subject, field, fault);
    diag_help(rules->session, diag, "%.*s", STR_ARG(help));
    return diag;
}

// A value of what the file system does not have.
static void not_there(const Rules *rules, const PlanFileSystem *lustre, const PlanField *field, Str fault) {
    Diag *diag = bad_value(rules, lustre, field, fault, STR("leave it out"));
    rule_remove(rules, diag, field->is_own ? field->span : SPAN_NONE, false);
}

// Solid state is what there is where nothing is said.
static bool is_solid_state(const PlanFileSystem *lustre) {
    return lustre->medium.state == FIELD_ABSENT || field_is(&lustre->medium, "SSD");
}

// -1: nobody knows.
static int64_t amount(const PlanField *field) {
    int64_t number = 0;
    return field_amount(field, &number) && number >= 0 ? number : -1;
}

// An amount in the way in which the field is written: `1200`, or `1200GiB`.
static Str amount_text(const Rules *rules, const PlanField *field, int64_t number) {
    return str_format(rules->session->arena, "%" PRId64 "%.*s", number, STR_ARG(field_unit(field)));
}

// "write `2400` or `4800`", the multiples of a step on both sides of a size.
static Str write_multiple(const Rules *rules, const PlanField *field, int64_t size, int64_t step, int64_t least) {
    const int64_t below = size / step * step;
    const Str above = amount_text(rules, field, size < least ? least : below + step);
    const Str lower = amount_text(rules, field, below == 0 ? least : below);
    return size < least || (below == 0 && least == step)
               ? str_format(rules->session->arena, "write `%.*s`", STR_ARG(above))
               : str_format(rules->session->arena, "write `%.*s` or `%.*s`", STR_ARG(lower), STR_ARG(above));
}

// SCRATCH_1 comes in 1200 and 2400 GiB, and in steps of 3600 GiB.
// source: FSx API Reference, CreateFileSystem, StorageCapacity, read 2026-11
static void check_scratch_1(const Rules *rules, const PlanFileSystem *lustre) {
    enum { SCRATCH_1_STEP = 3600 };
    const int64_t size = amount(&lustre->capacity);
    const bool is_small = size == LIMIT_LUSTRE_GIB_MIN || size == LIMIT_LUSTRE_GIB_STEP;
    if (size < 0 || is_small || (size > 0 && size % SCRATCH_1_STEP == 0)) {
        return;
    }
    bad_value(rules, lustre, &lustre->capacity,
              str_format(rules->session->arena, "SCRATCH_1 comes in %d or %d GiB, or in steps of %d GiB",
                         LIMIT_LUSTRE_GIB_MIN, LIMIT_LUSTRE_GIB_STEP, SCRATCH_1_STEP),
              size < SCRATCH_1_STEP ? str_format(rules->session->arena, "write `%.*s`",
                                                 STR_ARG(amount_text(rules, &lustre->capacity, LIMIT_LUSTRE_GIB_MIN)))
                                    : write_multiple(rules, &lustre->capacity, size, SCRATCH_1_STEP, SCRATCH_1_STEP));
}

// What nodes reach by EFA comes in larger steps, by its rate. False where its size is none of these.
static bool check_efa_capacity(const Rules *rules, const PlanFileSystem *lustre) {
    const int64_t size = amount(&lustre->capacity);
    const LustreDiskRow *row = field_is(&lustre->efa, "true") ? lustre_efa_row(amount(&lustre->rate)) : NULL;
    if (row == NULL || size < 0 || (size > 0 && size % row->gib_step == 0)) {
        return true;
    }
    bad_value(rules, lustre, &lustre->capacity,
              str_format(rules->session->arena,
                         "with EFA and %" PRId64 " MB/s a TiB it comes in steps of %" PRId64 " GiB", row->mbps_of_tib,
                         row->gib_step),
              write_multiple(rules, &lustre->capacity, size, row->gib_step, row->gib_step));
    return false;
}

// Disks that turn have other steps.
static void check_capacity(const Rules *rules, const PlanFileSystem *lustre) {
    const int64_t size = amount(&lustre->capacity);
    const int64_t least = LIMIT_LUSTRE_GIB_MIN;
    const int64_t step = LIMIT_LUSTRE_GIB_STEP;
    const bool is_other = field_is(&lustre->deployment, "SCRATCH_1") || lustre->deployment.state != FIELD_KNOWN ||
                          !is_solid_state(lustre);
    if (field_is(&lustre->deployment, "SCRATCH_1") && is_solid_state(lustre)) {
        check_scratch_1(rules, lustre);
    }
    if (!check_efa_capacity(rules, lustre) || size < 0 || is_other || size == least || (size > 0 && size % step == 0)) {
        return;
    }
    bad_value(rules, lustre, &lustre->capacity,
              str_format(rules->session->arena, "Lustre comes in %" PRId64 " GiB, or in steps of %" PRId64 " GiB",
                         least, step),
              write_multiple(rules, &lustre->capacity, size, step, least));
}

static void check_rate(const Rules *rules, const PlanFileSystem *lustre, const LustreRow *row) {
    const int64_t rate = amount(&lustre->rate);
    if (rate < 0 || !is_solid_state(lustre)) {
        return;
    }
    Arena *arena = rules->session->arena;
    StrBuf offered = { .arena = arena };
    int64_t nearest = 0;
    for (size_t i = 0; i < LUSTRE_RATES_MAX && row->mbps_of_tib[i] != 0; i++) {
        const int64_t other = row->mbps_of_tib[i]; // they rise
        if (other == rate) {
            return;
        }
        nearest = i == 0 || rate - nearest > other - rate ? other : nearest;
        strbuf_add_format(&offered, "%s%.*s", i == 0 ? "" : ", ", STR_ARG(amount_text(rules, &lustre->rate, other)));
    }
    if (offered.len == 0) {
        not_there(rules, lustre, &lustre->rate,
                  str_format(arena, "%.*s has a throughput of its own", STR_ARG(lustre->deployment.text)));
    } else {
        bad_value(rules, lustre, &lustre->rate,
                  str_format(arena, "%.*s has %.*s", STR_ARG(lustre->deployment.text), STR_ARG(strbuf_str(&offered))),
                  str_format(arena, "write `%.*s`", STR_ARG(amount_text(rules, &lustre->rate, nearest))));
    }
}

// 2.10 without quotes is the number 2.1 in YAML.
static void check_version(const Rules *rules, const PlanFileSystem *lustre, const LustreRow *row) {
    const LustreVersionRow *version = lustre_version_row(lustre->version.text);
    const bool is_unknown = version == NULL && lustre->version.state == FIELD_KNOWN;
    const bool is_lacking =
        row != NULL && version != NULL && version->lacks != NULL && strcmp(version->lacks, row->deployment) == 0;
    if (is_unknown || is_lacking) {
        bad_value(rules, lustre, &lustre->version,
                  is_unknown
                      ? lustre_versions(rules->session->arena)
                      : str_format(rules->session->arena, "%.*s is not made with it", STR_ARG(lustre->deployment.text)),
                  str_format(rules->session->arena, "write `\"%s\"`", lustre_newest_version()->version));
    }
}

static void check_backups(const Rules *rules, const PlanFileSystem *lustre, const LustreRow *row) {
    const PlanField *backups = &lustre->backups;
    const int64_t days = amount(backups);
    const int64_t most =
        lustre->is_of_parallelcluster ? LIMIT_SLURM_LUSTRE_BACKUP_DAYS_MAX : LIMIT_LUSTRE_BACKUP_DAYS_MAX;
    if (days > 0 && row->mbps_of_tib[0] == 0) {
        not_there(rules, lustre, backups, STR("scratch file systems have no backups"));
    } else if (days > most) {
        bad_value(
            rules, lustre, backups, str_format(rules->session->arena, "%" PRId64 " days is the most", most),
            str_format(rules->session->arena, "write `%.*s` or less", STR_ARG(amount_text(rules, backups, most))));
    }
}

// Disks that turn are of one deployment, with rates and steps of their own.
static void check_disks(const Rules *rules, const PlanFileSystem *lustre) {
    Arena *arena = rules->session->arena;
    const int64_t rate = amount(&lustre->rate);
    const int64_t size = amount(&lustre->capacity);
    const LustreDiskRow *row = lustre_disk_row(rate);
    if (lustre->deployment.state == FIELD_KNOWN && !field_is(&lustre->deployment, "PERSISTENT_1")) {
        bad_value(rules, lustre, &lustre->medium, STR("only PERSISTENT_1 has disks that turn"),
                  STR("write `SSD`, or leave it out"));
    } else if (rate >= 0 && row == NULL) {
        bad_value(rules, lustre, &lustre->rate, STR("HDD has 12 or 40"), STR("write one of these"));
    } else if (row != NULL && size >= 0 && (size == 0 || size % row->gib_step != 0)) {
        bad_value(
            rules, lustre, &lustre->capacity,
            str_format(arena, "HDD with %" PRId64 " MB/s a TiB comes in steps of %" PRId64 " GiB", rate, row->gib_step),
            write_multiple(rules, &lustre->capacity, size, row->gib_step, row->gib_step));
    }
}

// Source: FSx API Reference, CreateFileSystemLustreConfiguration, ExportPath, read 2026-11.
static void check_export(const Rules *rules, const PlanFileSystem *lustre) {
    const Str from = s3_bucket(lustre->import_path.text);
    const Str into = s3_bucket(lustre->export_path.text);
    if (from.len > 0 && into.len > 0 && !str_equal(from, into)) {
        Arena *arena = rules->session->arena;
        bad_value(rules, lustre, &lustre->export_path,
                  str_format(arena, "FSx exports into the bucket of `ImportPath`, which is `%.*s`", STR_ARG(from)),
                  str_format(arena, "write `s3://%.*s`, with a prefix of its own behind it", STR_ARG(from)));
    }
}

// What takes the place of a bucket behind the file system.
static const char *const LINKS[] = {
    [MADE_BY_DTC] = "write `deployment = scratch_2`",
    [MADE_BY_STACK] = "write a resource `AWS::FSx::DataRepositoryAssociation`",
    [MADE_BY_PARALLELCLUSTER] = "write `DataRepositoryAssociations`",
    [MADE_BY_DRIVER] = "write `SCRATCH_2` into `deploymentType`",
};

void rule_lustre(const Rules *rules, const PlanFileSystem *lustre) {
    const LustreRow *row = lustre_row(lustre->deployment.text);
    if (lustre->kind != STORAGE_LUSTRE || !lustre->is_new) {
        return;
    }
    check_capacity(rules, lustre);
    check_export(rules, lustre);
    check_version(rules, lustre, row);
    if (field_is(&lustre->medium, "HDD")) {
        check_disks(rules, lustre);
    }
    if (row == NULL) {
        return;
    }
    check_rate(rules, lustre, row);
    check_backups(rules, lustre, row);
    if (!row->has_import_path && lustre->import_path.state == FIELD_KNOWN) {
        bad_value(rules, lustre, &lustre->import_path,
                  str_format(rules->session->arena, "%.*s is made without a bucket behind it",
                             STR_ARG(lustre->deployment.text)),
                  str_of(LINKS[lustre->maker]));
    }
}

// ---- EFS -----------------------------------------------------------------------------------------------------------

void rule_efs(const Rules *rules, const PlanFileSystem *efs) {
    const int64_t rate = amount(&efs->throughput);
    if (efs->kind == STORAGE_EFS && efs->is_new && rate >= 0 &&
        (rate < LIMIT_EFS_MIBPS_MIN || rate > LIMIT_EFS_MIBPS_MAX)) {
        bad_value(rules, efs, &efs->throughput,
                  str_format(rules->session->arena, "EFS has %d to %d MiB a second", LIMIT_EFS_MIBPS_MIN,
                             LIMIT_EFS_MIBPS_MAX),
                  STR("write a rate between the two, or leave it out"));
    }
}

// ---- the subnet ----------------------------------------------------------------------------------------------------

// The other types of FSx take two for some of their deployments. An item that is a call may be none.
void rule_subnets_of_lustre(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    const bool is_lustre = str_is(raw->type, "AWS::FSx::FileSystem") &&
                           str_is(object_text(resource_property(raw, "FileSystemType")), "LUSTRE");
    const Value *list = is_lustre ? resource_property(raw, "SubnetIds") : NULL;
    for (uint32_t i = 0; i < object_count(list); i++) {
        if (value_may_be_null(list->list.items[i])) {
            return;
        }
    }
    if (object_count(list) > LIMIT_LUSTRE_SUBNETS_MAX) {
        Diag *diag = rule_entries(rules, resource->subject, list->list.items[1]->span, "SubnetIds", object_count(list),
                                  "FSx for Lustre", LIMIT_LUSTRE_SUBNETS_MAX);
        diag_help(rules->session, diag, "name the subnet in the zone of the nodes");
    }
}
