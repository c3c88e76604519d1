// A cluster configuration as a whole: what it is, the head, scripts, volumes and settings.
#include "compiler/readers/parallelcluster/pcluster.h"

#include "compiler/plan/model/head_machine.h"
#include "compiler/readers/foreign_subject.h"
#include "schema/instances.h"

// ---- what the parts share --------------------------------------------------------------------------------------

const Subject *pcluster_section(PclusterRead *read, Span name, Span whole) {
    const Subject *subject = foreign_subject(read->stack->session, read->file, name, whole);
    vec_push(read->stack->arena, &read->configuration->sections, (PlanSection){ .subject = subject, .whole = whole });
    return subject;
}

PlanField pcluster_field(const PclusterRead *read, const RawMap *map, const char *name, Span otherwise) {
    PlanField field = raw_field(read->stack, map, name);
    field.name = name;
    if (span_is_none(field.span)) {
        field.span = otherwise;
    }
    return field;
}

PlanField pcluster_switch(const PclusterRead *read, const RawMap *map, const char *name) {
    static const char *const ON[] = { "true", "t", "on", "y", "yes", "1" };
    static const char *const OFF[] = { "false", "f", "off", "n", "no", "0" };
    PlanField field = raw_field(read->stack, map, name);
    for (size_t i = 0; field.state == FIELD_KNOWN && i < COUNT_OF(ON); i++) {
        field.text = str_is_in_any_case(field.text, ON[i])    ? STR("true")
                     : str_is_in_any_case(field.text, OFF[i]) ? STR("false")
                                                              : field.text;
    }
    return field;
}

const RawVolumeWords PCLUSTER_VOLUME = { VOLUME_OF_PARALLELCLUSTER, "gp3", "VolumeType", "Size", "Iops", "Throughput" };

void pcluster_read_volume(PclusterRead *read, const RawMap *local_storage, const Subject *subject, const RawMap *image,
                          const char *owner) {
    const RawMap volume = raw_map(local_storage, "RootVolume");
    const PlanConfigurationVolume root = { .subject = subject,
                                           .owner = str_of(owner),
                                           .has_image = value_entry(image->entries, image->count, "CustomAmi") != NULL,
                                           .size = raw_field(read->stack, &volume, "Size"),
                                           .type = raw_field(read->stack, &volume, "VolumeType") };
    if (root.size.state == FIELD_KNOWN) {
        vec_push(read->stack->arena, &read->configuration->volumes, root);
    }
    raw_add_volume(read->stack, subject, &volume, &PCLUSTER_VOLUME);
}

// ---- custom actions --------------------------------------------------------------------------------------------

static void add_action(PclusterRead *read, const RawMap *action, const Subject *subject) {
    const PlanField url = raw_field(read->stack, action, "Script");
    if (url.state == FIELD_KNOWN) {
        vec_push(read->stack->arena, &read->configuration->actions,
                 (PlanCustomAction){ .subject = subject, .url = url });
    }
}

// One script, or a sequence of them.
void pcluster_read_actions(PclusterRead *read, const RawMap *owner, const Subject *subject) {
    static const char *const STEPS[] = { "OnNodeStart", "OnNodeConfigured", "OnNodeUpdated" };
    const RawMap actions = raw_map(owner, "CustomActions");
    for (size_t i = 0; i < COUNT_OF(STEPS); i++) {
        const RawMap step = raw_map(&actions, STEPS[i]);
        FieldState state;
        Span key = SPAN_NONE;
        const RawMaps sequence = raw_maps(read->stack, &step, "Sequence", &state, &key);
        add_action(read, &step, subject);
        for (uint32_t k = 0; k < sequence.count; k++) {
            add_action(read, &sequence.items[k], subject);
        }
    }
}

// ---- settings of Slurm -----------------------------------------------------------------------------------------

// A line of slurm.conf about nodes or partitions of the author's own: each of its words would have to be held against
// other names.
static bool is_own_line(const Value *map) {
    return map->kind == VALUE_MAP && map->map.count > 0 &&
           (str_is_in_any_case(map->map.entries[0].key, "NodeName") ||
            str_is_in_any_case(map->map.entries[0].key, "NodeSet") ||
            str_is_in_any_case(map->map.entries[0].key, "PartitionName"));
}

static void add_settings(PclusterRead *read, const Value *map, const Subject *subject, SlurmPlace place) {
    for (uint32_t i = 0; map->kind == VALUE_MAP && !is_own_line(map) && i < map->map.count; i++) {
        vec_push(read->stack->arena, &read->configuration->settings,
                 (PlanSetting){ .subject = subject,
                                .place = place,
                                .has_database = read->has_database,
                                .entry = &map->map.entries[i],
                                .before = map->map.entries,
                                .before_count = i });
    }
}

// Of the cluster they are a list of maps; of queues and compute resources, a map.
void pcluster_read_settings(PclusterRead *read, const RawMap *map, const Subject *subject, SlurmPlace place) {
    Span key = SPAN_NONE;
    const Value *settings = raw_value(map, "CustomSlurmSettings", &key);
    if (settings == NULL) {
        return;
    }
    add_settings(read, settings, subject, place);
    for (uint32_t i = 0; settings->kind == VALUE_LIST && i < settings->list.count; i++) {
        add_settings(read, settings->list.items[i], subject, place);
    }
}

// ---- the head --------------------------------------------------------------------------------------------------

static void read_head(PclusterRead *read, const RawMap *document) {
    const RawMap head = raw_map(document, "HeadNode");
    const RawMap ssh = raw_map(&head, "Ssh");
    const RawMap networking = raw_map(&head, "Networking");
    const RawMap storage = raw_map(&head, "LocalStorage");
    const RawMap disks = raw_map(&storage, "EphemeralVolume");
    const Subject *subject = pcluster_section(read, head.key, span_join(head.key, head.span));
    const PlanField type = pcluster_field(read, &head, "InstanceType", head.key);
    read->configuration->head =
        (PlanConfigurationHead){ .subject = subject,
                                 .row = raw_type(read->stack, &type),
                                 .type = type,
                                 .key = raw_field(read->stack, &ssh, "KeyName"),
                                 .allowed_ips = raw_field(read->stack, &ssh, "AllowedIps"),
                                 .elastic_ip = pcluster_switch(read, &networking, "ElasticIp"),
                                 .has_groups = raw_presence(&networking, "SecurityGroups").state != FIELD_ABSENT,
                                 .disks = raw_field(read->stack, &disks, "MountDir") };
    const RawMap image = raw_map(&head, "Image");
    pcluster_read_volume(read, &storage, subject, &image, "the head");
    pcluster_read_actions(read, &head, subject);
}

// ---- ssh -------------------------------------------------------------------------------------------------------

static void add_ssh(const PclusterRead *read, const PlanField *range, PlanSecurityGroup *group) {
    if (range->state == FIELD_KNOWN) {
        vec_push(read->stack->arena, &group->openings,
                 ((PlanOpening){ .subject = configuration_subject(read->configuration, field_place(range)),
                                 .range = *range,
                                 .protocol = field_known("Ssh", SPAN_NONE, STR("tcp")),
                                 .first_port = 22,
                                 .last_port = 22 }));
    }
}

// Of a head that is open, rule configuration_head speaks. Login nodes that name no range have that of the head; whether their
// subnet is a public one, the file does not show.
// source: aws/aws-parallelcluster@451cc532 cli/src/pcluster/schemas/common_schema.py, is_cidr_or_prefix_list, and
// templates/cluster_stack.py, read 2026-11. It takes no ranges of IPv6.
static void read_ssh(const PclusterRead *read, const RawMap *document) {
    const PlanHeadMachine head = head_of_configuration(read->stack->arena, read->configuration);
    PlanSecurityGroup *group = arena_new(read->stack->arena, PlanSecurityGroup);
    *group = (PlanSecurityGroup){ .subject = read->file,
                                  .span = SPAN_NONE,
                                  .open_egress = SPAN_NONE,
                                  .name_of_efa = SPAN_NONE,
                                  .use_of_efa = SPAN_NONE,
                                  .others = "a prefix list" };
    if (!head_is_open(&head) && !read->configuration->head.has_groups) {
        add_ssh(read, &read->configuration->head.allowed_ips, group);
    }
    const RawMap login = raw_map(document, "LoginNodes");
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps pools = raw_maps(read->stack, &login, "Pools", &state, &key);
    for (uint32_t i = 0; i < pools.count; i++) {
        const PlanField range = raw_field_at(read->stack, &pools.items[i], "Ssh.AllowedIps");
        add_ssh(read, &range, group);
    }
    vec_push(read->stack->arena, &read->raw->security_groups, (const PlanSecurityGroup *)group);
}

// ---- the file --------------------------------------------------------------------------------------------------

const PlanRaw *pcluster_read(Session *session, const Subject *file, const Value *value) {
    RawStack *stack = arena_new(session->arena, RawStack);
    *stack = (RawStack){ .session = session, .arena = session->arena };
    const RawMap document = { .state = FIELD_KNOWN,
                              .span = value->span,
                              .whole = value->span,
                              .entries = value->map.entries,
                              .count = value->map.count };
    const RawMap scheduling = raw_map(&document, "Scheduling");
    const RawMap image = raw_map(&document, "Image");
    const RawMap imds = raw_map(&document, "Imds");
    const PlanField scheduler = raw_field(stack, &scheduling, "Scheduler");
    if (scheduler.state == FIELD_ABSENT || value_get(value, "HeadNode") == NULL) {
        return NULL;
    }
    PlanConfiguration *configuration = arena_new(session->arena, PlanConfiguration);
    *configuration = (PlanConfiguration){ .subject = file,
                                          .document = value,
                                          .is_slurm = field_is(&scheduler, "slurm"),
                                          .region = raw_field(stack, &document, "Region"),
                                          .os = raw_field(stack, &image, "Os"),
                                          .image = raw_field(stack, &image, "CustomAmi"),
                                          .imds = raw_field(stack, &imds, "ImdsSupport") };
    PclusterRead read = { .stack = stack, .file = file, .configuration = configuration, .raw = &stack->parts };
    if (imds.state == FIELD_KNOWN) {
        pcluster_section(&read, imds.key, span_join(imds.key, imds.span));
    }
    read_head(&read, &document);
    if (configuration->is_slurm) {
        const RawMap settings = raw_map(&scheduling, "SlurmSettings");
        read.has_database = raw_map(&settings, "Database").state != FIELD_ABSENT;
        pcluster_read_settings(&read, &settings, file, SLURM_CLUSTER);
        pcluster_read_queues(&read, &scheduling);
    }
    pcluster_read_storages(&read, &document);
    read_ssh(&read, &document);
    vec_push(session->arena, &read.raw->configurations, (const PlanConfiguration *)configuration);
    return read.raw;
}
