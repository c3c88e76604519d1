// From raw compute environments and job definitions to environments, with the launch templates that they use,
// and to containers.
#include "compiler/plan/raw/raw.h"

#include "compiler/plan/model/group.h"

static const int64_t MIB = 1024 * 1024;

// ---- compute environments --------------------------------------------------------------------------------------

static const ImageRow *image_row(Str type) {
    for (int i = 0; i < IMAGE_ROW_COUNT; i++) {
        if (IMAGE_ROWS[i].image_type != NULL && str_is(type, IMAGE_ROWS[i].image_type)) {
            return &IMAGE_ROWS[i];
        }
    }
    return NULL;
}

// An image of the launch template's is one of the author's own, and of a template of another stack nothing is known.
static void read_images(const RawStack *stack, const RawMap *resources, const RawTemplate *template,
                        PlanEnvironment *environment) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const bool may_be_own = raw_field(stack, resources, "ImageId").state != FIELD_ABSENT ||
                            (template == NULL ? environment->launch_id.state : template->image.state) != FIELD_ABSENT;
    const RawMaps maps = raw_maps(stack, resources, "Ec2Configuration", &state, &key);
    for (uint32_t i = 0; i < maps.count && !may_be_own; i++) {
        const PlanField type = raw_field(stack, &maps.items[i], "ImageType");
        if (raw_field(stack, &maps.items[i], "ImageIdOverride").state == FIELD_ABSENT && type.state == FIELD_KNOWN) {
            const PlanServiceImage image = { .field = type, .row = image_row(type.text) };
            vec_push(stack->arena, &environment->images, image);
        }
    }
}

// The known zones of subnets that this stack makes.
static void read_zones(const RawStack *stack, const RawMap *resources, PlanEnvironment *environment) {
    const PlanFields subnets = raw_fields(stack, resources, "Subnets");
    environment->subnets_key = subnets.key;
    for (uint32_t i = 0; i < subnets.count; i++) {
        const RawResource *resource = subnets.items[i].resource;
        if (resource == NULL || !str_is(resource->type, "AWS::EC2::Subnet") || resource->is_changed) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const PlanField zone = raw_field(stack, &properties, "AvailabilityZone");
        if (zone.state == FIELD_KNOWN) {
            vec_push(stack->arena, &environment->zones, zone);
        }
    }
}

static void read_types(const RawStack *stack, PlanEnvironment *environment) {
    const PlanFields *types = &environment->instance_types;
    for (uint32_t i = 0; i < types->count; i++) {
        const InstanceRow *row = raw_type(stack, &types->items[i]);
        if (row == NULL || types->state != FIELD_KNOWN) {
            environment->types.count = 0;
            return;
        }
        vec_push(stack->arena, &environment->types, (PlanType){ .row = row, .field = types->items[i] });
    }
}

static void add_environment(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap resources = raw_map(&properties, "ComputeResources");
    const RawMap launch = raw_map(&resources, "LaunchTemplate");
    const PlanField id = raw_either(stack, &launch, "LaunchTemplateId", "LaunchTemplateName");
    const PlanField placement = raw_field(stack, &resources, "PlacementGroup");
    RawTemplate *template = raw_find_template(stack, &id);
    PlanEnvironment *environment = arena_new(stack->arena, PlanEnvironment);
    *environment = (PlanEnvironment){
        .form = FORM_RESOURCE,
        .subject = resource->subject,
        .name = resource->name,
        .capacity = raw_field(stack, &resources, "Type"),
        .instance_types = raw_fields(stack, &resources, "InstanceTypes"),
        .launch = template == NULL ? NULL : template->launch,
        .launch_name = template == NULL ? STR_NONE : template->resource->name,
        .launch_key = launch.key,
        .launch_id = id,
        .version = raw_field(stack, &launch, "Version"),
    };
    environment->is_spot = field_is(&environment->capacity, "SPOT");
    environment->wants_one_zone = field_is_there(&placement) || (template != NULL && launch_has_efa(template->launch));
    read_images(stack, &resources, template, environment);
    read_zones(stack, &resources, environment);
    read_types(stack, environment);
    if (template != NULL) {
        vec_push(stack->arena, &template->users, environment);
        raw_add_placement_group(stack, template->launch, &placement);
    }
    vec_push(stack->arena, &stack->environments, environment);
    vec_push(stack->arena, &stack->parts.environments, environment);
}

static void add_type(const RawStack *stack, PlanLaunch *launch, const PlanField *field) {
    const InstanceRow *row = raw_type(stack, field);
    launch->has_other_types = launch->has_other_types || row == NULL;
    if (row != NULL) {
        vec_push(stack->arena, &launch->types, (PlanType){ .row = row, .field = *field });
    }
}

// The types that it is used with: those of the environments that use it, which Batch takes, else its own.
static void complete_template(const RawStack *stack, const RawTemplate *template) {
    for (uint32_t i = 0; i < template->users.count; i++) {
        const PlanFields *types = &template->users.items[i]->instance_types;
        for (uint32_t k = 0; k < types->count; k++) {
            add_type(stack, template->launch, &types->items[k]);
        }
    }
    if (template->users.count == 0) {
        add_type(stack, template->launch, &template->instance_type);
    } else {
        template->launch->user_key = template->users.items[0]->launch_key;
    }
}

void raw_add_environments(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::Batch::ComputeEnvironment") && !resource->is_changed) {
            add_environment(stack, resource);
        }
    }
    for (uint32_t i = 0; i < stack->templates.count; i++) {
        complete_template(stack, stack->templates.items[i]);
    }
}

// ---- the nodes of a container ----------------------------------------------------------------------------------

static bool has_type(const PlanEnvironment *environment, const PlanField *type) {
    for (uint32_t i = 0; i < environment->instance_types.count; i++) {
        const PlanField *item = &environment->instance_types.items[i];
        if (type->state == FIELD_KNOWN && item->state == FIELD_KNOWN && str_equal(item->text, type->text)) {
            return true;
        }
    }
    return false;
}

// EFA interfaces of the nodes: those in the stack's launch templates, else those that the type has. -1: not known.
static int count_efa(const RawStack *stack, const PlanContainer *container) {
    int count = -1;
    bool is_said = false;
    for (uint32_t i = 0; i < stack->environments.count; i++) {
        const PlanEnvironment *environment = stack->environments.items[i];
        if (has_type(environment, &container->instance_type)) {
            int of_template = environment->launch == NULL ? -1 : launch_efa_count(environment->launch);
            count = is_said && of_template != count ? -1 : of_template;
            is_said = true;
        }
    }
    return is_said || container->row == NULL ? count : nics_efa_all(container->row, LAYOUT_MIN_IP);
}

// Without a type, any group of the cluster may run it: then all of them have EFA, and no environment is raw.
static void add_groups(const RawStack *stack, PlanContainer *container) {
    const PlanCluster *cluster = stack->cluster;
    bool have_all_efa = cluster != NULL && stack->environments.count == 0;
    for (uint32_t i = 0; have_all_efa && i < cluster->nodes.count; i++) {
        have_all_efa = cluster->nodes.items[i]->fabric.efa_count > 0;
    }
    for (uint32_t i = 0; have_all_efa && i < cluster->nodes.count; i++) {
        vec_push(stack->arena, &container->efa_nodes, plan_efa_nodes(cluster->nodes.items[i]));
    }
}

static void add_efa_nodes(const RawStack *stack, PlanContainer *container) {
    const PlanField *type = &container->instance_type;
    if (!container->is_multi_node) {
        return;
    }
    if (type->state == FIELD_ABSENT) {
        add_groups(stack, container);
    } else if (container->row != NULL && container->efa_count > 0) {
        const PlanEfaNodes place = { .row = container->row, .efa_count = container->efa_count, .span = type->span };
        vec_push(stack->arena, &container->efa_nodes, place);
    }
}

// A definition names no queue. Where every environment of the stack is on Spot, and one of them has the type that the
// nodes must be, there is nothing here that could run it.
static void add_to_spot(const RawStack *stack, const PlanContainer *container) {
    PlanEnvironment *spot = NULL;
    for (uint32_t i = 0; i < stack->environments.count; i++) {
        PlanEnvironment *environment = stack->environments.items[i];
        if (!environment->is_spot) {
            return;
        }
        spot = has_type(environment, &container->instance_type) ? environment : spot;
    }
    if (spot != NULL) {
        vec_push(stack->arena, &spot->jobs, container);
    }
}

// ---- job definitions -------------------------------------------------------------------------------------------

// The value of the one item of a list of maps whose `name` is `wanted`; late where the list is.
static PlanField pick(const RawStack *stack, const RawMap *map, const char *list, const char *name, const char *wanted,
                      const char *value) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(stack, map, list, &state, &key);
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanField field = raw_field(stack, &maps.items[i], name);
        if (field_is(&field, wanted)) {
            return raw_field(stack, &maps.items[i], value);
        }
        state = field.state == FIELD_LATE ? FIELD_LATE : state;
    }
    return (PlanField){ .state = state == FIELD_LATE ? FIELD_LATE : FIELD_ABSENT, .name = value };
}

static Span or_span(Span span, Span otherwise) {
    return span_is_none(span) ? otherwise : span;
}

static void read_devices(const RawStack *stack, const RawMap *parameters, PlanContainer *container) {
    PlanField *devices = &container->devices;
    const RawMaps maps = raw_maps(stack, parameters, "Devices", &devices->state, &devices->key);
    devices->name = "Devices";
    devices->span = or_span(devices->key, or_span(parameters->key, container->key));
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanField path = raw_field(stack, &maps.items[i], "HostPath");
        devices->state = path.state == FIELD_LATE ? FIELD_LATE : devices->state;
        container->efa_devices += str_starts_with(path.text, STR("/dev/infiniband/uverbs"));
    }
}

// `older` is a property that said it once.
static PlanField read_requirement(const RawStack *stack, const RawMap *map, const char *type, const char *older) {
    const PlanField field = pick(stack, map, "ResourceRequirements", "Type", type, "Value");
    return field.state == FIELD_ABSENT && older != NULL ? raw_field(stack, map, older) : field;
}

static void read_memory(const RawStack *stack, const RawMap *map, PlanContainer *container) {
    container->memory = read_requirement(stack, map, "MEMORY", "Memory");
    const int64_t mib = field_number(&container->memory, -1);
    container->memory_bytes = mib < 0 ? -1 : mib * MIB;
}

static void read_shm(const RawStack *stack, const RawMap *parameters, PlanContainer *container) {
    PlanField *shm = &container->shm;
    *shm = raw_field(stack, parameters, "SharedMemorySize");
    const int64_t mib = field_number(shm, LIMIT_DOCKER_SHM_MIB);
    container->shm_bytes = mib < 0 ? -1 : mib * MIB;
    if (shm->state == FIELD_ABSENT) {
        shm->span = or_span(parameters->key, container->key);
    }
}

static void read_memlock(const RawStack *stack, const RawMap *map, PlanContainer *container) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    raw_maps(stack, map, "Ulimits", &state, &key);
    container->memlock = pick(stack, map, "Ulimits", "Name", "memlock", "SoftLimit");
    if (container->memlock.state == FIELD_ABSENT) {
        container->memlock.span = or_span(key, container->key);
    }
}

static void read_variables(const RawStack *stack, const RawMap *map, PlanContainer *container) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(stack, map, "Environment", &state, &key);
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanVariable variable = { .name = raw_field(stack, &maps.items[i], "Name"),
                                        .value = raw_field(stack, &maps.items[i], "Value") };
        if (variable.name.state == FIELD_KNOWN && variable.value.state == FIELD_KNOWN) {
            vec_push(stack->arena, &container->variables, variable);
        }
    }
}

static void add_container(RawStack *stack, const RawResource *resource, const RawMap *map, const PlanField *nodes) {
    const RawMap parameters = raw_map(map, "LinuxParameters");
    PlanContainer *container = arena_new(stack->arena, PlanContainer);
    *container = (PlanContainer){
        .form = FORM_RESOURCE,
        .subject = resource->subject,
        .name = resource->name,
        .is_multi_node = nodes != NULL,
        .instance_type = raw_field(stack, map, "InstanceType"),
        .key = map->key,
        .vcpus = read_requirement(stack, map, "VCPU", "Vcpus"),
        .gpus = read_requirement(stack, map, "GPU", NULL),
    };
    if (nodes != NULL) {
        container->nodes = *nodes;
    }
    container->row = raw_type(stack, &container->instance_type);
    container->efa_count = count_efa(stack, container);
    read_memory(stack, map, container);
    read_shm(stack, &parameters, container);
    read_devices(stack, &parameters, container);
    read_memlock(stack, map, container);
    read_variables(stack, map, container);
    add_efa_nodes(stack, container);
    add_to_spot(stack, container);
    vec_push(stack->arena, &stack->parts.containers, container);
}

static void add_definition(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap container = raw_map(&properties, "ContainerProperties");
    const RawMap nodes = raw_map(&properties, "NodeProperties");
    if (container.state == FIELD_KNOWN) {
        add_container(stack, resource, &container, NULL);
    }
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const PlanField count = raw_field(stack, &nodes, "NumNodes");
    const RawMaps ranges = raw_maps(stack, &nodes, "NodeRangeProperties", &state, &key);
    for (uint32_t i = 0; i < ranges.count; i++) {
        const RawMap of_range = raw_map(&ranges.items[i], "Container");
        if (of_range.state == FIELD_KNOWN) {
            add_container(stack, resource, &of_range, &count);
        }
    }
}

void raw_add_containers(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::Batch::JobDefinition") && !resource->is_changed) {
            add_definition(stack, resource);
        }
    }
}
