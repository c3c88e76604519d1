// Reservations of capacity that the stack makes itself, and the groups whose launch template names them.
#include "compiler/plan/raw/raw.h"

const PlanReserved *raw_reserved(const RawStack *stack, const RawMap *data) {
    const RawMap specification = raw_map(data, "CapacityReservationSpecification");
    const RawMap target = raw_map(&specification, "CapacityReservationTarget");
    const PlanField id = raw_field(stack, &target, "CapacityReservationId");
    const RawResource *resource = id.resource;
    if (resource == NULL || !str_is(resource->type, "AWS::EC2::CapacityReservation") || resource->is_changed) {
        return NULL;
    }
    const RawMap properties = raw_properties(resource);
    PlanReserved *reserved = arena_new(stack->arena, PlanReserved);
    *reserved = (PlanReserved){ .name = resource->name,
                                .type = raw_field(stack, &properties, "InstanceType"),
                                .zone = raw_field(stack, &properties, "AvailabilityZone"),
                                .count = raw_field(stack, &properties, "InstanceCount") };
    return reserved;
}

// ---- groups ----------------------------------------------------------------------------------------------------

typedef struct {
    const char *type;
    const char *settings; // the property that the others stand in; NULL: the resource itself
    const char *template_id;
    const char *template_name;
    const char *subnets;
    const char *scaling; // the property that `least` stands in; NULL: where the others do
    const char *least;
    bool is_vcpus;
} TakerRow;

static const TakerRow TAKER_ROWS[] = {
    { "AWS::Batch::ComputeEnvironment", "ComputeResources", "LaunchTemplateId", "LaunchTemplateName", "Subnets", NULL,
      "MinvCpus", true },
    { "AWS::EKS::Nodegroup", NULL, "Id", "Name", "Subnets", "ScalingConfig", "MinSize", false },
    { "AWS::AutoScaling::AutoScalingGroup", NULL, "LaunchTemplateId", "LaunchTemplateName", "VPCZoneIdentifier", NULL,
      "MinSize", false },
};

static void read_zones(const RawStack *stack, const RawMap *settings, const char *name, PlanTaker *taker) {
    const PlanFields subnets = raw_fields(stack, settings, name);
    bool are_known = subnets.state == FIELD_KNOWN;
    taker->zones_key = subnets.key;
    for (uint32_t i = 0; are_known && i < subnets.count; i++) {
        const RawResource *subnet = subnets.items[i].resource;
        PlanField zone = { .state = FIELD_LATE };
        if (subnet != NULL && str_is(subnet->type, "AWS::EC2::Subnet") && !subnet->is_changed) {
            const RawMap properties = raw_properties(subnet);
            zone = raw_field(stack, &properties, "AvailabilityZone");
        }
        are_known = zone.state == FIELD_KNOWN;
        vec_push(stack->arena, &taker->zones, zone);
    }
    taker->zones.count = are_known ? taker->zones.count : 0;
}

// Instances are counted in vCPUs by AWS Batch.
static PlanField least_of(const RawStack *stack, const RawMap *scaling, const TakerRow *row,
                          const PlanReserved *reserved) {
    PlanField least = raw_field(stack, scaling, row->least);
    const InstanceRow *type = raw_type(stack, &reserved->type);
    const int64_t vcpus = row->is_vcpus ? field_number(&least, -1) : -1;
    if (row->is_vcpus) {
        const bool is_known = vcpus >= 0 && type != NULL && type->vcpus > 0;
        least.state = is_known ? FIELD_KNOWN : FIELD_LATE;
        least.text = is_known ? str_format(stack->arena, "%" PRId64, vcpus / type->vcpus) : STR_NONE;
    }
    return least;
}

static void add_taker(const RawStack *stack, const RawResource *resource, const TakerRow *row) {
    const RawMap properties = raw_properties(resource);
    const RawMap settings = row->settings == NULL ? properties : raw_map(&properties, row->settings);
    const RawMap scaling = row->scaling == NULL ? settings : raw_map(&settings, row->scaling);
    const RawMap launch = raw_map(&settings, "LaunchTemplate");
    const PlanField id = raw_either(stack, &launch, row->template_id, row->template_name);
    const RawTemplate *template = raw_find_template(stack, &id);
    const PlanReserved *reserved = template == NULL ? NULL : template->launch->reserved;
    if (reserved != NULL) {
        PlanTaker taker = { .name = resource->name, .least = least_of(stack, &scaling, row, reserved) };
        read_zones(stack, &settings, row->subnets, &taker);
        vec_push(stack->arena, &template->launch->takers, taker);
    }
}

// An Auto Scaling group may launch a template as other types than its own.
static void read_overrides(const RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap policy = raw_map(&properties, "MixedInstancesPolicy");
    const RawMap launch = raw_map(&policy, "LaunchTemplate");
    const RawMap specification = raw_map(&launch, "LaunchTemplateSpecification");
    const PlanField id = raw_either(stack, &specification, "LaunchTemplateId", "LaunchTemplateName");
    const RawTemplate *template = raw_find_template(stack, &id);
    if (template != NULL && raw_presence(&launch, "Overrides").state != FIELD_ABSENT) {
        template->launch->has_other_types = template->launch->types.count == 0;
    }
}

void raw_add_takers(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::AutoScaling::AutoScalingGroup") && !resource->is_changed) {
            read_overrides(stack, resource);
        }
        for (size_t k = 0; k < COUNT_OF(TAKER_ROWS) && !resource->is_changed; k++) {
            if (str_is(resource->type, TAKER_ROWS[k].type)) {
                add_taker(stack, resource, &TAKER_ROWS[k]);
            }
        }
    }
}
