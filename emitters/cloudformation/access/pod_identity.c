// An association gives a role to the pods of one service account: the job's. A role that dtc makes is taken for that
// account of that cluster alone; EKS tells AWS STS which it is by session tags, without which no role is taken.
// source: Amazon EKS User Guide, Create IAM role with trust policy required by EKS Pod Identity, and Session tags of EKS
// Pod Identity, 2026-11
#include "emitters/cloudformation/access/pod_identity.h"

#include "compiler/plan/model/names.h"
#include "emitters/cloudformation/access/bucket_access.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/access/job_secrets.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/limits.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/cloudformation/template/template_value.h"

static const char *const TRUST_ACTIONS[] = { "sts:AssumeRole", "sts:TagSession" };
static const char NAMESPACE[] = "default"; // where kubectl applies what names none

static DocNode *cluster_name(Stack *stack, const PlanJob *job) {
    return template_value(stack, plan_eks_name(job->cluster));
}

static DocNode *account(Stack *stack, const PlanJob *job) {
    return tree_string(stack->doc, WHY_POD_ACCOUNT, job->head.id);
}

static Str add_role(Stack *stack, const PlanJob *job) {
    const Str id = stack_id(stack, job->head.id, STR_NONE, "JobRole");
    DocNode *role = iam_role(stack, (IamRole){
                                        .id = id,
                                        .service = "pods.eks.amazonaws.com",
                                        .trust = WHY_POD_TRUST,
                                        .actions = TRUST_ACTIONS,
                                        .action_count = COUNT_OF(TRUST_ACTIONS),
                                    });
    DocNode *equals = iam_trust_condition(stack, role, "StringEquals");
    tree_put(stack->doc, equals, "aws:RequestTag/eks-cluster-name", cluster_name(stack, job));
    tree_put_text(stack->doc, equals, "aws:RequestTag/kubernetes-namespace", WHY_POD_TRUST, NAMESPACE);
    tree_put(stack->doc, equals, "aws:RequestTag/kubernetes-service-account", account(stack, job));
    tree_put(stack->doc, role, "ManagedPolicyArns",
             iam_managed_policies(stack, (IamOwnPolicies){ 0 }, job->access->policies));
    bucket_access_allow(stack, role, job->access);
    job_secrets_allow(stack, role, job, true);
    limits_check_role(stack, &job->head, role);
    tree_put(stack->doc, role, "Tags", tags_list(stack, (Tags){ .inner = job->cluster->tags }));
    return id;
}

void pod_identity_add(Stack *stack, const PlanJob *job) {
    const Value *given = job->access->role;
    const Str made = given == NULL ? add_role(stack, job) : STR_NONE;
    DocNode *association = stack_resource(stack, (StackResource){
                                                     .id = stack_id(stack, job->head.id, STR_NONE, "PodIdentity"),
                                                     .type = "AWS::EKS::PodIdentityAssociation",
                                                 });
    tree_put(stack->doc, association, "ClusterName", cluster_name(stack, job));
    tree_put_text(stack->doc, association, "Namespace", WHY_POD_ACCOUNT, NAMESPACE);
    tree_put(stack->doc, association, "ServiceAccount", account(stack, job));
    tree_put(stack->doc, association, "RoleArn",
             given == NULL ? intrinsic_get_att(stack, made, "Arn") : template_value(stack, given));
    tree_put(stack->doc, association, "Tags", tags_list(stack, (Tags){ .inner = job->cluster->tags }));
}
