// From raw file systems of FSx to those for Lustre.
#include "compiler/plan/raw/raw.h"

static void add_lustre(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap settings = raw_map(&properties, "LustreConfiguration");
    PlanLustre *lustre = arena_new(stack->arena, PlanLustre);
    *lustre = (PlanLustre){
        .subject = resource->subject,
        .is_of_stack = true,
        .capacity = raw_field(stack, &properties, "StorageCapacity"),
        .deployment = raw_field(stack, &settings, "DeploymentType"),
        .rate = raw_field(stack, &settings, "PerUnitStorageThroughput"),
        .medium = raw_field(stack, &properties, "StorageType"),
        .import_path = raw_field(stack, &settings, "ImportPath"),
        .version = raw_field(stack, &properties, "FileSystemTypeVersion"),
        .backups = raw_field(stack, &settings, "AutomaticBackupRetentionDays"),
    };
    vec_push(stack->arena, &stack->parts.lustres, (const PlanLustre *)lustre);
}

void raw_add_storages(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, "AWS::FSx::FileSystem") || resource->is_changed) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const PlanField kind = raw_field(stack, &properties, "FileSystemType");
        if (field_is(&kind, "LUSTRE")) {
            add_lustre(stack, resource);
        }
    }
}
