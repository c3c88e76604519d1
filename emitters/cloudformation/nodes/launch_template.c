// What EC2 needs to know to start a node of a group: interfaces, metadata service, root volume, capacity, tags. The
// subnet is not in it: Batch or the auto scaling group gives it. Security groups are on the interfaces, because EC2
// wants them there as soon as there are interfaces. Batch refuses a compute environment that names some too
// (aws/aws-cdk#21577).
#include "emitters/cloudformation/nodes/launch_template.h"

#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/names.h"
#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/tags.h"
#include "schema/operating_systems.h"

enum {
    GIB = 1024 * 1024 * 1024,
};

static void add_interfaces(Stack *stack, DocNode *data, const PlanNodes *nodes, LaunchTemplateGroups *groups) {
    DocNode *list = tree_put_list(stack->doc, data, "NetworkInterfaces");
    doc_because(stack->doc, nodes->fabric.origin);
    for (int i = 0; i < nodes->fabric.nics.count; i++) {
        const Nic *nic = &nodes->fabric.nics.items[i];
        DocNode *entry = tree_add_map(stack->doc, list);
        tree_put(stack->doc, entry, "NetworkCardIndex", tree_number(stack->doc, WHY_NIC, nic->card));
        tree_put(stack->doc, entry, "DeviceIndex", tree_number(stack->doc, WHY_NIC, nic->device));
        tree_put_text(stack->doc, entry, "InterfaceType", WHY_NIC, nic_kind_name(nic->kind));
        tree_put(stack->doc, entry, "Groups", groups(stack, nodes));
        tree_put(stack->doc, entry, "DeleteOnTermination", tree_bool(stack->doc, WHY_NIC_DELETE, true));
    }
    doc_unbecause(stack->doc);
}

// EC2 starts no instance whose metadata service would have to serve a tag with another key
// (kubernetes/cloud-provider-aws#436, 2022-07). EKS gives its nodes such tags (EKS User Guide, self-managed nodes,
// 2025-06).
static bool can_be_served(const Value *tags) {
    static const char OTHERS[] = "-_+=,.@:";
    for (uint32_t i = 0; tags != NULL && i < tags->map.count; i++) {
        const Str key = tags->map.entries[i].key;
        for (size_t k = 0; k < key.len; k++) {
            const char c = key.data[k];
            const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!is_plain && (c == 0 || strchr(OTHERS, c) == NULL)) {
                return false;
            }
        }
        if (str_is(key, ".") || str_is(key, "..") || str_is(key, "_index")) {
            return false;
        }
    }
    return true;
}

// The check of a node is switched off by such a tag.
static void add_tag_access(Stack *stack, DocNode *options, const PlanNodes *nodes) {
    if (nodes->validate == NULL || nodes->cluster->target != TARGET_BATCH) {
        return;
    }
    if (can_be_served(nodes->cluster->tags) && can_be_served(nodes->tags)) {
        tree_put_text(stack->doc, options, "InstanceMetadataTags", WHY_IMDS_TAGS, "enabled");
        return;
    }
    const PlanDecision decision = {
        .span = nodes->head.subject->name_span,
        .subject = plan_group_path(stack->session->arena, nodes),
        .text = str_format(stack->session->arena,
                           "the tag `dtc-validate` switches no check off: the metadata service cannot show tags whose "
                           "keys have blanks or slashes"),
    };
    vec_push(stack->session->arena, &stack->decisions, decision);
}

static void add_metadata_options(Stack *stack, DocNode *data, const PlanNodes *nodes) {
    DocNode *options = tree_put_map(stack->doc, data, "MetadataOptions");
    tree_put_text(stack->doc, options, "HttpEndpoint", WHY_IMDS, "enabled");
    doc_because(stack->doc, nodes->imds.v1->origin);
    tree_put_text(stack->doc, options, "HttpTokens", WHY_IMDS, nodes->imds.v1->boolean ? "optional" : "required");
    if (nodes->imds.v1->boolean) { // `dtc lint` asks whoever reads the file alone
        doc_get(options, STR("HttpTokens"))->comment = "dtc-allow: DT1600 the source has `imds_v1 = true`";
    }
    doc_unbecause(stack->doc);
    tree_put(stack->doc, options, "HttpPutResponseHopLimit", template_value(stack, nodes->imds.hop_limit));
    add_tag_access(stack, options, nodes);
}

static void add_encrypted(Stack *stack, DocNode *ebs) {
    tree_put(stack->doc, ebs, "Encrypted", tree_bool(stack->doc, WHY_ROOT_VOLUME, true));
    tree_put(stack->doc, ebs, "DeleteOnTermination", tree_bool(stack->doc, WHY_ROOT_VOLUME, true));
}

// What holds containers: the root, but for Bottlerocket, whose system has a volume of its own.
static DocNode *root_volume(Stack *stack, const PlanNodes *nodes) {
    DocNode *list = doc_list(stack->doc);
    DocNode *mapping = tree_add_map(stack->doc, list);
    tree_put_text(stack->doc, mapping, "DeviceName", WHY_ROOT_VOLUME, nodes->root.device);
    DocNode *ebs = tree_put_map(stack->doc, mapping, "Ebs");
    if (nodes->root.size != NULL && nodes->root.size->kind == VALUE_SIZE) {
        int64_t size = nodes->root.size->integer / GIB;
        tree_put(stack->doc, ebs, "VolumeSize", doc_int(stack->doc, size, nodes->root.size->origin));
    }
    tree_put(stack->doc, ebs, "VolumeType", template_value(stack, nodes->root.type));
    if (str_is(nodes->root.type->string, "io2")) {
        tree_put(stack->doc, ebs, "Iops", tree_number(stack->doc, WHY_ROOT_IOPS, schema_constant(CONSTANT_IO2_IOPS)));
    }
    add_encrypted(stack, ebs);
    const OperatingSystem *row = plan_is_managed(nodes) ? operating_system(nodes->cluster->os->string) : NULL;
    if (row != NULL && row->data_device != NULL) {
        DocNode *system = tree_add_map(stack->doc, list);
        tree_put_text(stack->doc, system, "DeviceName", WHY_ROOT_VOLUME, row->root_device);
        add_encrypted(stack, tree_put_map(stack->doc, system, "Ebs"));
    }
    return list;
}

// A mapping for a device that the image does not have is one volume too many, without a size, and the launch fails. So
// an image of the author's keeps its own root, unless `os` says what it is or `disk` asks for another.
static void add_root_volume(Stack *stack, DocNode *data, const PlanNodes *nodes) {
    const Condition *own =
        nodes->ami.given == NULL || nodes->root.is_device_known ? NULL : condition_given(stack, nodes->ami.given);
    if (own == NULL || own->kind == CONDITION_FALSE) {
        tree_put(stack->doc, data, "BlockDeviceMappings", root_volume(stack, nodes));
    } else if (own->kind != CONDITION_TRUE) {
        tree_put(stack->doc, data, "BlockDeviceMappings",
                 condition_if(stack, own, intrinsic_no_value(stack), root_volume(stack, nodes)));
    }
}

static DocNode *capacity_specification(Stack *stack, const PlanCapacity *capacity) {
    switch (capacity->kind) {
    case CAPACITY_ON_DEMAND:
    case CAPACITY_SPOT:
        return NULL;
    case CAPACITY_RESERVATION:
    case CAPACITY_RESERVATION_GROUP:
    case CAPACITY_BLOCK:
    case CAPACITY_INTERRUPTIBLE:
        break;
    }
    DocNode *specification = doc_map(stack->doc);
    bool is_group = capacity->kind == CAPACITY_RESERVATION_GROUP;
    if (is_group) {
        // Only this one of the three preferences may stand beside a target.
        tree_put_text(stack->doc, specification, "CapacityReservationPreference", WHY_CAPACITY_RESERVED_ONLY,
                      "capacity-reservations-only");
    }
    DocNode *target = tree_put_map(stack->doc, specification, "CapacityReservationTarget");
    tree_put(stack->doc, target, is_group ? "CapacityReservationResourceGroupArn" : "CapacityReservationId",
             template_given_value(stack, capacity->id));
    return specification;
}

DocNode *launch_template_block_market(Stack *stack, const PlanCapacity *capacity) {
    const bool is_interruptible = capacity->kind == CAPACITY_INTERRUPTIBLE;
    if (capacity->kind != CAPACITY_BLOCK && !is_interruptible) {
        return NULL;
    }
    DocNode *options = doc_map(stack->doc);
    if (is_interruptible) {
        tree_put_text(stack->doc, options, "MarketType", WHY_CAPACITY_INTERRUPTIBLE,
                      "interruptible-capacity-reservation");
    } else {
        tree_put_text(stack->doc, options, "MarketType", WHY_CAPACITY_BLOCK, "capacity-block");
    }
    return options;
}

void launch_template_add_tags(Stack *stack, DocNode *data, const PlanNodes *nodes) {
    static const char *const TAGGED[] = { "instance", "volume" };
    const Value *cluster_tags = nodes->cluster->tags;
    bool is_named = (cluster_tags != NULL && value_get(cluster_tags, "Name") != NULL) ||
                    (nodes->tags != NULL && value_get(nodes->tags, "Name") != NULL);
    const Value *written = nodes->eks == NULL ? NULL : nodes->eks->prefix;
    const Str prefix = written == NULL ? STR_NONE : written->string;
    const Str name = str_format(stack->arena, "%.*s%s%.*s-%.*s", STR_ARG(prefix), prefix.len == 0 ? "" : "-",
                                STR_ARG(nodes->cluster->head.name->string), STR_ARG(nodes->head.id));
    doc_because(stack->doc, written == NULL ? NULL : written->origin);
    DocNode *list = tree_put_list(stack->doc, data, "TagSpecifications");
    for (size_t i = 0; i < COUNT_OF(TAGGED); i++) {
        DocNode *specification = tree_add_map(stack->doc, list);
        tree_put_text(stack->doc, specification, "ResourceType", WHY_NODE_TAGS, TAGGED[i]);
        Tags tags = { .outer = cluster_tags, .inner = nodes->tags };
        const Origin *origin = origin_join(stack->arena, nodes->cluster->head.name->origin, why(WHY_NODE_TAGS));
        tags.name = is_named ? NULL : doc_string(stack->doc, name, origin);
        tree_put(stack->doc, specification, "Tags", tags_list(stack, tags));
    }
    doc_unbecause(stack->doc);
}

void launch_template_name(Stack *stack, DocNode *map, const char *key, const PlanNodes *nodes, Why reason) {
    const Str id = stack_group_id(stack, nodes, "LaunchTemplate");
    tree_put(stack->doc, map, key, intrinsic_ref(stack, id));
    doc_because(stack->doc, why(reason));
    tree_put(stack->doc, map, "Version", intrinsic_get_att(stack, id, "LatestVersionNumber"));
    doc_unbecause(stack->doc);
}

void launch_template_refer(Stack *stack, DocNode *properties, const PlanNodes *nodes, Why reason) {
    DocNode *launch = tree_put_map(stack->doc, properties, "LaunchTemplate");
    launch_template_name(stack, launch, "LaunchTemplateId", nodes, reason);
}

DocNode *launch_template_add(Stack *stack, const PlanNodes *nodes, LaunchTemplateGroups *groups, CapacityNode *market) {
    DocNode *properties = stack_resource(stack, (StackResource){
                                                    .id = stack_group_id(stack, nodes, "LaunchTemplate"),
                                                    .type = "AWS::EC2::LaunchTemplate",
                                                });
    DocNode *data = tree_put_map(stack->doc, properties, "LaunchTemplateData");
    add_interfaces(stack, data, nodes, groups);
    add_metadata_options(stack, data, nodes);
    add_root_volume(stack, data, nodes);
    tree_put(stack->doc, data, "CapacityReservationSpecification",
             capacity_node(stack, nodes->capacity, capacity_specification));
    tree_put(stack->doc, data, "InstanceMarketOptions", capacity_node(stack, nodes->capacity, market));
    // EKS refuses a template of a managed group that says it (EKS User Guide, launch templates, 2026-11), and ends a
    // node that has stopped.
    if (nodes->validate != NULL && nodes->validate->on_fail == ON_FAIL_TERMINATE && !plan_is_managed(nodes)) {
        doc_because(stack->doc, nodes->validate->origin);
        tree_put_text(stack->doc, data, "InstanceInitiatedShutdownBehavior", WHY_SHUTDOWN, "terminate");
        doc_unbecause(stack->doc);
    }
    if (nodes->batch != NULL && nodes->batch->detailed_monitoring->boolean) {
        DocNode *monitoring = tree_put_map(stack->doc, data, "Monitoring");
        tree_put(stack->doc, monitoring, "Enabled",
                 doc_bool(stack->doc, true,
                          origin_join(stack->arena, why(WHY_MONITORING), nodes->batch->detailed_monitoring->origin)));
    }
    return data;
}
