// File systems that every node mounts. One that is there already is named by its id, and nothing is said of what it is:
// ParallelCluster refuses that. How EFS is mounted is said of both.
#include "emitters/parallelcluster/configuration.h"

enum {
    BITS_OF_MEGABYTE = 8 * 1000 * 1000, // a rate of 1 MBps in bits a second
    BITS_OF_MEBIBYTE = 8 * 1024 * 1024,
    MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000,
};

typedef struct {
    StorageKind kind;
    const char *type;     // StorageType
    const char *settings; // key of what belongs to the type
    const char *id;       // key of one that is there already
} TypeRow;

static const TypeRow TYPE_ROWS[] = {
    { STORAGE_LUSTRE, "FsxLustre", "FsxLustreSettings", "FileSystemId" },
    { STORAGE_EFS, "Efs", "EfsSettings", "FileSystemId" },
    { STORAGE_OPENZFS, "FsxOpenZfs", "FsxOpenZfsSettings", "VolumeId" },
    { STORAGE_EBS, "Ebs", "EbsSettings", "VolumeId" },
};

static const TypeRow *type_row(StorageKind kind) {
    for (size_t i = 0; i < COUNT_OF(TYPE_ROWS); i++) {
        if (TYPE_ROWS[i].kind == kind) {
            return &TYPE_ROWS[i];
        }
    }
    return NULL;
}

static void add_lustre(Plain *plain, DocNode *settings, const PlanStorage *storage) {
    tree_put(plain->doc, settings, "StorageCapacity", plain_amount(plain, storage->size, INT64_C(1) << 30, "GiB"));
    plain_put_upper(plain, settings, "DeploymentType", storage->deployment);
    tree_put(plain->doc, settings, "PerUnitStorageThroughput",
             plain_amount(plain, storage->throughput_per_tib, BITS_OF_MEGABYTE, "MBps"));
    if (!str_is(storage->compression->string, "none")) {
        plain_put_upper(plain, settings, "DataCompressionType", storage->compression);
    }
    tree_put(plain->doc, settings, "AutomaticBackupRetentionDays",
             plain_amount(plain, storage->backups, MILLISECONDS_OF_DAY, "days"));
}

static void add_efs(Plain *plain, DocNode *settings, const PlanStorage *storage) {
    tree_put(plain->doc, settings, "Encrypted", tree_bool(plain->doc, WHY_EFS_ENCRYPTED, true));
    if (storage->throughput != NULL) {
        tree_put(plain->doc, settings, "ThroughputMode", tree_text(plain->doc, WHY_EFS_THROUGHPUT, "provisioned"));
        tree_put(plain->doc, settings, "ProvisionedThroughput",
                 plain_amount(plain, storage->throughput, BITS_OF_MEBIBYTE, "MiBps"));
    }
}

static void add_ebs(Plain *plain, DocNode *settings, const PlanStorage *storage) {
    tree_put(plain->doc, settings, "VolumeType", plain_node(plain, storage->volume));
    tree_put(plain->doc, settings, "Size", plain_amount(plain, storage->size, INT64_C(1) << 30, "GiB"));
    tree_put(plain->doc, settings, "Iops", plain_node(plain, storage->iops));
    tree_put(plain->doc, settings, "Throughput",
             plain_amount(plain, storage->throughput, BITS_OF_MEBIBYTE, "MiBps"));
}

static void add_settings(Plain *plain, DocNode *settings, const PlanStorage *storage, const TypeRow *row) {
    if (storage->kind == STORAGE_EFS) {
        tree_put(plain->doc, settings, "EncryptionInTransit", tree_bool(plain->doc, WHY_EFS_IN_TRANSIT, true));
    }
    if (storage->existing != NULL) {
        tree_put(plain->doc, settings, row->id, plain_node(plain, storage->existing));
        return;
    }
    switch (storage->kind) {
    case STORAGE_LUSTRE:
        add_lustre(plain, settings, storage);
        break;
    case STORAGE_EFS:
        add_efs(plain, settings, storage);
        break;
    case STORAGE_EBS:
        add_ebs(plain, settings, storage);
        break;
    case STORAGE_OPENZFS:
    case STORAGE_NFS:
        break; // rule storage_on_parallelcluster has refused it
    }
    if (storage->keep->boolean) {
        doc_because(plain->doc, storage->keep->origin);
        tree_put(plain->doc, settings, "DeletionPolicy", tree_text(plain->doc, WHY_STORAGE_KEEP, "Retain"));
        doc_unbecause(plain->doc);
    }
}

void parallelcluster_storage(const Configuration *configuration, DocNode *root) {
    Plain *plain = configuration->plain;
    const PlanCluster *cluster = configuration->cluster;
    if (cluster->storages.count == 0) {
        return;
    }
    DocNode *list = tree_put_list(plain->doc, root, "SharedStorage");
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        const TypeRow *row = type_row(storage->kind);
        if (row == NULL) {
            continue;
        }
        doc_because(plain->doc, storage->head.origin);
        DocNode *entry = tree_add_map(plain->doc, list);
        tree_put(plain->doc, entry, "MountDir", plain_node(plain, storage->mount));
        tree_put(plain->doc, entry, "Name", doc_string(plain->doc, storage->head.id, storage->head.origin));
        tree_put(plain->doc, entry, "StorageType",
                 doc_string(plain->doc, str_of(row->type), storage->kind_value->origin));
        add_settings(plain, tree_put_map(plain->doc, entry, row->settings), storage, row);
        doc_unbecause(plain->doc);
    }
}
