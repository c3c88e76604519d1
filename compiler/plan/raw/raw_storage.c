// From raw file systems of FSx to those for Lustre, and from whatever has volumes to these.
#include "compiler/plan/raw/raw.h"

static void add_file_system(RawStack *stack, const RawResource *resource, const RawMap *properties) {
    const PlanField kind = raw_field(stack, properties, "FileSystemType");
    const RawMap settings = raw_map(properties, "LustreConfiguration");
    if (!field_is(&kind, "LUSTRE")) {
        return;
    }
    PlanLustre *lustre = arena_new(stack->arena, PlanLustre);
    *lustre = (PlanLustre){
        .subject = resource->subject,
        .is_of_stack = true,
        .capacity = raw_field(stack, properties, "StorageCapacity"),
        .deployment = raw_field(stack, &settings, "DeploymentType"),
        .rate = raw_field(stack, &settings, "PerUnitStorageThroughput"),
        .medium = raw_field(stack, properties, "StorageType"),
        .import_path = raw_field(stack, &settings, "ImportPath"),
        .export_path = raw_field(stack, &settings, "ExportPath"),
        .version = raw_field(stack, properties, "FileSystemTypeVersion"),
        .backups = raw_field(stack, &settings, "AutomaticBackupRetentionDays"),
    };
    vec_push(stack->arena, &stack->parts.lustres, (const PlanLustre *)lustre);
}

// ---- volumes -----------------------------------------------------------------------------------------------------

void raw_add_volume(RawStack *stack, const Subject *subject, const RawMap *map, const RawVolumeWords *words) {
    PlanVolume *volume = arena_new(stack->arena, PlanVolume);
    *volume = (PlanVolume){ .subject = subject,
                            .taker = words->taker,
                            .type = raw_field(stack, map, words->type),
                            .usual = words->usual,
                            .size = raw_field(stack, map, words->size),
                            .iops = raw_field(stack, map, words->iops),
                            .rate = raw_field(stack, map, words->rate) };
    if (map->state == FIELD_KNOWN) {
        vec_push(stack->arena, &stack->parts.volumes, (const PlanVolume *)volume);
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
        if (str_is(resource->type, "AWS::FSx::FileSystem")) {
            add_file_system(stack, resource, &properties);
        } else if (str_is(resource->type, "AWS::EC2::Volume")) {
            raw_add_volume(stack, resource->subject, &properties, &WORDS);
        } else if (str_is(resource->type, "AWS::EC2::LaunchTemplate")) {
            add_disks(stack, resource, &data);
        } else if (str_is(resource->type, "AWS::EC2::Instance")) {
            add_disks(stack, resource, &properties);
        }
    }
}
