// Rules of ParallelCluster, AWS Batch and AWS PCS about file systems: which ones are made and mounted, and in which sizes.
// The sizes of Lustre hold on EKS too.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/user_data_mounts.h"
#include "schema/file_systems.h"
#include "schema/names.h"

static const int64_t MILLISECONDS_OF_DAY = INT64_C(24) * 60 * 60 * 1000;
static const int64_t GIB = INT64_C(1) << 30;
static const int64_t MEGABYTE_A_SECOND = INT64_C(8) * 1000 * 1000; // in bits
static const int64_t MEBIBYTE_A_SECOND = INT64_C(8) * 1024 * 1024; // in bits

static const char *format(const Rules *rules, const char *text, int64_t number) {
    Arena *arena = rules->session->arena;
    return str_c(arena, str_format(arena, text, number));
}

static const char *format2(const Rules *rules, const char *text, int64_t first, int64_t second) {
    Arena *arena = rules->session->arena;
    return str_c(arena, str_format(arena, text, first, second));
}

static void does_not_fit(const Rules *rules, const PlanStorage *storage, const Value *value, int attribute,
                         const char *fault, const char *help) {
    const bool is_whole = value->kind == VALUE_RATE && value->integer % MEGABYTE_A_SECOND == 0;
    Str text = is_whole ? str_format(rules->session->arena, "%" PRId64 "MBps", value->integer / MEGABYTE_A_SECOND)
                        : value_print(rules->session->arena, value);
    Diag *diag = plan_report(rules->session, storage->head.subject, value->span, DIAG(storage_value),
                             part_attribute(storage->head.part, attribute), STR_ARG(text), fault);
    diag_help(rules->session, diag, "%s", help);
}

// ---- attributes of other targets ---------------------------------------------------------------------------------

static void check_on_target(const Rules *rules, const PlanCluster *cluster, const PlanPart *part) {
    const Subject *subject = part->subject;
    const char *target = schema_target_name(cluster->target);
    for (int i = 0; i < part->kind->attribute_count; i++) {
        const AttributeRow *row = &part->kind->attributes[i];
        if (subject_value(subject, i) == NULL || (row->targets & cluster->target) != 0) {
            continue;
        }
        if ((row->later & cluster->target) != 0) {
            report(rules->session, subject->attribute_spans[i], DIAG(attribute_later), row->name, target);
        } else {
            Diag *diag =
                report(rules->session, subject->attribute_spans[i], DIAG(attribute_not_on_target), row->name, target);
            diag_label(rules->session, diag, cluster->head.subject->name_span, "mounts it");
        }
    }
}

// One message for an attribute and a target, however many clusters mount it.
void rule_storage_on_target(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    check_on_target(rules, cluster, storage->head.part);
    for (uint32_t i = 0; i < storage->links.count; i++) {
        check_on_target(rules, cluster, storage->links.items[i]->head.part);
    }
}

// ---- kinds -----------------------------------------------------------------------------------------------------

// Which attributes say something about which kind, and about a file system that is there already.
enum {
    LUSTRE = 1 << STORAGE_LUSTRE,
    EFS = 1 << STORAGE_EFS,
    OPENZFS = 1 << STORAGE_OPENZFS,
    EBS = 1 << STORAGE_EBS,
    NFS = 1 << STORAGE_NFS,
};

typedef struct {
    int attribute;
    int kinds;
} SettingRow;

// On EKS: what goes into a StorageClass, from which the driver of FSx makes the file system, and what a volume has.
static const SettingRow CLASS_ROWS[] = {
    { STORAGE_THROUGHPUT_PER_TIB, LUSTRE },
    { STORAGE_DEPLOYMENT, LUSTRE },
    { STORAGE_COMPRESSION, LUSTRE },
    { STORAGE_LUSTRE_VERSION, LUSTRE },
    { STORAGE_BACKUPS, LUSTRE },
    { STORAGE_BACKUP_AT, LUSTRE },
    { STORAGE_MAINTENANCE, LUSTRE },
    { STORAGE_SUBNET, LUSTRE },
    { STORAGE_RETAIN, LUSTRE },
    { STORAGE_TAGS, LUSTRE },
};

static const SettingRow SETTING_ROWS[] = {
    { STORAGE_SIZE, LUSTRE | OPENZFS | EBS },
    { STORAGE_THROUGHPUT_PER_TIB, LUSTRE },
    { STORAGE_THROUGHPUT, EFS | OPENZFS | EBS },
    { STORAGE_IOPS, EBS },
    { STORAGE_VOLUME_TYPE, EBS },
    { STORAGE_DEPLOYMENT, LUSTRE },
    { STORAGE_COMPRESSION, LUSTRE },
    { STORAGE_BACKUPS, LUSTRE },
    { STORAGE_RETAIN, LUSTRE | EFS | EBS },
};

// On AWS Batch and AWS PCS: what the stack makes, and what user data mounts.
static const SettingRow STACK_ROWS[] = {
    { STORAGE_SIZE, LUSTRE },        { STORAGE_THROUGHPUT_PER_TIB, LUSTRE },
    { STORAGE_THROUGHPUT, EFS },     { STORAGE_DEPLOYMENT, LUSTRE },
    { STORAGE_COMPRESSION, LUSTRE }, { STORAGE_LUSTRE_VERSION, LUSTRE },
    { STORAGE_BACKUPS, LUSTRE },     { STORAGE_BACKUP_AT, LUSTRE },
    { STORAGE_MAINTENANCE, LUSTRE }, { STORAGE_SERVER, NFS },
    { STORAGE_SUBNET, LUSTRE },      { STORAGE_RETAIN, LUSTRE | EFS },
    { STORAGE_TAGS, LUSTRE | EFS },
};

static void check_settings(const Rules *rules, const PlanStorage *storage, const SettingRow *rows, size_t count) {
    const PlanPart *part = storage->head.part;
    for (size_t i = 0; i < count; i++) {
        const SettingRow *row = &rows[i];
        const bool is_of_kind = (row->kinds & 1 << storage->kind) != 0;
        if (subject_value(part->subject, row->attribute) == NULL || (is_of_kind && storage->existing == NULL)) {
            continue;
        }
        Str kind =
            str_format(rules->session->arena, "a file system of kind `%.*s`", STR_ARG(storage->kind_value->string));
        Diag *diag =
            plan_report(rules->session, part->subject, subject_key(part->subject, row->attribute),
                        DIAG(storage_attribute), part_attribute(part, row->attribute),
                        is_of_kind ? "a file system that is there already" : str_c(rules->session->arena, kind));
        diag_label(rules->session, diag, is_of_kind ? storage->existing->span : storage->kind_value->span, "%s",
                   is_of_kind ? "is there" : "its kind");
        diag_help(rules->session, diag, "remove it");
    }
}

// Only a Lustre file system that is there has a name of its own that must be given. The claim of a new one finds it by
// itself.
static void check_mount_name(const Rules *rules, const PlanStorage *storage) {
    const Subject *subject = storage->head.subject;
    if (storage->mount_name == NULL || (storage->kind == STORAGE_LUSTRE && storage->existing != NULL)) {
        return;
    }
    const bool is_lustre = storage->kind == STORAGE_LUSTRE;
    Diag *diag = plan_report(rules->session, subject, subject_key(subject, STORAGE_MOUNT_NAME), DIAG(storage_attribute),
                             "mount_name", is_lustre ? "a file system that is made" : "what is not Lustre");
    diag_help(rules->session, diag, "%s", is_lustre ? "remove it, or write `existing = \"fs-…\"`" : "remove it");
}

static void not_there(const Rules *rules, const PlanStorage *storage, const Value *what, const char *fault,
                      const char *help) {
    Diag *diag = plan_report(rules->session, storage->head.subject, what->span, DIAG(storage_not_on_target),
                             STR_ARG(storage->head.id), fault);
    diag_help(rules->session, diag, "%s", help);
}

// The type of the ids of file systems of each kind; NULL: they have none.
static const char *id_type(StorageKind kind) {
    switch (kind) {
    case STORAGE_LUSTRE:
        return "fsx_id";
    case STORAGE_EFS:
        return "efs_id";
    case STORAGE_OPENZFS:
        return "fsx_volume_id";
    case STORAGE_EBS:
        return "volume_id";
    case STORAGE_NFS:
        break;
    }
    return NULL;
}

// The type that `existing` should have; NULL where it has it, or where nobody knows.
static const PatternRow *other_id(const Rules *rules, const PlanStorage *storage) {
    const Value *id = storage->existing;
    const char *name = id_type(storage->kind);
    if (id == NULL || id->kind != VALUE_STRING || name == NULL) {
        return NULL;
    }
    const PatternRow *row = schema_pattern(str_of(name));
    return pattern_match(rules->session, str_of(row->pattern), id->string, NULL) == PATTERN_NO ? row : NULL;
}

static bool is_mounted(const Rules *rules, const PlanStorage *storage) {
    if (storage->kind == STORAGE_NFS) {
        not_there(rules, storage, storage->kind_value, "it has no servers of one's own among its shared storage",
                  "mount it by a script of `setup`, on the head and the nodes");
        return false;
    }
    if (storage->kind == STORAGE_OPENZFS && storage->existing == NULL) {
        not_there(rules, storage, storage->kind_value, "it mounts volumes of OpenZFS, and makes none",
                  "make it elsewhere and name its volume: `existing = \"fsvol-…\"`");
        return false;
    }
    const PatternRow *row = other_id(rules, storage);
    if (row != NULL) {
        Str help = str_format(rules->session->arena, "one looks like `%s`", row->example);
        not_there(rules, storage, storage->existing, "this is the id of another kind",
                  str_c(rules->session->arena, help));
        return false;
    }
    return true;
}

// ---- sizes -----------------------------------------------------------------------------------------------------

static void check_lustre_rate(const Rules *rules, const PlanStorage *storage, const LustreRow *row) {
    const Value *rate = storage->throughput_per_tib;
    if (rate == NULL) {
        return;
    }
    StrBuf offered = { .arena = rules->session->arena };
    int64_t nearest = 0;
    for (size_t i = 0; i < LUSTRE_RATES_MAX && row->mbps_of_tib[i] != 0; i++) {
        if (rate->integer == row->mbps_of_tib[i] * MEGABYTE_A_SECOND) {
            return;
        }
        const int64_t other = row->mbps_of_tib[i];
        if (i == 0 || rate->integer - nearest * MEGABYTE_A_SECOND > other * MEGABYTE_A_SECOND - rate->integer) {
            nearest = other; // they rise
        }
        strbuf_add_format(&offered, "%s%" PRId64 "MBps", i == 0 ? "" : ", ", row->mbps_of_tib[i]);
    }
    Str fault = offered.len == 0
                    ? str_format(rules->session->arena, "%s has a throughput of its own", row->deployment)
                    : str_format(rules->session->arena, "%s has %.*s", row->deployment, STR_ARG(strbuf_str(&offered)));
    does_not_fit(rules, storage, rate, STORAGE_THROUGHPUT_PER_TIB, str_c(rules->session->arena, fault),
                 nearest == 0 ? "leave it out" : format(rules, "write `%" PRId64 "MBps`", nearest));
}

static void check_lustre_version(const Rules *rules, const PlanStorage *storage) {
    const Value *version = storage->lustre_version;
    if (version == NULL || version->kind != VALUE_STRING) {
        return;
    }
    const LustreVersionRow *row = lustre_version_row(version->string);
    if (row != NULL && row->lacks != NULL && str_is(storage->deployment->string, row->lacks)) {
        does_not_fit(rules, storage, version, STORAGE_LUSTRE_VERSION, "persistent_2 has 2.12 and 2.15",
                     "write `\"2.15\"`");
    }
    if (row != NULL) {
        return;
    }
    does_not_fit(rules, storage, version, STORAGE_LUSTRE_VERSION, "FSx has 2.10, 2.12 and 2.15", "write `\"2.15\"`");
}

static void check_lustre(const Rules *rules, const PlanStorage *storage, int64_t backup_days) {
    const LustreRow *row = lustre_row(storage->deployment->string);
    check_lustre_version(rules, storage);
    const Value *size = storage->size;
    if (size != NULL && size->integer != LIMIT_LUSTRE_GIB_MIN * GIB &&
        (size->integer == 0 || size->integer % (LIMIT_LUSTRE_GIB_STEP * GIB) != 0)) {
        const int64_t below = size->integer / (LIMIT_LUSTRE_GIB_STEP * GIB) * LIMIT_LUSTRE_GIB_STEP;
        does_not_fit(
            rules, storage, size, STORAGE_SIZE,
            format2(rules, "Lustre comes in %" PRId64 "GiB, or in steps of %" PRId64 "GiB", LIMIT_LUSTRE_GIB_MIN,
                    LIMIT_LUSTRE_GIB_STEP),
            size->integer < LIMIT_LUSTRE_GIB_MIN * GIB ? format(rules, "write `%" PRId64 "GiB`", LIMIT_LUSTRE_GIB_MIN)
            : below == 0
                ? format2(rules, "write `%" PRId64 "GiB` or `%" PRId64 "GiB`", LIMIT_LUSTRE_GIB_MIN,
                          LIMIT_LUSTRE_GIB_STEP)
                : format2(rules, "write `%" PRId64 "GiB` or `%" PRId64 "GiB`", below, below + LIMIT_LUSTRE_GIB_STEP));
    }
    check_lustre_rate(rules, storage, row);
    const Value *backups = storage->backups;
    if (storage->backup_at != NULL && backups == NULL) {
        Diag *diag =
            plan_report(rules->session, storage->head.subject, subject_key(storage->head.subject, STORAGE_BACKUP_AT),
                        DIAG(storage_attribute), "backup_at", "a file system without `backups`");
        diag_help(rules->session, diag, "write `backups = 7d`, or remove it");
    }
    if (backups == NULL || backups->kind != VALUE_DURATION) {
        return;
    }
    if (row->mbps_of_tib[0] == 0) {
        does_not_fit(rules, storage, backups, STORAGE_BACKUPS, "scratch file systems have no backups",
                     "leave it out, or write `deployment = persistent_2`");
    } else if (backups->integer > backup_days * MILLISECONDS_OF_DAY) {
        does_not_fit(rules, storage, backups, STORAGE_BACKUPS,
                     format(rules, "%" PRId64 " days is the most", backup_days),
                     format(rules, "write `%" PRId64 "d` or less", backup_days));
    }
}

static void check_efs(const Rules *rules, const PlanStorage *storage) {
    const Value *rate = storage->throughput;
    if (rate != NULL && (rate->integer < LIMIT_EFS_MIBPS_MIN * MEBIBYTE_A_SECOND ||
                         rate->integer > LIMIT_EFS_MIBPS_MAX * MEBIBYTE_A_SECOND)) {
        does_not_fit(
            rules, storage, rate, STORAGE_THROUGHPUT,
            format2(rules, "EFS has %" PRId64 "MiBps to %" PRId64 "MiBps", LIMIT_EFS_MIBPS_MIN, LIMIT_EFS_MIBPS_MAX),
            "write a rate between the two, or leave it out");
    }
}

static void check_iops(const Rules *rules, const PlanStorage *storage, const VolumeRow *row) {
    const Value *iops = storage->iops;
    if (iops == NULL) {
        return;
    }
    if (row->iops_min == 0) {
        does_not_fit(rules, storage, iops, STORAGE_IOPS, "only gp3 and io2 have operations to choose",
                     "leave it out, or write `volume_type = gp3`");
    } else if (iops->integer < row->iops_min) {
        does_not_fit(rules, storage, iops, STORAGE_IOPS, format(rules, "%" PRId64 " is the least", row->iops_min),
                     format(rules, "write `%" PRId64 "` or more, or leave it out", row->iops_min));
    } else if (iops->integer > row->iops_max) {
        does_not_fit(rules, storage, iops, STORAGE_IOPS, format(rules, "%" PRId64 " is the most", row->iops_max),
                     format(rules, "write `%" PRId64 "` or less", row->iops_max));
    } else if (storage->size != NULL && iops->integer > storage->size->integer / GIB * row->iops_of_gib) {
        does_not_fit(rules, storage, iops, STORAGE_IOPS,
                     format(rules, "%" PRId64 " for each GiB is the most", row->iops_of_gib),
                     format(rules, "write `size = %" PRId64 "GiB` or more",
                            (iops->integer + row->iops_of_gib - 1) / row->iops_of_gib));
    }
}

static void check_rate(const Rules *rules, const PlanStorage *storage, const VolumeRow *row) {
    const Value *rate = storage->throughput;
    if (rate == NULL) {
        return;
    }
    const int64_t mibps = rate->integer / MEBIBYTE_A_SECOND;
    const int64_t iops = storage->iops == NULL ? row->iops_min : storage->iops->integer;
    if (row->mibps_min == 0) {
        does_not_fit(rules, storage, rate, STORAGE_THROUGHPUT, "only gp3 has a throughput to choose",
                     "leave it out, or write `volume_type = gp3`");
    } else if (mibps < row->mibps_min || mibps > row->mibps_max) {
        does_not_fit(
            rules, storage, rate, STORAGE_THROUGHPUT,
            format2(rules, "gp3 has %" PRId64 "MiBps to %" PRId64 "MiBps", row->mibps_min, row->mibps_max),
            format(rules, "write a rate between the two, or leave it out for %" PRId64 "MiBps", row->mibps_min));
    } else if (mibps * LIMIT_GP3_IOPS_OF_MIBPS > iops) {
        does_not_fit(rules, storage, rate, STORAGE_THROUGHPUT,
                     format(rules, "that needs `iops = %" PRId64 "`", mibps * LIMIT_GP3_IOPS_OF_MIBPS),
                     format(rules, "write `iops = %" PRId64 "` beside it", mibps * LIMIT_GP3_IOPS_OF_MIBPS));
    }
}

static void check_ebs(const Rules *rules, const PlanStorage *storage) {
    const VolumeRow *row = volume_row(storage->volume->string);
    if (row == NULL) {
        return;
    }
    const Value *size = storage->size;
    const int64_t least = row->slurm_gib_min > 0 ? row->slurm_gib_min : row->gib_min;
    if (size != NULL && size->integer < least * GIB) {
        does_not_fit(rules, storage, size, STORAGE_SIZE, format(rules, "%" PRId64 "GiB is the least", least),
                     format(rules, "write `%" PRId64 "GiB` or more", least));
    } else if (size != NULL && size->integer > row->gib_max * GIB) {
        does_not_fit(rules, storage, size, STORAGE_SIZE, format(rules, "%" PRId64 "GiB is the most", row->gib_max),
                     format(rules, "write `%" PRId64 "GiB` or less", row->gib_max));
    }
    check_iops(rules, storage, row);
    check_rate(rules, storage, row);
}

// Kinds that pods cannot claim are refused for that.
static void check_id_on_eks(const Rules *rules, const PlanStorage *storage) {
    const bool is_claimed = storage->kind == STORAGE_LUSTRE || storage->kind == STORAGE_EFS;
    const PatternRow *row = is_claimed ? other_id(rules, storage) : NULL;
    if (row != NULL) {
        Diag *diag = plan_report(rules->session, storage->head.subject, storage->existing->span, DIAG(storage_on_eks),
                                 "this is the id of another kind of file system");
        diag_label(rules->session, diag, storage->kind_value->span, "its kind");
        diag_help(rules->session, diag, "one looks like `%s`", row->example);
    }
}

static void check_on_eks(const Rules *rules, const PlanStorage *storage) {
    check_settings(rules, storage, CLASS_ROWS, COUNT_OF(CLASS_ROWS));
    check_mount_name(rules, storage);
    check_id_on_eks(rules, storage);
    if (storage->kind == STORAGE_LUSTRE && storage->existing == NULL) {
        check_lustre(rules, storage, LIMIT_LUSTRE_BACKUP_DAYS_MAX); // what the service makes is the same everywhere
    }
}

static void check_on_slurm(const Rules *rules, const PlanStorage *storage) {
    if (!is_mounted(rules, storage)) {
        return;
    }
    check_settings(rules, storage, SETTING_ROWS, COUNT_OF(SETTING_ROWS));
    const bool has_size = storage->kind == STORAGE_LUSTRE || storage->kind == STORAGE_EBS;
    if (storage->existing != NULL) {
        return;
    }
    if (has_size && storage->size == NULL) {
        report(rules->session, storage->head.subject->name_span, DIAG(attribute_missing),
               STR_ARG(STR("a file system that is made")), "size");
    }
    if (storage->kind == STORAGE_EFS) {
        check_efs(rules, storage);
    } else if (storage->kind == STORAGE_LUSTRE) {
        check_lustre(rules, storage, LIMIT_SLURM_LUSTRE_BACKUP_DAYS_MAX);
    } else if (storage->kind == STORAGE_EBS) {
        check_ebs(rules, storage);
    }
}

static Diag *not_by_user_data(const Rules *rules, const PlanStorage *storage, Span span, const char *fault) {
    return plan_report(rules->session, storage->head.subject, span, DIAG(storage_by_user_data),
                       STR_ARG(storage->head.id), fault);
}

static bool is_server(Str text) {
    const size_t colon = str_find(text, STR(":/"), 0);
    bool is_host = colon > 0 && colon < text.len;
    for (size_t i = 0; i < text.len && is_host; i++) {
        const char c = text.data[i];
        const bool is_word = char_is_digit(c) || (char_small(c) >= 'a' && char_small(c) <= 'z') || c == '.' || c == '-';
        is_host = is_word || (i >= colon && (c == ':' || c == '/' || c == '_'));
    }
    return is_host;
}

static bool is_mounted_by_user_data(const Rules *rules, const PlanStorage *storage) {
    const Span block = storage->head.subject->name_span;
    Diag *diag = NULL;
    if (storage->kind == STORAGE_OPENZFS) {
        diag = not_by_user_data(rules, storage, storage->kind_value->span, "nodes mount a volume of OpenZFS by NFS");
        diag_help(
            rules->session, diag,
            "write `kind = nfs` and `server = \"fs-….fsx.us-east-1.amazonaws.com:/fsx\"`, the DNS name of the file "
            "system and the path of the volume");
    } else if (storage->kind == STORAGE_EBS) {
        diag = not_by_user_data(rules, storage, storage->kind_value->span, "a volume of EBS is one instance's");
        diag_help(rules->session, diag, "write `disk` in the group for a larger volume on each node, or `kind = efs`");
    } else if (storage->kind == STORAGE_NFS && storage->server == NULL) {
        diag = not_by_user_data(rules, storage, block, "it does not say its server");
        diag_help(rules->session, diag, "write `server = \"nfs.example.com:/export\"`");
    } else if (storage->kind == STORAGE_NFS && !is_server(storage->server->string)) {
        diag = not_by_user_data(rules, storage, storage->server->span, "the server is no host with a path behind `:`");
        diag_help(rules->session, diag, "write `server = \"nfs.example.com:/export\"`");
    } else if (storage->kind == STORAGE_NFS && storage->existing != NULL) {
        diag =
            not_by_user_data(rules, storage, storage->existing->span, "a server of NFS has a name, and no id of AWS");
        diag_help(rules->session, diag, "leave `existing` out");
    } else if (storage->kind == STORAGE_LUSTRE && storage->existing != NULL && storage->mount_name == NULL) {
        diag = not_by_user_data(rules, storage, storage->existing->span,
                                "an existing Lustre file system is mounted by its own name, which is not said");
        diag_help(rules->session, diag,
                  "write `mount_name`, which `aws fsx describe-file-systems` prints as MountName");
    } else if (other_id(rules, storage) != NULL) {
        diag = not_by_user_data(rules, storage, storage->existing->span, "this is the id of another kind");
        diag_help(rules->session, diag, "one looks like `%s`", other_id(rules, storage)->example);
    }
    return diag == NULL;
}

static void check_by_user_data(const Rules *rules, const PlanStorage *storage) {
    if (!is_mounted_by_user_data(rules, storage)) {
        return;
    }
    check_settings(rules, storage, STACK_ROWS, COUNT_OF(STACK_ROWS));
    check_mount_name(rules, storage);
    if (storage->kind == STORAGE_LUSTRE && storage->existing == NULL && storage->size == NULL) {
        report(rules->session, storage->head.subject->name_span, DIAG(attribute_missing),
               STR_ARG(STR("a file system that is made")), "size");
    }
    if (storage->kind == STORAGE_LUSTRE && storage->existing == NULL) {
        check_lustre(rules, storage, LIMIT_LUSTRE_BACKUP_DAYS_MAX);
    } else if (storage->kind == STORAGE_EFS && storage->existing == NULL) {
        check_efs(rules, storage);
    }
}

void rule_storage(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    if (plan_mounts_by_user_data(cluster)) {
        check_by_user_data(rules, storage);
    } else if (cluster->target == TARGET_EKS) {
        check_on_eks(rules, storage);
    } else if (cluster->target == TARGET_PARALLELCLUSTER) {
        check_on_slurm(rules, storage);
    }
}

// ---- how many --------------------------------------------------------------------------------------------------

typedef struct {
    int kinds;
    bool is_existing;
    const char *what;
    int most;
} CountRow;

static const CountRow COUNT_ROWS[] = {
    { LUSTRE, false, "new file systems for Lustre", LIMIT_SLURM_NEW_LUSTRE_MAX },
    { EFS, false, "new file systems on EFS", LIMIT_SLURM_NEW_EFS_MAX },
    { LUSTRE | OPENZFS, true, "file systems on FSx that are there already", LIMIT_SLURM_EXISTING_FSX_MAX },
    { EFS, true, "file systems on EFS that are there already", LIMIT_SLURM_EXISTING_EFS_MAX },
};

static void check_count(const Rules *rules, const PlanCluster *cluster, const CountRow *row) {
    uint32_t count = 0;
    const PlanStorage *first_too_many = NULL;
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        const bool is_it = (row->kinds & 1 << storage->kind) != 0 &&
                           (row->kinds == EBS || row->is_existing == (storage->existing != NULL));
        count += is_it;
        if (is_it && count == (uint32_t)row->most + 1) {
            first_too_many = storage;
        }
    }
    if (first_too_many != NULL) {
        Diag *diag = plan_report(rules->session, cluster->head.subject, first_too_many->head.subject->name_span,
                                 DIAG(too_many_on_target), STR_ARG(cluster->head.id), count, row->what, row->most);
        diag_label(rules->session, diag, subject_key(cluster->head.subject, CLUSTER_STORAGE), "mounts them");
    }
}

void rule_storage_counts(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->target != TARGET_PARALLELCLUSTER) {
        return;
    }
    for (size_t i = 0; i < COUNT_OF(COUNT_ROWS); i++) {
        check_count(rules, cluster, &COUNT_ROWS[i]);
    }
    const CountRow ebs = { .kinds = EBS, .what = "volumes of EBS", .most = LIMIT_SLURM_EBS_MAX };
    check_count(rules, cluster, &ebs);
}
