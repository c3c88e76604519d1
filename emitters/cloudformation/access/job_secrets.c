// A secret is named by its whole ARN, to which Secrets Manager appended six characters that nobody chose: where only the
// name is known, the policy has a pattern of that length. Behind the ARN may stand the key of a JSON.
// source: AWS Batch User Guide, Specify sensitive data; Amazon ECS Developer Guide, Task execution IAM role; Secrets
// Manager User Guide, What's in a secret, ARN, 2026-11
#include "emitters/cloudformation/access/job_secrets.h"

#include "compiler/base/arn.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/access/kms.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/sub.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/cloudformation/template/template_value.h"

// The driver of EKS asks for the version first when it mounts a secret again (Secrets Manager User Guide, Use AWS Secrets
// and Configuration Provider CSI with Pod Identity for Amazon EKS, 2026-11).
static const char *const READ_SECRET[] = { "secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret" };
static const char *const READ_PARAMETER[] = { "ssm:GetParameters" };
static const char *const DECRYPT[] = { "kms:Decrypt" };
static const char *const POLICIES[] = { "service-role/AmazonECSTaskExecutionRolePolicy" };

// ---- what a value names --------------------------------------------------------------------------------------------------

// What a late text begins with; NULL where the deployment decides that.
static const Value *beginning(const Value *value) {
    if (value->kind == VALUE_STRING) {
        return value;
    }
    switch (value->kind == VALUE_LATE ? value->late->kind : LATE_PARAM) {
    case LATE_TEXT:
    case LATE_DEFAULT:
        return beginning(value->late->parts[0]);
    case LATE_IF:
        return beginning(value->late->parts[1]);
    case LATE_PARAM:
    case LATE_PSEUDO:
    case LATE_OUTPUT:
    case LATE_WRITTEN_OUTPUT:
    case LATE_REF:
    case LATE_ATTRIBUTE:
    case LATE_ITEM:
        break;
    }
    return NULL;
}

static bool is_name(const Value *id) {
    const Value *first = beginning(id);
    if (first != NULL) {
        return !str_starts_with(first->string, STR("arn:"));
    }
    const Type *type = id->kind == VALUE_LATE ? id->late->type : NULL;
    return type != NULL && type->kind == TYPE_PATTERN && strcmp(type->pattern->name, "secret_name") == 0;
}

// `-AbCdEf` at the end of an ARN.
static bool has_suffix(Str arn) {
    enum { SUFFIX = 6 };
    if (arn.len <= SUFFIX || arn.data[arn.len - SUFFIX - 1] != '-') {
        return false;
    }
    for (size_t i = arn.len - SUFFIX; i < arn.len; i++) {
        const char c = arn.data[i];
        if ((c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')) {
            return false;
        }
    }
    return true;
}

// The region of a known ARN; empty of anything else.
static Str region_of(const Value *id) {
    return id->kind == VALUE_STRING ? arn_field(id->string, ARN_REGION) : STR_NONE;
}

// ---- ARNs --------------------------------------------------------------------------------------------------------------

static SubText arn_here(Stack *stack, const char *service, const char *kind) {
    SubText text = { .stack = stack };
    sub_add(&text, STR("arn:"), why(WHY_SECRET_ARN));
    sub_add_reference(&text, STR("AWS::Partition"), why(WHY_SECRET_ARN));
    sub_add(&text, str_format(stack->arena, ":%s:", service), why(WHY_SECRET_ARN));
    sub_add_reference(&text, STR("AWS::Region"), why(WHY_SECRET_ARN));
    sub_add(&text, STR(":"), why(WHY_SECRET_ARN));
    sub_add_reference(&text, STR("AWS::AccountId"), why(WHY_SECRET_ARN));
    sub_add(&text, str_format(stack->arena, ":%s", kind), why(WHY_SECRET_ARN));
    return text;
}

static SubText secret_arn(Stack *stack, const PlanSecret *secret) {
    SubText text = is_name(secret->id) ? arn_here(stack, "secretsmanager", "secret:") : (SubText){ .stack = stack };
    sub_add_value(&text, secret->id);
    return text;
}

static DocNode *parameter_arn(Stack *stack, const PlanSecret *secret, bool has_slash) {
    SubText text = arn_here(stack, "ssm", has_slash ? "parameter" : "parameter/");
    sub_add_value(&text, secret->id);
    return sub_node(&text);
}

static DocNode *value_from(Stack *stack, const PlanSecret *secret) {
    const Value *first = beginning(secret->id);
    if (secret->is_parameter) {
        return first == NULL ? template_value(stack, secret->id)
                             : parameter_arn(stack, secret, str_starts_with(first->string, STR("/")));
    }
    SubText text = secret_arn(stack, secret);
    if (secret->key != NULL) {
        sub_add(&text, STR(":"), why(WHY_SECRET_ARN));
        sub_add_value(&text, secret->key);
        sub_add(&text, STR("::"), why(WHY_SECRET_ARN));
    }
    return sub_node(&text);
}

// ---- what may be read ----------------------------------------------------------------------------------------------------

static bool is_named_before(const PlanSecrets *secrets, uint32_t index) {
    const PlanSecret *secret = &secrets->items[index];
    for (uint32_t i = 0; i < index; i++) {
        if (secrets->items[i].is_parameter == secret->is_parameter && value_equal(secrets->items[i].id, secret->id)) {
            return true;
        }
    }
    return false;
}

static void add_resource(Stack *stack, DocNode *list, const PlanSecret *secret) {
    const Value *first = beginning(secret->id);
    if (secret->is_parameter) { // a name in a hierarchy begins with the slash that other names lack
        const bool may_have = first == NULL || str_starts_with(first->string, STR("/"));
        const bool may_lack = first == NULL || !may_have;
        if (may_have) {
            doc_add(stack->doc, list, parameter_arn(stack, secret, true));
        }
        if (may_lack) {
            doc_add(stack->doc, list, parameter_arn(stack, secret, false));
        }
        return;
    }
    SubText text = secret_arn(stack, secret);
    const bool is_whole = secret->id->kind != VALUE_STRING || has_suffix(secret->id->string);
    if (is_name(secret->id) || !is_whole) {
        sub_add(&text, STR("-??????"), why(WHY_SECRET_ARN));
    }
    doc_add(stack->doc, list, sub_node(&text));
}

static void allow(Stack *stack, DocNode *document, const PlanSecrets *secrets, bool is_parameter, bool is_driver) {
    DocNode *list = NULL;
    for (uint32_t i = 0; i < secrets->count; i++) {
        const PlanSecret *secret = &secrets->items[i];
        if (secret->is_parameter != is_parameter || is_named_before(secrets, i)) {
            continue;
        }
        doc_because(stack->doc, secret->value->origin);
        if (list == NULL) {
            DocNode *statement = iam_statement(stack, document);
            iam_put_actions(stack, statement, is_parameter ? READ_PARAMETER : READ_SECRET,
                            is_driver && !is_parameter ? 2 : 1, WHY_SECRET_POLICY);
            list = tree_put_list(stack->doc, statement, "Resource");
        }
        add_resource(stack, list, secret);
        doc_unbecause(stack->doc);
    }
}

static KmsUse use_of(const PlanSecret *secret) {
    return (KmsUse){ .key = secret->kms_key,
                     .actions = DECRYPT,
                     .count = COUNT_OF(DECRYPT),
                     .service = secret->is_parameter ? "ssm" : "secretsmanager",
                     .region = region_of(secret->id),
                     .reason = WHY_SECRET_KEY };
}

static bool has_use_before(const PlanSecrets *secrets, uint32_t index) {
    const KmsUse use = use_of(&secrets->items[index]);
    for (uint32_t i = 0; i < index; i++) {
        const KmsUse other = use_of(&secrets->items[i]);
        if (other.key != NULL && kms_is_same_use(&other, &use)) {
            return true;
        }
    }
    return false;
}

static void allow_keys(Stack *stack, DocNode *document, const PlanSecrets *secrets) {
    for (uint32_t i = 0; i < secrets->count; i++) {
        if (secrets->items[i].kms_key != NULL && !has_use_before(secrets, i)) {
            kms_allow(stack, document, use_of(&secrets->items[i]));
        }
    }
}

void job_secrets_allow(Stack *stack, DocNode *role, const PlanJob *job, bool is_driver) {
    if (job->secrets.count == 0) {
        return;
    }
    DocNode *document = iam_policy(stack, role, "secrets", WHY_SECRET_POLICY);
    allow(stack, document, &job->secrets, false, is_driver);
    allow(stack, document, &job->secrets, true, is_driver);
    allow_keys(stack, document, &job->secrets);
}

Str job_secrets_role(Stack *stack, const PlanJob *job) {
    if (job->secrets.count == 0) {
        return STR_NONE;
    }
    const Str id = stack_id(stack, job->head.id, STR_NONE, "ExecutionRole");
    const IamOwnPolicies policies = { .names = POLICIES, .count = COUNT_OF(POLICIES), .reason = WHY_SECRET_ROLE };
    doc_because(stack->doc, job->secrets.items[0].value->origin);
    DocNode *role = iam_role(stack, (IamRole){
                                        .id = id,
                                        .service = "ecs-tasks.amazonaws.com",
                                        .trust = WHY_TASK_TRUST,
                                        .is_own_account = true,
                                    });
    tree_put(stack->doc, role, "ManagedPolicyArns", iam_managed_policies(stack, policies, NULL));
    job_secrets_allow(stack, role, job, false);
    tree_put(stack->doc, role, "Tags", tags_list(stack, (Tags){ .inner = job->cluster->tags }));
    doc_unbecause(stack->doc);
    return id;
}

void job_secrets_put(Stack *stack, DocNode *container, const PlanJob *job, Str role) {
    if (job->secrets.count == 0) {
        return;
    }
    DocNode *list = tree_put_list(stack->doc, container, "Secrets");
    for (uint32_t i = 0; i < job->secrets.count; i++) {
        const PlanSecret *secret = &job->secrets.items[i];
        DocNode *entry = tree_add_map(stack->doc, list);
        tree_put(stack->doc, entry, "Name",
                 doc_string(stack->doc, secret->name, origin_span(stack->arena, secret->name_span)));
        doc_because(stack->doc, secret->value->origin);
        tree_put(stack->doc, entry, "ValueFrom", value_from(stack, secret));
        doc_unbecause(stack->doc);
    }
    doc_because(stack->doc, job->secrets.items[0].value->origin);
    tree_put(stack->doc, container, "ExecutionRoleArn", intrinsic_get_att(stack, role, "Arn"));
    doc_unbecause(stack->doc);
}
