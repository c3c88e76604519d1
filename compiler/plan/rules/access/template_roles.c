// Rules about the roles of a template, as far as their policies are written there: which service takes a role, and what it
// needs of it. What a function or a parameter gives is taken for right.
#include "compiler/plan/rules/access/role_trust.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/template_use.h"

enum { USES_MAX = 5000 }; // as in network/template_network.c

// Who takes the role that a property names. `policy` is what nodes need, and `mark` a part of the name of each policy that
// gives it; `actions` begin the actions of one's own policy that do.
typedef struct {
    const char *type;
    const char *key;
    const char *service;  // without its domain
    const char *policy;   // NULL: not asked
    const char *marks[4]; // policies of AWS that give the same
    const char *actions[2];
    const char *addon;   // of EKS, which needs the policy where it has no role of its own; NULL: all nodes do
    const char *account; // the service account of its pods
    bool wants_tags;
} Taker;

static const Taker TAKERS[] = {
    { .type = "AWS::Batch::ComputeEnvironment",
      .key = "InstanceRole",
      .service = "ec2",
      .policy = "AmazonEC2ContainerServiceforEC2Role",
      .marks = { "AmazonEC2ContainerServiceforEC2Role", "AmazonEC2ContainerServiceFullAccess", "AmazonECS_FullAccess",
                 "AmazonECSInstanceRolePolicyForManagedInstances" },
      .actions = { "ecs:" } },
    { .type = "AWS::Batch::JobDefinition", .key = "JobRoleArn", .service = "ecs-tasks" },
    { .type = "AWS::Batch::JobDefinition", .key = "ExecutionRoleArn", .service = "ecs-tasks" },
    { .type = "AWS::EKS::Nodegroup",
      .key = "NodeRole",
      .service = "ec2",
      .policy = "AmazonEKSWorkerNodePolicy",
      .marks = { "AmazonEKSWorkerNodePolicy", "AmazonEKSWorkerNodeMinimalPolicy", "AmazonEC2FullAccess" },
      .actions = { "ec2:", "eks:" } },
    { .type = "AWS::EKS::Nodegroup",
      .key = "NodeRole",
      .service = "ec2",
      .policy = "AmazonEKS_CNI_Policy",
      .marks = { "AmazonEKS_CNI_Policy", "AmazonEC2FullAccess" },
      .actions = { "ec2:" },
      .addon = "vpc-cni",
      .account = "aws-node" },
    { .type = "AWS::EKS::Cluster", .key = "RoleArn", .service = "eks" },
    { .type = "AWS::Events::Rule", .key = "RoleArn", .service = "events" },
    { .type = "AWS::Scheduler::Schedule", .key = "RoleArn", .service = "scheduler" },
    { .type = "AWS::EC2::FlowLog", .key = "DeliverLogsPermissionArn", .service = "vpc-flow-logs" },
    { .type = "AWS::EKS::PodIdentityAssociation", .key = "RoleArn", .service = "pods.eks", .wants_tags = true },
    { .type = "AWS::EKS::Addon", .key = "RoleArn", .service = "pods.eks", .wants_tags = true },
};

// ---- what is written -----------------------------------------------------------------------------------------------

typedef bool Asks(Str text, const char *wanted);

static bool begins(Str text, const char *start) {
    return str_starts_with(text, str_of(start));
}

// Any text in it, at any depth, for which `asks` is true.
static bool any_text(const Data *data, Asks *asks, const char *wanted) {
    if (data->kind == DATA_STRING) {
        return asks(data->string, wanted);
    }
    for (uint32_t i = 0; i < data->count; i++) {
        const Data *part = data->kind == DATA_MAP ? data->entries[i].value : data->items[i];
        if (any_text(part, asks, wanted)) {
            return true;
        }
    }
    return false;
}

static bool is_list(const Data *data) {
    return data->kind == DATA_LIST && data->tag.len == 0;
}

// A statement that is known to allow something; else NULL. `*is_known` gets false where nobody knows.
static const Data *allows(const Data *statement, bool *is_known) {
    *is_known =
        *is_known && statement->kind == DATA_MAP && statement->tag.len == 0 && data_get(statement, "Fn::If") == NULL;
    return *is_known && str_is(data_text(statement, "Effect"), "Allow") ? statement : NULL;
}

// ---- trust ---------------------------------------------------------------------------------------------------------

static bool is_service(const Data *service, const char *wanted) {
    const Data *sub = data_get(service, "Fn::Sub");
    const Data *text = sub != NULL ? sub : service;
    const bool is_text = text->kind == DATA_STRING && (text->tag.len == 0 || str_is(text->tag, "!Sub"));
    const bool is_known = is_text && !begins(text->string, "${");
    const size_t len = strlen(wanted);
    return !is_known || (begins(text->string, wanted) && str_at(text->string, len) == '.');
}

static bool names_service(const Data *principal, const char *wanted) {
    const Data *services = data_get(principal, "Service");
    const Data *service = NULL;
    if (principal->kind != DATA_MAP || data_get(principal, "Fn::If") != NULL || data_get(principal, "AWS") != NULL) {
        return true;
    }
    for (uint32_t i = 0; (service = data_item(services, i)) != NULL; i++) {
        if (is_service(service, wanted)) {
            return true;
        }
    }
    return false;
}

static bool is_tagging(Str action, const char *wanted) {
    (void)wanted;
    return str_is(action, "sts:TagSession") || str_is(action, "sts:*") || str_is(action, "*");
}

typedef struct {
    bool is_known;
    bool is_trusted;
    bool has_tags;
} Trust;

static Trust trust_of(const Data *role, const char *service) {
    const Data *document = data_get(data_get(role, "Properties"), "AssumeRolePolicyDocument");
    const Data *statements = document == NULL || document->kind != DATA_MAP ? NULL : data_get(document, "Statement");
    Trust trust = { .is_known = statements != NULL };
    const Data *statement = NULL;
    for (uint32_t i = 0; (statement = data_item(statements, i)) != NULL; i++) {
        const Data *allowed = allows(statement, &trust.is_known);
        const Data *principal = allowed == NULL ? NULL : data_get(allowed, "Principal");
        const Data *action = allowed == NULL ? NULL : data_get(allowed, "Action");
        if (principal != NULL && names_service(principal, service)) {
            trust.is_trusted = true;
            trust.has_tags = trust.has_tags || action == NULL || any_text(action, is_tagging, "");
        }
    }
    return trust;
}

// ---- policies ------------------------------------------------------------------------------------------------------

// A policy of AWS goes by its name. What one of an account allows, its ARN does not say.
static bool may_be_policy(Str text, const char *wanted) {
    const bool is_of_account = str_has(text, ":policy/") && !str_has(text, "::aws:policy/");
    return is_of_account || str_is_word(str_after_last(text, '/'), wanted);
}

// A statement in it, at any depth, for all actions.
static bool allows_all(const Data *data) {
    const Data *action = NULL;
    bool all = data_get(data, "NotAction") != NULL;
    for (uint32_t i = 0; (action = data_item(data_get(data, "Action"), i)) != NULL; i++) {
        all = all || action->kind != DATA_STRING || action->tag.len > 0 || str_is(action->string, "*");
    }
    for (uint32_t i = 0; !all && i < data->count; i++) {
        all = allows_all(data->kind == DATA_MAP ? data->entries[i].value : data->items[i]);
    }
    return all;
}

// One of a known name that does not give what nodes need.
static bool is_other_policy(const Data *policy) {
    return any_text(policy, str_has, "policy/");
}

// `batch:S*` beside `batch:Submit`.
static bool is_wider(Str text, const char *wanted) {
    const Str start = str_slice(text, 0, str_find_sign(text, '*', 0));
    return start.len < text.len && str_find_sign(start, ':', 0) < start.len && str_starts_with(str_of(wanted), start);
}

static bool gives(const Data *policies, const Taker *taker) {
    for (size_t i = 0; i < COUNT_OF(taker->marks) && taker->marks[i] != NULL; i++) {
        if (any_text(policies, may_be_policy, taker->marks[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < COUNT_OF(taker->actions) && taker->actions[i] != NULL; i++) {
        if (any_text(policies, begins, taker->actions[i]) || any_text(policies, is_wider, taker->actions[i])) {
            return true;
        }
    }
    return any_text(policies, may_be_policy, "AdministratorAccess") ||
           any_text(policies, may_be_policy, "PowerUserAccess") || allows_all(policies);
}

static bool may_have(const PlanTemplate *template, const PlanNamed *role, const Taker *taker) {
    const Data *properties = data_get(role->data, "Properties");
    const Data *arns = data_get(properties, "ManagedPolicyArns");
    const Data *own = data_get(properties, "Policies");
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_attached =
            use->from != NULL &&
            ((str_is(use->key, "Roles") && !str_is(use->from->type, "AWS::IAM::InstanceProfile")) ||
             str_is(use->from->type, "AWS::IAM::RolePolicy"));
        if (use->to == role && is_attached) {
            return true; // a policy that stands by itself
        }
    }
    if (template_attaches_by_name(template, role)) {
        return true;
    }
    if ((arns != NULL && (!is_list(arns) || gives(arns, taker))) ||
        (own != NULL && (!is_list(own) || gives(own, taker)))) {
        return true;
    }
    for (uint32_t i = 0; arns != NULL && i < arns->count; i++) {
        if (!is_other_policy(arns->items[i])) {
            return true;
        }
    }
    return false;
}

// The add-on, where the template has it and gives it no role: neither beside it, nor by an association for its pods.
static const PlanNamed *roleless_addon(const PlanTemplate *template, const Taker *taker) {
    const PlanNamed *found = NULL;
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const Data *properties = data_get(named->data, "Properties");
        const Data *account = data_get(properties, "ServiceAccount");
        if (str_is(named->type, "AWS::EKS::PodIdentityAssociation") &&
            (account == NULL || account->kind != DATA_STRING || str_is(account->string, taker->account))) {
            return NULL;
        }
        if (str_is(named->type, "AWS::EKS::Addon") && str_is(data_text(properties, "AddonName"), taker->addon)) {
            const bool has_role = data_get(properties, "ServiceAccountRoleArn") != NULL ||
                                  data_get(properties, "PodIdentityAssociations") != NULL;
            if (has_role) {
                return NULL;
            }
            found = named;
        }
    }
    return found;
}

static void check_policies(const Rules *rules, const PlanTemplate *template, const PlanUse *use, const PlanNamed *role,
                           const Taker *taker) {
    const PlanNamed *addon = taker->addon == NULL ? NULL : roleless_addon(template, taker);
    if (taker->policy == NULL || (taker->addon != NULL && addon == NULL) || may_have(template, role, taker)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, role->subject, role->span, DIAG(role_lacks), STR_ARG(role->name), taker->policy);
    if (addon != NULL) {
        diag_label(rules->session, diag, addon->span, "has no role of its own, and takes that of the nodes");
    } else {
        diag_label(rules->session, diag, use->span, "its nodes have this role");
    }
    diag_help(rules->session, diag, "add it to `ManagedPolicyArns`: `arn:aws:iam::aws:policy/%s%s`",
              str_is(str_of(taker->key), "InstanceRole") ? "service-role/" : "", taker->policy);
}

// ---- jobs that somebody else submits ----------------------------------------------------------------------------------

// What a schedule needs of its role, and the policies of AWS that give it.
// source: Amazon EventBridge User Guide, AWS Batch jobs as targets; EventBridge Scheduler User Guide, Universal targets,
// 2026-11, read 2026-11; iann0036/iam-dataset@2073fa52 aws/managedpolicies/*.json, 2026-08-22, read 2026-11: no other one
// allows batch:SubmitJob
static const Taker SUBMITTER = { .marks = { "AWSBatchServiceEventTargetRole", "AWSBatchFullAccess" },
                                 .actions = { "batch:Submit", "batch:*" } };

// Whether it has one target, and that is a job of AWS Batch.
static bool submits(const PlanNamed *named) {
    const Data *properties = data_get(named->data, "Properties");
    const Data *targets = data_get(properties, "Targets");
    const Data *target = str_is(named->type, "AWS::Events::Rule") && targets != NULL && targets->count == 1
                             ? data_item(targets, 0)
                             : data_get(properties, "Target");
    const Data *arn = data_get(target, "Arn");
    return target != NULL && (data_get(target, "BatchParameters") != NULL ||
                              (arn != NULL && any_text(arn, str_has, "aws-sdk:batch:submitJob")));
}

static void check_submitter(const Rules *rules, const PlanTemplate *template, const PlanUse *use,
                            const PlanNamed *role) {
    const bool is_schedule =
        str_is(use->from->type, "AWS::Events::Rule") || str_is(use->from->type, "AWS::Scheduler::Schedule");
    if (!is_schedule || !str_is(use->key, "RoleArn") || use->from->data == NULL || !submits(use->from) ||
        may_have(template, role, &SUBMITTER)) {
        return;
    }
    Diag *diag = plan_report(rules->session, use->subject, use->span, DIAG(role_submits_nothing), STR_ARG(role->name));
    diag_label(rules->session, diag, role->span, "lacks `batch:SubmitJob`");
    diag_help(rules->session, diag, "allow `batch:SubmitJob` on the queue and the job definition");
}

// ---- who takes which -----------------------------------------------------------------------------------------------

// The role itself, or the one of an instance profile; NULL where it is none of the template.
static const PlanNamed *role_of(const PlanTemplate *template, const PlanNamed *named) {
    if (named == NULL || str_is(named->type, "AWS::IAM::Role")) {
        return named;
    }
    for (uint32_t i = 0; str_is(named->type, "AWS::IAM::InstanceProfile") && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->from == named && str_is(use->key, "Roles") && use->guard == NULL && use->to != NULL &&
            str_is(use->to->type, "AWS::IAM::Role")) {
            return use->to;
        }
    }
    return NULL;
}

// AWS PCS takes a role whose name begins with AWSPCS, or whose path has /aws-pcs/. A role without a name is called after
// its stack.
static void check_name(const Rules *rules, const PlanUse *use, const PlanNamed *role) {
    const Data *properties = data_get(role->data, "Properties");
    const Data *name = data_get(properties, "RoleName");
    const Data *path = data_get(properties, "Path");
    const bool is_plain = name != NULL && name->kind == DATA_STRING && name->tag.len == 0 &&
                          (path == NULL || (path->kind == DATA_STRING && path->tag.len == 0));
    if (!is_plain || begins(name->string, "AWSPCS") || (path != NULL && str_has(path->string, "/aws-pcs/"))) {
        return;
    }
    Diag *diag = plan_report(rules->session, role->subject, name->span, DIAG(role_name_of_pcs), STR_ARG(name->string));
    diag_label(rules->session, diag, use->span, "its nodes have this role");
    diag_help(rules->session, diag, "write `RoleName: AWSPCS-%.*s`, or `Path: /aws-pcs/`", STR_ARG(name->string));
}

// Whether a use before this one has the same fault of the same role: it is one mistake, and is said once.
static bool is_said(const PlanTemplate *template, const PlanUse *use, const PlanNamed *role, const Taker *taker,
                    DiagId id) {
    for (uint32_t i = 0; i < template->uses.count && template->uses.items[i] != use; i++) {
        const PlanUse *other = template->uses.items[i];
        const bool may_be = other->from != NULL && other->to != NULL && !plan_allows(other->subject, id);
        for (size_t k = 0; may_be && k < COUNT_OF(TAKERS); k++) {
            if (str_is(other->from->type, TAKERS[k].type) && str_is(other->key, TAKERS[k].key) &&
                str_is(str_of(TAKERS[k].service), taker->service) && role_of(template, other->to) == role) {
                return true;
            }
        }
    }
    return false;
}

static void check_trust(const Rules *rules, const PlanTemplate *template, const PlanUse *use, const PlanNamed *role,
                        const Taker *taker) {
    const Trust trust = trust_of(role->data, taker->service);
    Arena *arena = rules->session->arena;
    const RoleTaker of_use = { use->subject, use->span, role->name, role->span };
    if (trust.is_known && !trust.is_trusted && !is_said(template, use, role, taker, DIAG_role_untrusting)) {
        const char *service = str_c(arena, str_format(arena, "%s.amazonaws.com", taker->service));
        role_report_untrusting(rules, &of_use, service, str_format(arena, "Principal: {Service: %s}", service));
    } else if (trust.is_known && trust.is_trusted && taker->wants_tags && !trust.has_tags &&
               !is_said(template, use, role, taker, DIAG_role_untagged)) {
        role_report_untagged(rules, &of_use, "Action: ['sts:AssumeRole', 'sts:TagSession']");
    }
}

static void check_use(const Rules *rules, const PlanTemplate *template, const PlanUse *use) {
    const bool is_given = use->from != NULL && !use->is_sub && (use->kind == USE_REF || use->kind == USE_ATTRIBUTE);
    if (is_given && str_is(use->from->type, "AWS::PCS::ComputeNodeGroup") &&
        str_is(use->key, "IamInstanceProfileArn")) {
        const PlanNamed *role = role_of(template, use->to);
        if (role != NULL && role->kind == NAMED_RESOURCE && role->data != NULL) {
            check_name(rules, use, role);
        }
    }
    for (size_t i = 0; is_given && i < COUNT_OF(TAKERS); i++) {
        const Taker *taker = &TAKERS[i];
        if (!str_is(use->from->type, taker->type) || !str_is(use->key, taker->key)) {
            continue;
        }
        const PlanNamed *role = role_of(template, use->to);
        if (role != NULL && role->kind == NAMED_RESOURCE && role->data != NULL) {
            if (taker->addon == NULL) {
                check_trust(rules, template, use, role, taker);
            }
            check_policies(rules, template, use, role, taker);
            check_submitter(rules, template, use, role);
        }
    }
}

void rule_template_roles(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    const bool is_readable = template != NULL && !template->is_open && template->uses.count <= USES_MAX;
    for (uint32_t i = 0; is_readable && i < template->uses.count; i++) {
        check_use(rules, template, template->uses.items[i]);
    }
}
