// The stack of a cluster on AWS PCS, in the order of its parts. The service runs the controller in an account of its
// own, behind one interface in a subnet of the network.
#include "emitters/cloudformation/pcs/pcs.h"

#include "compiler/plan/model/pcs.h"
#include "compiler/plan/model/region.h"
#include "emitters/cloudformation/access/security_group.h"
#include "emitters/cloudformation/nodes/mount_script.h"
#include "emitters/cloudformation/nodes/nodes_description.h"
#include "emitters/cloudformation/storage/file_system.h"
#include "emitters/cloudformation/template/extras.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/cloudformation/template/intrinsic.h"

enum { SECOND_MS = 1000 };

Str pcs_cluster_id(const Stack *stack, const PlanCluster *cluster) {
    return stack_id(stack, cluster->head.id, STR_NONE, "Cluster");
}

static void add_scheduler(Stack *stack, DocNode *properties, const PlanPcs *pcs) {
    DocNode *scheduler = tree_put_map(stack->doc, properties, "Scheduler");
    tree_put_text(stack->doc, scheduler, "Type", WHY_PCS_SCHEDULER, "SLURM");
    tree_put(stack->doc, scheduler, "Version", template_value(stack, pcs->version));
    doc_because(stack->doc, pcs->size_origin);
    tree_put_text(stack->doc, properties, "Size", WHY_PCS_SIZE, plan_pcs_size(pcs->controller->manages)->name);
    doc_unbecause(stack->doc);
}

static void add_settings(Stack *stack, DocNode *properties, const PlanPcs *pcs) {
    if (pcs->scaledown_idletime != NULL) {
        DocNode *slurm = tree_put_map(stack->doc, properties, "SlurmConfiguration");
        tree_put(stack->doc, slurm, "ScaleDownIdleTimeInSeconds",
                 doc_int(stack->doc, pcs->scaledown_idletime->integer / SECOND_MS, pcs->scaledown_idletime->origin));
    }
}

static void add_cluster(Stack *stack, const PlanCluster *cluster) {
    const Str id = pcs_cluster_id(stack, cluster);
    DocNode *properties = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::PCS::Cluster" });
    tree_put(stack->doc, properties, "Name", template_value(stack, cluster->head.name));
    add_scheduler(stack, properties, cluster->pcs);
    DocNode *networking = tree_put_map(stack->doc, properties, "Networking");
    tree_put(stack->doc, networking, "SubnetIds",
             tree_list_of(stack->doc, template_value(stack, cluster->pcs->subnet)));
    tree_put(stack->doc, networking, "SecurityGroupIds", security_groups_of(stack, cluster->nodes.items[0]));
    add_settings(stack, properties, cluster->pcs);
    tree_put(stack->doc, properties, "Tags", tags_map(stack, (Tags){ .inner = cluster->tags }));
    stack_output(stack, STR("ClusterId"), "The cluster, as commands of the service name it",
                 intrinsic_get_att(stack, id, "Id"), true);
}

// An account makes one cluster at a time in a region, and is refused the second (AWS PCS API Reference, CreateCluster,
// 2026-11). So the stacks of a build come one after the other, unless they are known to be in two regions.
static bool is_elsewhere(const PlanCluster *cluster, const PlanCluster *other) {
    return cluster->region.len > 0 && other->region.len > 0 && !str_equal(cluster->region, other->region);
}

static void wait_for_others(Stack *stack, const PlanCluster *cluster) {
    const PlanCluster *before = NULL;
    for (uint32_t i = 0; i < stack->plan->clusters.count && stack->plan->clusters.items[i] != cluster; i++) {
        const PlanCluster *other = stack->plan->clusters.items[i];
        const bool is_before = other->pcs != NULL && !is_elsewhere(cluster, other);
        before = is_before ? other : before;
    }
    if (before != NULL) {
        stack_need(stack, before->head.name->string);
    }
}

void pcs_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    Stack *stack = stack_open(session, plan, &cluster->head, plan_network_region(cluster->network));
    stack->output = output;
    wait_for_others(stack, cluster);
    security_group_add_of(stack, cluster);
    file_systems_add(stack, cluster);
    mount_decide(stack, cluster);
    add_cluster(stack, cluster);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const Span before = stack_enter(stack, &nodes->head);
        pcs_add_group(stack, nodes);
        stack_leave(stack, before);
    }
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        const PlanQueue *queue = cluster->queues.items[i];
        const Span before = stack_enter(stack, &queue->head);
        pcs_add_queue(stack, cluster, queue);
        stack_leave(stack, before);
    }
    extras_add(stack, cluster->head.part, true);
    const Origin *reason = NULL;
    Str description = nodes_description(stack, cluster, "AWS PCS", &reason);
    stack_write(stack, description, reason, output);
}
