// A queue for each group of nodes, with one compute resource: a Slurm partition then never mixes types that cannot
// speak to each other. ParallelCluster places the interfaces, one on each card.
#include "emitters/parallelcluster/configuration.h"

#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/queue.h"
#include "emitters/node/preflight_script.h"
#include "emitters/tool/tool_facts.h"
#include "emitters/tool/tool_file.h"
#include "emitters/tool/tool_group.h"
#include "emitters/tool/tool_tree.h"
#include "emitters/tool/tool_values.h"
#include "schema/names.h"

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
    ToolFile *file = configuration->file;
    if (capacity->id == NULL) {
        return;
    }
    bool is_group = capacity->kind == CAPACITY_RESERVATION_GROUP;
    tree_put(file->doc, tree_put_map(file->doc, queue, "CapacityReservationTarget"),
             is_group ? "CapacityReservationResourceGroupArn" : "CapacityReservationId",
             tool_value(file, capacity->id));
}

// With EFA ParallelCluster wants it said, except of a Capacity Block.
static void add_placement(const Configuration *configuration, DocNode *networking, const PlanNodes *nodes,
                          const ToolGroup *group) {
    ToolFile *file = configuration->file;
    bool is_enabled = group->is_new || group->name != NULL;
    if (!is_enabled && (nodes->fabric.efa_count == 0 || group->capacity->kind == CAPACITY_BLOCK)) {
        return;
    }
    DocNode *placement = tree_put_map(file->doc, networking, "PlacementGroup");
    doc_because(file->doc, group->name != NULL ? group->name->origin : nodes->placement.origin);
    tree_put(file->doc, placement, "Enabled", tree_bool(file->doc, WHY_PLACEMENT, is_enabled));
    doc_unbecause(file->doc);
    tree_put(file->doc, placement, "Name", tool_value(file, group->name));
}

// Returns in how many subnets the queue is. Of a network that another stack makes only its facts tell.
static uint32_t add_networking(const Configuration *configuration, DocNode *queue, const PlanNodes *nodes,
                               const ToolGroup *group) {
    ToolFile *file = configuration->file;
    DocNode *networking = tree_put_map(file->doc, queue, "Networking");
    DocNode *subnets = tool_list(file, nodes->subnets.ids);
    tree_put(file->doc, networking, "SubnetIds", subnets);
    if (subnets->count > 1 && plan_one_subnet(nodes).reason != NULL) {
        plan_report_queue_in_subnets(file->session, nodes, subnets->count);
    }
    // Beside the group that ParallelCluster makes, by which head and nodes reach each other.
    if (group->security_group != NULL) {
        tree_put(file->doc, networking, "AdditionalSecurityGroups", tool_list(file, group->security_group));
    }
    add_placement(configuration, networking, nodes, group);
    return subnets->count;
}

static void add_settings(const Configuration *configuration, DocNode *queue, const PlanNodes *nodes) {
    ToolFile *file = configuration->file;
    bool has_scratch = !tool_is_null(file, nodes->scratch);
    if (nodes->root.size == NULL && !has_scratch) {
        return;
    }
    DocNode *storage = tree_put_map(file->doc, tree_put_map(file->doc, queue, "ComputeSettings"), "LocalStorage");
    parallelcluster_root_volume(configuration, storage, nodes->root.size);
    if (has_scratch) {
        tree_put(file->doc, tree_put_map(file->doc, storage, "EphemeralVolume"), "MountDir",
                 tool_value(file, nodes->scratch));
    }
}

// Several types, and beside several subnets one, are `Instances`: ParallelCluster asks for them by a fleet then.
static void add_instance_type(const Configuration *configuration, DocNode *resource, const PlanNodes *nodes,
                              uint32_t subnets) {
    Doc *doc = configuration->file->doc;
    DocNode *list = subnets > 1 || nodes->types.count > 1 ? tree_put_list(doc, resource, "Instances") : NULL;
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        DocNode *holder = list == NULL ? resource : tree_add_map(doc, list);
        tree_put(doc, holder, "InstanceType", tool_value(configuration->file, nodes->types.items[i].name));
    }
}

// Slurm takes nodes of the least priority first: of a queue over several groups, those of the first group.
static void add_priorities(Doc *doc, DocNode *resource, const PlanNodes *nodes) {
    const PlanQueue *queue = plan_queue_of(nodes->cluster, nodes->head.id);
    const uint32_t place = queue == NULL ? 0 : plan_place_in_queue(queue, nodes);
    if (place == 0) {
        return; // as ParallelCluster has it
    }
    doc_because(doc, queue->head.origin);
    tree_put(doc, resource, "StaticNodePriority",
             tree_number(doc, WHY_PARALLELCLUSTER_ORDER, LIMIT_SLURM_STATIC_PRIORITY + place));
    tree_put(doc, resource, "DynamicNodePriority",
             tree_number(doc, WHY_PARALLELCLUSTER_ORDER, LIMIT_SLURM_DYNAMIC_PRIORITY + place));
    doc_unbecause(doc);
}

static void add_compute_resource(const Configuration *configuration, DocNode *queue, const PlanNodes *nodes,
                                 uint32_t subnets) {
    ToolFile *file = configuration->file;
    DocNode *resource = tree_add_map(file->doc, tree_put_list(file->doc, queue, "ComputeResources"));
    const Value *name = nodes->slurm->compute_resource;
    tree_put(file->doc, resource, "Name",
             name == NULL ? doc_string(file->doc, nodes->head.id, nodes->head.origin) : tool_value(file, name));
    add_instance_type(configuration, resource, nodes, subnets);
    tree_put(file->doc, resource, "MinCount", tool_value(file, nodes->count.low));
    tree_put(file->doc, resource, "MaxCount", tool_value(file, nodes->count.high));
    if (nodes->fabric.efa_count > 0) {
        doc_because(file->doc, nodes->fabric.origin);
        tree_put(file->doc, tree_put_map(file->doc, resource, "Efa"), "Enabled",
                 tree_bool(file->doc, WHY_PARALLELCLUSTER_EFA, true));
        doc_unbecause(file->doc);
    }
    add_priorities(file->doc, resource, nodes);
    if (nodes->slurm->settings != NULL && nodes->slurm->settings->map.count > 0) {
        tree_put(file->doc, resource, "CustomSlurmSettings", tool_value(file, nodes->slurm->settings));
    }
}

// Of the stack that comes before the cluster; empty where its facts are still to come.
static Str access_policy(ToolFile *file, const PlanNodes *nodes) {
    const Str stack = emitter_access_head(file->session, nodes->cluster)->name->string;
    const Str output = plan_logical_id(file->arena, nodes->head.id, STR_NONE, OUTPUT_ACCESS_POLICY);
    return tool_fact(file, nodes->head.subject->name_span, stack, str_c(file->session->arena, output));
}

static bool has_policy(const Value *policies, const char *name) {
    for (uint32_t i = 0; policies != NULL && i < policies->list.count; i++) {
        const Value *policy = policies->list.items[i];
        if (policy->kind == VALUE_STRING && str_is(str_after_last(policy->string, '/'), name)) {
            return true;
        }
    }
    return false;
}

// The author's; for nodes that are checked the one of Session Manager, by which a person gets at one that fails; for nodes
// that fetch images from ECR the one that nodes of EKS have for that; what their jobs read and write.
static const Value *policies_of(const Configuration *configuration, const PlanNodes *nodes) {
    ToolFile *file = configuration->file;
    Arena *arena = file->arena;
    const Value *own = nodes->role.policies;
    const Span span = nodes->head.subject->name_span;
    VEC(const Value *) policies = { 0 };
    for (uint32_t i = 0; own != NULL && i < own->list.count; i++) {
        vec_push(arena, &policies, own->list.items[i]);
    }
    const char *session = names_of(NAMES_POLICY_OF_SESSIONS).items[0];
    if (nodes->validate != NULL && !has_policy(own, session)) {
        vec_push(arena, &policies,
                 value_string(arena, preflight_span(nodes), why(WHY_PARALLELCLUSTER_SESSION), str_of(session)));
    }
    if (plan_nodes_pull(nodes)) {
        vec_push(arena, &policies,
                 value_string(arena, span, why(WHY_PARALLELCLUSTER_PULL), STR("AmazonEC2ContainerRegistryPullOnly")));
    }
    const Str access = plan_nodes_have_policy(arena, nodes) ? access_policy(file, nodes) : STR_NONE;
    if (access.len > 0) {
        vec_push(arena, &policies, value_string(arena, span, why(WHY_ACCESS_POLICY), access));
    }
    return value_list(arena, span, nodes->head.origin, policies.items, policies.count);
}

static void add_queue(const Configuration *configuration, DocNode *list, const PlanNodes *nodes) {
    ToolFile *file = configuration->file;
    const ToolGroup group = tool_group(file, nodes);
    doc_because(file->doc, nodes->head.origin);
    DocNode *queue = tree_add_map(file->doc, list);
    tree_put(file->doc, queue, "Name", doc_string(file->doc, nodes->head.id, nodes->head.origin));
    doc_because(file->doc, group.capacity->origin);
    tree_put(file->doc, queue, "CapacityType",
             tree_text(file->doc, WHY_PARALLELCLUSTER_CAPACITY, capacity_type(group.capacity->kind)));
    if (group.capacity->kind == CAPACITY_SPOT && nodes->types.count > 1) {
        tree_put_text(file->doc, queue, "AllocationStrategy", WHY_PARALLELCLUSTER_SPOT, "price-capacity-optimized");
    }
    add_reservation(configuration, queue, group.capacity);
    doc_unbecause(file->doc);
    const uint32_t subnets = add_networking(configuration, queue, nodes, &group);
    add_settings(configuration, queue, nodes);
    if (nodes->slurm->exclusive->boolean) {
        tree_put(file->doc, queue, "JobExclusiveAllocation",
                 doc_bool(file->doc, true, nodes->slurm->exclusive->origin));
    }
    const PlanScripts setup = parallelcluster_setup(configuration, nodes);
    parallelcluster_actions(configuration, queue, &setup);
    parallelcluster_iam(configuration, queue, policies_of(configuration, nodes), &setup);
    add_compute_resource(configuration, queue, nodes, subnets);
    parallelcluster_tags(configuration, queue, nodes->tags);
    doc_unbecause(file->doc);
}

void parallelcluster_queues(const Configuration *configuration, DocNode *scheduling) {
    DocNode *list = tree_put_list(configuration->file->doc, scheduling, "SlurmQueues");
    for (uint32_t i = 0; i < configuration->cluster->nodes.count; i++) {
        add_queue(configuration, list, configuration->cluster->nodes.items[i]);
    }
}
