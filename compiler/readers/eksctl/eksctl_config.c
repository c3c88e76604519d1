// The file, and its groups of nodes.
#include "compiler/readers/eksctl/eksctl_config.h"

#include "compiler/readers/eksctl/eksctl_read.h"
#include "compiler/plan/model/launcher.h"
#include "compiler/readers/foreign_subject.h"
#include "schema/instances.h"
#include "schema/limits.h"

// ---- groups ----------------------------------------------------------------------------------------------------

static void read_types(const EksctlRead *read, const RawMap *map, PlanLaunch *launch) {
    const RawMap distribution = raw_map(map, "instancesDistribution");
    const PlanFields lists[] = { raw_fields(read->stack, map, "instanceType"),
                                 raw_fields(read->stack, map, "instanceTypes"),
                                 raw_fields(read->stack, &distribution, "instanceTypes") };
    const RawMap selector = raw_map(map, "instanceSelector");
    launch->has_other_types = selector.state != FIELD_ABSENT || distribution.state == FIELD_LATE;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        launch->has_other_types = launch->has_other_types || lists[i].state == FIELD_LATE;
        for (uint32_t k = 0; k < lists[i].count; k++) {
            const PlanField *field = &lists[i].items[k];
            const InstanceRow *row = raw_type(read->stack, field);
            launch->has_other_types = launch->has_other_types || (row == NULL && !field_is(field, "mixed"));
            if (row != NULL) {
                vec_push(read->stack->arena, &launch->types, (PlanType){ .row = row, .field = *field });
            }
        }
    }
}

static void read_capacity(const EksctlRead *read, const RawMap *map, PlanLaunch *launch) {
    const RawMap capacity = raw_map(map, "capacityReservation");
    const RawMap target = raw_map(&capacity, "capacityReservationTarget");
    const RawMap market = raw_map(map, "instanceMarketOptions");
    const PlanField spot = raw_field(read->stack, map, "spot");
    const PlanField type = raw_field(read->stack, &market, "marketType");
    const PlanField id = raw_field(read->stack, &target, "capacityReservationID");
    const PlanField group = raw_field(read->stack, &target, "capacityReservationResourceGroupARN");
    PlanReservation *source = &launch->reservation;
    *source = (PlanReservation){ .is_block = field_is(&type, "capacity-block"), .field = type, .group = group };
    source->has_target = capacity.state == FIELD_LATE || target.state == FIELD_LATE || id.state != FIELD_ABSENT ||
                         group.state != FIELD_ABSENT;
    source->takes_named = !source->is_block;
    source->is_reserved = id.state == FIELD_KNOWN || group.state == FIELD_KNOWN;
    if (!source->is_block && source->is_reserved) {
        source->field = id.state == FIELD_KNOWN ? id : group;
        source->field.text = STR("reservation");
    }
    const RawMap distribution = raw_map(map, "instancesDistribution");
    const PlanField share = raw_field(read->stack, &distribution, "onDemandPercentageAboveBaseCapacity");
    const PlanField base = raw_field(read->stack, &distribution, "onDemandBaseCapacity");
    if (field_number(&share, -1) == 0 && field_number(&base, 0) == 0) {
        vec_push(read->stack->arena, &launch->purchases,
                 ((PlanPurchase){ .kind = CAPACITY_SPOT, .word = STR("spot"), .field = share }));
    } else if (field_is(&spot, "true")) {
        vec_push(read->stack->arena, &launch->purchases,
                 ((PlanPurchase){ .kind = CAPACITY_SPOT, .word = STR("spot"), .field = spot }));
    } else if (source->is_block) {
        vec_push(read->stack->arena, &launch->purchases,
                 ((PlanPurchase){ .kind = CAPACITY_BLOCK, .word = STR("capacity-block"), .field = type }));
    }
}

// Beside a reservation eksctl makes a placement group of its own for a group with EFA, but not for a managed one.
static void read_placement(const EksctlRead *read, const RawMap *map, bool is_managed, PlanLaunch *launch) {
    const RawMap placement = raw_map(map, "placement");
    const PlanField name = raw_field(read->stack, &placement, "groupName");
    if (name.state != FIELD_ABSENT) {
        vec_push(read->stack->arena, &launch->placement_groups, ((PlanPlacementGroup){ .field = name }));
    } else if (placement.state == FIELD_ABSENT && launch->efa.is_wanted && !is_managed) {
        vec_push(read->stack->arena, &launch->placement_groups,
                 ((PlanPlacementGroup){ .field = launch->efa.field, .is_new = true, .is_cluster = true }));
    }
}

// EKS's own image of Amazon Linux 2023, which nobody changes before the nodes join.
static bool has_limited_lock(const PlanEksctlGroup *own) {
    const bool is_al2023 = field_is(&own->family, "AmazonLinux2023") || own->family.state == FIELD_ABSENT;
    return is_al2023 && own->image.state == FIELD_ABSENT && !own->has_template && own->override.state == FIELD_ABSENT &&
           span_is_none(own->commands);
}

// The most nodes are those that it begins with, where nothing else is said, and those at least.
// source: eksctl-io/eksctl@99984adb pkg/apis/eksctl.io/v1alpha5/validation.go, ValidateManagedNodeGroup, read 2026-11
static PlanField most_of(const RawStack *stack, const RawMap *map) {
    static const char *const KEYS[] = { "maxSize", "desiredCapacity", "minSize" };
    PlanField most = { .state = FIELD_ABSENT };
    for (size_t i = 0; i < COUNT_OF(KEYS) && most.state == FIELD_ABSENT; i++) {
        most = raw_field(stack, map, KEYS[i]);
    }
    return most;
}

static void add_group(const EksctlRead *read, const RawMap *map, const PlanEksctlGroup *own, bool is_managed,
                      const PlanLaunch *launch) {
    PlanGroup *group = arena_new(read->stack->arena, PlanGroup);
    *group = group_of_launch(GROUP_EKSCTL, launch);
    group->name = own->name.text;
    group->cluster = read->config->name;
    group->span = map->span;
    group->labels = raw_value(map, "labels", &(Span){ 0 });
    group->taints = raw_value(map, "taints", &(Span){ 0 });
    group->is_managed = is_managed;
    group->eksctl = own;
    group->has_kubelet_labels = true;
    group->whole = map->span;
    group->has_other_types = launch->has_other_types || own->has_template;
    group->image = own->image.state == FIELD_ABSENT && !own->has_template ? launch->image : group->image;
    eksctl_read_subnets(read, map, own, group);
    group->low = raw_field(read->stack, map, "minSize");
    group->most = most_of(read->stack, map);
    group->has_efa = own->has_template ? ANSWER_MAYBE : field_answer(&launch->efa.field);
    group->efa_of_pods = group->has_efa == ANSWER_NO ? 0 : -1;
    group->efa_help = STR("write `efaEnabled: true` into the group");
    group->has_limited_lock = has_limited_lock(own);
    group->span_of_efa = launch->efa.field.key;
    group->region = read->config->region.state == FIELD_KNOWN ? read->config->region.text : STR_NONE;
    group->region_span = read->config->region.span;
    vec_push(read->stack->arena, &read->config->groups, (const PlanGroup *)group);
    vec_push(read->stack->arena, &read->stack->parts.groups, (const PlanGroup *)group);
}

// What a script for another image is wrong about.
// source: eksctl-io/eksctl@99984adb pkg/apis/eksctl.io/v1alpha5/types.go, DefaultNodeImageFamily, read 2026-11
static void add_default_family(PlanEksctlGroup *own) {
    if (own->family.state == FIELD_ABSENT && own->image.state == FIELD_ABSENT && !own->has_template) {
        own->family.state = FIELD_KNOWN;
        own->family.text = STR("AmazonLinux2023");
        own->family.span = SPAN_NONE;
    }
}

static const RawVolumeWords VOLUME = { VOLUME_OF_EKSCTL, "gp3",        "volumeType",
                                       "volumeSize",     "volumeIOPS", "volumeThroughput" };

static void add_volumes(const EksctlRead *read, const Subject *subject, const RawMap *map) {
    RawVolumeWords others = VOLUME;
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps volumes = raw_maps(read->stack, map, "additionalVolumes", &state, &key);
    others.usual = NULL; // EC2 says it
    raw_add_volume(read->stack, subject, map, &VOLUME);
    for (uint32_t i = 0; i < volumes.count; i++) {
        raw_add_volume(read->stack, subject, &volumes.items[i], &others);
    }
}

static void add_disk(const EksctlRead *read, const RawMap *map, PlanLaunch *launch) {
    const PlanDisk disk = { .device = raw_field(read->stack, map, "volumeName"),
                            .size = raw_field(read->stack, map, "volumeSize") };
    vec_push(read->stack->arena, &launch->disks, disk);
}

// Without a name the first is the root, whatever the image calls it.
static void add_disks(const EksctlRead *read, const RawMap *map, PlanLaunch *launch) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps others = raw_maps(read->stack, map, "additionalVolumes", &state, &key);
    add_disk(read, map, launch);
    for (uint32_t i = 0; i < others.count; i++) {
        if (raw_presence(&others.items[i], "volumeName").state != FIELD_ABSENT) {
            add_disk(read, &others.items[i], launch);
        }
    }
}

// ---- commands before a node joins --------------------------------------------------------------------------------

// One more text of the user data that eksctl puts together.
static void add_piece(StrBuf *written, PlanUserData *data, Str head, const PlanField *field) {
    const PlanUserPiece piece = { .at = strbuf_str(written).len, .head = head.len, .text = field->span };
    strbuf_add_format(written, "%.*s%.*s%s", STR_ARG(head), STR_ARG(field->text),
                      str_ends_with(field->text, STR("\n")) ? "" : "\n");
    vec_push(written->arena, &data->pieces, piece);
}

static bool runs_no_shell(const PlanField *family) {
    return field_is(family, "Bottlerocket") || str_starts_with(family->text, STR("Windows"));
}

// eksctl hands the texts to EC2 as they are, and adds to them. Of other systems it packs them.
// source: eksctl-io/eksctl@99984adb pkg/nodebootstrap/al2023.go, managed_al2.go and userdata.go, read 2026-11
static bool is_unpacked(const PlanEksctlGroup *own, bool is_managed) {
    return own->family.state == FIELD_ABSENT || field_is(&own->family, "AmazonLinux2023") ||
           (is_managed && field_is(&own->family, "AmazonLinux2"));
}

// Each command is a script of its own, which bash runs, in their order, and then comes what joins the cluster.
// source: eksctl-io/eksctl@99984adb pkg/nodebootstrap/al2023.go, managed_al2.go and userdata.go, read 2026-11
static PlanUserData read_commands(const EksctlRead *read, const RawMap *map, const PlanEksctlGroup *own,
                                  bool is_managed) {
    PlanUserData data = { .field = own->override, .written = own->override.text, .text = own->override.span };
    const PlanFields commands = raw_fields(read->stack, map, "preBootstrapCommands");
    StrBuf written = { .arena = read->stack->arena };
    PlanUserData all = data;
    for (uint32_t i = 0; i < commands.count && !runs_no_shell(&own->family); i++) {
        const PlanField *command = &commands.items[i];
        const bool is_whole = str_starts_with(command->text, STR("#!"));
        if (command->state == FIELD_KNOWN) {
            all.bytes_min += is_unpacked(own, is_managed) ? command->text.len : 0;
            add_piece(&written, &all, is_whole ? STR_NONE : STR("#!/bin/bash\n"), command);
        }
    }
    if (all.pieces.count == 0) {
        return data;
    }
    if (own->override.state == FIELD_KNOWN) {
        add_piece(&written, &all, STR_NONE, &own->override);
    }
    all.written = strbuf_str(&written);
    return all;
}

// ---- the metadata service ----------------------------------------------------------------------------------------

// eksctl asks for a token where neither key is there, and where one of them is true.
// source: eksctl-io/eksctl@99984adb pkg/cfn/builder/nodegroup.go, makeMetadataOptions, and pkg/apis/eksctl.io/v1alpha5/defaults.go, 2026-08-21, read 2026-11
static PlanField read_tokens(const EksctlRead *read, const RawMap *map) {
    PlanField tokens = raw_field(read->stack, map, "disableIMDSv1");
    const PlanField pods = raw_field(read->stack, map, "disablePodIMDS");
    const bool is_off = field_is(&tokens, "false") && (pods.state == FIELD_ABSENT || field_is(&pods, "false"));
    tokens.text = STR("optional");
    return is_off ? tokens : (PlanField){ .state = FIELD_LATE };
}

// ---- a group -----------------------------------------------------------------------------------------------------

static void read_group(EksctlRead *read, const RawMap *map, bool is_managed) {
    Arena *arena = read->stack->arena;
    PlanField name = raw_field(read->stack, map, "name");
    name.span = span_is_none(name.span) ? map->span : name.span;
    const Subject *subject = foreign_subject(read->stack->session, read->file, name.span, map->span);
    vec_push(arena, &read->config->file.sections, (PlanSection){ .subject = subject, .whole = map->span });
    const RawMap template = raw_map(map, "launchTemplate");
    PlanLaunch *launch = arena_new(arena, PlanLaunch);
    PlanEksctlGroup *own = arena_new(arena, PlanEksctlGroup);
    *own = (PlanEksctlGroup){ .config = read->config,
                              .name = name,
                              .family = raw_field(read->stack, map, "amiFamily"),
                              .image = raw_field(read->stack, map, "ami"),
                              .desired = raw_field(read->stack, map, "desiredCapacity"),
                              .is_private = raw_field(read->stack, map, "privateNetworking"),
                              .zones = raw_fields(read->stack, map, "availabilityZones"),
                              .subnets = raw_fields(read->stack, map, "subnets"),
                              .override = raw_field(read->stack, map, "overrideBootstrapCommand"),
                              .kubelet = raw_value(map, "kubeletExtraConfig", &(Span){ 0 }),
                              .has_template = template.state != FIELD_ABSENT };
    const PlanField efa = raw_field(read->stack, map, "efaEnabled");
    *launch = (PlanLaunch){ .form = FORM_EKSCTL,
                            .subject = subject,
                            .maker = subject,
                            .layout = LAYOUT_MIN_IP,
                            .efa = { .count = -1, .is_wanted = field_is(&efa, "true"), .field = efa },
                            .interfaces_state = FIELD_LATE,
                            .user_key = SPAN_NONE };
    raw_value(map, "preBootstrapCommands", &own->commands);
    launch->user_data = read_commands(read, map, own, is_managed);
    launch->launcher = launcher_of_user_data(read->stack->session, &launch->user_data);
    if (launch->user_data.written.len > 0) {
        add_default_family(own);
    }
    launch->image = own->family;
    launch->tokens = read_tokens(read, map);
    add_volumes(read, subject, map);
    add_disks(read, map, launch);
    read_types(read, map, launch);
    read_capacity(read, map, launch);
    read_placement(read, map, is_managed, launch);
    add_group(read, map, own, is_managed, launch);
    vec_push(arena, &read->stack->parts.launches, (const PlanLaunch *)launch);
}

static void read_groups(EksctlRead *read, const RawMap *document, const char *name) {
    FieldState state;
    Span key = SPAN_NONE;
    const RawMaps maps = raw_maps(read->stack, document, name, &state, &key);
    for (uint32_t i = 0; i < maps.count; i++) {
        read_group(read, &maps.items[i], name[0] == 'm');
    }
}

// ---- the cluster -------------------------------------------------------------------------------------------------

// Pods of CoreDNS run on Fargate, and on nodes that EKS or Karpenter makes.
static void read_cluster(const EksctlRead *read, const RawMap *document) {
    static const char *const MAKERS[] = { "fargateProfiles", "autoModeConfig", "karpenter", "outpost" };
    Span key = SPAN_NONE;
    read->config->zone_list = raw_value(document, "availabilityZones", &key);
    for (size_t i = 0; i < COUNT_OF(MAKERS); i++) {
        read->config->has_other_nodes = read->config->has_other_nodes || raw_value(document, MAKERS[i], &key) != NULL;
    }
}

// ----------------------------------------------------------------------------------------------------------------

bool eksctl_is(const Data *document) {
    return str_is(data_text(document, "kind"), "ClusterConfig") &&
           str_is(data_text(document, "apiVersion"), "eksctl.io/v1alpha5");
}

const PlanRaw *eksctl_read(Session *session, const Subject *file, const Value *value) {
    RawStack *stack = arena_new(session->arena, RawStack);
    *stack = (RawStack){ .session = session, .arena = session->arena };
    PlanClusterConfig *config = arena_new(session->arena, PlanClusterConfig);
    *config = (PlanClusterConfig){ .file = { .subject = file, .document = value } };
    const RawMap document = { .state = FIELD_KNOWN,
                              .span = value->span,
                              .whole = value->span,
                              .entries = value->map.entries,
                              .count = value->map.count };
    const RawMap metadata = raw_map(&document, "metadata");
    const PlanField name = raw_field(stack, &metadata, "name");
    config->name = name.state == FIELD_KNOWN ? name.text : STR_NONE;
    config->name_span = span_is_none(name.span) ? metadata.key : name.span;
    config->version = raw_field(stack, &metadata, "version");
    config->region = raw_field(stack, &metadata, "region");
    const RawMap private = raw_map(&document, "privateCluster");
    const PlanField enabled = raw_field(stack, &private, "enabled");
    config->is_all_private = raw_map(&document, "outpost").state != FIELD_ABSENT || private.state == FIELD_LATE ||
                             (enabled.state != FIELD_ABSENT && !field_is(&enabled, "false"));
    EksctlRead read = { .stack = stack, .file = file, .config = config, .network = raw_map(&document, "vpc") };
    read_cluster(&read, &document);
    eksctl_read_network(&read, &document);
    read_groups(&read, &document, "managedNodeGroups");
    read_groups(&read, &document, "nodeGroups");
    vec_push(session->arena, &stack->parts.cluster_configs, (const PlanClusterConfig *)config);
    return &stack->parts;
}
