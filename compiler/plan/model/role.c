// Questions about roles, and what their users need of them. What a function or a parameter gives is taken for right.
#include "compiler/plan/model/role.h"

#include "compiler/plan/model/iam_pattern.h"
#include "compiler/plan/model/object_value.h"

// ---- who uses a role -----------------------------------------------------------------------------------------------

// source: User Guides of AWS Batch, Amazon ECS instance role, and Using service-linked roles for AWS Batch; of Amazon EKS, Amazon EKS node IAM role; of AWS PCS, IAM
// instance profiles, and AWS Managed Policy Reference, AWSPCSComputeNodePolicy and AmazonSageMakerClusterInstanceRolePolicy, read 2026-11
static const RoleUse USES[] = {
    { .type = "AWS::Batch::ComputeEnvironment",
      .key = "InstanceRole",
      .service = "ec2",
      .needs = { { .policy = "AmazonEC2ContainerServiceforEC2Role",
                   .marks = { "AmazonEC2ContainerServiceforEC2Role", "AmazonEC2ContainerServiceFullAccess",
                              "AmazonECS_FullAccess", "AmazonECSInstanceRolePolicyForManagedInstances" },
                   .actions = { "ecs:" } } } },
    { .type = "AWS::Batch::ComputeEnvironment", .key = "ServiceRole", .service = "batch" },
    { .type = "AWS::Batch::JobDefinition", .key = "JobRoleArn", .service = "ecs-tasks" },
    { .type = "AWS::Batch::JobDefinition", .key = "ExecutionRoleArn", .service = "ecs-tasks" },
    { .type = "AWS::EKS::Nodegroup",
      .key = "NodeRole",
      .service = "ec2",
      .needs = { { .policy = "AmazonEKSWorkerNodePolicy",
                   .marks = { "AmazonEKSWorkerNodePolicy", "AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2FullAccess" },
                   .actions = { "ec2:", "eks:" } },
                 { .policy = "AmazonEKS_CNI_Policy",
                   .marks = { "AmazonEKS_CNI_Policy", "AmazonEC2FullAccess" },
                   .actions = { "ec2:" },
                   .addon = "vpc-cni",
                   .account = "aws-node" },
                 { .policy = "AmazonEC2ContainerRegistryPullOnly",
                   .marks = { "AmazonEC2ContainerRegistryPullOnly", "AmazonEC2ContainerRegistryReadOnly",
                              "AmazonEC2ContainerRegistryPowerUser", "AmazonEC2ContainerRegistryFullAccess" },
                   .actions = { "ecr:" } } } },
    { .type = "AWS::EKS::Cluster", .key = "RoleArn", .service = "eks" },
    { .type = "AWS::PCS::ComputeNodeGroup",
      .key = "IamInstanceProfileArn",
      .service = "ec2",
      .start = "AWSPCS",
      .path = "/aws-pcs/",
      .needs = { { .policy = "AWSPCSComputeNodePolicy",
                   .marks = { "AWSPCSComputeNodePolicy" },
                   .actions = { "pcs:Register", "pcs:*" } } } },
    // Amazon SageMaker AI Developer Guide, IAM for HyperPod: the role of a group of its nodes.
    { .type = "AWS::SageMaker::Cluster",
      .key = "ExecutionRole",
      .service = "sagemaker",
      .needs = { { .policy = "AmazonSageMakerClusterInstanceRolePolicy",
                   .marks = { "AmazonSageMakerClusterInstanceRolePolicy", "AmazonSageMakerFullAccess" },
                   .actions = { "logs:", "ssmmessages:" } } } },
    { .type = "AWS::Events::Rule", .key = "RoleArn", .service = "events" },
    { .type = "AWS::Scheduler::Schedule", .key = "RoleArn", .service = "scheduler" },
    { .type = "AWS::EC2::FlowLog", .key = "DeliverLogsPermissionArn", .service = "vpc-flow-logs" },
    { .type = "AWS::EKS::PodIdentityAssociation", .key = "RoleArn", .service = "pods.eks", .wants_tags = true },
    { .type = "AWS::EKS::Addon", .key = "RoleArn", .service = "pods.eks", .wants_tags = true },
};

const RoleUse *role_use(Str type, Str key) {
    for (size_t i = 0; i < COUNT_OF(USES); i++) {
        if (str_is(type, USES[i].type) && str_is(key, USES[i].key)) {
            return &USES[i];
        }
    }
    return NULL;
}

// ---- who may take it -----------------------------------------------------------------------------------------------

PlanTrust role_trust(bool has_others) {
    return (PlanTrust){ .has_others = has_others, .first = SPAN_NONE, .takes = SPAN_NONE };
}

void role_add_service(Arena *arena, PlanTrust *trust, Str service, Span span) {
    trust->has_others = trust->has_others || service.len == 0;
    trust->first = trust->services.count == 0 && service.len > 0 ? span : trust->first;
    vec_push(arena, &trust->services, service);
}

void role_add_action(PlanTrust *trust, Str action) {
    trust->lets_take = trust->lets_take || action.len == 0 || iam_matches_action(action, STR("sts:AssumeRole"));
    trust->lets_tag = trust->lets_tag || action.len == 0 || iam_matches_action(action, STR("sts:TagSession"));
}

// "ec2.amazonaws.com" is "ec2", whatever its domain.
static bool has_service(const PlanTrust *trust, const char *service) {
    bool has = trust->has_others;
    for (uint32_t i = 0; i < trust->services.count; i++) {
        const Str name = trust->services.items[i];
        has = has || (str_starts_with(name, str_of(service)) && str_at(name, strlen(service)) == '.');
    }
    return has;
}

PlanAnswer role_trusts(const PlanRole *role, const char *service) {
    for (uint32_t i = 0; i < role->trusts.count; i++) {
        if (role->trusts.items[i].lets_take && has_service(&role->trusts.items[i], service)) {
            return ANSWER_YES;
        }
    }
    return role->is_trust_known ? ANSWER_NO : ANSWER_MAYBE;
}

bool role_names(const PlanRole *role, const char *service) {
    bool names = false;
    for (uint32_t i = 0; i < role->trusts.count; i++) {
        names = names || has_service(&role->trusts.items[i], service);
    }
    return names;
}

PlanAnswer role_lets_tag(const PlanRole *role, const char *service) {
    for (uint32_t i = 0; i < role->trusts.count; i++) {
        if (role->trusts.items[i].lets_tag && has_service(&role->trusts.items[i], service)) {
            return ANSWER_YES;
        }
    }
    return role->is_trust_known ? ANSWER_NO : ANSWER_MAYBE;
}

// ---- what it may do ------------------------------------------------------------------------------------------------

// A policy of AWS goes by its name. What one of an account allows, its ARN does not say.
static bool may_be_policy(Str text, const char *wanted) {
    const bool is_of_account = str_has(text, ":policy/") && !str_has(text, "::aws:policy/");
    return is_of_account || str_is_word(str_after_last(text, '/'), wanted);
}

static bool has_policy(const PlanRole *role, const char *wanted) {
    bool has = false;
    for (uint32_t i = 0; i < role->policies.count; i++) {
        has = has || may_be_policy(role->policies.items[i], wanted);
    }
    return has;
}

// Whether a pattern of actions may begin so: `batch:S*` as `batch:Submit`. IAM reads letters in any case, and `?` is any.
static bool may_begin(Str pattern, Str wanted) {
    for (size_t i = 0; i < wanted.len; i++) {
        const char sign = str_at(pattern, i);
        if (sign == '*') {
            return true;
        }
        if (sign != '?' && char_small(sign) != char_small(wanted.data[i])) {
            return false;
        }
    }
    return true;
}

static bool has_action(const PlanRole *role, const char *wanted) {
    bool has = false;
    for (uint32_t i = 0; i < role->actions.count; i++) {
        has = has || may_begin(role->actions.items[i], str_of(wanted));
    }
    return has;
}

PlanAnswer role_gives(const PlanRole *role, const RoleNeed *need) {
    bool gives = has_policy(role, "AdministratorAccess") || has_policy(role, "PowerUserAccess");
    for (size_t i = 0; i < COUNT_OF(need->marks) && need->marks[i] != NULL; i++) {
        gives = gives || has_policy(role, need->marks[i]);
    }
    for (size_t i = 0; i < COUNT_OF(need->actions) && need->actions[i] != NULL; i++) {
        gives = gives || has_action(role, need->actions[i]);
    }
    return gives ? ANSWER_YES : role->may_allow_more ? ANSWER_MAYBE : ANSWER_NO;
}

// Whether a name that begins so may begin with the start as well.
static bool may_start(Str name_start, Str start) {
    const size_t len = name_start.len < start.len ? name_start.len : start.len;
    return str_equal(str_slice(name_start, 0, len), str_slice(start, 0, len));
}

// A role without a name is called after its stack.
PlanAnswer role_has_name_for(const PlanRole *role, const RoleUse *use) {
    const bool has_path = role->path.state == FIELD_KNOWN && use->path != NULL && str_has(role->path.text, use->path);
    const bool is_known = role->path.state != FIELD_LATE && role->given_name.state != FIELD_ABSENT;
    if (use->start == NULL || has_path || str_starts_with(role->given_name.text, str_of(use->start))) {
        return ANSWER_YES;
    }
    return is_known && (role->given_name.state == FIELD_KNOWN || !may_start(role->name_start, str_of(use->start)))
               ? ANSWER_NO
               : ANSWER_MAYBE;
}

bool role_has_users(const PlanTemplate *template, const PlanNamed *named) {
    for (uint32_t i = 0; template != NULL && i < template->roles.count; i++) {
        if (template->roles.items[i]->named == named && template->roles.items[i]->users.count > 0) {
            return true;
        }
    }
    return false;
}

// ---- a resource of infra.dt ----------------------------------------------------------------------------------------

static const Value *item_of(const Value *value, uint32_t i) {
    return value == NULL || value->kind != VALUE_LIST ? (i == 0 ? value : NULL)
           : i < value->list.count                    ? value->list.items[i]
                                                      : NULL;
}

static PlanTrust read_statement(Arena *arena, const Value *statement) {
    const Value *principal = object_get(statement, "Principal");
    const Value *action = object_get(statement, "Action");
    const Value *item = NULL;
    PlanTrust trust =
        role_trust(principal == NULL || principal->kind != VALUE_MAP || object_get(principal, "AWS") != NULL);
    for (uint32_t i = 0; (item = item_of(object_get(principal, "Service"), i)) != NULL; i++) {
        role_add_service(arena, &trust, object_text(item), item->span);
    }
    for (uint32_t i = 0; (item = item_of(action, i)) != NULL || (action == NULL && i == 0); i++) {
        role_add_action(&trust, item == NULL ? STR_NONE : object_text(item));
    }
    return trust;
}

PlanRole role_of_resource(Arena *arena, const Resource *resource) {
    const Value *document = resource_property(resource, "AssumeRolePolicyDocument");
    const Value *statements = object_get(document, "Statement");
    const Value *statement = NULL;
    PlanRole role = { .name = resource->name,
                      .span = document == NULL ? resource->span : document->span,
                      .is_trust_known = statements != NULL,
                      .may_allow_more = true };
    for (uint32_t i = 0; (statement = item_of(statements, i)) != NULL; i++) {
        const Value *effect = object_get(statement, "Effect");
        role.is_trust_known =
            role.is_trust_known && statement->kind == VALUE_MAP && effect != NULL && effect->kind == VALUE_STRING;
        if (str_is(object_text(effect), "Allow")) {
            vec_push(arena, &role.trusts, read_statement(arena, statement));
        }
    }
    return role;
}
