// Questions about a group of nodes: each has its one answer here.
#include "compiler/plan/model/plan_group.h"

#include "compiler/plan/model/gpu_sharing.h"
#include "schema/names.h"
#include "schema/pod_devices.h"

int64_t group_most(const PlanGroup *group) {
    return field_number(&group->most, -1);
}

const PlanType *group_type_for_efa(const PlanGroup *group) {
    if (group->job_row == NULL) {
        return types_for_efa(&group->types, group->has_other_types);
    }
    for (uint32_t i = 0; i < group->types.count; i++) {
        if (group->types.items[i].row == group->job_row && nics_efa_is_the_point(group->job_row)) {
            return &group->types.items[i];
        }
    }
    return NULL;
}

int group_efa_most(const PlanGroup *group, const InstanceRow *row) {
    return group->form == GROUP_DECLARED ? nics_efa_all(row, group->launch->layout) : row->efa_max;
}

static bool has_efa_type(const PlanTypes *types) {
    bool has_one = types->count == 0;
    for (uint32_t i = 0; i < types->count; i++) {
        has_one = has_one || types->items[i].row->efa_max != 0;
    }
    return has_one;
}

const PlanPlacementGroup *group_placement(const PlanGroup *group, uint32_t i) {
    const uint32_t of_launch = group->launch->placement_groups.count;
    return i < of_launch                             ? &group->launch->placement_groups.items[i]
           : i - of_launch < group->placements.count ? &group->placements.items[i - of_launch]
                                                     : NULL;
}

const PlanPurchase *group_spot(const PlanGroup *group) {
    for (uint32_t i = 0; i < group->purchases.count; i++) {
        if (group->purchases.items[i].kind == CAPACITY_SPOT) {
            return &group->purchases.items[i];
        }
    }
    return NULL;
}

bool group_wants_one_zone(const PlanGroup *group) {
    bool is_close = group->placements.count > 0;
    for (uint32_t i = 0; i < group->launch->placement_groups.count; i++) {
        is_close = is_close || group->launch->placement_groups.items[i].is_cluster;
    }
    const bool has_efa = group->has_efa == ANSWER_YES && has_efa_type(&group->types);
    return (has_efa || is_close) && group_most(group) != 1;
}

bool group_owns(const PlanGroup *group, Span place) {
    return group->form == GROUP_DECLARED || (!span_is_none(place) && span_holds(group->whole, place));
}

const Subject *group_subject_at(const PlanGroup *group, Span span) {
    const bool is_in_launch = !span_is_none(group->launch_whole) && span_holds(group->launch_whole, span);
    return is_in_launch ? group->launch->subject : group->subject;
}

const PlanTypes *group_image_types(const PlanGroup *group) {
    return group->form == GROUP_KARPENTER ? &group->of_image : &group->types;
}

bool group_takes_pods(const PlanGroup *group) {
    return group->form == GROUP_EKS || group->form == GROUP_EKSCTL;
}

bool group_shares_gpus(const PlanGroup *group) {
    return labels_share_gpus(group->labels);
}

const Value *group_label(const PlanGroup *group, Str key) {
    return group->labels != NULL && group->labels->kind == VALUE_MAP ? value_find(group->labels, key) : NULL;
}

bool group_is_pool(const PlanGroup *group) {
    return group->form == GROUP_KARPENTER && group->requirements != NULL;
}

static GroupRoom room_unknown(void) {
    return (GroupRoom){ .room = -1, .has = -1, .place = SPAN_NONE };
}

static GroupRoom room_of_type(const PlanGroup *group, const PlanType *type, const char *name) {
    const PodDevice *device = pod_device(str_of(name));
    const bool is_efa = device != NULL && device->accelerator == ACCELERATOR_NONE;
    GroupRoom room = { .has = node_amount(type->row, name), .type = type, .place = type->field.span };
    room.room = node_room(type->row, name, group->keeps);
    if (is_efa && group->efa_of_pods >= 0) {
        room.has = group->efa_of_pods;
        room.room = room.has;
        room.place = group->efa.state == FIELD_ABSENT ? room.place : group->efa.span;
    }
    return room;
}

// Of huge pages, which a node has where its image reserves some.
static GroupRoom room_of_pages(const PlanGroup *group) {
    const bool has_none = group->has_no_pages && group->types.count > 0;
    const PlanType *type = &group->types.items[0];
    return has_none ? (GroupRoom){ .type = type, .place = type->field.span } : room_unknown();
}

static GroupRoom room_of_storage(const PlanGroup *group) {
    const PlanNodeStorage *storage = group->storage;
    return storage == NULL ? room_unknown()
                           : (GroupRoom){ .room = storage->room, .has = storage->bytes, .place = storage->span };
}

GroupRoom group_room(const PlanGroup *group, const char *name) {
    const PodDevice *device = pod_device(str_of(name));
    const bool is_nvidia = device != NULL && device->accelerator == ACCELERATOR_NVIDIA;
    const bool is_shared = is_nvidia && (group->has_other_plugins || group_shares_gpus(group));
    if (str_starts_with(str_of(name), STR("hugepages-"))) {
        return room_of_pages(group);
    }
    if (str_is(str_of(name), "ephemeral-storage")) {
        return room_of_storage(group);
    }
    GroupRoom most = room_unknown();
    for (uint32_t i = 0; i < group->types.count; i++) {
        const GroupRoom room = room_of_type(group, &group->types.items[i], name);
        if (group->has_other_types || room.room < 0 || (is_shared && room.room > 0)) {
            return room_unknown();
        }
        most = room.room > most.room ? room : most;
    }
    return most;
}

static PlanAnswer efa_of(const PlanLaunch *launch) {
    return launch->efa.is_wanted                    ? ANSWER_YES
           : launch->interfaces_state == FIELD_LATE ? ANSWER_MAYBE
           : launch_efa_count(launch) == 0          ? ANSWER_NO
                                                    : ANSWER_MAYBE;
}

PlanGroup group_of_launch(PlanGroupForm form, const PlanLaunch *launch) {
    const int64_t addresses = launch_address_count(launch);
    PlanGroup group = { .form = form,
                        .whole = SPAN_NONE,
                        .subject = launch->subject,
                        .launch = launch,
                        .launch_whole = SPAN_NONE,
                        .types = launch->types,
                        .has_other_types = launch->has_other_types,
                        .purchases = launch->purchases,
                        .region = launch->region,
                        .region_span = launch->region_span,
                        .efa = launch->efa.field,
                        .has_efa = efa_of(launch),
                        .subnets = { .key = SPAN_NONE,
                                     .free_addresses = -1,
                                     .blocks = SPAN_NONE,
                                     .public_span = SPAN_NONE,
                                     .network_zones = SPAN_NONE },
                        .addresses = addresses > 0 ? addresses : 0,
                        .interfaces = (int)launch->interface_count,
                        .span_of_interfaces = launch->interfaces_key,
                        .keeps = KEEPS_KUBELET,
                        .efa_of_pods = -1,
                        .works_together = ANSWER_MAYBE };
    return group;
}
