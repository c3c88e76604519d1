// A queue for each group of nodes, with one compute resource: a Slurm partition then never mixes types that cannot
// speak to each other. ParallelCluster places the interfaces, one on each card.
#include "emitters/parallelcluster/configuration.h"

#include "compiler/plan/model/group.h"
#include "emitters/plain/plain_group.h"

static const char *capacity_type(CapacityKind kind) {
    switch (kind) {
    case CAPACITY_SPOT:
        return "SPOT";
    case CAPACITY_BLOCK:
        return "CAPACITY_BLOCK";
    case CAPACITY_ON_DEMAND:
    case CAPACITY_RESERVATION:
    case CAPACITY_RESERVATION_GROUP:
    case CAPACITY_INTERRUPTIBLE: // rule interruptible
        break;
    }
    return "ONDEMAND";
}

static void add_reservation(const Configuration *configuration, DocNode *queue, const PlanCapacity *capacity) {
    Plain *plain = configuration->plain;
    if (capacity->id == NULL) {
        return;
    }
    bool is_group = capacity->kind == CAPACITY_RESERVATION_GROUP;
    tree_put(plain->doc, tree_put_map(plain->doc, queue, "CapacityReservationTarget"),
             is_group ? "CapacityReservationResourceGroupArn" : "CapacityReservationId",
             plain_node(plain, capacity->id));
}

// With EFA ParallelCluster wants it said, except of a Capacity Block.
static void add_placement(const Configuration *configuration, DocNode *networking, const PlanNodes *nodes,
                          const PlainGroup *group) {
    Plain *plain = configuration->plain;
    bool is_enabled = group->is_new || group->name != NULL;
    if (!is_enabled && (nodes->efa_count == 0 || group->capacity->kind == CAPACITY_BLOCK)) {
        return;
    }
    DocNode *placement = tree_put_map(plain->doc, networking, "PlacementGroup");
    doc_because(plain->doc, group->name != NULL ? group->name->origin : nodes->placement.origin);
    tree_put(plain->doc, placement, "Enabled", tree_bool(plain->doc, WHY_PLACEMENT, is_enabled));
    doc_unbecause(plain->doc);
    tree_put(plain->doc, placement, "Name", plain_node(plain, group->name));
}

// Returns in how many subnets the queue is. Of a network that another stack makes only its facts tell.
static uint32_t add_networking(const Configuration *configuration, DocNode *queue, const PlanNodes *nodes,
                               const PlainGroup *group) {
    Plain *plain = configuration->plain;
    DocNode *networking = tree_put_map(plain->doc, queue, "Networking");
    DocNode *subnets = plain_list(plain, nodes->subnet_ids);
    tree_put(plain->doc, networking, "SubnetIds", subnets);
    if (subnets->count > 1 && plan_one_subnet(nodes).reason != NULL) {
        plan_report_queue_in_subnets(plain->session, nodes, subnets->count);
    }
    // Beside the group that ParallelCluster makes, by which head and nodes reach each other.
    if (group->security_group != NULL) {
        tree_put(plain->doc, networking, "AdditionalSecurityGroups", plain_list(plain, group->security_group));
    }
    add_placement(configuration, networking, nodes, group);
    return subnets->count;
}

static void add_settings(const Configuration *configuration, DocNode *queue, const PlanNodes *nodes) {
    Plain *plain = configuration->plain;
    bool has_scratch = !plain_is_null(plain, nodes->scratch);
    if (nodes->disk == NULL && !has_scratch) {
        return;
    }
    DocNode *storage = tree_put_map(plain->doc, tree_put_map(plain->doc, queue, "ComputeSettings"), "LocalStorage");
    parallelcluster_root_volume(configuration, storage, nodes->disk);
    if (has_scratch) {
        tree_put(plain->doc, tree_put_map(plain->doc, storage, "EphemeralVolume"), "MountDir",
                 plain_node(plain, nodes->scratch));
    }
}

// Beside several subnets ParallelCluster takes the type as one of `Instances` alone: it asks for them by a fleet then.
static void add_instance_type(const Configuration *configuration, DocNode *resource, const PlanNodes *nodes,
                              uint32_t subnets) {
    Doc *doc = configuration->plain->doc;
    DocNode *holder = subnets > 1 ? tree_add_map(doc, tree_put_list(doc, resource, "Instances")) : resource;
    tree_put(doc, holder, "InstanceType", plain_node(configuration->plain, nodes->instance_value));
}

static void add_compute_resource(const Configuration *configuration, DocNode *queue, const PlanNodes *nodes,
                                 uint32_t subnets) {
    Plain *plain = configuration->plain;
    DocNode *resource = tree_add_map(plain->doc, tree_put_list(plain->doc, queue, "ComputeResources"));
    const Value *name = nodes->compute_resource;
    tree_put(plain->doc, resource, "Name",
             name == NULL ? doc_string(plain->doc, nodes->head.id, nodes->head.origin) : plain_node(plain, name));
    add_instance_type(configuration, resource, nodes, subnets);
    tree_put(plain->doc, resource, "MinCount", plain_node(plain, nodes->count_low));
    tree_put(plain->doc, resource, "MaxCount", plain_node(plain, nodes->count_high));
    if (nodes->efa_count > 0) {
        doc_because(plain->doc, nodes->nics_origin);
        tree_put(plain->doc, tree_put_map(plain->doc, resource, "Efa"), "Enabled",
                 tree_bool(plain->doc, WHY_PARALLELCLUSTER_EFA, true));
        doc_unbecause(plain->doc);
    }
    if (nodes->settings != NULL && nodes->settings->map.count > 0) {
        tree_put(plain->doc, resource, "CustomSlurmSettings", plain_node(plain, nodes->settings));
    }
}

static void add_queue(const Configuration *configuration, DocNode *list, const PlanNodes *nodes) {
    Plain *plain = configuration->plain;
    const PlainGroup group = plain_group(plain, nodes);
    doc_because(plain->doc, nodes->head.origin);
    DocNode *queue = tree_add_map(plain->doc, list);
    tree_put(plain->doc, queue, "Name", doc_string(plain->doc, nodes->head.id, nodes->head.origin));
    doc_because(plain->doc, group.capacity->origin);
    tree_put(plain->doc, queue, "CapacityType",
             tree_text(plain->doc, WHY_PARALLELCLUSTER_CAPACITY, capacity_type(group.capacity->kind)));
    add_reservation(configuration, queue, group.capacity);
    doc_unbecause(plain->doc);
    const uint32_t subnets = add_networking(configuration, queue, nodes, &group);
    add_settings(configuration, queue, nodes);
    if (nodes->exclusive->boolean) {
        tree_put(plain->doc, queue, "JobExclusiveAllocation", doc_bool(plain->doc, true, nodes->exclusive->origin));
    }
    const PlanScripts setup = parallelcluster_setup(configuration, nodes);
    parallelcluster_actions(configuration, queue, &setup);
    parallelcluster_iam(configuration, queue, nodes->policies, &setup);
    add_compute_resource(configuration, queue, nodes, subnets);
    parallelcluster_tags(configuration, queue, nodes->tags);
    doc_unbecause(plain->doc);
}

void parallelcluster_queues(const Configuration *configuration, DocNode *scheduling) {
    DocNode *list = tree_put_list(configuration->plain->doc, scheduling, "SlurmQueues");
    for (uint32_t i = 0; i < configuration->cluster->nodes.count; i++) {
        add_queue(configuration, list, configuration->cluster->nodes.items[i]);
    }
}
