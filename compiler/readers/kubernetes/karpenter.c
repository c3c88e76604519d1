// From a NodePool and an EC2NodeClass of Karpenter to launches: what the rules about launches ask for.
// Source: pkg/apis/crds of aws/karpenter-provider-aws@1d927085, 2026-08-21, and its documentation, NodePools and
// NodeClasses, read 2026-11.
#include "compiler/readers/kubernetes/karpenter.h"

#include "compiler/plan/raw/raw.h"

static RawMap map_of(const Value *value) {
    return (RawMap){ .state = FIELD_KNOWN,
                     .span = value->span,
                     .whole = value->span,
                     .entries = value->map.entries,
                     .count = value->map.count };
}

static PlanLaunch *add_launch(RawStack *stack, const PlanObject *object) {
    PlanLaunch *launch = arena_new(stack->arena, PlanLaunch);
    *launch = (PlanLaunch){ .form = FORM_RESOURCE,
                            .subject = object->subject,
                            .maker = object->subject,
                            .layout = LAYOUT_MIN_IP,
                            .efa = { .count = -1 },
                            .interfaces_state = FIELD_LATE, // Karpenter's own
                            .tokens = { .state = FIELD_LATE } };
    vec_push(stack->arena, &stack->parts.launches, (const PlanLaunch *)launch);
    return launch;
}

// ---- a class -----------------------------------------------------------------------------------------------------

// Karpenter encodes the text itself.
static PlanUserData read_user_data(const RawStack *stack, const RawMap *spec) {
    PlanUserData data = { .field = raw_field(stack, spec, "userData") };
    if (data.field.state == FIELD_KNOWN) {
        data.start = data.field.text;
        data.bytes_min = data.field.text.len;
        data.is_whole = true;
        data.written = data.field.text;
        data.text = data.field.span;
    }
    return data;
}

// "al2023@latest" of EKS's own, "al2023" of any that goes by its rules.
static PlanField read_image(const RawStack *stack, const RawMap *spec) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps terms = raw_maps(stack, spec, "amiSelectorTerms", &state, &key);
    PlanField image = { .state = FIELD_ABSENT };
    for (uint32_t i = 0; i < terms.count && image.state == FIELD_ABSENT; i++) {
        image = raw_field(stack, &terms.items[i], "alias");
    }
    if (image.state == FIELD_ABSENT) {
        image = raw_field(stack, spec, "amiFamily");
        image.text = field_is(&image, "AL2023") ? STR("al2023") : image.text;
    }
    return image.state == FIELD_KNOWN ? image : (PlanField){ .state = FIELD_LATE };
}

static void read_disks(const RawStack *stack, const RawMap *spec, PlanLaunch *launch) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps disks = raw_maps(stack, spec, "blockDeviceMappings", &state, &key);
    for (uint32_t i = 0; i < disks.count; i++) {
        const RawMap volume = raw_map(&disks.items[i], "ebs");
        PlanDisk disk = { .device = raw_field(stack, &disks.items[i], "deviceName"),
                          .size = raw_field(stack, &volume, "volumeSize") };
        const bool is_gib = disk.size.state == FIELD_KNOWN && str_ends_with(disk.size.text, STR("Gi")) &&
                            raw_presence(&volume, "snapshotID").state == FIELD_ABSENT;
        disk.size.state = is_gib ? FIELD_KNOWN : FIELD_LATE;
        disk.size.text = is_gib ? str_slice(disk.size.text, 0, disk.size.text.len - 2) : STR_NONE;
        vec_push(stack->arena, &launch->disks, disk);
    }
}

static void read_class(RawStack *stack, const PlanObject *object, const RawMap *spec) {
    PlanLaunch *launch = add_launch(stack, object);
    const RawMap metadata = raw_map(spec, "metadataOptions");
    const PlanField endpoint = raw_field(stack, &metadata, "httpEndpoint");
    const PlanField tokens = raw_field(stack, &metadata, "httpTokens");
    launch->has_other_types = true;
    launch->endpoint = endpoint;
    launch->image = read_image(stack, spec);
    launch->user_data = read_user_data(stack, spec);
    read_disks(stack, spec, launch);
    if (endpoint.state == FIELD_ABSENT || field_is(&endpoint, "enabled")) {
        launch->tokens = tokens.state == FIELD_ABSENT ? launch->tokens : tokens; // required where nothing is said
    }
    PlanGroup *group = arena_new(stack->arena, PlanGroup);
    *group = group_of_launch(GROUP_KARPENTER, launch);
    group->name = object->resource->name;
    group->image = launch->image;
    vec_push(stack->arena, &stack->parts.groups, (const PlanGroup *)group);
}

// ---- a pool ------------------------------------------------------------------------------------------------------

static void read_types(const RawStack *stack, const RawMap *requirement, PlanLaunch *launch) {
    const PlanField operator= raw_field(stack, requirement, "operator");
    const PlanFields values = raw_fields(stack, requirement, "values");
    if (!field_is(&operator, "In")) {
        return;
    }
    launch->has_other_types = values.state != FIELD_KNOWN;
    for (uint32_t i = 0; i < values.count; i++) {
        const InstanceRow *row = raw_type(stack, &values.items[i]);
        launch->has_other_types = launch->has_other_types || row == NULL;
        if (row != NULL) {
            vec_push(stack->arena, &launch->types, ((PlanType){ .row = row, .field = values.items[i] }));
        }
    }
}

// Of several ways Karpenter takes the one that works.
static void read_capacity(const RawStack *stack, const RawMap *requirement, PlanLaunch *launch) {
    const PlanField operator= raw_field(stack, requirement, "operator");
    const PlanFields values = raw_fields(stack, requirement, "values");
    if (!field_is(&operator, "In") || values.count != 1) {
        return;
    }
    const bool is_spot = field_is(&values.items[0], "spot");
    if (is_spot || field_is(&values.items[0], "on-demand")) {
        vec_push(stack->arena, &launch->purchases,
                 ((PlanPurchase){ .kind = is_spot ? CAPACITY_SPOT : CAPACITY_ON_DEMAND,
                                  .word = is_spot ? STR("spot") : STR("on-demand"),
                                  .field = values.items[0] }));
    }
}

static void read_zones(const RawStack *stack, const RawMap *requirement, PlanLaunch *launch) {
    const PlanField operator= raw_field(stack, requirement, "operator");
    const PlanFields values = raw_fields(stack, requirement, "values");
    const bool is_known = field_is(&operator, "In") && values.count > 0 && values.items[0].state == FIELD_KNOWN;
    const RegionRow *region = is_known ? schema_zone_region(values.items[0].text) : NULL;
    if (region != NULL) {
        launch->region = str_of(region->name);
        launch->region_span = values.items[0].span;
    }
}

static void read_pool(RawStack *stack, const PlanObject *object, const RawMap *spec) {
    PlanLaunch *launch = add_launch(stack, object);
    const RawMap template = raw_map(spec, "template");
    const RawMap nodes = raw_map(&template, "spec");
    const RawMap metadata = raw_map(&template, "metadata");
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps requirements = raw_maps(stack, &nodes, "requirements", &state, &key);
    launch->has_other_types = true;
    for (uint32_t i = 0; i < requirements.count; i++) {
        const PlanField name = raw_field(stack, &requirements.items[i], "key");
        if (field_is(&name, "node.kubernetes.io/instance-type")) {
            read_types(stack, &requirements.items[i], launch);
        } else if (field_is(&name, "karpenter.sh/capacity-type")) {
            read_capacity(stack, &requirements.items[i], launch);
        } else if (field_is(&name, "topology.kubernetes.io/zone")) {
            read_zones(stack, &requirements.items[i], launch);
        }
    }
    PlanGroup *group = arena_new(stack->arena, PlanGroup);
    *group = group_of_launch(GROUP_KARPENTER, launch);
    group->name = object->resource->name;
    // Karpenter itself gives a node its labels: any but its own.
    group->labels = raw_value(&metadata, "labels", &key);
    group->taints = raw_value(&nodes, "taints", &key);
    vec_push(stack->arena, &stack->parts.groups, (const PlanGroup *)group);
}

// ------------------------------------------------------------------------------------------------------------------

void karpenter_add(Session *session, const PlanObject *object, Plan *plan) {
    static const struct {
        const char *type;
        void (*read)(RawStack *stack, const PlanObject *object, const RawMap *spec);
    } KINDS[] = { { "karpenter.k8s.aws/v1/EC2NodeClass", read_class }, { "karpenter.sh/v1/NodePool", read_pool } };
    const Value *spec = value_get(object->fields, "spec");
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (!str_is(object->resource->type, KINDS[i].type) || object->is_changed || spec == NULL ||
            spec->kind != VALUE_MAP) {
            continue;
        }
        RawStack *stack = arena_new(session->arena, RawStack);
        *stack = (RawStack){ .session = session, .arena = session->arena };
        const RawMap map = map_of(spec);
        KINDS[i].read(stack, object, &map);
        vec_push(session->arena, &plan->raw, (const PlanRaw *)&stack->parts);
    }
}
