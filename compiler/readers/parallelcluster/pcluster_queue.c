// Queues of Slurm, and their compute resources: how their instances are launched.
#include "compiler/readers/parallelcluster/pcluster.h"

#include "schema/instances.h"

// A queue that is being read, and what its compute resources take from it.
typedef struct {
    PlanConfigurationQueue *queue;
    RawMap target; // CapacityReservationTarget
    RawMap group;  // PlacementGroup
} Queue;

// ---- types -----------------------------------------------------------------------------------------------------

static void add_type(const PclusterRead *read, PlanLaunch *launch, const PlanField *type) {
    const InstanceRow *row = raw_type(read->stack, type);
    if (row != NULL) {
        vec_push(read->stack->arena, &launch->types, (PlanType){ .row = row, .field = *type });
    } else if (type->state != FIELD_ABSENT) {
        launch->has_other_types = true;
    }
}

// One InstanceType, or a list of Instances.
static void read_types(const PclusterRead *read, const RawMap *resource, PlanPclusterGroup *own, PlanLaunch *launch) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(read->stack, resource, "Instances", &state, &key);
    own->type = raw_field(read->stack, resource, "InstanceType");
    add_type(read, launch, &own->type);
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanField item = raw_field(read->stack, &maps.items[i], "InstanceType");
        add_type(read, launch, &item);
    }
    launch->has_other_types = launch->has_other_types || state == FIELD_LATE;
}

// ---- capacity --------------------------------------------------------------------------------------------------

// `${RESERVATION}`, for envsubst: the tool takes no empty id.
static bool is_variable(const PclusterRead *read, const PlanField *id) {
    const Str written = source_text(read->stack->session, id->span);
    return id->state == FIELD_LATE && (str_starts_with(written, STR("${")) || str_starts_with(written, STR("\"${")));
}

// What a compute resource says of a reservation takes the place of what its queue says.
static void read_capacity(const PclusterRead *read, const Queue *queue, const RawMap *resource, PlanLaunch *launch) {
    const RawMap own = raw_map(resource, "CapacityReservationTarget");
    const RawMap *target = own.state == FIELD_ABSENT ? &queue->target : &own;
    const PlanField *type = &queue->queue->capacity;
    const PlanField id = raw_field(read->stack, target, "CapacityReservationId");
    const PlanField group = raw_field(read->stack, target, "CapacityReservationResourceGroupArn");
    PlanReservation *source = &launch->reservation;
    *source = (PlanReservation){ .is_block = field_is(type, "CAPACITY_BLOCK"), .field = *type, .group = group };
    source->has_target = target->state == FIELD_LATE || id.state != FIELD_ABSENT || group.state != FIELD_ABSENT;
    source->takes_named = !source->is_block;
    const bool has_id = id.state == FIELD_KNOWN || is_variable(read, &id);
    source->is_reserved = has_id || group.state == FIELD_KNOWN;
    if (!source->is_block && source->is_reserved) {
        source->field = has_id ? id : group;
        source->field.text = STR("reservation");
    }
    PlanPurchase purchase = { .kind = CAPACITY_ON_DEMAND, .word = STR("ONDEMAND"), .field = *type };
    if (type->state == FIELD_ABSENT) {
        purchase.field.span = launch->subject->name_span;
    }
    if (field_is(type, "SPOT")) {
        purchase.kind = CAPACITY_SPOT;
        purchase.word = STR("SPOT");
    } else if (source->is_block) {
        purchase.kind = CAPACITY_BLOCK;
        purchase.word = STR("CAPACITY_BLOCK");
    } else if (source->has_target) {
        purchase.kind = CAPACITY_RESERVATION;
    }
    if (type->state != FIELD_LATE) {
        vec_push(read->stack->arena, &launch->purchases, purchase);
    }
}

// ---- placement groups ------------------------------------------------------------------------------------------

// A group is there where it is enabled, or named. What a compute resource says takes the place of what its queue says.
static void read_placement(const PclusterRead *read, const Queue *queue, const RawMap *resource, PlanPclusterGroup *own,
                           PlanLaunch *launch) {
    const RawMap networking = raw_map(resource, "Networking");
    const RawMap written = raw_map(&networking, "PlacementGroup");
    const RawMap *group = written.state == FIELD_ABSENT ? &queue->group : &written;
    const PlanField enabled = pcluster_switch(read, group, "Enabled");
    const PlanField name = raw_either(read->stack, group, "Name", "Id");
    const bool is_named = name.state != FIELD_ABSENT;
    const PlanField *says = is_named ? &name : &enabled;
    own->placement = *says;
    own->placed = group->state == FIELD_ABSENT                                ? PLACED_NOWHERE
                  : group->state == FIELD_LATE || enabled.state == FIELD_LATE ? PLACED_LATE
                  : field_is(&enabled, "false")                               ? PLACED_FREELY
                  : is_named || enabled.state == FIELD_KNOWN                  ? PLACED_TOGETHER
                                                                              : PLACED_NOWHERE;
    if (own->placed == PLACED_TOGETHER) {
        PlanPlacementGroup placement = { .field = *says, .is_new = !is_named, .is_cluster = !is_named };
        placement.field.name = "PlacementGroup";
        vec_push(read->stack->arena, &launch->placement_groups, placement);
    }
}

// ---- interfaces ------------------------------------------------------------------------------------------------

// ParallelCluster attaches an interface to each network card, with EFA or without.
static void read_interfaces(const PclusterRead *read, const PlanConfigurationQueue *queue, PlanLaunch *launch) {
    const bool is_of_one_type = launch->types.count == 1 && !launch->has_other_types;
    const int cards = is_of_one_type ? launch->types.items[0].row->network_cards : 0;
    if (!field_is(&queue->public_ip, "true") || cards < 2) {
        return;
    }
    PlanInterface *interfaces = arena_new_array(read->stack->arena, PlanInterface, (size_t)cards);
    for (int i = 0; i < cards; i++) {
        interfaces[i] = (PlanInterface){ .span = queue->public_ip.span,
                                         .card = { .state = FIELD_LATE },
                                         .device = { .state = FIELD_LATE },
                                         .card_index = -1,
                                         .device_index = -1,
                                         .type = { .state = FIELD_LATE } };
    }
    interfaces[0].public_ip = queue->public_ip;
    launch->interfaces = interfaces;
    launch->interface_count = (uint32_t)cards;
}

// ---- the group -------------------------------------------------------------------------------------------------

// ParallelCluster's own number where nothing is written: User Guide, ComputeResources, 2026-11.
static PlanField count_of(const PlanField *count, const char *usual) {
    return count->state == FIELD_ABSENT ? field_known(count->name, count->span, str_of(usual)) : *count;
}

static void add_group(const PclusterRead *read, const RawMap *map, const PlanPclusterGroup *own,
                      const PlanLaunch *launch) {
    const PlanField low = pcluster_field(read, map, "MinCount", own->name.span);
    const PlanField most = pcluster_field(read, map, "MaxCount", own->name.span);
    PlanGroup *group = arena_new(read->stack->arena, PlanGroup);
    *group = group_of_launch(GROUP_PCLUSTER, launch);
    group->name = own->name.text;
    group->pcluster = own;
    group->whole = map->span;
    group->low = count_of(&low, "0");
    group->most = count_of(&most, "10");
    group->has_efa = field_answer(&launch->efa.field);
    group->region = read->configuration->region.state == FIELD_KNOWN ? read->configuration->region.text : STR_NONE;
    group->region_span = read->configuration->region.span;
    vec_push(read->stack->arena, &read->configuration->groups, (const PlanGroup *)group);
    vec_push(read->stack->arena, &read->raw->groups, (const PlanGroup *)group);
}

// ---- compute resources -----------------------------------------------------------------------------------------

static void read_resource(PclusterRead *read, Queue *queue, const RawMap *map) {
    const RawMap efa = raw_map(map, "Efa");
    const PlanField name = pcluster_field(read, map, "Name", map->span);
    const PlanField wish = pcluster_switch(read, &efa, "Enabled");
    const Subject *subject = pcluster_section(read, name.span, map->span);
    PlanLaunch *launch = arena_new(read->stack->arena, PlanLaunch);
    PlanPclusterGroup *own = arena_new(read->stack->arena, PlanPclusterGroup);
    *own = (PlanPclusterGroup){ .configuration = read->configuration,
                                .queue = queue->queue,
                                .name = name,
                                .memory = raw_field(read->stack, map, "SchedulableMemory"),
                                .single = pcluster_switch(read, map, "DisableSimultaneousMultithreading") };
    *launch = (PlanLaunch){ .form = FORM_PCLUSTER,
                            .subject = subject,
                            .maker = subject,
                            .layout = LAYOUT_MIN_IP,
                            .efa = { .count = -1, .is_wanted = field_is(&wish, "true"), .field = wish },
                            .interfaces_state = FIELD_LATE,
                            .user_key = SPAN_NONE };
    read_types(read, map, own, launch);
    read_capacity(read, queue, map, launch);
    read_placement(read, queue, map, own, launch);
    read_interfaces(read, queue->queue, launch);
    add_group(read, map, own, launch);
    pcluster_read_settings(read, map, subject, SLURM_NODE);
    queue->queue->resource_count++;
    vec_push(read->stack->arena, &read->raw->launches, (const PlanLaunch *)launch);
}

static void read_queue(PclusterRead *read, const RawMap *map) {
    const RawMap networking = raw_map(map, "Networking");
    const RawMap compute = raw_map(map, "ComputeSettings");
    const RawMap storage = raw_map(&compute, "LocalStorage");
    const RawMap disks = raw_map(&storage, "EphemeralVolume");
    const PlanField name = pcluster_field(read, map, "Name", map->span);
    PlanConfigurationQueue *queue = arena_new(read->stack->arena, PlanConfigurationQueue);
    *queue = (PlanConfigurationQueue){ .subject = pcluster_section(read, name.span, map->span),
                                       .name = name,
                                       .capacity = raw_field(read->stack, map, "CapacityType"),
                                       .subnets = raw_fields(read->stack, &networking, "SubnetIds"),
                                       .public_ip = pcluster_switch(read, &networking, "AssignPublicIp"),
                                       .disks = raw_field(read->stack, &disks, "MountDir"),
                                       .iam = raw_value(map, "Iam", &(Span){ 0 }) };
    const RawMap image = raw_map(map, "Image");
    queue->has_image = value_entry(image.entries, image.count, "CustomAmi") != NULL;
    const RawMap actions = raw_map(map, "CustomActions");
    queue->has_scripts = value_entry(actions.entries, actions.count, "OnNodeStart") != NULL ||
                         value_entry(actions.entries, actions.count, "OnNodeConfigured") != NULL;
    pcluster_read_volume(read, &storage, queue->subject, &image, "the queue");
    pcluster_read_actions(read, map, queue->subject);
    pcluster_read_settings(read, map, queue->subject, SLURM_PARTITION);
    vec_push(read->stack->arena, &read->configuration->queues, (const PlanConfigurationQueue *)queue);
    Queue of = { .queue = queue,
                 .target = raw_map(map, "CapacityReservationTarget"),
                 .group = raw_map(&networking, "PlacementGroup") };
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps resources = raw_maps(read->stack, map, "ComputeResources", &state, &key);
    for (uint32_t i = 0; i < resources.count; i++) {
        read_resource(read, &of, &resources.items[i]);
    }
}

void pcluster_read_queues(PclusterRead *read, const RawMap *scheduling) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps queues = raw_maps(read->stack, scheduling, "SlurmQueues", &state, &key);
    for (uint32_t i = 0; i < queues.count; i++) {
        read_queue(read, &queues.items[i]);
    }
}
