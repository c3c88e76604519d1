// The machine image of a group's nodes, the author's or the service's own, and the device of its root volume.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "schema/operating_systems.h"

static Str image_parameter(Builder *builder, const PlanCluster *cluster, const ImageRow *row) {
    const Str mark = STR("<version>");
    const Str path = str_of(row->parameter);
    const size_t found = str_find(path, mark, 0);
    if (found == path.len || cluster->eks == NULL || cluster->eks->version == NULL) {
        return path;
    }
    return str_format(builder->arena, "%.*s%.*s%.*s", STR_ARG(str_slice(path, 0, found)),
                      STR_ARG(cluster->eks->version->string), STR_ARG(str_slice(path, found + mark.len, path.len)));
}

// amazon-ec2-net-utils told interfaces apart by their device number alone until a change of March 2024
// (amazonlinux/amazon-ec2-net-utils#104, #105). The service's own images are newer.
static void decide_routes(Builder *builder, const Block *block, const PlanNodes *nodes, Str os) {
    const int addresses = nics_private_ips(&nodes->fabric.nics);
    if (nodes->ami.given != NULL && addresses > 1 && str_is(os, "al2023")) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "an image from before March 2024 gives several of the %d addresses one route table",
                             addresses);
    }
}

static void check_image_path(Builder *builder, const PlanNodes *nodes) {
    if (nodes->ami.given != NULL && nodes->ami.given->kind == VALUE_TAG && !value_is_known(nodes->ami.given)) {
        Diag *late = report(builder->session, nodes->ami.given->span, DIAG(late_shape), "ssm");
        diag_help(builder->session, late,
                  "the path of the parameter must be known; what it holds is read at deployment");
    }
}

// A public parameter says in its path what system the image has; NULL: it says none.
// source: EC2 User Guide, device names on Amazon EC2 instances; AWS PCS User Guide, PCS-ready DLAMI, 2026-11, read 2026-11
static const char *root_by_parameter(const Value *given) {
    static const struct {
        const char *part;
        const char *os;
    } SYSTEMS[] = { { "ubuntu", "ubuntu2204" }, { "amazon-linux", "al2023" }, { "al2023", "al2023" } };
    const bool is_path = given != NULL && given->kind == VALUE_TAG && value_is_known(given) && given->tag.count > 0 &&
                         given->tag.arguments[0]->kind == VALUE_STRING;
    for (size_t i = 0; is_path && i < COUNT_OF(SYSTEMS); i++) {
        if (str_has(given->tag.arguments[0]->string, SYSTEMS[i].part)) {
            return operating_system(str_of(SYSTEMS[i].os))->root_device;
        }
    }
    return NULL;
}

// Who asks for something of the root volume means the device of the system that `os` says, by default as well.
static bool says_root(const Block *block) {
    return block_value(block, NODES_DISK) != NULL || block_value(block, NODES_DISK_TYPE) != NULL;
}

static void read_image(Builder *builder, const Block *block, PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const Value *written_os = subject_value(cluster->head.subject, CLUSTER_OS);
    const Value *os = cluster->os;
    nodes->ami.given =
        plan_default(builder, block_value(block, NODES_AMI), subject_value(cluster->head.subject, CLUSTER_AMI));
    nodes->root.device = operating_system(os->string)->root_device;
    nodes->root.is_device_known = written_os != NULL || says_root(block);
    const char *by_parameter = root_by_parameter(nodes->ami.given);
    if (by_parameter != NULL) {
        nodes->root.device = by_parameter;
        nodes->root.is_device_known = true;
    }
    check_image_path(builder, nodes);
    nodes->ami.row =
        schema_image_row(cluster->target, os->string, nodes->instance->accelerator, nodes->instance->architecture);
    nodes->ami.origin = origin_join(builder->arena, os->origin, nodes->instance_value->origin);
    if (nodes->ami.row != NULL) {
        nodes->ami.parameter = image_parameter(builder, cluster, nodes->ami.row);
    }
    if (cluster->eks != NULL && cluster->eks->version != NULL) {
        nodes->ami.origin = origin_join(builder->arena, nodes->ami.origin, cluster->eks->version->origin);
    }
    decide_routes(builder, block, nodes, os->string);
    if (nodes->ami.given == NULL && nodes->ami.row != NULL) {
        const ImageRow *row = nodes->ami.row;
        const Str image = row->image_type != NULL ? str_of(row->image_type) : nodes->ami.parameter;
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "the service's own image, %.*s", STR_ARG(image));
    }
}

// EKS chooses the image of a group that names none, by `os` and the type, so that its root is known. Bottlerocket keeps
// containers on a second volume.
static void read_image_of_eks(Builder *builder, const Block *block, PlanNodes *nodes) {
    const OperatingSystem *system = operating_system(nodes->cluster->os->string);
    nodes->ami.given = read_given(builder, block, NODES_AMI);
    check_image_path(builder, nodes);
    nodes->root.device = system->data_device != NULL ? system->data_device : system->root_device;
    const bool is_said = subject_value(nodes->cluster->head.subject, CLUSTER_OS) != NULL;
    nodes->root.is_device_known = nodes->ami.given == NULL || is_said || says_root(block);
}

// A group of ParallelCluster has the cluster's.
void build_ami(Builder *builder, const Block *block, PlanNodes *nodes) {
    switch (nodes->maker) {
    case MAKER_BATCH:
    case MAKER_PCS:
    case MAKER_STACK:
        read_image(builder, block, nodes);
        return;
    case MAKER_MANAGED:
    case MAKER_MANAGED_WITH_TEMPLATE:
    case MAKER_EKSCTL:
        read_image_of_eks(builder, block, nodes);
        return;
    case MAKER_PARALLELCLUSTER:
        return;
    }
}
