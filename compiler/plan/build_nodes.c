// A group of nodes: its type, how many, its interfaces on their cards, its place. What AWS would refuse for the type is
// refused here, since nothing sensible can be planned behind it; judgements that leave a plan are rules.
#include "compiler/plan/builder.h"

#include "schema/instances.h"

// That a row is from a file of `--schema` is no decision of the author's source, so it is said.
static void decide_row(Builder *builder, const Block *block, const InstanceRow *row) {
    if (row->origin == NULL) {
        return;
    }
    const bool is_new = !schema_has_own(str_of(row->name));
    builder_decide(builder, block->name_span, "%.*s: %s is as %s has it%s", STR_ARG(block->name), row->name,
                   row->origin, is_new ? "" : ", in place of dtc's own row");
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
    const char *gap = schema_instance_gap(row);
    if (gap != NULL) {
        Diag *diag = report(builder->session, value->span, DIAG(instance_type_gap), row->name, gap);
        diag_note(builder->session, diag, "`dtc explain %s%s` shows what is known", row->name,
                  row->origin == NULL ? "" : " --schema FILE");
        return NULL;
    }
    return row;
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
    const Value *count = nodes->is_stack ? read_value(block, NODES_COUNT) : read_known(builder, block, NODES_COUNT);
    if (count == NULL) {
        return false;
    }
    bool is_range = count->kind == VALUE_RANGE;
    nodes->least = is_range ? count->range.low : count;
    nodes->most = is_range ? count->range.high : count;
    nodes->count_low = known_end(builder, nodes->least);
    nodes->count_high = nodes->count_low == NULL ? NULL : known_end(builder, nodes->most);
    if (nodes->count_high == NULL) {
        return false;
    }
    if (nodes->count_low->integer < 0 || nodes->count_high->integer < 1) {
        const Value *end = nodes->count_low->integer < 0 ? nodes->count_low : nodes->count_high;
        Diag *diag =
            report(builder->session, end->span, DIAG(count_too_low), STR_ARG(value_print(builder->arena, count)));
        diag_help(builder->session, diag, "the low end of `count` is 0 or more, the high end 1 or more");
        return false;
    }
    if (nodes->count_low->integer > nodes->count_high->integer) { // an end is late: known ones make no range
        Diag *diag = report(builder->session, count->span, DIAG(late_count_backwards), nodes->count_low->integer,
                            nodes->count_high->integer);
        diag_label(builder->session, diag, nodes->count_low->span, "the least");
        diag_label(builder->session, diag, nodes->count_high->span, "the most");
        return false;
    }
    int64_t most = INT32_MAX / nodes->instance->vcpus;
    if (nodes->count_high->integer > most) {
        report(builder->session, nodes->count_high->span, DIAG(count_too_high), nodes->count_high->integer,
               nodes->instance->name, nodes->instance->vcpus, most);
        return false;
    }
    return true;
}

// ---- interfaces ------------------------------------------------------------------------------------------------

static NicLayout layout_of(Str word) {
    return str_is(word, "all_ip")          ? LAYOUT_ALL_IP
           : str_is(word, "max_bandwidth") ? LAYOUT_MAX_BANDWIDTH
                                           : LAYOUT_MIN_IP;
}

static void too_many_efa(Builder *builder, const PlanNodes *nodes, const Value *efa, int all) {
    Diag *diag = NULL;
    if (all == 0) {
        diag = report(builder->session, efa->span, DIAG(no_efa), nodes->instance->name);
        diag_help(builder->session, diag, "write `efa = none`, or take a type that has EFA: `dtc instances efa`");
    } else {
        diag = report(builder->session, efa->span, DIAG(too_many_efa), nodes->instance->name, all, all == 1 ? "" : "s",
                      efa->integer);
        diag_primary_label(builder->session, diag, "asks for %" PRId64, efa->integer);
        diag_help(builder->session, diag, "write `efa = all`, or leave it out");
        if (read_is_written_there(builder, nodes->head.block, NODES_EFA)) {
            diag_fix(builder->session, diag, efa->span, STR("all"));
        }
    }
    diag_label(builder->session, diag, nodes->instance_value->span, "%d network card%s, %d EFA interface%s",
               nodes->instance->network_cards, nodes->instance->network_cards == 1 ? "" : "s", all,
               all == 1 ? "" : "s");
}

// How many EFA interfaces the author asks for; -1 where that was reported.
static int read_efa(Builder *builder, const PlanNodes *nodes, const Value *efa) {
    int all = nics_efa_all(nodes->instance, nodes->layout);
    if (efa == NULL) {
        return nodes->count_high->integer > 1 && all > 0 ? all : 0;
    }
    if (efa->kind == VALUE_WORD) {
        bool wants_all = str_is(efa->string, "all");
        if (wants_all && all == 0) {
            too_many_efa(builder, nodes, efa, all);
            return -1;
        }
        return wants_all ? all : 0;
    }
    if (efa->integer < 0) {
        Diag *diag = report(builder->session, efa->span, DIAG(negative), "efa", efa->integer);
        diag_help(builder->session, diag, "write `efa = none`, or leave it out");
        return -1;
    }
    if (efa->integer > all) {
        too_many_efa(builder, nodes, efa, all);
        return -1;
    }
    return (int)efa->integer;
}

// Where the target places the interfaces, rules efa_is_placed and interfaces_of_eksctl refuse a number.
static bool takes_number(const PlanNodes *nodes) {
    return nodes->cluster->target == TARGET_BATCH || nodes->is_stack || nodes->is_template;
}

static void check_fewer(Builder *builder, const Block *block, const PlanNodes *nodes, const Value *efa) {
    int all = nics_efa_all(nodes->instance, nodes->layout);
    if (efa == NULL || efa->kind == VALUE_WORD || nodes->efa_count == all || !takes_number(nodes)) {
        return;
    }
    Diag *diag = plan_report(builder->session, block, efa->span, DIAG(fewer_efa), nodes->instance->name, all, "group",
                             efa->integer);
    diag_label(builder->session, diag, nodes->instance_value->span, "has %d", all);
    diag_help(builder->session, diag, "write `efa = all`, or say why: `allow DT0305, \"…\"`");
}

static Str layouts_of(Builder *builder, const InstanceRow *row) {
    static const NicLayout ALL[] = { LAYOUT_MIN_IP, LAYOUT_ALL_IP, LAYOUT_MAX_BANDWIDTH };
    StrBuf text = { .arena = builder->arena };
    for (size_t i = 0; i < COUNT_OF(ALL); i++) {
        if (nics_efa_all(row, ALL[i]) != UNKNOWN) {
            strbuf_add_format(&text, "%s`%s`", text.len == 0 ? "" : ", ", nics_layout_name(ALL[i]));
        }
    }
    return strbuf_str(&text);
}

// The type has no such layout at all, or none with `count` EFA interfaces.
static void no_layout(Builder *builder, const PlanNodes *nodes, const Value *layout, int count) {
    bool has_it = nics_efa_all(nodes->instance, nodes->layout) != UNKNOWN;
    Str with = has_it ? str_format(builder->arena, " with %d EFA interface%s", count, count == 1 ? "" : "s") : STR_NONE;
    Diag *diag = report(builder->session, layout->span, DIAG(no_layout), nodes->instance->name,
                        nics_layout_name(nodes->layout), str_c(builder->arena, with));
    diag_label(builder->session, diag, nodes->instance_value->span, "has %.*s",
               STR_ARG(layouts_of(builder, nodes->instance)));
    diag_help(builder->session, diag, "%sleave `efa_layout` out: the schema knows the one to take",
              has_it ? "write `efa = all`, or " : "");
}

static void decide_nics(Builder *builder, const Block *block, const PlanNodes *nodes) {
    if (read_value(block, NODES_EFA) == NULL && nodes->efa_count > 0) {
        builder_decide(builder, block->name_span, "%.*s: efa = all, %d on %d network card%s of %s",
                       STR_ARG(block->name), nodes->efa_count, nodes->instance->network_cards,
                       nodes->instance->network_cards == 1 ? "" : "s", nodes->instance->name);
    }
    // On Batch a job says how many nodes belong together: rule fabric.
    const bool has_accelerators = nodes->instance->accelerator != ACCELERATOR_NONE;
    const bool is_quiet = read_value(block, NODES_EFA) != NULL || nodes->cluster->target == TARGET_BATCH;
    if (has_accelerators && nodes->instance->efa_max == 0 && nodes->count_high->integer > 1 && !is_quiet) {
        builder_decide(builder, block->name_span, "%.*s: no EFA on %s, its nodes speak TCP to each other",
                       STR_ARG(block->name), nodes->instance->name);
    }
    if (nodes->cluster->target == TARGET_PARALLELCLUSTER && nodes->efa_count > 0) {
        builder_decide(builder, block->name_span, "%.*s: ParallelCluster places the interfaces", STR_ARG(block->name));
    } else if (plan_is_of_eksctl(nodes) && nodes->efa_count > 0) {
        builder_decide(builder, block->name_span, "%.*s: eksctl places the interfaces", STR_ARG(block->name));
    } else if (read_value(block, NODES_EFA_LAYOUT) == NULL && nodes->efa_count > 0) {
        builder_decide(builder, block->name_span,
                       "%.*s: efa_layout = %s, %d interfaces, %d private IP address%s a node", STR_ARG(block->name),
                       nics_layout_name(nodes->layout), nodes->nics.count, nics_private_ips(&nodes->nics),
                       nics_private_ips(&nodes->nics) == 1 ? "" : "es");
    }
}

static bool place_nics(Builder *builder, const Block *block, PlanNodes *nodes) {
    const Value *layout = read_word(builder, block, NODES_EFA_LAYOUT, "auto");
    const Value *efa = read_known(builder, block, NODES_EFA);
    nodes->layout = layout_of(layout->string);
    if (nics_efa_all(nodes->instance, nodes->layout) == UNKNOWN) {
        no_layout(builder, nodes, layout, nodes->instance->efa_max);
        return false;
    }
    int count = read_efa(builder, nodes, efa);
    if (count < 0) {
        return false;
    }
    nodes->efa_count = count;
    const Origin *origin = origin_join(builder->arena, nodes->instance_value->origin, layout->origin);
    if (efa != NULL) {
        origin = origin_join(builder->arena, origin, efa->origin);
    } else {
        origin = origin_join(builder->arena, origin, nodes->count_high->origin);
    }
    nodes->nics_origin = origin_join(builder->arena, origin, origin_schema(builder->arena, nodes->instance->name));
    switch (nics_place(nodes->instance, nodes->layout, count, &nodes->nics)) {
    case NICS_PLACED:
        build_template(builder, nodes);
        check_fewer(builder, block, nodes, efa);
        decide_nics(builder, block, nodes);
        return true;
    case NICS_UNKNOWN:
        report(builder->session, nodes->instance_value->span, DIAG(instance_type_gap), nodes->instance->name,
               "which network cards and EFA interfaces it has");
        return false;
    case NICS_TOO_MANY:
        too_many_efa(builder, nodes, efa, nics_efa_all(nodes->instance, nodes->layout));
        return false;
    case NICS_NO_LAYOUT:
        no_layout(builder, nodes, layout, count);
        return false;
    }
    return false;
}

// ---- subnets ---------------------------------------------------------------------------------------------------

const Value *build_item(Builder *builder, const Value *list, uint32_t index, const Origin *origin) {
    if (list->kind == VALUE_LIST) {
        return list->list.items[index];
    }
    const Value **parts = arena_new_array(builder->arena, const Value *, 1);
    parts[0] = list;
    Late *late = arena_new(builder->arena, Late);
    const Type *type = list->late->type; // NULL of a choice
    *late = (Late){
        .kind = LATE_ITEM, .type = type == NULL ? NULL : type->element, .parts = parts, .part_count = 1, .index = index
    };
    Value *value = plan_value(builder, VALUE_LATE, list->span, origin);
    value->late = late;
    return value;
}

// Nodes that talk over EFA, or stand in one placement group, must be in one zone.
bool plan_wants_one_zone(const PlanNodes *nodes) {
    return (nodes->efa_count > 0 && nodes->count_high->integer > 1) || nodes->placement.is_new;
}

static void zone_unknown(Builder *builder, const PlanNetwork *network, const Value *zone) {
    Diag *diag = report(builder->session, zone->span, DIAG(zone_not_in_network),
                        STR_ARG(value_print(builder->arena, zone)), STR_ARG(network->head.id));
    if (network->zones != NULL) {
        diag_label(builder->session, diag, network->zones->span, "its zones");
    } else {
        diag_help(builder->session, diag, "give `zones` to `%.*s`, in the order of its subnets",
                  STR_ARG(network->head.id));
    }
}

static void zone_missing(Builder *builder, const PlanNodes *nodes, const PlanNetwork *network, uint32_t count) {
    // EFA that nobody wrote comes with the type: nodes that do not talk to each other can do without.
    const bool is_written = nodes->head.block->values[NODES_EFA] != NULL;
    const char *otherwise = nodes->efa_count > 0 && !is_written ? ", or `efa = none` for nodes that work alone" : "";
    Diag *diag = report(builder->session, nodes->head.block->name_span, DIAG(zone_missing), STR_ARG(nodes->head.id),
                        STR_ARG(network->head.id), count);
    diag_primary_label(builder->session, diag, nodes->efa_count > 0 ? "uses EFA" : "has a cluster placement group");
    if (network->zones != NULL) {
        diag_label(builder->session, diag, network->zones->span, "one of these");
        diag_help(builder->session, diag, "write `zone = \"…\"`, one of the network's%s", otherwise);
    } else {
        diag_help(builder->session, diag, "write `subnet = \"…\"`, one of the network's%s", otherwise);
    }
}

// The place of the group's zone in the network's list; -1: all of them, or reported.
static int64_t subnet_index(Builder *builder, const PlanNodes *nodes, const PlanNetwork *network, uint32_t count) {
    const Value *zone = read_value(nodes->head.block, NODES_ZONE);
    if (zone != NULL) {
        for (uint32_t i = 0;
             network->zones != NULL && network->zones->kind == VALUE_LIST && i < network->zones->list.count; i++) {
            const Value *other = network->zones->list.items[i];
            bool is_same = value_equal(other, zone) || (other->kind == VALUE_LATE && zone->kind == VALUE_LATE &&
                                                        other->late->param == zone->late->param);
            if (is_same && i < count) {
                return i;
            }
        }
        if (read_known(builder, nodes->head.block, NODES_ZONE) != NULL) {
            zone_unknown(builder, network, zone);
        }
        return -1;
    }
    if (count > 1 && plan_wants_one_zone(nodes)) {
        zone_missing(builder, nodes, network, count);
        return -1;
    }
    return count == 1 ? 0 : -1;
}

static const Value *one_subnet(Builder *builder, const Value *subnet) {
    const Value **items = arena_new_array(builder->arena, const Value *, 1);
    items[0] = subnet;
    return plan_list(builder, subnet->span, NULL, items, 1);
}

// How many private subnets the network has, as far as it is known: 0 where it is not.
uint32_t plan_subnet_count(const PlanNetwork *network) {
    if (network->mode == NETWORK_GIVEN) {
        const Value *ids = network->private_ids;
        return ids != NULL && ids->kind == VALUE_LIST ? ids->list.count : 0;
    }
    return network->zones != NULL && network->zones->kind == VALUE_LIST ? network->zones->list.count : 0;
}

void build_subnets(Builder *builder, PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    const Block *block = nodes->head.block;
    const Value *subnet = read_given(builder, block, NODES_SUBNET);
    const Value *zone = read_value(block, NODES_ZONE);
    const Origin *origin = origin_join(builder->arena, network->head.origin, zone == NULL ? NULL : zone->origin);
    uint32_t count = plan_subnet_count(network);
    const Value *private_ids = network->private_ids;
    if (network->mode != NETWORK_GIVEN) {
        private_ids = plan_network_output(builder->arena, network, "private", origin);
        nodes->security_group = plan_network_output(builder->arena, network, "security_group", network->head.origin);
    } else {
        nodes->security_group = network->security_group;
    }
    if (subnet != NULL) {
        nodes->subnet_ids = one_subnet(builder, subnet);
        return;
    }
    if (private_ids == NULL) {
        // About the network, so that it is said once for all groups.
        Diag *diag = report(builder->session, network->head.block->name_span, DIAG(network_without_private),
                            STR_ARG(network->head.id));
        diag_label(builder->session, diag, block->name_span, "would be in one of them");
        diag_help(builder->session, diag, "give `private = [\"subnet-…\"]` to the network, or `subnet` to the group");
        nodes->subnet_ids = plan_list(builder, block->name_span, NULL, NULL, 0);
        return;
    }
    int64_t index = subnet_index(builder, nodes, network, count);
    bool picks = index >= 0 && count > 1;
    nodes->subnet_ids =
        picks ? one_subnet(builder, build_item(builder, private_ids, (uint32_t)index, origin)) : private_ids;
    if (nodes->subnet_ids->kind != VALUE_LIST) {
        nodes->subnet_ids = one_subnet(builder, nodes->subnet_ids);
    }
}

// ---- the group -------------------------------------------------------------------------------------------------

static void no_image(Builder *builder, const PlanNodes *nodes, const Value *os, bool is_written) {
    const InstanceRow *row = nodes->instance;
    Span instance = nodes->instance_value->span;
    Diag *diag = report(builder->session, is_written ? os->span : instance, DIAG(no_service_image), STR_ARG(os->string),
                        row->name);
    const char *architecture = schema_architecture_name(row->architecture);
    const char *accelerator = row->accelerator_vendor == NULL ? "no accelerator" : row->accelerator_vendor;
    if (is_written) {
        diag_label(builder->session, diag, instance, "%s, %s", architecture, accelerator);
    } else {
        diag_primary_label(builder->session, diag, "%s, %s", architecture, accelerator);
    }
    diag_help(builder->session, diag, "give the group an `ami`");
}

// EC2 User Guide, device names on Amazon EC2 instances; Canonical and Red Hat images, 2026-11.
static const char *root_device_of(Str os) {
    bool is_xvda = str_starts_with(os, STR("al")) || str_is(os, "bottlerocket");
    return is_xvda ? "/dev/xvda" : "/dev/sda1";
}

static Str image_parameter(Builder *builder, const PlanCluster *cluster, const ImageRow *row) {
    const Str mark = STR("<version>");
    const Str path = str_of(row->parameter);
    const size_t found = str_find(path, mark, 0);
    if (found == path.len || cluster->eks.version == NULL) {
        return path;
    }
    return str_format(builder->arena, "%.*s%.*s%.*s", STR_ARG(str_slice(path, 0, found)),
                      STR_ARG(cluster->eks.version->string), STR_ARG(str_slice(path, found + mark.len, path.len)));
}

// amazon-ec2-net-utils told interfaces apart by their device number alone until a change of March 2024
// (amazonlinux/amazon-ec2-net-utils#104, #105). The service's own images are newer.
static void decide_routes(Builder *builder, const Block *block, const PlanNodes *nodes, Str os) {
    const int addresses = nics_private_ips(&nodes->nics);
    if (nodes->ami != NULL && addresses > 1 && str_is(os, "al2023")) {
        builder_decide(builder, block->name_span,
                       "%.*s: an image from before March 2024 gives several of the %d addresses one route table",
                       STR_ARG(block->name), addresses);
    }
}

static void check_image_path(Builder *builder, const PlanNodes *nodes) {
    if (nodes->ami != NULL && nodes->ami->kind == VALUE_TAG && !value_is_known(nodes->ami)) {
        Diag *late = report(builder->session, nodes->ami->span, DIAG(late_shape), "ssm");
        diag_help(builder->session, late,
                  "the path of the parameter must be known; what it holds is read at deployment");
    }
}

// Who asks for something of the root volume means the device of the system that `os` says, by default as well.
static bool says_root(const Block *block) {
    return read_value(block, NODES_DISK) != NULL || read_value(block, NODES_DISK_TYPE) != NULL;
}

static void read_image(Builder *builder, const Block *block, const PlanCluster *cluster, PlanNodes *nodes) {
    const Value *written_os = read_value(cluster->head.block, CLUSTER_OS);
    const Value *os = cluster->os;
    nodes->ami = plan_default(builder, read_value(block, NODES_AMI), read_value(cluster->head.block, CLUSTER_AMI));
    nodes->root_device = root_device_of(os->string);
    nodes->is_root_known = written_os != NULL || says_root(block);
    check_image_path(builder, nodes);
    nodes->image_row =
        schema_image_row(cluster->target, os->string, nodes->instance->accelerator, nodes->instance->architecture);
    nodes->image_origin = origin_join(builder->arena, os->origin, nodes->instance_value->origin);
    if (nodes->image_row != NULL) {
        nodes->image_parameter = image_parameter(builder, cluster, nodes->image_row);
    }
    if (cluster->eks.version != NULL) {
        nodes->image_origin = origin_join(builder->arena, nodes->image_origin, cluster->eks.version->origin);
    }
    decide_routes(builder, block, nodes, os->string);
    const bool has_rule = nodes->is_stack && !str_is(os->string, "al2023"); // no_node_config says what is wrong
    if (nodes->image_row == NULL && plan_may_be_null(nodes->ami) && !has_rule) {
        no_image(builder, nodes, os, written_os != NULL);
    } else if (nodes->ami == NULL && nodes->image_row != NULL) {
        const ImageRow *row = nodes->image_row;
        const Str image = row->image_type != NULL ? str_of(row->image_type) : nodes->image_parameter;
        builder_decide(builder, block->name_span, "%.*s: the service's own image, %.*s", STR_ARG(block->name),
                       STR_ARG(image));
    }
}

// EKS chooses the image of a group that names none, by `os` and the type, so that its root is known. Bottlerocket keeps
// containers on a second volume.
static void read_image_of_eks(Builder *builder, const Block *block, PlanNodes *nodes) {
    const Str os = nodes->cluster->os->string;
    nodes->ami = read_given(builder, block, NODES_AMI);
    check_image_path(builder, nodes);
    nodes->root_device = str_is(os, "bottlerocket") ? "/dev/xvdb" : root_device_of(os);
    const bool is_said = read_value(nodes->cluster->head.block, CLUSTER_OS) != NULL;
    nodes->is_root_known = nodes->ami == NULL || is_said || says_root(block);
}

// eksctl's own size where dtc has to say one: in a launch template of ours, where EKS would take 20 GiB, which one image of
// a framework fills; and in a group that eksctl makes, whose volume may be encrypted where its size is written alone.
static const Value *disk_of(Builder *builder, const PlanNodes *nodes) {
    const Value *disk = read_known(builder, nodes->head.block, NODES_DISK);
    const bool is_said = nodes->is_template || str_is(nodes->group->string, "eksctl");
    if (disk != NULL || nodes->cluster->target != TARGET_EKS || !is_said) {
        return disk;
    }
    const Origin *origin = plan_schema_origin(builder, nodes->head.block, NODES_DISK);
    Value *value = plan_value(builder, VALUE_SIZE, nodes->head.block->name_span, origin);
    value->integer = schema_constant(CONSTANT_EKS_DISK_GIB) * (INT64_C(1) << 30);
    return value;
}

const PlanNodes *build_nodes(Builder *builder, const Block *block, const PlanCluster *cluster) {
    PlanNodes *nodes = arena_new(builder->arena, PlanNodes);
    nodes->head = builder_head(builder, block, -1);
    nodes->cluster = cluster;
    nodes->instance_value = read_known(builder, block, NODES_INSTANCE);
    nodes->instance = build_instance(builder, nodes->instance_value);
    nodes->group = read_word(builder, block, NODES_GROUP, "managed");
    nodes->is_stack = cluster->target == TARGET_EKS && str_is(nodes->group->string, "stack");
    if (nodes->instance == NULL || !read_count(builder, block, nodes)) {
        return NULL;
    }
    decide_row(builder, block, nodes->instance);
    nodes->capacity = build_capacity(builder, block);
    const bool is_placed = place_nics(builder, block, nodes);
    build_placement(builder, nodes);
    if (!is_placed) {
        return NULL; // only now: a mistake in `capacity` or `placement` is one of its own
    }
    if (cluster->network != NULL) {
        build_subnets(builder, nodes);
    }
    if (cluster->target == TARGET_BATCH || nodes->is_stack) {
        read_image(builder, block, cluster, nodes);
    } else if (cluster->target == TARGET_EKS) {
        read_image_of_eks(builder, block, nodes);
    }
    nodes->key = read_value(block, NODES_KEY);
    nodes->disk = disk_of(builder, nodes);
    nodes->disk_type = read_word(builder, block, NODES_DISK_TYPE, "gp3");
    build_setup(builder, block, nodes);
    const ConstantId hops = cluster->target == TARGET_EKS ? CONSTANT_IMDS_HOPS_EKS : CONSTANT_IMDS_HOPS_BATCH;
    nodes->imds_hops = read_int(builder, block, NODES_IMDS_HOPS, schema_constant(hops));
    nodes->imds_v1 = read_bool(builder, block, NODES_IMDS_V1, false);
    nodes->detailed_monitoring = read_bool(builder, block, NODES_DETAILED_MONITORING, false);
    nodes->instance_profile = read_given(builder, block, NODES_INSTANCE_PROFILE);
    nodes->policies = read_known_list(builder, block, NODES_POLICIES); // a name becomes an ARN
    nodes->tags = read_map(builder, block, NODES_TAGS);
    nodes->exclusive = read_bool(builder, block, NODES_EXCLUSIVE, false);
    nodes->compute_resource = read_known(builder, block, NODES_COMPUTE_RESOURCE);
    nodes->settings = read_value(block, NODES_SETTINGS);
    nodes->zone = read_value(block, NODES_ZONE);
    nodes->desired = read_value(block, NODES_DESIRED);
    nodes->tolerance = read_known(builder, block, NODES_TOLERANCE);
    nodes->prefix = read_known(builder, block, NODES_PREFIX);
    nodes->labels = read_map(builder, block, NODES_LABELS);
    nodes->taints = read_known_list(builder, block, NODES_TAINTS);
    nodes->addon_policies = read_known_list(builder, block, NODES_ADDON_POLICIES);
    build_validate(builder, block, nodes);
    str_map_add(&builder->nodes, builder_key(builder, block), nodes);
    return nodes;
}
