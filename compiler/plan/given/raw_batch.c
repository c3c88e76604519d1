// The view of AWS Batch: compute environments with the launch templates that they use, and the containers of job
// definitions.
#include "compiler/plan/given/raw.h"

// ---- compute environments --------------------------------------------------------------------------------------

static RawLaunchTemplate *find_template(const RawStack *stack, const RawField *id) {
    for (uint32_t i = 0; i < stack->templates.count; i++) {
        const RawLaunchTemplate *template = stack->templates.items[i];
        bool is_named =
            id->state == RAW_KNOWN && template->name.state == RAW_KNOWN && str_equal(id->text, template->name.text);
        if (is_named || raw_refers(id, template->resource)) {
            return (RawLaunchTemplate *)template;
        }
    }
    return NULL;
}

static RawFields read_image_types(const RawStack *stack, const RawMap *resources) {
    RawFields types = { .name = "ImageType" };
    const RawMaps maps = raw_maps(stack, resources, "Ec2Configuration", &types.state, &types.key);
    RawField *items = arena_new_array(stack->arena, RawField, maps.count);
    for (uint32_t i = 0; i < maps.count; i++) {
        if (raw_field(stack, &maps.items[i], "ImageIdOverride").state == RAW_ABSENT) {
            items[types.count++] = raw_field(stack, &maps.items[i], "ImageType");
        }
    }
    types.items = items;
    return types;
}

static void add_environment(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap resources = raw_map(stack, &properties, "ComputeResources");
    const RawMap launch = raw_map(stack, &resources, "LaunchTemplate");
    RawEnvironment *environment = arena_new(stack->arena, RawEnvironment);
    *environment = (RawEnvironment){
        .resource = resource,
        .capacity = raw_field(stack, &resources, "Type"),
        .instance_types = raw_fields(stack, &resources, "InstanceTypes"),
        .placement_group = raw_field(stack, &resources, "PlacementGroup"),
        .subnets = raw_fields(stack, &resources, "Subnets"),
        .image = raw_field(stack, &resources, "ImageId"),
        .image_types = read_image_types(stack, &resources),
        .template_key = launch.key,
        .version = raw_field(stack, &launch, "Version"),
        .template_id = raw_either(stack, &launch, "LaunchTemplateId", "LaunchTemplateName"),
    };
    RawLaunchTemplate *template = find_template(stack, &environment->template_id);
    environment->template = template;
    if (template != NULL) {
        vec_push(stack->arena, &template->users, environment);
    }
    vec_push(stack->arena, &stack->environments, environment);
}

void raw_add_environments(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::Batch::ComputeEnvironment") && !resource->is_changed) {
            add_environment(stack, resource);
        }
    }
}

// ---- job definitions -------------------------------------------------------------------------------------------

// The value of the one item of a list of maps whose `name` is `wanted`; late where the list is.
static RawField pick(const RawStack *stack, const RawMap *map, const char *list, const char *name, const char *wanted,
                     const char *value) {
    RawState state = RAW_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(stack, map, list, &state, &key);
    for (uint32_t i = 0; i < maps.count; i++) {
        const RawField field = raw_field(stack, &maps.items[i], name);
        if (raw_is(&field, wanted)) {
            return raw_field(stack, &maps.items[i], value);
        }
        state = field.state == RAW_LATE ? RAW_LATE : state;
    }
    return (RawField){ .state = state == RAW_LATE ? RAW_LATE : RAW_ABSENT, .name = value };
}

static RawFields read_devices(const RawStack *stack, const RawMap *linux_parameters) {
    RawFields devices = { .name = "Devices" };
    const RawMaps maps = raw_maps(stack, linux_parameters, "Devices", &devices.state, &devices.key);
    RawField *items = arena_new_array(stack->arena, RawField, maps.count);
    for (uint32_t i = 0; i < maps.count; i++) {
        items[i] = raw_field(stack, &maps.items[i], "HostPath");
        devices.state = items[i].state == RAW_LATE ? RAW_LATE : devices.state;
    }
    devices.items = items;
    devices.count = maps.count;
    return devices;
}

static void read_variables(const RawStack *stack, const RawMap *map, RawContainer *container) {
    RawState state = RAW_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(stack, map, "Environment", &state, &key);
    RawVariable *variables = arena_new_array(stack->arena, RawVariable, maps.count);
    for (uint32_t i = 0; i < maps.count; i++) {
        variables[i] = (RawVariable){ .name = raw_field(stack, &maps.items[i], "Name"),
                                      .value = raw_field(stack, &maps.items[i], "Value") };
    }
    container->variables = variables;
    container->variable_count = maps.count;
}

static void add_container(RawStack *stack, const RawResource *resource, const RawMap *map, const RawField *nodes) {
    const RawMap linux_parameters = raw_map(stack, map, "LinuxParameters");
    RawContainer *container = arena_new(stack->arena, RawContainer);
    *container = (RawContainer){
        .resource = resource,
        .is_multi_node = nodes != NULL,
        .key = map->key,
        .instance_type = raw_field(stack, map, "InstanceType"),
        .gpus = pick(stack, map, "ResourceRequirements", "Type", "GPU", "Value"),
        .memory = pick(stack, map, "ResourceRequirements", "Type", "MEMORY", "Value"),
        .linux_parameters = linux_parameters.state,
        .linux_parameters_key = linux_parameters.key,
        .shm = raw_field(stack, &linux_parameters, "SharedMemorySize"),
        .devices = read_devices(stack, &linux_parameters),
        .memlock = pick(stack, map, "Ulimits", "Name", "memlock", "SoftLimit"),
    };
    if (container->memory.state == RAW_ABSENT) {
        container->memory = raw_field(stack, map, "Memory"); // the older way
    }
    if (nodes != NULL) {
        container->nodes = *nodes;
    }
    raw_maps(stack, map, "Ulimits", &container->ulimits, &container->ulimits_key);
    read_variables(stack, map, container);
    vec_push(stack->arena, &stack->containers, container);
}

static void add_definition(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap container = raw_map(stack, &properties, "ContainerProperties");
    const RawMap nodes = raw_map(stack, &properties, "NodeProperties");
    if (container.state == RAW_KNOWN) {
        add_container(stack, resource, &container, NULL);
    }
    RawState state = RAW_ABSENT;
    Span key = SPAN_NONE;
    const RawField count = raw_field(stack, &nodes, "NumNodes");
    const RawMaps ranges = raw_maps(stack, &nodes, "NodeRangeProperties", &state, &key);
    for (uint32_t i = 0; i < ranges.count; i++) {
        const RawMap of_range = raw_map(stack, &ranges.items[i], "Container");
        if (of_range.state == RAW_KNOWN) {
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
