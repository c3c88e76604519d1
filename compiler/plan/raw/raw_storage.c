// From raw file systems, classes of volumes, and whatever has volumes of EBS, to those that rules ask.
#include "compiler/plan/raw/raw.h"

#include "compiler/plan/model/object_value.h"

// ---- file systems ------------------------------------------------------------------------------------------------

void raw_read_file_system(const RawStack *stack, const RawMap *map, const RawFileSystemWords *words,
                          PlanFileSystem *system) {
    system->kind = words->kind;
    system->capacity = raw_field_at(stack, map, words->capacity);
    system->deployment = raw_field_at(stack, map, words->deployment);
    system->rate = raw_field_at(stack, map, words->rate);
    system->medium = raw_field_at(stack, map, words->medium);
    system->import_path = raw_field_at(stack, map, words->import_path);
    system->export_path = raw_field_at(stack, map, words->export_path);
    system->version = raw_field_at(stack, map, words->version);
    system->backups = raw_field_at(stack, map, words->backups);
    system->throughput = raw_field_at(stack, map, words->throughput);
    system->backup = raw_field_at(stack, map, words->backup);
    system->kms_key = raw_field_at(stack, map, words->kms_key);
    system->drive_cache = raw_field_at(stack, map, words->drive_cache);
    system->efa = raw_field_at(stack, map, words->efa);
    system->metadata = raw_field_at(stack, map, words->metadata);
    system->tier_rate = raw_field_at(stack, map, words->tier_rate);
}

// CloudFormation Template Reference, read 2026-11.
static const struct {
    const char *type_name;
    const char *type; // NULL: the resource is of this kind, whatever it says
    RawFileSystemWords words;
} ROWS[] = {
    { "AWS::FSx::FileSystem",
      "LUSTRE",
      { .kind = STORAGE_LUSTRE,
        .capacity = "StorageCapacity",
        .deployment = "LustreConfiguration.DeploymentType",
        .rate = "LustreConfiguration.PerUnitStorageThroughput",
        .medium = "StorageType",
        .import_path = "LustreConfiguration.ImportPath",
        .export_path = "LustreConfiguration.ExportPath",
        .version = "FileSystemTypeVersion",
        .backups = "LustreConfiguration.AutomaticBackupRetentionDays",
        .backup = "BackupId",
        .kms_key = "KmsKeyId",
        .drive_cache = "LustreConfiguration.DriveCacheType",
        .efa = "LustreConfiguration.EfaEnabled",
        .metadata = "LustreConfiguration.MetadataConfiguration.Mode",
        .tier_rate = "LustreConfiguration.ThroughputCapacity" } },
    { "AWS::EFS::FileSystem", NULL, { .kind = STORAGE_EFS, .throughput = "ProvisionedThroughputInMibps" } },
};

static void add_file_system(RawStack *stack, const RawResource *resource, const RawMap *properties) {
    const PlanField type = raw_field(stack, properties, "FileSystemType");
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (!str_is(resource->type, ROWS[i].type_name) || (ROWS[i].type != NULL && !field_is(&type, ROWS[i].type))) {
            continue;
        }
        PlanFileSystem *system = arena_new(stack->arena, PlanFileSystem);
        *system =
            (PlanFileSystem){ .subject = resource->subject, .maker = MADE_BY_STACK, .is_new = true, .type = type };
        raw_read_file_system(stack, properties, &ROWS[i].words, system);
        vec_push(stack->arena, &stack->parts.file_systems, (const PlanFileSystem *)system);
    }
}

// ---- volumes -----------------------------------------------------------------------------------------------------

const PlanVolume *raw_volume(RawStack *stack, const Subject *subject, const RawMap *map, const RawVolumeWords *words) {
    PlanVolume *volume = arena_new(stack->arena, PlanVolume);
    *volume = (PlanVolume){ .subject = subject,
                            .taker = words->taker,
                            .type = raw_field(stack, map, words->type),
                            .usual = words->usual,
                            .size = raw_field_at(stack, map, words->size),
                            .iops = raw_field(stack, map, words->iops),
                            .rate = raw_field(stack, map, words->rate) };
    return volume;
}

void raw_add_volume(RawStack *stack, const Subject *subject, const RawMap *map, const RawVolumeWords *words) {
    if (map->state == FIELD_KNOWN) {
        vec_push(stack->arena, &stack->parts.volumes, raw_volume(stack, subject, map, words));
    }
}

// What a mapping does not say of the volume of an image, the image says.
static void add_disks(RawStack *stack, const RawResource *resource, const RawMap *data) {
    static const RawVolumeWords WORDS = { VOLUME_OF_EC2, NULL, "VolumeType", "VolumeSize", "Iops", "Throughput" };
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps disks = raw_maps(stack, data, "BlockDeviceMappings", &state, &key);
    for (uint32_t i = 0; i < disks.count; i++) {
        const RawMap volume = raw_map(&disks.items[i], "Ebs");
        raw_add_volume(stack, resource->subject, &volume, &WORDS);
    }
}

void raw_add_storages(RawStack *stack) {
    static const RawVolumeWords WORDS = { VOLUME_OF_EC2, "gp2", "VolumeType", "Size", "Iops", "Throughput" };
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (resource->is_changed) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const RawMap data = raw_map(&properties, "LaunchTemplateData");
        add_file_system(stack, resource, &properties);
        if (str_is(resource->type, "AWS::EC2::Volume")) {
            raw_add_volume(stack, resource->subject, &properties, &WORDS);
        } else if (str_is(resource->type, "AWS::EC2::LaunchTemplate")) {
            add_disks(stack, resource, &data);
        } else if (str_is(resource->type, "AWS::EC2::Instance")) {
            add_disks(stack, resource, &properties);
        }
    }
}

// ---- classes of volumes ----------------------------------------------------------------------------------------------

// What drivers make of a claim, which says the size. kubernetes-sigs/aws-fsx-csi-driver@5b227125 pkg/driver/controller.go,
// kubernetes-sigs/aws-ebs-csi-driver@429e202e pkg/driver/constants.go, read 2026-11.
static const RawFileSystemWords CLASS_WORDS = {
    .kind = STORAGE_LUSTRE,
    .deployment = "deploymentType",
    .rate = "perUnitStorageThroughput",
    .medium = "storageType",
    .import_path = "s3ImportPath",
    .export_path = "s3ExportPath",
    .version = "fileSystemTypeVersion",
    .backups = "automaticBackupRetentionDays",
    .kms_key = "kmsKeyId",
    .drive_cache = "driveCacheType",
    .efa = "efaEnabled",
    .metadata = "metadataConfigurationMode",
};

static const RawVolumeWords CLASS_VOLUME = { VOLUME_OF_DRIVER, "gp3", "type", NULL, "iops", "throughput" };

const PlanFileSystem *raw_class(Session *session, const PlanObject *object) {
    const Str driver = object_text(object_get(object->fields, "provisioner"));
    const Value *parameters = object_get(object->fields, "parameters");
    const bool is_lustre = str_is(driver, "fsx.csi.aws.com");
    if (object->is_changed || !str_is(object->resource->type, "storage.k8s.io/v1/StorageClass") || parameters == NULL ||
        parameters->kind != VALUE_MAP || (!is_lustre && !str_is(driver, "ebs.csi.aws.com"))) {
        return NULL;
    }
    RawStack stack = { .session = session, .arena = session->arena, .by_id = { .arena = session->arena } };
    const RawMap map = { .state = FIELD_KNOWN,
                         .span = parameters->span,
                         .whole = object->fields->span,
                         .entries = parameters->map.entries,
                         .count = parameters->map.count };
    PlanFileSystem *system = arena_new(session->arena, PlanFileSystem);
    *system =
        (PlanFileSystem){ .subject = object->subject, .maker = MADE_BY_DRIVER, .kind = STORAGE_EBS, .is_new = true };
    if (is_lustre) {
        raw_read_file_system(&stack, &map, &CLASS_WORDS, system);
    } else {
        system->volume = raw_volume(&stack, object->subject, &map, &CLASS_VOLUME);
    }
    return system;
}
