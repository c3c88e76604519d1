// Rules about roles and those that use them: who takes a role, and what it is needed for.
#include "compiler/plan/rules/access/role_trust.h"

#include "compiler/plan/model/allow.h"
#include "compiler/base/arn.h"
#include "compiler/base/suggest.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/template_use.h"

// Whether each user before this one that asks the same of the role allows the finding: what is wrong for several is one
// mistake.
static bool is_first(const PlanRole *role, uint32_t i, bool is_of_service, DiagId id) {
    const PlanRoleUser *user = &role->users.items[i];
    for (uint32_t k = 0; k < i; k++) {
        const PlanRoleUser *other = &role->users.items[k];
        const bool is_alike =
            is_of_service ? str_is(str_of(other->use->service), user->use->service) : other->use == user->use;
        if (is_alike && !plan_allows(other->subject, id)) {
            return false;
        }
    }
    return true;
}

static void label_others(const Rules *rules, Diag *diag, const PlanRole *role, uint32_t i, bool is_of_service,
                         const char *label) {
    const PlanRoleUser *user = &role->users.items[i];
    for (uint32_t k = i + 1; k < role->users.count; k++) {
        const PlanRoleUser *other = &role->users.items[k];
        if (is_of_service ? str_is(str_of(other->use->service), user->use->service) : other->use == user->use) {
            diag_label(rules->session, diag, other->span, "%s", label);
        }
    }
}

// ---- trust ---------------------------------------------------------------------------------------------------------

// Adds the other action to the one by which a role is taken, where one statement says who takes it.
static void fix_tag(const Rules *rules, Diag *diag, const PlanRole *role) {
    if (role->trusts.count == 1 && !span_is_none(role->trusts.items[0].takes)) {
        rule_insert_item(rules, diag, role->trusts.items[0].takes, STR("sts:TagSession"));
    }
}

// The service in the place of a name that is surely it: `ecs-task`.
static void fix_service(const Rules *rules, Diag *diag, const PlanRole *role, const char *service) {
    const PlanTrust *trust = role->trusts.count == 1 ? &role->trusts.items[0] : NULL;
    const Str host =
        trust == NULL || !trust->lets_take || span_is_none(trust->first) ? STR_NONE : trust->services.items[0];
    const Str name = str_slice(host, 0, str_find(host, STR("."), 0));
    Suggestion suggestion = suggest_for(rules->session, name);
    suggest_offer(&suggestion, str_of(service));
    if (name.len > 0 && suggest_is_sure(&suggestion)) {
        rule_replace_part(rules, diag, trust->first, str_format(rules->session->arena, "%.*s.", STR_ARG(name)),
                          str_format(rules->session->arena, "%s.", service));
    }
}

void rule_role_trust(const Rules *rules, const PlanRole *role) {
    for (uint32_t i = 0; i < role->users.count; i++) {
        const PlanRoleUser *user = &role->users.items[i];
        const char *service = user->use->service;
        const PlanAnswer trusts = role_trusts(role, service);
        const bool is_untagged =
            trusts == ANSWER_YES && user->use->wants_tags && role_lets_tag(role, service) == ANSWER_NO;
        const DiagId id = is_untagged ? DIAG_role_untagged : DIAG_role_untrusting;
        if ((trusts != ANSWER_NO && !is_untagged) || !is_first(role, i, true, id)) {
            continue;
        }
        const RoleTaker taker = { plan_either(user->subject, role->subject, id), user->span, role->name, role->span,
                                  role_names(role, service) };
        Diag *diag = is_untagged ? role_report_untagged(rules, &taker, ROLE_IN_YAML)
                                 : role_report_untrusting(rules, &taker, service, ROLE_IN_YAML);
        label_others(rules, diag, role, i, true, "takes it, too");
        if (is_untagged) {
            fix_tag(rules, diag, role);
        } else {
            fix_service(rules, diag, role, service);
        }
    }
}

// ---- policies ------------------------------------------------------------------------------------------------------

static bool lacks(const PlanRole *role, const RoleNeed *need) {
    return role_gives(role, need) == ANSWER_NO && !template_attaches_by_name(role->template, role->named);
}

// The add-on, where the template has it and gives it no role: neither beside it, nor by an association for its pods.
static const PlanNamed *roleless_addon(const PlanTemplate *template, const RoleNeed *need) {
    const PlanNamed *found = NULL;
    for (uint32_t i = 0; i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const Data *properties = data_get(named->data, "Properties");
        const Data *account = data_get(properties, "ServiceAccount");
        if (str_is(named->type, "AWS::EKS::PodIdentityAssociation") &&
            (account == NULL || account->kind != DATA_STRING || str_is(account->string, need->account))) {
            return NULL;
        }
        if (str_is(named->type, "AWS::EKS::Addon") && str_is(data_text(properties, "AddonName"), need->addon)) {
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

// Adds the policy to the others of AWS, in their words.
static void fix_policies(const Rules *rules, Diag *diag, const PlanRole *role, const char *path, const char *policy) {
    const Data *arns = data_get(data_get(role->named->data, "Properties"), "ManagedPolicyArns");
    const Data *last = arns == NULL || arns->count == 0 ? NULL : arns->items[arns->count - 1];
    const Str mark = STR(":iam::aws:policy/");
    const Data *sub = data_get(last, "Fn::Sub");
    const bool is_sub = sub != NULL && sub->kind == DATA_STRING;
    const Str text = is_sub ? sub->string : last != NULL && last->kind == DATA_STRING ? last->string : STR_NONE;
    const size_t at = str_find(text, mark, 0);
    if (at < text.len) {
        const Str arn =
            str_format(rules->session->arena, "%.*s%s%s", STR_ARG(str_slice(text, 0, at + mark.len)), path, policy);
        rule_insert_item(rules, diag, last->span,
                         is_sub ? str_format(rules->session->arena, "!Sub \"%.*s\"", STR_ARG(arn)) : arn);
    }
}

static void check_need(const Rules *rules, const PlanRole *role, uint32_t i, const RoleNeed *need) {
    const PlanNamed *addon = need->addon == NULL ? NULL : roleless_addon(role->template, need);
    const PolicyPath *path = schema_policy(str_of(need->policy));
    if ((need->addon != NULL && addon == NULL) || !lacks(role, need) || !is_first(role, i, false, DIAG_role_lacks)) {
        return;
    }
    const Subject *subject = plan_either(role->subject, role->users.items[i].subject, DIAG_role_lacks);
    Diag *diag = plan_report(rules->session, subject, role->span, DIAG(role_lacks), STR_ARG(role->name), need->policy);
    if (addon != NULL) {
        diag_label(rules->session, diag, addon->span, "has no role of its own, and takes that of the nodes");
    } else {
        diag_label(rules->session, diag, role->users.items[i].span, "its nodes have this role");
        label_others(rules, diag, role, i, false, "its nodes have this role");
    }
    diag_help(rules->session, diag, "add it to `ManagedPolicyArns`: `arn:aws:iam::aws:policy/%s%s`",
              path == NULL ? "" : path->path, need->policy);
    if (addon == NULL && role->named != NULL) {
        fix_policies(rules, diag, role, path == NULL ? "" : path->path, need->policy);
    }
}

void rule_role_joins(const Rules *rules, const PlanRole *role) {
    for (uint32_t i = 0; i < role->users.count; i++) {
        const RoleUse *use = role->users.items[i].use;
        for (size_t k = 0; k < COUNT_OF(use->needs) && use->needs[k].policy != NULL; k++) {
            check_need(rules, role, i, &use->needs[k]);
        }
    }
}

// ---- jobs that somebody else submits -------------------------------------------------------------------------------

// What a schedule needs of its role, and the policies of AWS that give it.
// source: Amazon EventBridge User Guide, AWS Batch jobs as targets; EventBridge Scheduler User Guide, Universal targets,
// 2026-11, read 2026-11; iann0036/iam-dataset@2073fa52 aws/managedpolicies/*.json, 2026-08-22, read 2026-11: no other one
// allows batch:SubmitJob
static const RoleNeed SUBMITS = { .marks = { "AWSBatchServiceEventTargetRole", "AWSBatchFullAccess" },
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
                              (arn != NULL && data_has_text(arn, "aws-sdk:batch:submitJob")));
}

void rule_role_submits(const Rules *rules, const PlanRole *role) {
    for (uint32_t i = 0; i < role->users.count; i++) {
        const PlanRoleUser *user = &role->users.items[i];
        const bool is_schedule =
            str_is(user->from->type, "AWS::Events::Rule") || str_is(user->from->type, "AWS::Scheduler::Schedule");
        if (!is_schedule || !submits(user->from) || !lacks(role, &SUBMITS)) {
            continue;
        }
        const Subject *subject = plan_either(user->subject, role->subject, DIAG_role_submits_nothing);
        Diag *diag = plan_report(rules->session, subject, user->span, DIAG(role_submits_nothing), STR_ARG(role->name));
        diag_label(rules->session, diag, role->span, "lacks `batch:SubmitJob`");
        diag_help(rules->session, diag, "allow `batch:SubmitJob` on the queue and the job definition");
    }
}

// ---- scripts of nodes ----------------------------------------------------------------------------------------------

// What lets a role read objects of any bucket. AmazonSageMakerClusterInstanceRolePolicy lets it read those of buckets whose
// names begin with `sagemaker-` alone.
// source: iann0036/iam-dataset@2073fa52 aws/managedpolicies/AmazonSageMakerClusterInstanceRolePolicy.json, 2026-08-22, read
// 2026-11
static const RoleNeed READS = { .marks = { "AmazonS3ReadOnlyAccess", "AmazonS3FullAccess", "AmazonSageMakerFullAccess",
                                           "ReadOnlyAccess" },
                                .actions = { "s3:", "s3-object-lambda:" } };

// The bucket of the scripts of a group; empty where it is not written, or all such roles may read it.
static Str bucket_of_scripts(const Data *group, const Data **place) {
    const Data *uri = data_get(data_get(group, "LifeCycleConfig"), "SourceS3Uri");
    const Str bucket = uri != NULL && uri->kind == DATA_STRING && uri->tag.len == 0 ? s3_bucket(uri->string) : STR_NONE;
    *place = uri;
    return str_starts_with(bucket, STR("sagemaker-")) || str_has(bucket, "$") || str_has(bucket, "<") ? STR_NONE
                                                                                                      : bucket;
}

static void check_scripts(const Rules *rules, const PlanRole *role, const PlanRoleUser *user, const Data *group) {
    const Data *owner = data_get(group, "ExecutionRole");
    const Data *place = NULL;
    const Str bucket = bucket_of_scripts(group, &place);
    if (owner == NULL || bucket.len == 0 || !span_holds(owner->span, user->span)) {
        return;
    }
    const Subject *subject = plan_either(user->subject, role->subject, DIAG_scripts_unreachable);
    Diag *diag = plan_report(rules->session, subject, place->span, DIAG(scripts_unreachable), STR_ARG(role->name),
                             STR_ARG(bucket));
    diag_label(rules->session, diag, role->span, "allows nothing of S3 but buckets that begin with `sagemaker-`");
    diag_help(rules->session, diag, "allow `s3:ListBucket` on the bucket and `s3:GetObject` on what is in it");
}

void rule_role_scripts(const Rules *rules, const PlanRole *role) {
    for (uint32_t i = 0; i < role->users.count; i++) {
        const PlanRoleUser *user = &role->users.items[i];
        if (!str_is(user->from->type, "AWS::SageMaker::Cluster") || !lacks(role, &READS)) {
            continue;
        }
        const Data *groups = data_get(data_get(user->from->data, "Properties"), "InstanceGroups");
        const Data *group = NULL;
        for (uint32_t k = 0; (group = data_item(groups, k)) != NULL; k++) {
            check_scripts(rules, role, user, group);
        }
    }
}

// ---- names ---------------------------------------------------------------------------------------------------------

static void report_name(const Rules *rules, const PlanRole *role, const RoleUse *use, const Subject *subject,
                        Span place, const char *label) {
    const bool is_late = role->given_name.state == FIELD_LATE;
    const Str name =
        is_late ? str_format(rules->session->arena, "%.*s…", STR_ARG(role->name_start)) : role->given_name.text;
    Diag *diag = plan_report(rules->session, subject, role->given_name.span, DIAG(role_name_of_pcs), STR_ARG(name));
    diag_label(rules->session, diag, place, "%s", label);
    diag_help(rules->session, diag, "write `RoleName: %s-%.*s`, or `Path: %s`", use->start, STR_ARG(name), use->path);
}

// Whether a role is for nodes of AWS PCS, by what it allows: nothing in its template may use it.
static bool is_for_nodes_of_pcs(const PlanRole *role) {
    bool is = false;
    for (uint32_t i = 0; i < role->policies.count; i++) {
        is = is || str_has(role->policies.items[i], "AWSPCSComputeNodePolicy");
    }
    for (uint32_t i = 0; i < role->actions.count; i++) {
        is = is || str_is(role->actions.items[i], "pcs:RegisterComputeNodeGroupInstance");
    }
    return is && role_trusts(role, "ec2") == ANSWER_YES;
}

void rule_role_name(const Rules *rules, const PlanRole *role) {
    const RoleUse *of_pcs = role_use(STR("AWS::PCS::ComputeNodeGroup"), STR("IamInstanceProfileArn"));
    if (role->users.count == 0 && is_for_nodes_of_pcs(role) && role_has_name_for(role, of_pcs) == ANSWER_NO) {
        report_name(rules, role, of_pcs, role->subject, role->span, "lets nodes of AWS PCS register");
    }
    for (uint32_t i = 0; i < role->users.count; i++) {
        const PlanRoleUser *user = &role->users.items[i];
        if (role_has_name_for(role, user->use) != ANSWER_NO || !is_first(role, i, false, DIAG_role_name_of_pcs)) {
            continue;
        }
        const Subject *subject = plan_either(role->subject, user->subject, DIAG_role_name_of_pcs);
        report_name(rules, role, user->use, subject, user->span, "its nodes have this role");
    }
}
