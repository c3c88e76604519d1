// Rules about raw compute environments and the containers of raw job definitions.
#include "compiler/plan/rules/rules_raw.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/group.h"
#include "schema/instances.h"
#include "schema/names.h"

// ---- compute environments --------------------------------------------------------------------------------------

void rule_environment_version(const Rules *rules, const RawStack *stack, const RawEnvironment *environment) {
    (void)stack;
    const RawField *version = &environment->version;
    bool is_moving = raw_is(version, "$Latest") || raw_is(version, "$Default");
    bool is_default = version->state == RAW_ABSENT && environment->template != NULL;
    if (!is_moving && !is_default) {
        return;
    }
    Span span = is_default ? environment->template_key : rule_span(version);
    Str text = is_default ? STR("$Default") : version->text;
    Diag *diag =
        plan_report(rules->session, environment->resource->subject, span, DIAG(template_version), STR_ARG(text));
    if (!is_default) {
        rule_label_use(rules, diag, version);
    }
    if (environment->template == NULL) {
        diag_help(rules->session, diag, "write the number of the version");
        return;
    }
    Str name = environment->template->resource->name;
    diag_help(rules->session, diag, "write `Version = %.*s.LatestVersionNumber`", STR_ARG(name));
    if (!is_default && environment->template_id.resource != NULL) {
        Str written = source_text(rules->session, environment->template_id.span); // as this resource calls it
        Str better = str_format(rules->session->arena, "%.*s.LatestVersionNumber", STR_ARG(written));
        bool is_name = str_equal(written, name);
        if (is_name) {
            rule_fix(rules, diag, environment->resource, version, better);
        }
    }
}

// An image of the launch template's is one of the author's own, and of a template of another stack nothing is known.
static bool may_have_own_image(const RawEnvironment *environment) {
    const RawLaunchTemplate *template = environment->template;
    return environment->image.state != RAW_ABSENT ||
           (template == NULL ? environment->template_id.state != RAW_ABSENT : template->image.state != RAW_ABSENT);
}

void rule_environment_image(const Rules *rules, const RawStack *stack, const RawEnvironment *environment) {
    (void)stack;
    for (uint32_t i = 0; i < environment->image_types.count; i++) {
        const RawField *type = &environment->image_types.items[i];
        if ((!raw_is(type, "ECS_AL2") && !raw_is(type, "ECS_AL2_NVIDIA")) || may_have_own_image(environment)) {
            continue;
        }
        const bool is_plain = raw_is(type, "ECS_AL2");
        Diag *diag = plan_report(rules->session, environment->resource->subject, rule_span(type),
                                 DIAG(service_image_old), is_plain ? "ECS_AL2" : "ECS_AL2_NVIDIA");
        rule_label_use(rules, diag, type);
        diag_help(rules->session, diag, "write `%s`", is_plain ? "ECS_AL2023" : "ECS_AL2023_NVIDIA");
    }
}

static Str family_of(Str type) {
    return str_slice(type, 0, str_find(type, STR("."), 0));
}

static bool is_apart(Str type) {
    return names_have(NAMES_EFA_FAMILIES_APART, family_of(type));
}

void rule_environment_types(const Rules *rules, const RawStack *stack, const RawEnvironment *environment) {
    (void)stack;
    const RawFields *types = &environment->instance_types;
    if (environment->template == NULL || !raw_has_efa(environment->template)) {
        return;
    }
    for (uint32_t i = 1; i < types->count; i++) {
        const RawField *first = &types->items[0];
        const RawField *other = &types->items[i];
        if (first->state == RAW_KNOWN && other->state == RAW_KNOWN && is_apart(first->text) != is_apart(other->text)) {
            Diag *diag = plan_report(rules->session, environment->resource->subject, rule_span(other),
                                     DIAG(efa_types_mixed), STR_ARG(first->text), STR_ARG(other->text));
            diag_label(rules->session, diag, rule_span(first), "stands beside this");
            diag_help(rules->session, diag, "give each kind a compute environment of its own");
            return;
        }
    }
}

// The zone of a subnet that this stack makes; absent where it is not known.
static RawField zone_of(const RawStack *stack, const RawField *subnet) {
    const RawResource *resource = subnet->resource;
    if (resource == NULL || !str_is(resource->type, "AWS::EC2::Subnet") || resource->is_changed) {
        return (RawField){ .state = RAW_ABSENT };
    }
    const RawMap properties = raw_properties(resource);
    return raw_field(stack, &properties, "AvailabilityZone");
}

static bool wants_one_zone(const RawEnvironment *environment) {
    const RawField *group = &environment->placement_group;
    return (environment->template != NULL && raw_has_efa(environment->template)) ||
           (group->state != RAW_ABSENT && !group->may_be_null);
}

void rule_environment_zones(const Rules *rules, const RawStack *stack, const RawEnvironment *environment) {
    const RawFields *subnets = &environment->subnets;
    if (!wants_one_zone(environment)) {
        return;
    }
    RawField first = { .state = RAW_ABSENT };
    for (uint32_t i = 0; i < subnets->count; i++) {
        const RawField zone = zone_of(stack, &subnets->items[i]);
        if (zone.state != RAW_KNOWN) {
            continue;
        }
        if (first.state == RAW_ABSENT) {
            first = zone;
        } else if (!str_equal(zone.text, first.text)) {
            Diag *diag =
                plan_report(rules->session, environment->resource->subject, subnets->key, DIAG(subnets_of_zones),
                            STR_ARG(environment->resource->name), STR_ARG(first.text), STR_ARG(zone.text));
            diag_label(rules->session, diag, rule_span(&first), "one subnet is here");
            diag_label(rules->session, diag, rule_span(&zone), "another is here");
            diag_help(rules->session, diag, "name the subnets of one zone");
            return;
        }
    }
}

// ---- containers ------------------------------------------------------------------------------------------------

static const InstanceRow *row_of(const Rules *rules, const RawContainer *container) {
    const RawField *type = &container->instance_type;
    return type->state == RAW_KNOWN ? schema_instance(rules->session, type->text) : NULL;
}

int rule_count_devices(const RawContainer *container) {
    int count = 0;
    for (uint32_t i = 0; i < container->devices.count; i++) {
        count += str_starts_with(container->devices.items[i].text, STR("/dev/infiniband/uverbs"));
    }
    return count;
}

static bool has_type(const RawEnvironment *environment, const RawField *type) {
    for (uint32_t i = 0; i < environment->instance_types.count; i++) {
        const RawField *item = &environment->instance_types.items[i];
        if (type->state == RAW_KNOWN && item->state == RAW_KNOWN && str_equal(item->text, type->text)) {
            return true;
        }
    }
    return false;
}

int rule_count_efa(const RawStack *stack, const RawContainer *container, const InstanceRow *row) {
    int count = -1;
    bool is_said = false;
    for (uint32_t i = 0; i < stack->environments.count; i++) {
        const RawEnvironment *environment = stack->environments.items[i];
        if (has_type(environment, &container->instance_type)) {
            int of_template = environment->template == NULL ? -1 : raw_efa_count(environment->template);
            count = is_said && of_template != count ? -1 : of_template;
            is_said = true;
        }
    }
    return is_said ? count : nics_efa_all(row, LAYOUT_MIN_IP);
}

void rule_container_devices(const Rules *rules, const RawStack *stack, const RawContainer *container) {
    const InstanceRow *row = row_of(rules, container);
    bool is_late = container->devices.state == RAW_LATE || container->linux_parameters == RAW_LATE;
    int wanted = row == NULL || is_late || !container->is_multi_node ? -1 : rule_count_efa(stack, container, row);
    int count = rule_count_devices(container);
    if (wanted < 1 || count >= wanted) {
        return;
    }
    Span span = !span_is_none(container->devices.key)            ? container->devices.key
                : !span_is_none(container->linux_parameters_key) ? container->linux_parameters_key
                                                                 : container->key;
    Str some = str_format(rules->session->arena, "%d", count);
    Diag *diag = plan_report(rules->session, container->resource->subject, span, DIAG(efa_devices),
                             count == 0 ? "none" : str_c(rules->session->arena, some), wanted, row->name);
    diag_label(rules->session, diag, rule_span(&container->instance_type), "has %d", wanted);
    diag_help(rules->session, diag, "map /dev/infiniband/uverbs%d to uverbs%d in `Devices` of `LinuxParameters`", count,
              wanted - 1);
}

void rule_container_memlock(const Rules *rules, const RawStack *stack, const RawContainer *container) {
    (void)stack;
    const RawField *memlock = &container->memlock;
    if (rule_count_devices(container) == 0 || memlock->state == RAW_LATE || raw_is(memlock, "-1")) {
        return;
    }
    bool is_written = memlock->state == RAW_KNOWN;
    Span span = is_written                              ? rule_span(memlock)
                : !span_is_none(container->ulimits_key) ? container->ulimits_key
                                                        : container->key;
    Str what = is_written ? str_format(rules->session->arena, "a `memlock` of %.*s", STR_ARG(memlock->text))
                          : STR("no `memlock` in its `Ulimits`");
    Diag *diag = plan_report(rules->session, container->resource->subject, span, DIAG(memlock_limited),
                             str_c(rules->session->arena, what));
    if (is_written) {
        rule_label_use(rules, diag, memlock);
    }
    diag_label(rules->session, diag, container->devices.key, "EFA locks memory");
    diag_help(rules->session, diag, "write `{ Name = \"memlock\", SoftLimit = -1, HardLimit = -1 }` in `Ulimits`");
}

void rule_container_shm(const Rules *rules, const RawStack *stack, const RawContainer *container) {
    (void)stack;
    const RawField *shm = &container->shm;
    int64_t gpus = raw_number(&container->gpus, 0);
    int64_t mib = raw_number(shm, LIMIT_DOCKER_SHM_MIB);
    if (gpus < 2 || mib < 0 || mib >= schema_constant(CONSTANT_JOB_SHM_LEAST_MIB)) {
        return;
    }
    bool is_written = shm->state == RAW_KNOWN;
    Span span = is_written                                       ? rule_span(shm)
                : !span_is_none(container->linux_parameters_key) ? container->linux_parameters_key
                                                                 : container->key;
    Str some = str_format(rules->session->arena, "%" PRId64 "MiB", mib);
    Diag *diag = plan_report(rules->session, container->resource->subject, span, DIAG(shm_small), STR_ARG(some), gpus);
    if (is_written) {
        rule_label_use(rules, diag, shm);
    }
    diag_label(rules->session, diag, rule_span(&container->gpus), "%" PRId64 " GPUs", gpus);
    diag_help(rules->session, diag, "write `SharedMemorySize = %" PRId64 "`, in MiB, in `LinuxParameters`",
              schema_constant(CONSTANT_JOB_SHM_MIB));
}

void rule_container_memory(const Rules *rules, const RawStack *stack, const RawContainer *container) {
    (void)stack;
    const InstanceRow *row = row_of(rules, container);
    int64_t mib = raw_number(&container->memory, -1);
    int64_t most = row == NULL || row->memory_mib < 1 ? INT64_MAX : plan_allocatable_mib(row);
    if (mib <= most) {
        return;
    }
    Diag *diag = plan_report(rules->session, container->resource->subject, rule_span(&container->memory),
                             DIAG(job_too_much_memory), mib, row->name, most);
    rule_label_use(rules, diag, &container->memory);
    diag_label(rules->session, diag, rule_span(&container->instance_type), "nominal memory %" PRId64 "MiB",
               row->memory_mib);
    Str better = str_format(rules->session->arena, "\"%" PRId64 "\"", most);
    diag_help(rules->session, diag, "write `%.*s`", STR_ARG(better));
    rule_fix(rules, diag, container->resource, &container->memory, better);
}

// A definition names no queue. Where every environment of the stack is on Spot, and one of them has the type that the
// nodes must be, there is nothing here that could run it.
void rule_container_spot(const Rules *rules, const RawStack *stack, const RawContainer *container) {
    const RawEnvironment *spot = NULL;
    for (uint32_t i = 0; i < stack->environments.count; i++) {
        const RawEnvironment *environment = stack->environments.items[i];
        if (!raw_is(&environment->capacity, "SPOT")) {
            return;
        }
        spot = has_type(environment, &container->instance_type) ? environment : spot;
    }
    if (spot == NULL || !container->is_multi_node) {
        return;
    }
    Diag *diag = plan_report(rules->session, spot->resource->subject, rule_span(&spot->capacity), DIAG(spot_multi_node),
                             STR_ARG(container->resource->name));
    rule_label_use(rules, diag, &spot->capacity);
    diag_label(rules->session, diag, rule_span(&container->nodes), "takes several nodes");
    diag_help(rules->session, diag, "write `EC2`");
}
