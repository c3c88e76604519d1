// Rules of ParallelCluster, AWS Batch and AWS PCS about file systems: which ones are made and mounted.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/pattern.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/claim.h"
#include "compiler/plan/model/user_data_mounts.h"
#include "compiler/semantics/on_target.h"
#include "schema/names.h"

// ---- attributes of other targets ---------------------------------------------------------------------------------

static void check_on_target(const Rules *rules, const PlanCluster *cluster, const PlanPart *part) {
    const Subject *subject = part->subject;
    for (int i = 0; i < part->kind->attribute_count; i++) {
        const AttributeRow *row = &part->kind->attributes[i];
        if (subject_value(subject, i) != NULL && (row->targets & cluster->target) == 0) {
            Diag *diag = report_not_on_target(rules->session, subject->attribute_spans[i], row->name, row->targets,
                                              row->later, row->instead, cluster->target);
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
typedef struct {
    int attribute;
    int kinds;
} SettingRow;

// On EKS: what goes into a StorageClass, from which the driver of FSx makes the file system, and what a volume has.
static const SettingRow CLASS_ROWS[] = {
    { STORAGE_THROUGHPUT_PER_TIB, KINDS_LUSTRE },
    { STORAGE_DEPLOYMENT, KINDS_LUSTRE },
    { STORAGE_COMPRESSION, KINDS_LUSTRE },
    { STORAGE_LUSTRE_VERSION, KINDS_LUSTRE },
    { STORAGE_BACKUPS, KINDS_LUSTRE },
    { STORAGE_BACKUP_AT, KINDS_LUSTRE },
    { STORAGE_MAINTENANCE, KINDS_LUSTRE },
    { STORAGE_SUBNET, KINDS_LUSTRE },
    { STORAGE_RETAIN, KINDS_LUSTRE },
    { STORAGE_TAGS, KINDS_LUSTRE },
};

static const SettingRow SETTING_ROWS[] = {
    { STORAGE_SIZE, KINDS_LUSTRE | KINDS_OPENZFS | KINDS_EBS },
    { STORAGE_THROUGHPUT_PER_TIB, KINDS_LUSTRE },
    { STORAGE_THROUGHPUT, KINDS_EFS | KINDS_OPENZFS | KINDS_EBS },
    { STORAGE_IOPS, KINDS_EBS },
    { STORAGE_VOLUME_TYPE, KINDS_EBS },
    { STORAGE_DEPLOYMENT, KINDS_LUSTRE },
    { STORAGE_COMPRESSION, KINDS_LUSTRE },
    { STORAGE_BACKUPS, KINDS_LUSTRE },
    { STORAGE_RETAIN, KINDS_LUSTRE | KINDS_EFS | KINDS_EBS },
};

// On AWS Batch and AWS PCS: what the stack makes, and what user data mounts.
static const SettingRow STACK_ROWS[] = {
    { STORAGE_SIZE, KINDS_LUSTRE },
    { STORAGE_THROUGHPUT_PER_TIB, KINDS_LUSTRE },
    { STORAGE_THROUGHPUT, KINDS_EFS },
    { STORAGE_DEPLOYMENT, KINDS_LUSTRE },
    { STORAGE_COMPRESSION, KINDS_LUSTRE },
    { STORAGE_LUSTRE_VERSION, KINDS_LUSTRE },
    { STORAGE_BACKUPS, KINDS_LUSTRE },
    { STORAGE_BACKUP_AT, KINDS_LUSTRE },
    { STORAGE_MAINTENANCE, KINDS_LUSTRE },
    { STORAGE_SERVER, KINDS_NFS },
    { STORAGE_SUBNET, KINDS_LUSTRE },
    { STORAGE_RETAIN, KINDS_LUSTRE | KINDS_EFS },
    { STORAGE_TAGS, KINDS_LUSTRE | KINDS_EFS },
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
    case STORAGE_ONTAP:
    case STORAGE_OTHER:
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

// ---- targets ---------------------------------------------------------------------------------------------------

static void check_backup_at(const Rules *rules, const PlanStorage *storage) {
    const Subject *subject = storage->head.subject;
    if (storage->kind == STORAGE_LUSTRE && storage->existing == NULL && storage->backup_at != NULL &&
        storage->backups == NULL) {
        Diag *diag = plan_report(rules->session, subject, subject_key(subject, STORAGE_BACKUP_AT),
                                 DIAG(storage_attribute), "backup_at", "a file system without `backups`");
        diag_help(rules->session, diag, "write `backups = 7d`, or remove it");
    }
}

static void check_size(const Rules *rules, const PlanStorage *storage) {
    const bool has_size = storage->kind == STORAGE_LUSTRE || storage->kind == STORAGE_EBS;
    if (has_size && storage->existing == NULL && storage->size == NULL) {
        report_missing(rules->session, storage->head.subject->name_span, STR("a file system that is made"),
                       &storage->head.part->kind->attributes[STORAGE_SIZE]);
    }
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
    check_backup_at(rules, storage);
}

static void check_on_slurm(const Rules *rules, const PlanStorage *storage) {
    if (is_mounted(rules, storage)) {
        check_settings(rules, storage, SETTING_ROWS, COUNT_OF(SETTING_ROWS));
        check_size(rules, storage);
        check_backup_at(rules, storage);
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
    check_size(rules, storage);
    check_backup_at(rules, storage);
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

// ---- file systems that pods claim ------------------------------------------------------------------------------

static void check_claim_subnet(const Rules *rules, const PlanCluster *cluster, const PlanStorage *storage) {
    if (storage->existing != NULL || storage->subnet != NULL || cluster->network != NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, storage->head.subject, storage->head.subject->name_span,
                             DIAG(storage_without_subnet), STR_ARG(storage->head.id));
    diag_label(rules->session, diag, cluster->head.subject->name_span, "eksctl makes the VPC of this cluster");
    diag_help(rules->session, diag, "write `subnet = \"subnet-…\"`, a private one in the zone of the nodes");
}

void rule_claims_of_eks(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; cluster->target == TARGET_EKS && i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        const char *help = NULL;
        const char *fault = plan_claim_fault(storage, &help);
        if (fault == NULL) {
            check_claim_subnet(rules, cluster, storage);
            continue;
        }
        const bool is_lustre = storage->kind == STORAGE_LUSTRE && storage->existing != NULL;
        const Span span = is_lustre ? storage->existing->span : storage->kind_value->span;
        Diag *diag = plan_report(rules->session, storage->head.subject, span, DIAG(storage_on_eks), fault);
        diag_help(rules->session, diag, "%s", help);
        diag_label(rules->session, diag, cluster->head.subject->name_span, "claims it");
    }
}
