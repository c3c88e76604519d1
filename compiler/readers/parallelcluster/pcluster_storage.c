// Shared file systems of a cluster configuration.
#include "compiler/readers/parallelcluster/pcluster.h"

typedef struct {
    const char *type;     // StorageType
    const char *settings; // the map of its own
    const char *id;       // the key by which one that is there is named
    RawFileSystemWords words;
} StorageRow;

static const StorageRow STORAGE_ROWS[] = {
    { "Ebs", "EbsSettings", "VolumeId", { .kind = STORAGE_EBS } },
    { "Efs", "EfsSettings", "FileSystemId", { .kind = STORAGE_EFS, .throughput = "ProvisionedThroughput" } },
    { "FsxLustre",
      "FsxLustreSettings",
      "FileSystemId",
      { .kind = STORAGE_LUSTRE,
        .capacity = "StorageCapacity",
        .deployment = "DeploymentType",
        .rate = "PerUnitStorageThroughput",
        .medium = "StorageType",
        .import_path = "ImportPath",
        .export_path = "ExportPath",
        .version = "FileSystemTypeVersion",
        .backups = "AutomaticBackupRetentionDays",
        .backup = "BackupId",
        .kms_key = "KmsKeyId",
        .drive_cache = "DriveCacheType" } },
    { "FsxOntap", "FsxOntapSettings", "VolumeId", { .kind = STORAGE_ONTAP } },
    { "FsxOpenZfs", "FsxOpenZfsSettings", "VolumeId", { .kind = STORAGE_OPENZFS } },
    { "FileCache", "FileCacheSettings", "FileCacheId", { .kind = STORAGE_OTHER } },
};

static void read_kind(PclusterRead *read, const RawMap *map, const StorageRow *row, PlanFileSystem *system) {
    const RawMap settings = raw_map(map, row->settings);
    const PlanField id = raw_field(read->stack, &settings, row->id);
    system->is_new = settings.state != FIELD_LATE && id.state == FIELD_ABSENT;
    raw_read_file_system(read->stack, &settings, &row->words, system);
    if (system->is_new && system->kind == STORAGE_EBS && settings.state == FIELD_KNOWN) {
        system->volume = raw_volume(read->stack, system->subject, &settings, &PCLUSTER_VOLUME);
    }
}

static void add_disks(const PclusterRead *read, const InstanceRow *row, const PlanField *mount, const PlanField *type,
                      PlanClusterStorage *mounts) {
    if (row != NULL && row->nvme_count > 0) {
        vec_push(read->stack->arena, &mounts->disks, ((PlanNodeDisks){ .mount = *mount, .type = *type }));
    }
}

// The head comes first, then the queues.
static void add_nodes(const PclusterRead *read, const PlanConfiguration *configuration, PlanClusterStorage *mounts) {
    add_disks(read, configuration->head.row, &configuration->head.disks, &configuration->head.type, mounts);
    for (uint32_t i = 0; i < configuration->groups.count; i++) {
        const PlanGroup *group = configuration->groups.items[i];
        for (uint32_t k = 0; k < group->types.count; k++) {
            const PlanType *type = &group->types.items[k];
            add_disks(read, type->row, &group->pcluster->queue->disks, &type->field, mounts);
        }
    }
    for (uint32_t i = 0; i < configuration->queues.count; i++) {
        const PlanConfigurationQueue *queue = configuration->queues.items[i];
        const PlanField *subnet = queue->subnets.items;
        if (queue->subnets.state == FIELD_KNOWN && queue->subnets.count == 1 && subnet->state == FIELD_KNOWN) {
            vec_push(read->stack->arena, &mounts->queues,
                     ((PlanQueueSubnet){ .subject = queue->subject,
                                         .name = queue->name.text,
                                         .span = subnet->span,
                                         .subnet = subnet->text,
                                         .place = -1 }));
        }
    }
}

void pcluster_read_storages(PclusterRead *read, const RawMap *document) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(read->stack, document, "SharedStorage", &state, &key);
    PlanClusterStorage *mounts = arena_new(read->stack->arena, PlanClusterStorage);
    *mounts = (PlanClusterStorage){ .subject = read->configuration->subject,
                                    .name = STR("SharedStorage"),
                                    .by = MOUNTS_BY_PARALLELCLUSTER };
    add_nodes(read, read->configuration, mounts);
    read->configuration->mounts = mounts;
    for (uint32_t i = 0; i < maps.count; i++) {
        const RawMap *map = &maps.items[i];
        const PlanField name = pcluster_field(read, map, "Name", map->span);
        PlanFileSystem *system = arena_new(read->stack->arena, PlanFileSystem);
        *system = (PlanFileSystem){ .subject = pcluster_section(read, name.span, map->span),
                                    .maker = MADE_BY_PARALLELCLUSTER,
                                    .is_of_parallelcluster = true,
                                    .kind = STORAGE_OTHER,
                                    .name = name,
                                    .mount = raw_field(read->stack, map, "MountDir"),
                                    .type = raw_field(read->stack, map, "StorageType") };
        for (size_t k = 0; k < COUNT_OF(STORAGE_ROWS); k++) {
            if (field_is(&system->type, STORAGE_ROWS[k].type)) {
                read_kind(read, map, &STORAGE_ROWS[k], system);
            }
        }
        vec_push(read->stack->arena, &read->configuration->storages, (const PlanFileSystem *)system);
        vec_push(read->stack->arena, &mounts->systems, (const PlanFileSystem *)system);
        vec_push(read->stack->arena, &read->raw->file_systems, (const PlanFileSystem *)system);
    }
}
