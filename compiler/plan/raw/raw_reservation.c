// Reservations of capacity that the stack makes itself.
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
