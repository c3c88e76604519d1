// The stack of a Batch cluster, in the order of its parts. One compute environment holds one instance type: a queue
// then never mixes nodes that cannot speak to each other.
#include "emitters/cloudformation/batch/batch.h"

#include "compiler/plan/model/region.h"
#include "emitters/cloudformation/template/extras.h"
#include "emitters/cloudformation/nodes/launch_template.h"
#include "emitters/cloudformation/nodes/mount_script.h"
#include "emitters/cloudformation/nodes/nodes_description.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/batch/repository.h"
#include "emitters/cloudformation/access/security_group.h"
#include "emitters/cloudformation/storage/file_system.h"
#include "emitters/cloudformation/access/ssh_key.h"

static void add_launch_template(Stack *stack, const PlanNodes *nodes) {
    DocNode *data = launch_template_add(stack, nodes, security_groups_of, launch_template_block_market);
    batch_add_user_data(stack, data, nodes);
    launch_template_add_tags(stack, data, nodes);
}

static void add_group_outputs(Stack *stack, const PlanNodes *nodes) {
    Str name = nodes->head.id;
    stack_output(stack, stack_id(stack, name, STR_NONE, "JobQueue"), "Where jobs for this group of nodes are submitted",
                 intrinsic_ref(stack, batch_queue_id(stack, nodes)), true);
    stack_output(stack, stack_id(stack, name, STR_NONE, "ComputeEnvironment"),
                 "Starts and stops the nodes of the group",
                 intrinsic_ref(stack, stack_group_id(stack, nodes, "ComputeEnvironment")), true);
}

static void add_jobs(Stack *stack, const PlanCluster *cluster, Output *output) {
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        const PlanJob *job = cluster->jobs.items[i];
        const Span before = stack_enter(stack, &job->head);
        batch_add_job_definition(stack, job);
        batch_add_submission(stack, job, output);
        Str id = stack_id(stack, job->head.id, STR_NONE, "JobDefinition");
        // Not exported: an export in use cannot change, and every change of the job is a new revision.
        stack_output(stack, id, "Definition of the job, with its revision", intrinsic_ref(stack, id), false);
        extras_add(stack, job->head.part, true);
        stack_leave(stack, before);
    }
}

void batch_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    Stack *stack = stack_open(session, plan, &cluster->head, plan_network_region(cluster->network));
    stack->output = output;
    security_group_add_of(stack, cluster);
    file_systems_add(stack, cluster);
    mount_decide(stack, cluster);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const Span before = stack_enter(stack, &nodes->head);
        add_launch_template(stack, nodes);
        batch_add_compute_environment(stack, nodes);
        batch_add_own_queue(stack, nodes);
        add_group_outputs(stack, nodes);
        batch_add_first_job(stack, nodes);
        stack_leave(stack, before);
    }
    for (uint32_t i = 0; i < cluster->queues.count; i++) {
        const PlanQueue *queue = cluster->queues.items[i];
        const Span before = stack_enter(stack, &queue->head);
        batch_add_queue(stack, cluster, queue);
        stack_leave(stack, before);
    }
    for (uint32_t i = 0; i < cluster->images.count; i++) {
        Span before = stack_span(stack, cluster->images.items[i]->head.subject->name_span);
        repository_add(stack, cluster->images.items[i], cluster->tags);
        extras_add(stack, cluster->images.items[i]->head.part, true);
        stack_span(stack, before);
    }
    if (plan_cluster_has_ssh_key(cluster)) {
        ssh_key_add(stack, cluster, output);
    }
    add_jobs(stack, cluster, output);
    extras_add(stack, cluster->head.part, true);
    const Origin *reason = NULL;
    Str description = nodes_description(stack, cluster, "AWS Batch", &reason);
    stack_write(stack, description, reason, output);
}
