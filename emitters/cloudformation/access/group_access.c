// ParallelCluster makes the role of a queue and takes policies for it by their ARNs. Its own S3Access is not used: writing
// is `s3:*` there, on the bucket too, and who may read a folder may not list it (aws/aws-parallelcluster@451cc532
// cli/src/pcluster/templates/cdk_builder_utils.py, _add_s3_access_policies_to_role, 2024-10, read 2026-11).
#include "emitters/cloudformation/access/group_access.h"

#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/names.h"
#include "emitters/cloudformation/access/bucket_access.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/limits.h"

static void add_policy(Stack *stack, const PlanNodes *nodes, const PlanAccess *access) {
    const Str id = stack_group_id(stack, nodes, OUTPUT_ACCESS_POLICY);
    doc_because(stack->doc, nodes->head.origin);
    DocNode *policy = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::IAM::ManagedPolicy" });
    stack->has_roles = true;
    DocNode *document = tree_put_map(stack->doc, policy, "PolicyDocument");
    if (access != NULL) {
        bucket_access_add(stack, document, access);
    }
    iam_allow_verdicts(stack, document, nodes);
    limits_check_policy(stack, &nodes->head, policy);
    stack_output(stack, plan_logical_id(stack->arena, nodes->head.id, STR_NONE, OUTPUT_ACCESS_POLICY),
                 access != NULL ? "What the jobs of the group read and write" : "Where the verdicts of the group go",
                 intrinsic_ref(stack, id), true);
    doc_unbecause(stack->doc);
}

void group_access_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    Stack *stack = NULL;
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const PlanAccess *access = plan_nodes_access(session->arena, nodes);
        if (plan_nodes_have_policy(session->arena, nodes)) {
            stack = stack != NULL ? stack
                                  : stack_open(session, plan, emitter_access_head(session, cluster), cluster->region);
            add_policy(stack, nodes, access);
        }
    }
    if (stack != NULL) {
        const Str about = str_format(stack->arena, "What jobs on %.*s read and write", STR_ARG(cluster->head.id));
        stack_write(stack, about, NULL, output);
    }
}
