// File systems that every node mounts. One that is there already is named by its id, and nothing is said of what it is:
// ParallelCluster refuses that. How EFS is mounted is said of both.
#include "emitters/parallelcluster/configuration.h"

#include "emitters/tool/tool_facts.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_tree.h"
#include "schema/file_systems.h"

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

// ["NEW", "CHANGED"], each once and in one order.
static void put_events(ToolFile *file, DocNode *map, const char *key, const Value *words) {
    DocNode *list = words->list.count == 0 ? NULL : tree_put_list(file->doc, map, key);
    for (size_t i = 0; list != NULL && i < LUSTRE_EVENT_COUNT; i++) {
        for (uint32_t k = 0; k < words->list.count; k++) {
            const Value *word = words->list.items[k];
            if (str_is(word->string, LUSTRE_EVENT_ROWS[i].word)) {
                doc_add(file->doc, list, doc_string(file->doc, str_of(LUSTRE_EVENT_ROWS[i].event), word->origin));
                break;
            }
        }
    }
}

static void add_links(ToolFile *file, DocNode *settings, const PlanStorage *storage) {
    DocNode *list = storage->links.count == 0 ? NULL : tree_put_list(file->doc, settings, "DataRepositoryAssociations");
    for (uint32_t i = 0; i < storage->links.count; i++) {
        const PlanLink *link = storage->links.items[i];
        const PlanBucket *bucket = plan_bucket_in(file->plan, link->uri);
        if (bucket != NULL && bucket->existing == NULL) {
            tool_need(file, bucket->head.name->string);
        }
        doc_because(file->doc, link->head.origin);
        DocNode *entry = tree_add_map(file->doc, list);
        tree_put(file->doc, entry, "Name", doc_string(file->doc, link->head.id, link->head.origin));
        if (link->imports->list.count > 0) {
            tree_put(file->doc, entry, "BatchImportMetaDataOnCreate", tree_bool(file->doc, WHY_LINK_BATCH, true));
        }
        tree_put(file->doc, entry, "DataRepositoryPath", tool_value(file, link->uri));
        tree_put(file->doc, entry, "FileSystemPath", tool_value(file, link->path));
        put_events(file, entry, "AutoExportPolicy", link->exports);
        put_events(file, entry, "AutoImportPolicy", link->imports);
        doc_unbecause(file->doc);
    }
}

static void add_lustre(ToolFile *file, DocNode *settings, const PlanStorage *storage) {
    tree_put(file->doc, settings, "StorageCapacity", tool_amount(file, storage->size, INT64_C(1) << 30));
    tool_put_upper(file, settings, "DeploymentType", storage->deployment);
    tree_put(file->doc, settings, "PerUnitStorageThroughput",
             tool_amount(file, storage->throughput_per_tib, BITS_OF_MEGABYTE));
    if (!str_is(storage->compression->string, "none")) {
        tool_put_upper(file, settings, "DataCompressionType", storage->compression);
    }
    tree_put(file->doc, settings, "AutomaticBackupRetentionDays",
             tool_amount(file, storage->backups, MILLISECONDS_OF_DAY));
    add_links(file, settings, storage);
}

static void add_efs(ToolFile *file, DocNode *settings, const PlanStorage *storage) {
    tree_put(file->doc, settings, "Encrypted", tree_bool(file->doc, WHY_EFS_ENCRYPTED, true));
    if (storage->throughput != NULL) {
        tree_put(file->doc, settings, "ThroughputMode", tree_text(file->doc, WHY_EFS_THROUGHPUT, "provisioned"));
        tree_put(file->doc, settings, "ProvisionedThroughput",
                 tool_amount(file, storage->throughput, BITS_OF_MEBIBYTE));
    }
}

static void add_ebs(ToolFile *file, DocNode *settings, const PlanStorage *storage) {
    tree_put(file->doc, settings, "VolumeType", tool_value(file, storage->volume));
    tree_put(file->doc, settings, "Size", tool_amount(file, storage->size, INT64_C(1) << 30));
    tree_put(file->doc, settings, "Iops", tool_value(file, storage->iops));
    tree_put(file->doc, settings, "Throughput", tool_amount(file, storage->throughput, BITS_OF_MEBIBYTE));
}

static void add_settings(ToolFile *file, DocNode *settings, const PlanStorage *storage, const TypeRow *row) {
    if (storage->kind == STORAGE_EFS) {
        tree_put(file->doc, settings, "EncryptionInTransit", tree_bool(file->doc, WHY_EFS_IN_TRANSIT, true));
    }
    if (storage->existing != NULL) {
        tree_put(file->doc, settings, row->id, tool_value(file, storage->existing));
        return;
    }
    switch (storage->kind) {
    case STORAGE_LUSTRE:
        add_lustre(file, settings, storage);
        break;
    case STORAGE_EFS:
        add_efs(file, settings, storage);
        break;
    case STORAGE_EBS:
        add_ebs(file, settings, storage);
        break;
    case STORAGE_OPENZFS:
    case STORAGE_NFS:
    case STORAGE_ONTAP:
    case STORAGE_OTHER:
        break; // rule storage_on_parallelcluster has refused it
    }
    if (storage->keep->boolean) {
        doc_because(file->doc, storage->keep->origin);
        tree_put(file->doc, settings, "DeletionPolicy", tree_text(file->doc, WHY_STORAGE_RETAIN, "Retain"));
        doc_unbecause(file->doc);
    }
}

void parallelcluster_storage(const Configuration *configuration, DocNode *root) {
    ToolFile *file = configuration->file;
    const PlanCluster *cluster = configuration->cluster;
    if (cluster->storages.count == 0) {
        return;
    }
    DocNode *list = tree_put_list(file->doc, root, "SharedStorage");
    for (uint32_t i = 0; i < cluster->storages.count; i++) {
        const PlanStorage *storage = cluster->storages.items[i];
        const TypeRow *row = type_row(storage->kind);
        if (row == NULL) {
            continue;
        }
        doc_because(file->doc, storage->head.origin);
        DocNode *entry = tree_add_map(file->doc, list);
        tree_put(file->doc, entry, "MountDir", tool_value(file, storage->mount));
        tree_put(file->doc, entry, "Name", doc_string(file->doc, storage->head.id, storage->head.origin));
        tree_put(file->doc, entry, "StorageType",
                 doc_string(file->doc, str_of(row->type), storage->kind_value->origin));
        add_settings(file, tree_put_map(file->doc, entry, row->settings), storage, row);
        doc_unbecause(file->doc);
    }
}
