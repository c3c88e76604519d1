// A group of nodes: its type, how many, and the order in which its parts are built. What AWS would refuse for the type
// is refused while building, because nothing sensible can be planned without it. Judgements that leave a plan are
// rules.
#include "compiler/plan/declared/builder.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/declared/read.h"
#include "schema/instances.h"

// That a row is from a file of `--schema` is no decision of the author's source, so it is said.
static void decide_row(Builder *builder, const Block *block, const InstanceRow *row) {
    if (row->origin == NULL) {
        return;
    }
    const bool is_new = !schema_has_own(str_of(row->name));
    builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block), "%s is as %s has it%s",
                         row->name, row->origin, is_new ? "" : ", in place of dtc's own row");
}

const InstanceRow *build_instance(Builder *builder, const Value *value) {
    if (value == NULL) {
        return NULL; // missing or late, and reported
    }
    const InstanceRow *row = schema_instance(builder->session, value->string);
    if (row == NULL) {
        Suggestion suggestion = suggest_for(builder->session, value->string);
        for (int i = 0; i < schema_instance_count(builder->session); i++) {
            suggest_offer(&suggestion, str_of(schema_instance_at(builder->session, i)->name));
        }
        Diag *diag = report(builder->session, value->span, DIAG(unknown_instance_type), STR_ARG(value->string));
        if (suggestion.best.len > 0) {
            diag_help(builder->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
            Str quoted = str_format(builder->arena, "\"%.*s\"", STR_ARG(suggestion.best));
            const bool is_literal = source_text(builder->session, value->span).len == value->string.len + 2;
            if (is_literal && suggest_is_sure(&suggestion)) {
                diag_fix(builder->session, diag, value->span, quoted);
            }
        }
        diag_note(builder->session, diag, "`dtc instances` lists all; a type that is newer comes with `--schema`");
        return NULL;
    }
    // A head, and a group that is not on AWS Batch, need little of a type that has neither EFA nor accelerators.
    const char *gap = schema_is_plain(row) ? schema_plain_gap(row) : schema_instance_gap(row);
    return build_has_facts(builder, value->span, row, gap) ? row : NULL;
}

bool build_has_facts(Builder *builder, Span span, const InstanceRow *row, const char *gap) {
    if (gap != NULL) {
        Diag *diag = report(builder->session, span, DIAG(instance_type_gap), row->name, gap);
        diag_note(builder->session, diag, "`dtc explain %s%s` shows what is known", row->name,
                  row->origin == NULL ? "" : " --schema FILE");
    }
    return gap == NULL;
}

void build_decide_gap(Builder *builder, const Block *block, const InstanceRow *row) {
    const char *gap = schema_instance_gap(row);
    if (gap != NULL) {
        builder_add_decision(builder, block->subject.name_span, str_of(row->name),
                             "no source says %s, so no rule looks at that", gap);
    }
}

// AWS Batch counts in vCPUs, and EFA stands on network cards.
static bool has_facts(Builder *builder, const PlanNodes *nodes) {
    const Value *efa = subject_value(nodes->head.subject, NODES_EFA);
    const bool wants_efa = efa != NULL && !(efa->kind == VALUE_WORD && str_is(efa->string, "none"));
    const bool needs_all = nodes->cluster->target == TARGET_BATCH || wants_efa;
    bool has_all = true;
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        const PlanGroupType *type = &nodes->types.items[i];
        const char *gap = needs_all ? schema_instance_gap(type->row) : NULL;
        has_all = build_has_facts(builder, type->name->span, type->row, gap) && has_all;
    }
    return has_all;
}

// ---- count -----------------------------------------------------------------------------------------------------

// An end of `count` as a number: of a late one its default, which is what the group is checked with.
static const Value *known_end(Builder *builder, const Value *end) {
    if (end->kind == VALUE_INT) {
        return end;
    }
    const bool is_param = end->kind == VALUE_LATE && end->late->kind == LATE_PARAM;
    const Value *initial = is_param ? end->late->param->initial : NULL;
    if (initial != NULL && initial->kind == VALUE_INT) {
        return initial;
    }
    Diag *diag = report(builder->session, end->span, DIAG(late_count));
    diag_help(builder->session, diag, "give it a default: `late param NAME : int = 4`");
    return NULL;
}

static bool read_count(Builder *builder, const Block *block, PlanNodes *nodes) {
    const Value *count =
        nodes->maker == MAKER_STACK ? block_value(block, NODES_COUNT) : read_known(builder, block, NODES_COUNT);
    if (count == NULL) {
        return false;
    }
    bool is_range = count->kind == VALUE_RANGE;
    nodes->count.written_low = is_range ? count->range.low : count;
    nodes->count.written_high = is_range ? count->range.high : count;
    nodes->count.low = known_end(builder, nodes->count.written_low);
    nodes->count.high = nodes->count.low == NULL ? NULL : known_end(builder, nodes->count.written_high);
    if (nodes->count.high == NULL) {
        return false;
    }
    if (nodes->count.low->integer < 0 || nodes->count.high->integer < 1) {
        const Value *end = nodes->count.low->integer < 0 ? nodes->count.low : nodes->count.high;
        Diag *diag =
            report(builder->session, end->span, DIAG(count_too_low), STR_ARG(value_print(builder->arena, count)));
        diag_help(builder->session, diag, "the low end of `count` is 0 or more, the high end 1 or more");
        return false;
    }
    if (nodes->count.low->integer > nodes->count.high->integer) { // an end is late: known ones make no range
        Diag *diag = report(builder->session, count->span, DIAG(late_count_backwards), nodes->count.low->integer,
                            nodes->count.high->integer);
        diag_label(builder->session, diag, nodes->count.low->span, "the least");
        diag_label(builder->session, diag, nodes->count.high->span, "the most");
        return false;
    }
    const int64_t most = nodes->instance->vcpus == UNKNOWN ? INT32_MAX : INT32_MAX / nodes->instance->vcpus;
    if (nodes->count.high->integer > most) {
        report(builder->session, nodes->count.high->span, DIAG(count_too_high), nodes->count.high->integer,
               nodes->instance->name, nodes->instance->vcpus, most);
        return false;
    }
    return true;
}

// ---- the group -------------------------------------------------------------------------------------------------

// dtc writes eksctl's own size in two places. In a launch template of ours, nodes would have the 20 GiB of EKS or of
// its image, which one container image of a framework fills. In a group that eksctl makes, the volume can be encrypted
// only if its size is written. The image of AWS Batch has 30 GiB, and images of frameworks for accelerators need more.
// An author's image in a stack keeps its own size, which may be more.
static bool says_disk(const PlanNodes *nodes) {
    switch (nodes->maker) {
    case MAKER_MANAGED_WITH_TEMPLATE:
    case MAKER_EKSCTL:
        return true;
    case MAKER_STACK:
        return nodes->ami.given == NULL;
    case MAKER_BATCH:
        return nodes->ami.given == NULL && nodes->instance->accelerator != ACCELERATOR_NONE;
    case MAKER_PARALLELCLUSTER:
    case MAKER_PCS:
    case MAKER_MANAGED:
        return false;
    }
    return false;
}

static const Value *disk_of(Builder *builder, const PlanNodes *nodes) {
    const Value *disk = read_known(builder, nodes->head.block, NODES_DISK);
    if (disk != NULL || !says_disk(nodes)) {
        return disk;
    }
    const Origin *origin = plan_schema_origin(builder, nodes->head.block, NODES_DISK);
    Value *value = value_new(builder->arena, VALUE_SIZE, nodes->head.subject->name_span, origin);
    const int64_t gib = schema_constant(CONSTANT_EKS_DISK_GIB);
    value->integer = gib * (INT64_C(1) << 30);
    if (nodes->maker != MAKER_EKSCTL) { // there eksctl takes the same, so that dtc decides nothing
        builder_add_decision(builder, nodes->head.subject->name_span, builder_subject(builder, nodes->head.block),
                             "disk = %" PRId64 "GiB", gib);
    }
    return value;
}

// For a managed group, build_maker() decides later whether dtc writes its launch template.
static PlanMaker maker_of(const PlanCluster *cluster, Str group) {
    switch (cluster->target) {
    case TARGET_BATCH:
        return MAKER_BATCH;
    case TARGET_PARALLELCLUSTER:
        return MAKER_PARALLELCLUSTER;
    case TARGET_PCS:
        return MAKER_PCS;
    case TARGET_EKS:
        return str_is(group, "stack") ? MAKER_STACK : str_is(group, "eksctl") ? MAKER_EKSCTL : MAKER_MANAGED;
    case TARGET_NETWORK:
        break;
    }
    return MAKER_BATCH; // no cluster is on a network
}

static const PlanBatchNodes *read_batch(Builder *builder, const Block *block) {
    PlanBatchNodes *batch = arena_new(builder->arena, PlanBatchNodes);
    batch->detailed_monitoring = read_bool(builder, block, NODES_DETAILED_MONITORING, false);
    return batch;
}

static const PlanSlurmNodes *read_slurm(Builder *builder, const Block *block) {
    PlanSlurmNodes *slurm = arena_new(builder->arena, PlanSlurmNodes);
    *slurm = (PlanSlurmNodes){
        .exclusive = read_bool(builder, block, NODES_EXCLUSIVE, false),
        .compute_resource = read_known(builder, block, NODES_COMPUTE_RESOURCE),
        .settings = block_value(block, NODES_SETTINGS),
    };
    return slurm;
}

// Kubernetes' spelling of an effect is the doc of its word in the schema.
static const Value *taint_of_kubernetes(Builder *builder, const Value *written) {
    enum { EFFECT = 2 };
    const Value *word = written->tag.arguments[EFFECT];
    const Type *row = schema_find_word(KIND_ROWS[KIND_NODES].attributes[NODES_TAINTS].type, word->string);
    const Value **arguments = arena_new_array(builder->arena, const Value *, written->tag.count);
    memcpy(arguments, written->tag.arguments, written->tag.count * sizeof *arguments);
    arguments[EFFECT] = value_string(builder->arena, word->span, word->origin, str_of(row->doc));
    Value *taint = value_new(builder->arena, VALUE_TAG, written->span, written->origin);
    taint->tag = written->tag;
    taint->tag.arguments = arguments;
    return taint;
}

static const Value *read_taints(Builder *builder, const Block *block) {
    const Value *written = read_known_list(builder, block, NODES_TAINTS);
    const Value **taints = arena_new_array(builder->arena, const Value *, written->list.count);
    for (uint32_t i = 0; i < written->list.count; i++) {
        taints[i] = taint_of_kubernetes(builder, written->list.items[i]);
    }
    return value_list(builder->arena, written->span, written->origin, taints, written->list.count);
}

static const PlanEksNodes *read_eks(Builder *builder, const Block *block, const Value *group) {
    PlanEksNodes *eks = arena_new(builder->arena, PlanEksNodes);
    *eks = (PlanEksNodes){
        .group = group,
        .desired = block_value(block, NODES_DESIRED),
        .repair = read_bool(builder, block, NODES_REPAIR, false),
        .tolerance = read_known(builder, block, NODES_TOLERANCE),
        .prefix = read_known(builder, block, NODES_INSTANCE_PREFIX),
        .labels = read_map(builder, block, NODES_LABELS),
        .taints = read_taints(builder, block),
        .addon_policies = read_known_list(builder, block, NODES_ADDON_POLICIES),
    };
    return eks;
}

const PlanNodes *build_nodes(Builder *builder, const Block *block, const PlanCluster *cluster) {
    PlanNodes *nodes = arena_new(builder->arena, PlanNodes);
    nodes->head = builder_head(builder, block, -1);
    nodes->cluster = cluster;
    const bool has_types = build_types(builder, nodes);
    const Value *group = read_word(builder, block, NODES_GROUP, "managed");
    nodes->maker = maker_of(cluster, group->string);
    if (!has_types || !has_facts(builder, nodes) || !read_count(builder, block, nodes)) {
        return NULL;
    }
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        build_decide_gap(builder, block, nodes->types.items[i].row);
        decide_row(builder, block, nodes->types.items[i].row);
    }
    nodes->capacity = build_capacity(builder, block);
    const bool is_placed = build_interfaces(builder, block, nodes);
    nodes->launch = build_launch(builder, nodes);
    build_placement(builder, nodes);
    if (!is_placed || !build_same_interfaces(builder, nodes)) {
        return NULL; // only now: a mistake in `capacity` or `placement` is one of its own
    }
    if (cluster->network != NULL) {
        build_subnets(builder, nodes);
    }
    build_ami(builder, block, nodes);
    nodes->key = block_value(block, NODES_KEY_NAME);
    nodes->root.size = disk_of(builder, nodes);
    nodes->root.type = read_word(builder, block, NODES_DISK_TYPE, "gp3");
    build_setup(builder, block, nodes);
    const ConstantId hops = cluster->target == TARGET_EKS ? CONSTANT_IMDS_HOPS_EKS : CONSTANT_IMDS_HOPS_BATCH;
    nodes->imds.hop_limit = read_int(builder, block, NODES_IMDS_HOP_LIMIT, schema_constant(hops));
    nodes->imds.v1 = read_bool(builder, block, NODES_IMDS_V1, false);
    nodes->role.instance_profile = read_given(builder, block, NODES_INSTANCE_PROFILE);
    nodes->role.policies = build_policies(builder, block, NODES_POLICIES);
    nodes->tags = read_map(builder, block, NODES_TAGS);
    nodes->subnets.zone = block_value(block, NODES_ZONE);
    nodes->batch = cluster->target == TARGET_BATCH ? read_batch(builder, block) : NULL;
    nodes->slurm = cluster->target == TARGET_PARALLELCLUSTER ? read_slurm(builder, block) : NULL;
    nodes->eks = cluster->target == TARGET_EKS ? read_eks(builder, block, group) : NULL;
    build_block(builder, nodes);
    nodes->group = build_group(builder, nodes);
    build_validate(builder, block, nodes);
    build_others(builder, nodes);
    str_map_add(&builder->nodes, builder_key(builder, block), nodes);
    return nodes;
}
