// Shared file systems of a cluster configuration.
#include "compiler/readers/parallelcluster/pcluster.h"

typedef struct {
    const char *kind;     // StorageType
    const char *settings; // the map of its own
    const char *id;       // the key by which one that is there is named
} StorageRow;

static const StorageRow STORAGE_ROWS[] = {
    { "Ebs", "EbsSettings", "VolumeId" },
    { "Efs", "EfsSettings", "FileSystemId" },
    { "FsxLustre", "FsxLustreSettings", "FileSystemId" },
    { "FsxOntap", "FsxOntapSettings", "VolumeId" },
    { "FsxOpenZfs", "FsxOpenZfsSettings", "VolumeId" },
    { "FileCache", "FileCacheSettings", "FileCacheId" },
};

static void read_kind(PclusterRead *read, const RawMap *map, PlanConfigurationStorage *storage) {
    for (size_t i = 0; i < COUNT_OF(STORAGE_ROWS); i++) {
        if (!field_is(&storage->kind, STORAGE_ROWS[i].kind)) {
            continue;
        }
        const RawMap settings = raw_map(map, STORAGE_ROWS[i].settings);
        const PlanField id = raw_field(read->stack, &settings, STORAGE_ROWS[i].id);
        storage->is_new = settings.state != FIELD_LATE && id.state == FIELD_ABSENT;
        storage->has_settings = settings.state == FIELD_KNOWN;
        if (storage->is_new && field_is(&storage->kind, "Ebs")) {
            raw_add_volume(read->stack, storage->subject, &settings, &PCLUSTER_VOLUME);
        }
        storage->lustre = (PlanLustre){
            .subject = storage->subject,
            .capacity = raw_field(read->stack, &settings, "StorageCapacity"),
            .deployment = raw_field(read->stack, &settings, "DeploymentType"),
            .rate = raw_field(read->stack, &settings, "PerUnitStorageThroughput"),
            .medium = raw_field(read->stack, &settings, "StorageType"),
            .import_path = raw_field(read->stack, &settings, "ImportPath"),
            .export_path = raw_field(read->stack, &settings, "ExportPath"),
            .version = raw_field(read->stack, &settings, "FileSystemTypeVersion"),
            .backups = raw_field(read->stack, &settings, "AutomaticBackupRetentionDays"),
        };
    }
}

void pcluster_read_storages(PclusterRead *read, const RawMap *document) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(read->stack, document, "SharedStorage", &state, &key);
    for (uint32_t i = 0; i < maps.count; i++) {
        const RawMap *map = &maps.items[i];
        const PlanField name = pcluster_field(read, map, "Name", map->span);
        PlanConfigurationStorage storage = { .subject = pcluster_section(read, name.span, map->span),
                                             .name = name,
                                             .mount = raw_field(read->stack, map, "MountDir"),
                                             .kind = raw_field(read->stack, map, "StorageType") };
        read_kind(read, map, &storage);
        vec_push(read->stack->arena, &read->configuration->storages, storage);
    }
}
