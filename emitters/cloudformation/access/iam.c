// Writes roles, their trust and their policies.
#include "emitters/cloudformation/access/iam.h"

#include "compiler/base/arn.h"
#include "compiler/plan/model/declared_group.h"
#include "emitters/cloudformation/access/bucket_access.h"
#include "emitters/cloudformation/access/kms.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/limits.h"
#include "emitters/cloudformation/template/partition.h"
#include "emitters/cloudformation/template/sub.h"
#include "emitters/cloudformation/template/tags.h"

static const char POLICY_VERSION[] = "2012-10-17";
static const char *const ASSUME[] = { "sts:AssumeRole" };

DocNode *iam_statement(Stack *stack, DocNode *document) {
    DocNode *statements = doc_get(document, STR("Statement"));
    if (statements == NULL) {
        tree_put_text(stack->doc, document, "Version", WHY_POLICY_DOCUMENT, POLICY_VERSION);
        statements = tree_put_list(stack->doc, document, "Statement");
    }
    DocNode *statement = tree_add_map(stack->doc, statements);
    tree_put_text(stack->doc, statement, "Effect", WHY_POLICY_DOCUMENT, "Allow");
    return statement;
}

void iam_put_actions(Stack *stack, DocNode *statement, const char *const *actions, size_t count, Why reason) {
    if (count == 1) {
        tree_put_text(stack->doc, statement, "Action", reason, actions[0]);
        return;
    }
    DocNode *list = tree_put_list(stack->doc, statement, "Action");
    for (size_t i = 0; i < count; i++) {
        doc_add(stack->doc, list, tree_text(stack->doc, reason, actions[i]));
    }
}

DocNode *iam_policy(Stack *stack, DocNode *role, const char *name, Why reason) {
    DocNode *policies = doc_get(role, STR("Policies"));
    policies = policies != NULL ? policies : tree_put_list(stack->doc, role, "Policies");
    DocNode *policy = tree_add_map(stack->doc, policies);
    tree_put_text(stack->doc, policy, "PolicyName", reason, name);
    return tree_put_map(stack->doc, policy, "PolicyDocument");
}

DocNode *iam_trust_condition(Stack *stack, DocNode *role, const char *operator) {
    DocNode *document = doc_get(role, STR("AssumeRolePolicyDocument"));
    DocNode *statement = doc_get(document, STR("Statement"))->first;
    return tree_put_map(stack->doc, tree_put_map(stack->doc, statement, "Condition"), operator);
}

DocNode *iam_role(Stack *stack, IamRole role) {
    DocNode *properties = stack_resource(stack, (StackResource){ .id = role.id, .type = "AWS::IAM::Role" });
    stack->has_roles = true;
    DocNode *statement = iam_statement(stack, tree_put_map(stack->doc, properties, "AssumeRolePolicyDocument"));
    tree_put(stack->doc, tree_put_map(stack->doc, statement, "Principal"), "Service",
             partition_principal(stack, role.trust, role.service));
    const bool is_usual = role.actions == NULL;
    iam_put_actions(stack, statement, is_usual ? ASSUME : role.actions, is_usual ? COUNT_OF(ASSUME) : role.action_count,
                    role.trust);
    if (role.is_own_account) {
        tree_put(stack->doc, iam_trust_condition(stack, properties, "StringEquals"), "aws:SourceAccount",
                 intrinsic_pseudo(stack, role.trust, "AWS::AccountId"));
    }
    return properties;
}

// "AmazonS3ReadOnlyAccess" or "service-role/…": a policy of AWS's own, whose ARN holds the partition.
static DocNode *own_policy(Stack *stack, Str name, const Origin *origin) {
    SubText text = { .stack = stack };
    sub_add(&text, STR("arn:"), why(WHY_POLICY_ARN));
    sub_add_reference(&text, STR("AWS::Partition"), why(WHY_POLICY_ARN));
    sub_add(&text, STR(":iam::aws:policy/"), why(WHY_POLICY_ARN));
    sub_add(&text, schema_policy_path(name), why(WHY_POLICY_ARN));
    sub_add(&text, name, origin);
    return sub_node(&text);
}

// Path and name of AWS's own policy, its whole ARN where it is somebody else's; empty where only the deployment knows
// it.
static Str policy_name(Arena *arena, const Value *policy) {
    if (policy->kind != VALUE_STRING) {
        return STR_NONE;
    }
    const Str own = STR(":iam::aws:policy/");
    const size_t at = str_find(policy->string, own, 0);
    const bool is_name = at == policy->string.len;
    const Str name = is_name ? policy->string : str_slice(policy->string, at + own.len, policy->string.len);
    return str_format(arena, "%.*s%.*s", STR_ARG(schema_policy_path(name)), STR_ARG(name));
}

// IAM takes no policy twice, and CloudFormation refuses the role that names one so.
static bool is_repeated(Arena *arena, IamOwnPolicies own, const Value *policies, uint32_t index) {
    const Str name = policy_name(arena, policies->list.items[index]);
    for (size_t i = 0; i < own.count; i++) {
        if (str_is(name, own.names[i])) {
            return true;
        }
    }
    for (uint32_t i = 0; i < index; i++) {
        if (name.len > 0 && str_equal(name, policy_name(arena, policies->list.items[i]))) {
            return true;
        }
    }
    return false;
}

DocNode *iam_managed_policies(Stack *stack, IamOwnPolicies own, const Value *policies) {
    DocNode *list = doc_list(stack->doc);
    for (size_t i = 0; i < own.count; i++) {
        doc_add(stack->doc, list, own_policy(stack, str_of(own.names[i]), why(own.reason)));
    }
    for (uint32_t i = 0; policies != NULL && policies->kind == VALUE_LIST && i < policies->list.count; i++) {
        const Value *policy = policies->list.items[i];
        if (is_repeated(stack->arena, own, policies, i)) {
            continue;
        }
        bool is_name = policy->kind == VALUE_STRING && !str_starts_with(policy->string, STR("arn:"));
        DocNode *node = is_name ? own_policy(stack, policy->string, policy->origin) : template_value(stack, policy);
        if (node != NULL) {
            doc_add(stack->doc, list, node);
        }
    }
    return doc_count(list) == 0 ? NULL : list;
}

static void allow_objects(Stack *stack, DocNode *statement, const char *action, Str object, Why reason) {
    tree_put_text(stack->doc, statement, "Action", reason, action);
    SubText text = { .stack = stack };
    sub_add(&text, STR("arn:"), why(reason));
    sub_add_reference(&text, STR("AWS::Partition"), why(reason));
    sub_add(&text, STR(":s3:::"), why(reason));
    sub_add(&text, object, why(reason));
    tree_put(stack->doc, statement, "Resource", sub_node(&text));
}

void iam_allow_object(Stack *stack, DocNode *role, Str object, const char *name, Why reason) {
    DocNode *statement = iam_statement(stack, iam_policy(stack, role, name, reason));
    allow_objects(stack, statement, "s3:GetObject", object, reason);
}

// A verdict is small and put at once: who puts an object in parts decrypts as well.
static const char *const ENCRYPT[] = { "kms:GenerateDataKey" };

void iam_allow_verdicts(Stack *stack, DocNode *document, const PlanNodes *nodes) {
    const Str objects = plan_verdict_objects(stack->arena, nodes);
    if (objects.len == 0) {
        return;
    }
    allow_objects(stack, iam_statement(stack, document), "s3:PutObject", objects, WHY_VERDICTS);
    const Value *key = plan_verdict_key(nodes);
    if (key != NULL) {
        kms_allow(stack, document,
                  (KmsUse){ .key = key,
                            .actions = ENCRYPT,
                            .count = COUNT_OF(ENCRYPT),
                            .service = "s3",
                            .region = arn_field(key->string, ARN_REGION),
                            .reason = WHY_VERDICTS_KEY });
    }
}

// Each node of the group may write it: all that comes of that is that nodes which fail take work.
static void allow_count(Stack *stack, DocNode *role, const PlanNodes *nodes) {
    static const char *const ACTIONS[] = { "ssm:GetParameter", "ssm:PutParameter" };
    const Str parameter = plan_failures(stack->arena, nodes);
    if (parameter.len == 0) {
        return;
    }
    doc_because(stack->doc, nodes->validate->origin);
    DocNode *statement = iam_statement(stack, iam_policy(stack, role, "count-dtc-failures", WHY_FAILURES));
    SubText arn = { .stack = stack };
    iam_put_actions(stack, statement, ACTIONS, COUNT_OF(ACTIONS), WHY_FAILURES);
    sub_add(&arn, STR("arn:"), why(WHY_FAILURES));
    sub_add_reference(&arn, STR("AWS::Partition"), why(WHY_FAILURES));
    sub_add(&arn, STR(":ssm:"), why(WHY_FAILURES));
    sub_add_reference(&arn, STR("AWS::Region"), why(WHY_FAILURES));
    sub_add(&arn, STR(":"), why(WHY_FAILURES));
    sub_add_reference(&arn, STR("AWS::AccountId"), why(WHY_FAILURES));
    sub_add(&arn, str_format(stack->arena, ":parameter%.*s", STR_ARG(parameter)), why(WHY_FAILURES));
    tree_put(stack->doc, statement, "Resource", sub_node(&arn));
    doc_unbecause(stack->doc);
}

static void allow_action(Stack *stack, DocNode *role, IamAction action) {
    DocNode *statement = iam_statement(stack, iam_policy(stack, role, action.policy, action.reason));
    tree_put_text(stack->doc, statement, "Action", action.reason, action.name);
    tree_put_text(stack->doc, statement, "Resource", action.reason, "*");
}

static void put_path(Stack *stack, DocNode *properties, IamNodes nodes) {
    if (nodes.path != NULL) {
        tree_put_text(stack->doc, properties, "Path", nodes.action.reason, nodes.path);
    }
}

Str iam_instance_profile(Stack *stack, const PlanNodes *nodes, IamNodes needs) {
    Str role = stack_group_id(stack, nodes, "InstanceRole");
    Str profile = stack_group_id(stack, nodes, "InstanceProfile");
    DocNode *properties = iam_role(stack, (IamRole){
                                              .id = role,
                                              .service = "ec2.amazonaws.com",
                                              .trust = WHY_INSTANCE_TRUST,
                                          });
    put_path(stack, properties, needs);
    tree_put(stack->doc, properties, "ManagedPolicyArns",
             iam_managed_policies(stack, needs.policies, nodes->role.policies));
    if (needs.object.len > 0) {
        iam_allow_object(stack, properties, needs.object, "read-dtc-node", WHY_EKS_SECOND_STAGE);
    }
    if (plan_verdict_objects(stack->arena, nodes).len > 0) {
        iam_allow_verdicts(stack, iam_policy(stack, properties, "write-dtc-verdicts", WHY_VERDICTS), nodes);
    }
    allow_count(stack, properties, nodes);
    if (needs.action.name != NULL) {
        allow_action(stack, properties, needs.action);
    }
    if (needs.access != NULL) {
        bucket_access_allow(stack, properties, needs.access);
    }
    limits_check_role(stack, &nodes->head, properties);
    tree_put(stack->doc, properties, "Tags", tags_list(stack, (Tags){ .inner = nodes->cluster->tags }));
    DocNode *entry = stack_resource(stack, (StackResource){ .id = profile, .type = "AWS::IAM::InstanceProfile" });
    put_path(stack, entry, needs);
    tree_put(stack->doc, entry, "Roles", tree_list_of(stack->doc, intrinsic_ref(stack, role)));
    return profile;
}
