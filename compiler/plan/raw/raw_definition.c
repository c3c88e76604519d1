// From raw job definitions to containers, and to the nodes on which they may run.
#include "compiler/plan/raw/raw.h"

#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/workload.h"

static const int64_t MIB = 1024 * 1024;

// ---- the nodes of a container ----------------------------------------------------------------------------------

static bool has_type(const PlanGroup *group, const PlanField *type) {
    for (uint32_t i = 0; i < group->batch->types.count; i++) {
        const PlanField *item = &group->batch->types.items[i];
        if (type->state == FIELD_KNOWN && item->state == FIELD_KNOWN && str_equal(item->text, type->text)) {
            return true;
        }
    }
    return false;
}

// All of them, and that there are some.
static bool knows_types(const PlanGroup *group) {
    return group->types.count > 0 && !group->has_other_types;
}

// EFA interfaces of the nodes: those in the stack's launch templates, else those that the type has. -1: not known.
static int count_efa(const RawStack *stack, PlanContainer *container) {
    int count = -1;
    bool is_said = false;
    for (uint32_t i = 0; i < stack->of_batch.count; i++) {
        const PlanGroup *group = stack->of_batch.items[i];
        if (has_type(group, &container->instance_type)) {
            const int of_template = launch_efa_count(group->launch);
            count = is_said && of_template != count ? -1 : of_template;
            is_said = true;
            container->efa_of = count == 0 ? group->name : STR_NONE;
            container->efa_span = group->batch->types.key;
        }
    }
    return is_said || container->row == NULL ? count : nics_efa_all(container->row, LAYOUT_MIN_IP);
}

// Without a type, any group of the cluster may run it: then all of them have EFA, and no environment is raw.
static void add_groups(const RawStack *stack, PlanContainer *container) {
    const PlanCluster *cluster = stack->cluster;
    bool have_all_efa = cluster != NULL && stack->of_batch.count == 0;
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

static bool has_queue(const RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        if (str_is(stack->resources.items[i]->type, "AWS::Batch::JobQueue")) {
            return true;
        }
    }
    return false;
}

// A definition names no queue. Where every environment of the stack is on Spot, and one of them has the type that the
// nodes must be, there is nothing here that could run it. Nor is there where only one of the environments has the type.
// Nodes of any type are for the queue that stands beside them.
static void add_to_environment(const RawStack *stack, const PlanContainer *container) {
    if (stack->of_batch.count == 0) {
        return;
    }
    const bool takes_any = container->instance_type.state == FIELD_ABSENT && stack->cluster == NULL && has_queue(stack);
    PlanGroup *last = NULL;
    int count = 0;
    bool are_all_spot = true;
    for (uint32_t i = 0; i < stack->of_batch.count; i++) {
        PlanGroup *group = stack->of_batch.items[i];
        are_all_spot = are_all_spot && group_spot(group) != NULL;
        if (takes_any || has_type(group, &container->instance_type)) {
            last = group;
            count++;
        }
    }
    if (last != NULL && (are_all_spot || (count == 1 && group_spot(last) == NULL))) {
        vec_push(stack->arena, &last->jobs, container);
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

// A type with as many of its devices.
static int cores_of(const InstanceRow *row, int devices) {
    const bool has_cores = row != NULL && row->accelerator == ACCELERATOR_NEURON && row->accelerators > 0;
    const int given = !has_cores ? 0 : devices > 0 && devices < row->accelerators ? devices : row->accelerators;
    return has_cores && row->neuron_cores > 0 ? given * row->neuron_cores : 0;
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

// ---- where it runs, if no type is named ----------------------------------------------------------------------------

static bool is_at_least(const InstanceRow *row, const InstanceRow *other) {
    const bool has_gpus = row->accelerator == ACCELERATOR_NVIDIA;
    const bool has_other_gpus = other->accelerator == ACCELERATOR_NVIDIA;
    return row->vcpus >= other->vcpus && row->memory_mib >= other->memory_mib &&
           (!has_other_gpus || (has_gpus && row->accelerators >= other->accelerators));
}

// The one of several types that has the most of everything; `is_known` is false where there is none.
typedef struct {
    bool is_known;
    PlanType type;      // its row is NULL where there are no types
    int neuron_devices; // that the container is given; 0: all
    int neuron_cores;   // of the type that has the most of them
    int efa;            // interfaces, the same; -1: not known
} Largest;

static void add_to_largest(Largest *largest, const PlanType *type) {
    const bool is_first = largest->type.row == NULL;
    const bool has_all = type->row->memory_mib > 0 && type->row->vcpus > 0;
    const int cores = cores_of(type->row, largest->neuron_devices);
    largest->efa = largest->efa < 0 || type->row->efa_max < 0 ? -1
                   : largest->efa > type->row->efa_max        ? largest->efa
                                                              : type->row->efa_max;
    largest->neuron_cores = cores > largest->neuron_cores ? cores : largest->neuron_cores;
    if (has_all && (is_first || is_at_least(type->row, largest->type.row))) {
        largest->type = *type;
    } else if (!has_all || !is_at_least(largest->type.row, type->row)) {
        largest->is_known = false;
    }
}

static void add_declared(const PlanCluster *cluster, Largest *largest) {
    for (uint32_t i = 0; cluster != NULL && i < cluster->nodes.count; i++) {
        const PlanGroupTypes *types = &cluster->nodes.items[i]->types;
        for (uint32_t k = 0; k < types->count; k++) {
            const Value *name = types->items[k].name;
            const PlanType type = { .row = types->items[k].row,
                                    .field = field_known("instance", name->span, name->string) };
            add_to_largest(largest, &type);
        }
    }
}

// A definition names no queue, so that every environment of the stack may run it. Of all their types one has the most
// of everything: what does not fit there fits nowhere.
static void find_largest(const RawStack *stack, PlanContainer *container, int neuron_devices) {
    Largest largest = { .is_known = true, .neuron_devices = neuron_devices };
    add_declared(stack->cluster, &largest);
    for (uint32_t i = 0; i < stack->of_batch.count; i++) {
        const PlanGroup *group = stack->of_batch.items[i];
        largest.is_known = largest.is_known && knows_types(group); // else one of them may be anything
        for (uint32_t k = 0; k < group->types.count; k++) {
            add_to_largest(&largest, &group->types.items[k]);
        }
    }
    if (largest.is_known && largest.type.row != NULL) {
        container->row = largest.type.row;
        container->instance_type = largest.type.field;
        container->neuron_cores = largest.neuron_cores;
        container->efa_most = largest.efa;
    }
}

static int64_t most_nodes(const PlanGroup *group) {
    const int64_t vcpus = field_number(&group->batch->most_vcpus, -1);
    int64_t least = INT64_MAX;
    for (uint32_t i = 0; i < group->types.count; i++) {
        const int64_t own = group->types.items[i].row->vcpus;
        least = own > 0 && own < least ? own : least;
    }
    return vcpus < 0 || !knows_types(group) ? -1 : vcpus / least;
}

// The most nodes that one environment can have, of all that may run the job; absent where one of them is not known.
static void find_most_nodes(const RawStack *stack, PlanContainer *container) {
    int64_t most = -1;
    for (uint32_t i = 0; i < stack->of_batch.count; i++) {
        const PlanGroup *group = stack->of_batch.items[i];
        const int64_t nodes = most_nodes(group);
        if (nodes < 0) {
            container->most_nodes = (PlanField){ .state = FIELD_ABSENT };
            return;
        }
        const bool may_run =
            container->instance_type.state != FIELD_KNOWN || has_type(group, &container->instance_type);
        if (may_run && nodes > most) {
            most = nodes;
            container->most_nodes = group->batch->most_vcpus;
            container->most_nodes.text = str_format(stack->arena, "%" PRId64, nodes);
            container->most_of = group->name;
        }
    }
}

// Whether a declared group has the type, or may have any; else `*other` is one that it has.
static bool group_has_type(const PlanNodes *group, const PlanField *type, PlanField *other) {
    for (uint32_t i = 0; i < group->types.count; i++) {
        const Value *name = group->types.items[i].name;
        if (str_equal(name->string, type->text)) {
            return true;
        }
        *other = field_known("instance", name->span, name->string);
    }
    return group->types.count == 0;
}

// No environment of the stack has the type of the job, and no group of the cluster beside it.
static void find_other_type(const RawStack *stack, PlanContainer *container) {
    const PlanField *type = &container->instance_type;
    const uint32_t groups = stack->cluster == NULL ? 0 : stack->cluster->nodes.count;
    PlanField other = { .state = FIELD_ABSENT };
    bool has = type->state != FIELD_KNOWN;
    for (uint32_t i = 0; !has && i < groups; i++) {
        has = group_has_type(stack->cluster->nodes.items[i], type, &other);
    }
    for (uint32_t i = 0; !has && i < stack->of_batch.count; i++) {
        const PlanGroup *group = stack->of_batch.items[i];
        has = !knows_types(group) || has_type(group, type);
        other = has ? other : group->types.items[0].field;
    }
    if (!has) {
        container->other_type = other;
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

// What of it is asked of any container.
static void add_workload(RawStack *stack, const PlanContainer *container) {
    PlanWorkload *workload = arena_new(stack->arena, PlanWorkload);
    const PlanField *gpus = &container->gpus;
    *workload = (PlanWorkload){
        .subject = container->subject,
        .name = container->name,
        .image = container->image,
        .is_dlc = plan_image_is_dlc(container->image.text),
        .user = container->user,
        .row = container->row,
        .row_span = field_place(&container->instance_type),
        .is_for_nvidia = gpus->state != FIELD_ABSENT,
        .is_for_neuron = true,
        .launcher = container->launcher,
        .has_efa = container->devices.state == FIELD_LATE ? ANSWER_MAYBE
                   : container->efa_devices > 0           ? ANSWER_YES
                                                          : ANSWER_NO,
    };
    double count = 0;
    if (gpus->state == FIELD_KNOWN && quantity_read(&(Value){ .kind = VALUE_STRING, .string = gpus->text }, &count)) {
        const PlanDevices devices = { .name = STR("GPU"), .span = gpus->span, .written = gpus->text, .count = count };
        vec_push(stack->arena, &workload->devices, devices);
    }
    vec_push(stack->arena, &stack->parts.workloads, (const PlanWorkload *)workload);
}

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
        .timeout = last_of(stack, &definition->properties, "Timeout", "AttemptDurationSeconds"),
    };
    if (definition->nodes != NULL) {
        container->nodes = *definition->nodes;
        container->alike = definition->alike;
    }
    container->row = raw_type(stack, &container->instance_type);
    container->efa_count = count_efa(stack, container);
    container->efa_most = container->row == NULL ? -1 : container->row->efa_max;
    read_memory(stack, map, container);
    read_shm(stack, &parameters, container);
    read_devices(stack, &parameters, container);
    read_memlock(stack, map, container);
    read_variables(stack, map, container);
    const int neuron_devices = count_neuron_devices(stack, map, container);
    container->neuron_cores = cores_of(container->row, neuron_devices);
    add_efa_nodes(stack, container);
    add_to_environment(stack, container);
    if (container->is_multi_node) {
        find_most_nodes(stack, container);
        find_other_type(stack, container);
    } else if (!definition->is_serverless && container->instance_type.state == FIELD_ABSENT) {
        find_largest(stack, container, neuron_devices);
    }
    container->launcher = launcher_of_definition(stack->session, container);
    container->neuron_span = neuron_devices > 0 ? container->devices.key : container->instance_type.span;
    vec_push(stack->arena, &stack->parts.containers, container);
    add_workload(stack, container);
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
