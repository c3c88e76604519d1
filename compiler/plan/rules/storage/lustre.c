// Rules about file systems for Lustre that somebody's file makes: sizes, speeds and versions that FSx has together.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_remove.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"
#include "schema/file_systems.h"
#include "schema/limits.h"

static Diag *bad_value(const Rules *rules, const PlanLustre *lustre, const PlanField *field, Str fault, Str help) {
    Diag *diag = plan_report(rules->session, lustre->subject, rule_span(field), DIAG(storage_value), field->name,
                             STR_ARG(field->text), str_c(rules->session->arena, fault));
    diag_help(rules->session, diag, "%.*s", STR_ARG(help));
    return diag;
}

// A value of what the file system does not have.
static void not_there(const Rules *rules, const PlanLustre *lustre, const PlanField *field, Str fault) {
    Diag *diag = bad_value(rules, lustre, field, fault, STR("leave it out"));
    rule_remove(rules, diag, field->is_own ? field->span : SPAN_NONE, false);
}

// Solid state is what there is where nothing is said.
static bool is_solid_state(const PlanLustre *lustre) {
    return lustre->medium.state == FIELD_ABSENT || field_is(&lustre->medium, "SSD");
}

// SCRATCH_1 and disks that turn have other steps.
static void check_capacity(const Rules *rules, const PlanLustre *lustre) {
    const int64_t size = field_number(&lustre->capacity, -1);
    const int64_t least = LIMIT_LUSTRE_GIB_MIN;
    const int64_t step = LIMIT_LUSTRE_GIB_STEP;
    const bool is_other = field_is(&lustre->deployment, "SCRATCH_1") || lustre->deployment.state != FIELD_KNOWN ||
                          !is_solid_state(lustre);
    if (size < 0 || is_other || size == least || (size > 0 && size % step == 0)) {
        return;
    }
    Arena *arena = rules->session->arena;
    const int64_t below = size / step * step;
    bad_value(rules, lustre, &lustre->capacity,
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

static void check_rate(const Rules *rules, const PlanLustre *lustre, const LustreRow *row) {
    const int64_t rate = field_number(&lustre->rate, -1);
    if (rate < 0 || !is_solid_state(lustre)) {
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
        not_there(rules, lustre, &lustre->rate,
                  str_format(arena, "%.*s has a throughput of its own", STR_ARG(lustre->deployment.text)));
    } else {
        bad_value(rules, lustre, &lustre->rate,
                  str_format(arena, "%.*s has %.*s", STR_ARG(lustre->deployment.text), STR_ARG(strbuf_str(&offered))),
                  STR("write one of these"));
    }
}

static void check_version(const Rules *rules, const PlanLustre *lustre, const LustreRow *row) {
    const LustreVersionRow *version = lustre_version_row(lustre->version.text);
    if (version != NULL && version->lacks != NULL && strcmp(version->lacks, row->deployment) == 0) {
        bad_value(rules, lustre, &lustre->version,
                  str_format(rules->session->arena, "%.*s is not made with it", STR_ARG(lustre->deployment.text)),
                  str_format(rules->session->arena, "write `%s`", lustre_newest_version()->version));
    }
}

static void check_backups(const Rules *rules, const PlanLustre *lustre, const LustreRow *row) {
    const int64_t days = field_number(&lustre->backups, 0);
    if (days > 0 && row->mbps_of_tib[0] == 0) {
        not_there(rules, lustre, &lustre->backups, STR("scratch file systems have no backups"));
    } else if (days > LIMIT_LUSTRE_BACKUP_DAYS_MAX) {
        bad_value(rules, lustre, &lustre->backups,
                  str_format(rules->session->arena, "%d days is the most", LIMIT_LUSTRE_BACKUP_DAYS_MAX),
                  str_format(rules->session->arena, "write `%d` or less", LIMIT_LUSTRE_BACKUP_DAYS_MAX));
    }
}

// Disks that turn are of one deployment, with rates and steps of their own.
static void check_disks(const Rules *rules, const PlanLustre *lustre) {
    Arena *arena = rules->session->arena;
    const int64_t rate = field_number(&lustre->rate, -1);
    const int64_t size = field_number(&lustre->capacity, -1);
    const LustreDiskRow *row = lustre_disk_row(rate);
    if (lustre->deployment.state == FIELD_KNOWN && !field_is(&lustre->deployment, "PERSISTENT_1")) {
        bad_value(rules, lustre, &lustre->medium, STR("only PERSISTENT_1 has disks that turn"),
                  STR("write `SSD`, or leave it out"));
    } else if (rate >= 0 && row == NULL) {
        bad_value(rules, lustre, &lustre->rate, STR("HDD has 12 or 40"), STR("write one of these"));
    } else if (row != NULL && size >= 0 && (size == 0 || size % row->gib_step != 0)) {
        const int64_t below = size / row->gib_step * row->gib_step;
        const int64_t above = below + row->gib_step;
        bad_value(
            rules, lustre, &lustre->capacity,
            str_format(arena, "HDD with %" PRId64 " MB/s a TiB comes in steps of %" PRId64 " GiB", rate, row->gib_step),
            below == 0 ? str_format(arena, "write `%" PRId64 "`", above)
                       : str_format(arena, "write `%" PRId64 "` or `%" PRId64 "`", below, above));
    }
}

// `BUCKET` of `s3://BUCKET/PREFIX`; empty of other texts.
static Str bucket_of(const PlanField *path) {
    const Str start = STR("s3://");
    const Str rest = str_starts_with(path->text, start) ? str_slice(path->text, start.len, path->text.len) : STR_NONE;
    return str_slice(rest, 0, str_find(rest, STR("/"), 0));
}

// Source: FSx API Reference, CreateFileSystemLustreConfiguration, ExportPath, read 2026-11.
static void check_export(const Rules *rules, const PlanLustre *lustre) {
    const Str from = bucket_of(&lustre->import_path);
    const Str into = bucket_of(&lustre->export_path);
    if (from.len > 0 && into.len > 0 && !str_equal(from, into)) {
        Arena *arena = rules->session->arena;
        bad_value(rules, lustre, &lustre->export_path,
                  str_format(arena, "FSx exports into the bucket of `ImportPath`, which is `%.*s`", STR_ARG(from)),
                  str_format(arena, "write `s3://%.*s`, with a prefix of its own behind it", STR_ARG(from)));
    }
}

void rule_lustre(const Rules *rules, const PlanLustre *lustre) {
    const LustreRow *row = row_of(&lustre->deployment);
    check_capacity(rules, lustre);
    check_export(rules, lustre);
    if (field_is(&lustre->medium, "HDD")) {
        check_disks(rules, lustre);
    }
    if (row == NULL) {
        return;
    }
    check_rate(rules, lustre, row);
    check_version(rules, lustre, row);
    check_backups(rules, lustre, row);
    if (!row->has_import_path && lustre->import_path.state == FIELD_KNOWN) {
        bad_value(rules, lustre, &lustre->import_path,
                  str_format(rules->session->arena, "%.*s is made without a bucket behind it",
                             STR_ARG(lustre->deployment.text)),
                  lustre->is_of_stack ? STR("write a resource `AWS::FSx::DataRepositoryAssociation`")
                                      : STR("write `DataRepositoryAssociations`"));
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
        Diag *diag =
            plan_report(rules->session, resource->subject, list->list.items[1]->span, DIAG(entries_too_many),
                        STR_ARG(STR("SubnetIds")), object_count(list), "FSx for Lustre", LIMIT_LUSTRE_SUBNETS_MAX);
        diag_help(rules->session, diag, "name the subnet in the zone of the nodes");
    }
}
