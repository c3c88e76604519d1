// The role has what the author names, what `reads` and `writes` come to, and what dtc needs for its own scripts.
#include "emitters/cloudformation/access/job_role.h"

#include "emitters/cloudformation/access/bucket_access.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/access/ssh_key.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/limits.h"
#include "emitters/cloudformation/template/tags.h"

Str job_role_add(Stack *stack, const PlanJob *job) {
    Str id = stack_id(stack, job->head.id, STR_NONE, "JobRole");
    DocNode *role = iam_role(stack, (IamRole){
                                        .id = id,
                                        .service = "ecs-tasks.amazonaws.com",
                                        .trust = WHY_TASK_TRUST,
                                        .is_own_account = true,
                                    });
    tree_put(stack->doc, role, "ManagedPolicyArns",
             iam_managed_policies(stack, (IamOwnPolicies){ 0 }, job->access == NULL ? NULL : job->access->policies));
    if (plan_job_has_ssh_key(job)) {
        ssh_key_allow(stack, job->cluster, role);
    }
    if (job->access != NULL) {
        bucket_access_allow(stack, role, job->access);
    }
    if (job->container->object.len > 0) {
        iam_allow_object(stack, role, job->container->object, "read-dtc-collective", WHY_BATCH_FIRST_JOB_OBJECT);
    }
    limits_check_role(stack, &job->head, role);
    tree_put(stack->doc, role, "Tags", tags_list(stack, (Tags){ .inner = job->cluster->tags }));
    return id;
}
