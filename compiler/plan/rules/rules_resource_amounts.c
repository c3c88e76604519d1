// Rules about numbers in resources of CloudFormation that the service takes only within limits. Declared clusters have
// them too, in their own words.
#include "compiler/plan/rules/rules_field.h"

#include "compiler/plan/rules/object_value.h"
#include "schema/file_systems.h"
#include "schema/limits.h"

typedef struct {
    const char *type;
    const char *path[3]; // of properties
    int64_t least;
    int64_t most;
    const char *service;
} AmountRow;

static const AmountRow AMOUNT_ROWS[] = {
    { "AWS::Batch::JobQueue", { "Priority" }, 0, LIMIT_QUEUE_PRIORITY_MAX, "AWS Batch" },
    { "AWS::Batch::SchedulingPolicy",
      { "FairsharePolicy", "ShareDecaySeconds" },
      0,
      LIMIT_SHARE_DECAY_SECONDS_MAX,
      "AWS Batch" },
    { "AWS::Batch::SchedulingPolicy",
      { "FairsharePolicy", "ComputeReservation" },
      0,
      LIMIT_SHARE_RESERVATION_MAX,
      "AWS Batch" },
    { "AWS::EC2::LaunchTemplate",
      { "LaunchTemplateData", "MetadataOptions", "HttpPutResponseHopLimit" },
      LIMIT_IMDS_HOPS_MIN,
      LIMIT_IMDS_HOPS_MAX,
      "EC2" },
};

// False where it is no number that is known.
static bool number_of(const Rules *rules, const Value *value, int64_t *number) {
    if (value == NULL || (value->kind != VALUE_INT && value->kind != VALUE_STRING)) {
        return false;
    }
    const bool is_int = value->kind == VALUE_INT;
    const PlanField field = { .state = FIELD_KNOWN,
                              .text = is_int ? str_format(rules->session->arena, "%" PRId64, value->integer)
                                             : value->string };
    return field_integer(&field, number);
}

static void check_row(const Rules *rules, const PlanResource *resource, const AmountRow *row) {
    const Value *value = NULL;
    const char *name = NULL;
    for (size_t i = 0; i < COUNT_OF(row->path) && row->path[i] != NULL; i++) {
        name = row->path[i];
        value = i == 0 ? resource_property(resource->resource, name) : object_get(value, name);
    }
    int64_t number = 0;
    if (number_of(rules, value, &number) && (number < row->least || number > row->most)) {
        Arena *arena = rules->session->arena;
        rule_outside(rules, resource->subject, value->span, name, str_format(arena, "%" PRId64, number), row->service,
                     str_format(arena, "%" PRId64, row->least), str_format(arena, "%" PRId64, row->most));
    }
}

void rule_amounts_of_resource(const Rules *rules, const PlanResource *resource) {
    for (size_t i = 0; i < COUNT_OF(AMOUNT_ROWS); i++) {
        if (str_is(resource->resource->type, AMOUNT_ROWS[i].type)) {
            check_row(rules, resource, &AMOUNT_ROWS[i]);
        }
    }
}

// ---- volumes ---------------------------------------------------------------------------------------------------

// Of a launch template, of an instance, or the volume itself.
static void check_volume(const Rules *rules, const PlanResource *resource, const Value *size, const Value *type,
                         const char *name) {
    const VolumeRow *row = type == NULL || type->kind != VALUE_STRING ? NULL : volume_row(type->string);
    int64_t gib = 0;
    if (row == NULL || !number_of(rules, size, &gib) || (gib >= row->gib_min && gib <= row->gib_max)) {
        return;
    }
    Arena *arena = rules->session->arena;
    const Str what = str_format(arena, "%s %s volume", row->type[0] == 'i' ? "an" : "a", row->type);
    rule_outside(rules, resource->subject, size->span, name, str_format(arena, "%" PRId64 "GiB", gib),
                 str_c(arena, what), str_format(arena, "%" PRId64 "GiB", row->gib_min),
                 str_format(arena, "%" PRId64 "TiB", row->gib_max / 1024));
}

void rule_volumes_of_resource(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    if (str_is(raw->type, "AWS::EC2::Volume")) {
        check_volume(rules, resource, resource_property(raw, "Size"), resource_property(raw, "VolumeType"), "Size");
    }
    const bool is_instance = str_is(raw->type, "AWS::EC2::Instance");
    if (!is_instance && !str_is(raw->type, "AWS::EC2::LaunchTemplate")) {
        return;
    }
    const Value *disks = is_instance ? resource_property(raw, "BlockDeviceMappings")
                                     : object_get(resource_property(raw, "LaunchTemplateData"), "BlockDeviceMappings");
    for (uint32_t i = 0; i < object_count(disks); i++) {
        const Value *disk = object_get(disks->list.items[i], "Ebs");
        check_volume(rules, resource, object_get(disk, "VolumeSize"), object_get(disk, "VolumeType"), "VolumeSize");
    }
}
