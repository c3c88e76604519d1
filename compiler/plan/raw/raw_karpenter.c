// Pools of Karpenter: a NodePool says which nodes, and its EC2NodeClass how they start. Either may stand in a manifest, or
// be an object of infra.dt. After all objects are read each pool is joined to its class, which several pools may share.
// Source: pkg/apis/crds of aws/karpenter-provider-aws@1d927085, 2026-08-21, and its documentation, NodePools and
// NodeClasses, read 2026-11.
#include "compiler/plan/raw/raw.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/plan/raw/raw_plan.h"

#include "compiler/plan/model/object_value.h"
#include "schema/instances.h"

// An EC2NodeClass, and what its nodes start with.
typedef struct {
    const PlanObject *object;
    PlanLaunch *launch;
    const PlanNodeStorage *storage; // NULL: not known
    bool is_used;                   // by a pool
} Class;

static RawMap spec_of(const PlanObject *object) {
    const Value *spec = object_get(object->fields, "spec");
    return spec == NULL || spec->kind != VALUE_MAP ? (RawMap){ .state = FIELD_ABSENT }
                                                   : (RawMap){ .state = FIELD_KNOWN,
                                                               .span = spec->span,
                                                               .whole = spec->span,
                                                               .entries = spec->map.entries,
                                                               .count = spec->map.count };
}

static PlanLaunch *add_launch(RawStack *stack, const PlanObject *object) {
    PlanLaunch *launch = arena_new(stack->arena, PlanLaunch);
    *launch = (PlanLaunch){ .form = FORM_RESOURCE,
                            .subject = object->subject,
                            .maker = object->subject,
                            .has_other_types = true,
                            .layout = LAYOUT_MIN_IP,
                            .efa = { .count = -1 },
                            .interfaces_state = FIELD_LATE, // Karpenter's own
                            .tokens = { .state = FIELD_LATE } };
    vec_push(stack->arena, &stack->parts.launches, (const PlanLaunch *)launch);
    return launch;
}

static PlanGroup *add_group(RawStack *stack, const PlanObject *object, const PlanLaunch *launch) {
    PlanGroup *group = arena_new(stack->arena, PlanGroup);
    *group = group_of_launch(GROUP_KARPENTER, launch);
    group->subject = object->subject;
    group->name = object->resource->name;
    group->image = launch->image;
    vec_push(stack->arena, &stack->parts.groups, (const PlanGroup *)group);
    return group;
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

// The image that the parameter of AWS holds, as EC2 calls it.
static PlanField read_parameter(const RawStack *stack, const RawMaps *terms) {
    PlanField image = terms->count == 1 ? raw_field(stack, &terms->items[0], "ssmParameter") : (PlanField){ 0 };
    const bool is_of_aws = image.state == FIELD_KNOWN && str_starts_with(image.text, STR("/aws/service/"));
    image.text = is_of_aws ? str_format(stack->arena, "resolve:ssm:%.*s", STR_ARG(image.text)) : STR_NONE;
    image.state = is_of_aws ? FIELD_KNOWN : FIELD_ABSENT;
    return image;
}

// "al2023@latest" of EKS's own, a parameter of AWS, or "al2023" of any that goes by its rules.
static PlanField read_image(const RawStack *stack, const RawMap *spec) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps terms = raw_maps(stack, spec, "amiSelectorTerms", &state, &key);
    PlanField image = read_parameter(stack, &terms);
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

// A volume that is called the root, whatever its device.
static bool has_root(const Value *spec) {
    const Value *disks = object_get(spec, "blockDeviceMappings");
    bool has = false;
    for (uint32_t i = 0; i < object_count(disks); i++) {
        has = has || object_get(disks->list.items[i], "rootVolume") != NULL;
    }
    return has;
}

static bool gib_of(const PlanField *size, double *bytes) {
    int64_t number = 0;
    const bool is_number = field_integer(size, &number) && number > 0;
    *bytes = (double)number * 0x1p30;
    return is_number;
}

// Where pods keep their files: on the volume that says that it is the root, or else on that of the image. Karpenter takes
// what the kubelet keeps for itself, and the part at which it ends pods, from it.
// source: aws/karpenter-provider-aws@1d927085 pkg/providers/instancetype/types.go, ephemeralStorage(), kubeReservedResources()
// and evictionThreshold(); pkg/providers/amifamily, EphemeralBlockDevice(); read 2026-11
static const PlanNodeStorage *read_storage(const RawStack *stack, const PlanObject *object, const PlanLaunch *launch) {
    const Value *spec = object_get(object->fields, "spec");
    const bool is_bottlerocket = str_starts_with(launch->image.text, STR("bottlerocket"));
    const bool is_known = is_bottlerocket || str_starts_with(launch->image.text, STR("al2023"));
    const bool says_kept = object_get(spec, "kubelet") != NULL;
    const PlanField *size = NULL;
    double bytes = 0;
    for (uint32_t i = 0; i < launch->disks.count; i++) {
        const PlanDisk *disk = &launch->disks.items[i];
        const bool is_pods = field_is(&disk->device, is_bottlerocket ? "/dev/xvdb" : "/dev/xvda");
        size = is_pods ? &disk->size : size;
    }
    if (!is_known || size == NULL || object_get(spec, "instanceStorePolicy") != NULL || has_root(spec) ||
        size->state != FIELD_KNOWN || !gib_of(size, &bytes)) {
        return NULL;
    }
    PlanNodeStorage *storage = arena_new(stack->arena, PlanNodeStorage);
    *storage =
        (PlanNodeStorage){ .bytes = bytes, .room = says_kept ? bytes : bytes * 0.9 - 0x1p30, .span = size->span };
    return storage;
}

static PlanLaunch *read_class(RawStack *stack, const PlanObject *object) {
    const RawMap spec = spec_of(object);
    PlanLaunch *launch = add_launch(stack, object);
    const RawMap metadata = raw_map(&spec, "metadataOptions");
    const PlanField endpoint = raw_field(stack, &metadata, "httpEndpoint");
    const PlanField tokens = raw_field(stack, &metadata, "httpTokens");
    launch->endpoint = endpoint;
    launch->image = read_image(stack, &spec);
    launch->user_data = read_user_data(stack, &spec);
    launch->launcher = launcher_of_user_data(stack->session, &launch->user_data);
    read_disks(stack, &spec, launch);
    if (endpoint.state == FIELD_ABSENT || field_is(&endpoint, "enabled")) {
        launch->tokens = tokens.state == FIELD_ABSENT ? launch->tokens : tokens; // required where nothing is said
    }
    return launch;
}

// ---- a pool ------------------------------------------------------------------------------------------------------

static void read_types(const RawStack *stack, const PlanFields *values, PlanGroup *group) {
    group->has_other_types = values->state != FIELD_KNOWN;
    for (uint32_t i = 0; i < values->count; i++) {
        const InstanceRow *row = raw_type(stack, &values->items[i]);
        group->has_other_types = group->has_other_types || row == NULL;
        if (row != NULL) {
            vec_push(stack->arena, &group->types, ((PlanType){ .row = row, .field = values->items[i] }));
        }
    }
}

// A type of each family, for what all of it have in common.
static PlanTypes types_of_families(const RawStack *stack, const PlanFields *values) {
    PlanTypes types = { 0 };
    for (uint32_t i = 0; i < values->count; i++) {
        const InstanceRow *row = NULL;
        for (int k = 0; row == NULL && k < schema_instance_count(stack->session); k++) {
            const InstanceRow *other = schema_instance_at(stack->session, k);
            row = field_is(&values->items[i], other->family) ? other : NULL;
        }
        if (row != NULL) {
            vec_push(stack->arena, &types, ((PlanType){ .row = row, .field = values->items[i] }));
        }
    }
    return types;
}

// Of several ways Karpenter takes the one that works.
static void read_capacity(const RawStack *stack, const PlanFields *values, PlanGroup *group) {
    const bool is_one = values->count == 1;
    const bool is_spot = is_one && field_is(&values->items[0], "spot");
    if (is_spot || (is_one && field_is(&values->items[0], "on-demand"))) {
        vec_push(stack->arena, &group->purchases,
                 ((PlanPurchase){ .kind = is_spot ? CAPACITY_SPOT : CAPACITY_ON_DEMAND,
                                  .word = is_spot ? STR("spot") : STR("on-demand"),
                                  .field = values->items[0] }));
    }
}

static void read_zones(const PlanFields *values, PlanGroup *group) {
    const bool is_known = values->count > 0 && values->items[0].state == FIELD_KNOWN;
    const RegionRow *region = is_known ? schema_zone_region(values->items[0].text) : NULL;
    if (region != NULL) {
        group->region = str_of(region->name);
        group->region_span = values->items[0].span;
    }
}

// What is written of the requirement, where it is an `In`; else nothing.
static PlanFields values_in(const RawStack *stack, const RawMaps *requirements, const char *key) {
    for (uint32_t i = 0; i < requirements->count; i++) {
        const PlanField name = raw_field(stack, &requirements->items[i], "key");
        const PlanField operator= raw_field(stack, &requirements->items[i], "operator");
        if (field_is(&name, key) && field_is(&operator, "In")) {
            return raw_fields(stack, &requirements->items[i], "values");
        }
    }
    return (PlanFields){ .state = FIELD_LATE };
}

// Whether more than one requirement is about types, so that of several in a list the pool may have some alone.
static bool are_narrowed(const RawStack *stack, const RawMaps *requirements) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < requirements->count; i++) {
        const PlanField name = raw_field(stack, &requirements->items[i], "key");
        count += name.state != FIELD_KNOWN || field_is(&name, "node.kubernetes.io/instance-type") ||
                 field_is(&name, "beta.kubernetes.io/instance-type") ||
                 str_starts_with(name.text, STR("karpenter.k8s.aws/instance-"));
    }
    return count > 1;
}

// `of_image` are types that the pool surely has, or those of families.
static void read_pool(const RawStack *stack, const RawMap *spec, PlanGroup *group, PlanTypes *of_image) {
    const RawMap template = raw_map(spec, "template");
    const RawMap nodes = raw_map(&template, "spec");
    const RawMap metadata = raw_map(&template, "metadata");
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps requirements = raw_maps(stack, &nodes, "requirements", &state, &key);
    const PlanFields types = values_in(stack, &requirements, "node.kubernetes.io/instance-type");
    const PlanFields of_families = values_in(stack, &requirements, "karpenter.k8s.aws/instance-family");
    const PlanFields capacity = values_in(stack, &requirements, "karpenter.sh/capacity-type");
    const PlanFields zones = values_in(stack, &requirements, "topology.kubernetes.io/zone");
    read_types(stack, &types, group);
    read_capacity(stack, &capacity, group);
    read_zones(&zones, group);
    *of_image = types.count == 0 ? types_of_families(stack, &of_families) : group->types;
    if (of_image->count > 1 && are_narrowed(stack, &requirements)) {
        of_image->count = 0;
    }
    // Karpenter itself gives a node its labels: any but its own.
    group->requirements = raw_value(&nodes, "requirements", &key);
    group->labels = raw_value(&metadata, "labels", &key);
    group->taints = raw_value(&nodes, "taints", &key);
    group->limits = raw_value(spec, "limits", &key);
}

// ---- which class a pool has ----------------------------------------------------------------------------------------

typedef VEC(Class) Classes;

static Class *class_of(const RawStack *stack, const Classes *classes, const RawMap *spec) {
    const RawMap template = raw_map(spec, "template");
    const RawMap nodes = raw_map(&template, "spec");
    const RawMap reference = raw_map(&nodes, "nodeClassRef");
    const PlanField kind = raw_field(stack, &reference, "kind");
    const PlanField name = raw_field(stack, &reference, "name");
    for (uint32_t i = 0; i < classes->count && field_is(&kind, "EC2NodeClass"); i++) {
        if (name.state == FIELD_KNOWN && str_equal(name.text, plan_name_of_object(classes->items[i].object))) {
            return &classes->items[i];
        }
    }
    return NULL;
}

// Karpenter takes only types of the processor that the image is for, where the pool has some. An alias has an image for
// each.
static bool is_passed_over(const PlanTypes *types, const PlanType *type, const PlanField *image) {
    ParameterRow row;
    const Str path = str_slice(image->text, strlen("resolve:ssm:"), image->text.len);
    const bool is_known = str_starts_with(image->text, STR("resolve:ssm:")) && schema_parameter(path, &row);
    bool has_one = false;
    for (uint32_t i = 0; is_known && i < types->count; i++) {
        has_one = has_one || types->items[i].row->architecture == row.architecture;
    }
    return has_one && type->row->architecture != row.architecture;
}

static void add_types(const RawStack *stack, PlanGroup *group, const PlanTypes *types) {
    for (uint32_t i = 0; i < types->count; i++) {
        if (!is_passed_over(types, &types->items[i], &group->image)) {
            vec_push(stack->arena, &group->of_image, types->items[i]);
        }
    }
}

static void add_pool(RawStack *stack, const Classes *classes, const PlanObject *object) {
    const RawMap spec = spec_of(object);
    Class *class = class_of(stack, classes, &spec);
    PlanLaunch *launch = class == NULL ? add_launch(stack, object) : class->launch;
    PlanGroup *group = add_group(stack, object, launch);
    PlanTypes of_image;
    read_pool(stack, &spec, group, &of_image);
    add_types(stack, group, &of_image);
    if (class != NULL) {
        group->launch_whole = class->object->resource->whole;
        group->storage = class->storage;
        class->is_used = true;
    }
}

static bool is_kind(const PlanObject *object, const char *type) {
    return str_is(object->resource->type, type) && !object->is_changed && spec_of(object).state == FIELD_KNOWN;
}

void raw_add_pools(Session *session, const PlanObjects *objects, Plan *plan) {
    RawStack *stack = arena_new(session->arena, RawStack);
    *stack = (RawStack){ .session = session, .arena = session->arena };
    Classes classes = { 0 };
    for (uint32_t i = 0; i < objects->count; i++) {
        const PlanObject *object = objects->items[i];
        if (is_kind(object, "karpenter.k8s.aws/v1/EC2NodeClass")) {
            PlanLaunch *launch = read_class(stack, object);
            const PlanNodeStorage *storage = read_storage(stack, object, launch);
            vec_push(stack->arena, &classes, ((Class){ .object = object, .launch = launch, .storage = storage }));
        }
    }
    for (uint32_t i = 0; i < objects->count; i++) {
        if (is_kind(objects->items[i], "karpenter.sh/v1/NodePool")) {
            add_pool(stack, &classes, objects->items[i]);
        }
    }
    for (uint32_t i = 0; i < classes.count; i++) {
        if (!classes.items[i].is_used) {
            add_group(stack, classes.items[i].object, classes.items[i].launch);
        }
    }
    if (stack->parts.groups.count > 0) {
        vec_push(stack->arena, &plan->raw, (const PlanRaw *)&stack->parts);
    }
}
