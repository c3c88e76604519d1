// From raw job definitions to containers.
#include "compiler/plan/raw/raw.h"

static const int64_t MIB = 1024 * 1024;

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

// The number in `/dev/infiniband/uverbs3`; -1: the path is none of EFA.
static int64_t efa_number(const PlanField *path) {
    const Str start = STR("/dev/infiniband/uverbs");
    const PlanField number = field_known("HostPath", path->span, str_slice(path->text, start.len, path->text.len));
    return str_starts_with(path->text, start) ? field_number(&number, -1) : -1;
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
        if (efa_number(&path) > efa_number(&container->last_device)) {
            container->last_device = path;
        }
    }
}

// How many Neuron devices a container is given one by one; 0 where it may have all of its node. A runtime with a hook of
// Neuron gives what a variable says: AWS Neuron documentation, Docker environment setup, OCI hook, read 2026-11.
static int count_neuron_devices(const RawStack *stack, const RawMap *map, const PlanContainer *container) {
    const RawMap parameters = raw_map(map, "LinuxParameters");
    const PlanField privileged = raw_field(stack, map, "Privileged");
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(stack, &parameters, "Devices", &state, &key);
    bool may_have_all =
        container->devices.state == FIELD_LATE || (privileged.state != FIELD_ABSENT && !field_is(&privileged, "false"));
    for (uint32_t i = 0; i < container->variables.count; i++) {
        may_have_all = may_have_all || field_is(&container->variables.items[i].name, "AWS_NEURON_VISIBLE_DEVICES");
    }
    int count = 0;
    for (uint32_t i = 0; i < maps.count; i++) {
        const PlanField path = raw_field(stack, &maps.items[i], "HostPath");
        count += str_starts_with(path.text, STR("/dev/neuron")) ? 1 : 0;
    }
    return may_have_all ? 0 : count;
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

static PlanField last_of(const RawStack *stack, const RawMap *map, const char *outer, const char *name) {
    const RawMap inner = raw_map(map, outer);
    return raw_field(stack, &inner, name);
}

// Those whose names and values are known.
static void read_variables(const RawStack *stack, const RawMap *map, PlanContainer *container) {
    static const char *const LISTS[] = { "Environment", "Secrets" };
    static const char *const VALUES[] = { "Value", "ValueFrom" };
    for (size_t list = 0; list < COUNT_OF(LISTS); list++) {
        FieldState state = FIELD_ABSENT;
        Span key = SPAN_NONE;
        const RawMaps maps = raw_maps(stack, map, LISTS[list], &state, &key);
        for (uint32_t i = 0; i < maps.count; i++) {
            const PlanVariable variable = { .name = raw_field(stack, &maps.items[i], "Name"),
                                            .value = raw_field(stack, &maps.items[i], VALUES[list]) };
            const bool is_secret = list == 1 && variable.value.state != FIELD_ABSENT;
            if (variable.name.state == FIELD_KNOWN && is_secret) {
                vec_push(stack->arena, &container->secrets, variable);
            } else if (variable.name.state == FIELD_KNOWN && variable.value.state == FIELD_KNOWN) {
                vec_push(stack->arena, &container->variables, variable);
            }
        }
    }
}

// ---- definitions ---------------------------------------------------------------------------------------------------

typedef struct {
    const RawResource *resource;
    RawMap properties;
    const PlanField *nodes; // NULL: it is no job of several nodes
    int64_t alike;          // then: the nodes of this range; 0: not known
    bool is_serverless;     // Fargate
} Definition;

static void add_container(RawStack *stack, const Definition *definition, const RawMap *map) {
    const RawMap parameters = raw_map(map, "LinuxParameters");
    PlanContainer *container = arena_new(stack->arena, PlanContainer);
    *container = (PlanContainer){
        .form = FORM_RESOURCE,
        .subject = definition->resource->subject,
        .name = definition->resource->name,
        .is_multi_node = definition->nodes != NULL,
        .instance_type = raw_field(stack, map, "InstanceType"),
        .key = map->key,
        .vcpus = read_requirement(stack, map, "VCPU", "Vcpus"),
        .gpus = read_requirement(stack, map, "GPU", NULL),
        .image = raw_field(stack, map, "Image"),
        .user = raw_field(stack, map, "User"),
        .command = raw_fields(stack, map, "Command"),
        .attempts = last_of(stack, &definition->properties, "RetryStrategy", "Attempts"),
        .log_driver = raw_field_at(stack, map, "LogConfiguration.LogDriver"),
        .timeout = last_of(stack, &definition->properties, "Timeout", "AttemptDurationSeconds"),
    };
    if (definition->nodes != NULL) {
        container->nodes = *definition->nodes;
        container->alike = definition->alike;
    }
    container->row = raw_type(stack, &container->instance_type);
    container->efa_most = container->row == NULL ? -1 : container->row->efa_max;
    read_memory(stack, map, container);
    read_shm(stack, &parameters, container);
    read_devices(stack, &parameters, container);
    read_memlock(stack, map, container);
    read_variables(stack, map, container);
    vec_push(stack->arena, &stack->containers,
             ((RawContainer){ .container = container,
                              .neuron_devices = count_neuron_devices(stack, map, container),
                              .is_serverless = definition->is_serverless }));
}

static bool names_fargate(const RawStack *stack, const RawMap *properties) {
    const PlanFields platforms = raw_fields(stack, properties, "PlatformCapabilities");
    bool is_named = platforms.state == FIELD_LATE;
    for (uint32_t i = 0; i < platforms.count; i++) {
        is_named = is_named || !field_is(&platforms.items[i], "EC2");
    }
    return is_named;
}

// The number in a text; `otherwise` where it is empty, -1 where it is none.
static int64_t index_of(Str text, int64_t otherwise) {
    enum { DIGITS_MAX = 4 };
    int64_t number = text.len > DIGITS_MAX ? -1 : 0;
    for (size_t i = 0; i < text.len && number >= 0; i++) {
        number = char_is_digit(text.data[i]) ? number * 10 + (text.data[i] - '0') : -1;
    }
    return text.len == 0 ? otherwise : number;
}

// How many nodes a range such as `0:3`, `:3` or `1:` has; 0: not known.
// source: AWS Batch API Reference, NodeRangeProperty, targetNodes, read 2026-11
static int64_t nodes_of_range(const PlanField *range, const PlanField *count) {
    const int64_t nodes = field_number(count, 0);
    const size_t colon = str_find(range->text, STR(":"), 0);
    if (range->state != FIELD_KNOWN || nodes < 1) {
        return 0;
    }
    const int64_t first = index_of(str_slice(range->text, 0, colon), 0);
    const Str rest = str_slice(range->text, colon + 1, range->text.len);
    const int64_t last = colon == range->text.len ? first : index_of(rest, nodes - 1);
    return first < 0 || last < first || last >= nodes ? 0 : last - first + 1;
}

static void add_definition(RawStack *stack, const RawResource *resource) {
    Definition definition = { .resource = resource, .properties = raw_properties(resource) };
    const RawMap container = raw_map(&definition.properties, "ContainerProperties");
    const RawMap nodes = raw_map(&definition.properties, "NodeProperties");
    definition.is_serverless = names_fargate(stack, &definition.properties);
    if (container.state == FIELD_KNOWN) {
        add_container(stack, &definition, &container);
    }
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const PlanField count = raw_field(stack, &nodes, "NumNodes");
    const RawMaps ranges = raw_maps(stack, &nodes, "NodeRangeProperties", &state, &key);
    definition.nodes = &count;
    for (uint32_t i = 0; i < ranges.count; i++) {
        const RawMap of_range = raw_map(&ranges.items[i], "Container");
        const PlanField target = raw_field(stack, &ranges.items[i], "TargetNodes");
        definition.alike = nodes_of_range(&target, &count);
        if (of_range.state == FIELD_KNOWN) {
            add_container(stack, &definition, &of_range);
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
