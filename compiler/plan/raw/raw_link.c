// The links between the nouns of a stack, after all of them are read: jobs to the groups that may run them, and back. A job
// definition of AWS Batch names no queue, so that what stands beside it has to tell.
//
// What a resource names itself is linked while it is read, in the order of raw.c, since what is read next needs it: a launch
// has its security groups and a group its launch template, of which types and interfaces come; a group has the subnets of its
// network, of which zones and addresses come. Roles are linked by the names of a template (cfn_roles.c), and pods, whose
// groups may stand in another file, where a rule asks (workload/groups_beside.c).
#include "compiler/plan/raw/raw.h"

#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/image.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/model/workload.h"

// ---- groups to jobs -----------------------------------------------------------------------------------------------------

// The type that the nodes of a job are to have; not known where it may be any.
static PlanField type_of_job(const RawStack *stack, const RawMap *definition) {
    const RawMap node = raw_map(definition, "NodeProperties");
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps ranges = raw_maps(stack, &node, "NodeRangeProperties", &state, &key);
    return ranges.count == 0 ? (PlanField){ .state = FIELD_LATE }
                             : raw_field_at(stack, &ranges.items[0], "Container.InstanceType");
}

static bool may_run(const PlanGroup *group, const PlanField *type) {
    bool is_of_it = type->state != FIELD_KNOWN;
    for (uint32_t i = 0; i < group->types.count; i++) {
        is_of_it = is_of_it || field_is(type, group->types.items[i].row->name);
    }
    return is_of_it;
}

// A definition names no queue: where a group of its type has EFA, a job of several nodes runs there.
static bool runs_with_efa(const RawStack *stack, const PlanField *type) {
    bool has_efa = false;
    for (uint32_t i = 0; i < stack->of_batch.count; i++) {
        const PlanGroup *group = stack->of_batch.items[i];
        has_efa = has_efa || (group->has_efa == ANSWER_YES && may_run(group, type));
    }
    return has_efa;
}

// Jobs of Batch say how many nodes belong together. Where their definitions stand elsewhere, nobody knows.
static void add_job(const RawStack *stack, const RawResource *definition) {
    const RawMap properties = raw_properties(definition);
    const PlanField kind = raw_field(stack, &properties, "Type");
    const PlanField type = type_of_job(stack, &properties);
    const PlanField count = raw_field_at(stack, &properties, "NodeProperties.NumNodes");
    const bool is_for_several = field_is(&kind, "multinode") && !runs_with_efa(stack, &type);
    for (uint32_t i = 0; i < stack->of_batch.count; i++) {
        PlanGroup *group = stack->of_batch.items[i];
        const bool is_together = is_for_several && may_run(group, &type);
        const int64_t nodes = is_together ? field_number(&count, 0) : 0;
        if (nodes > group->job_nodes) {
            group->job_nodes = nodes;
            group->job_row = raw_type(stack, &type);
            group->job = definition->subject;
        }
        group->works_together = is_together || group->works_together == ANSWER_YES ? ANSWER_YES : ANSWER_NO;
    }
}

// ---- containers to groups ----------------------------------------------------------------------------------

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

// A type with as many of its devices.
static int cores_of(const InstanceRow *row, int devices) {
    const bool has_cores = row != NULL && row->accelerator == ACCELERATOR_NEURON && row->accelerators > 0;
    const int given = !has_cores ? 0 : devices > 0 && devices < row->accelerators ? devices : row->accelerators;
    return has_cores && row->neuron_cores > 0 ? given * row->neuron_cores : 0;
}

// ---- containers, if no type is named ----------------------------------------------------------------------------

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

// ---- workloads -----------------------------------------------------------------------------------------------------

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

// --------------------------------------------------------------------------------------------------------------------

static void link_container(RawStack *stack, const RawContainer *raw) {
    PlanContainer *container = raw->container;
    container->efa_count = count_efa(stack, container);
    container->neuron_cores = cores_of(container->row, raw->neuron_devices);
    add_efa_nodes(stack, container);
    add_to_environment(stack, container);
    if (container->is_multi_node) {
        find_most_nodes(stack, container);
        find_other_type(stack, container);
    }
    if (!raw->is_serverless && container->instance_type.state == FIELD_ABSENT) {
        find_largest(stack, container, raw->neuron_devices);
    }
    container->launcher = launcher_of_definition(stack->session, container);
    container->neuron_span = raw->neuron_devices > 0 ? container->devices.key : container->instance_type.span;
    vec_push(stack->arena, &stack->parts.containers, container);
    add_workload(stack, container);
}

void raw_link(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        if (str_is(stack->resources.items[i]->type, "AWS::Batch::JobDefinition")) {
            add_job(stack, stack->resources.items[i]);
        }
    }
    for (uint32_t i = 0; i < stack->containers.count; i++) {
        link_container(stack, &stack->containers.items[i]);
    }
}
