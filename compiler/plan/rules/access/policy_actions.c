// A rule about the actions of a statement: that they are actions of AWS, and that the resources of the statement are such as
// they are about. IAM takes such a statement, and it allows nothing.
// source: IAM User Guide, IAM JSON policy elements: Action and Resource; Service Authorization Reference, Actions table, "Resource types
// (*required)": "If the column is empty, then the action does not support resource-level permissions and you must specify
// all resources ("*") in your policy", read 2026-11
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/arn.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/iam_action.h"
#include "compiler/plan/model/iam_pattern.h"
#include "compiler/plan/rules/access/policy_arns.h"

enum {
    ACTIONS_MAX = 1000,
    STATEMENTS_MAX = 300
}; // IAM takes policies of 10,240 characters: where one has far more actions, nothing is asked

typedef struct {
    const Rules *rules;
    const PlanPolicy *policy;
    const Data *statement;
} ActionsCheck;

// An operation that is allowed by an action of another name.
// source: Amazon S3 User Guide, Required permissions for Amazon S3 API operations, read 2026-11
static const char *const OPERATIONS[][2] = {
    { "s3:CompleteMultipartUpload", "s3:PutObject" },
    { "s3:CopyObject", "s3:PutObject" },
    { "s3:CreateMultipartUpload", "s3:PutObject" },
    { "s3:DeleteObjects", "s3:DeleteObject" },
    { "s3:HeadBucket", "s3:ListBucket" },
    { "s3:HeadObject", "s3:GetObject" },
    { "s3:ListBuckets", "s3:ListAllMyBuckets" },
    { "s3:ListObjects", "s3:ListBucket" },
    { "s3:ListObjectsV2", "s3:ListBucket" },
    { "s3:UploadPart", "s3:PutObject" },
};

// ---- names ---------------------------------------------------------------------------------------------------------

static bool is_plain(const Data *data) {
    return data->kind == DATA_STRING && data->tag.len == 0 && !str_has(data->string, "{") &&
           !str_has(data->string, "<") && !str_has(data->string, "$");
}

static Str prefix_of(Str action) {
    const size_t colon = str_find(action, STR(":"), 0);
    return colon < action.len ? str_slice(action, 0, colon) : STR_NONE;
}

static Str name_of(Str action) {
    return str_slice(action, str_find(action, STR(":"), 0) + 1, action.len);
}

static Diag *report_unknown(const ActionsCheck *check, const Data *action) {
    return plan_report(check->rules->session, check->policy->subject, action->span, DIAG(action_unknown),
                       STR_ARG(action->string));
}

static void check_prefix(const ActionsCheck *check, const Data *action) {
    Session *session = check->rules->session;
    const Str prefix = prefix_of(action->string);
    Suggestion suggestion = suggest_for(session, prefix);
    iam_offer_prefixes(&suggestion);
    const Str other = iam_prefix_meant(prefix);
    const Str meant = other.len > 0 ? other : suggest_is_sure(&suggestion) ? suggestion.best : STR_NONE;
    if (meant.len > 0) {
        Diag *diag = report_unknown(check, action);
        const Str whole = str_format(session->arena, "%.*s:%.*s", STR_ARG(meant), STR_ARG(name_of(action->string)));
        diag_help(session, diag, "write `%.*s`", STR_ARG(whole));
        rule_replace(check->rules, diag, action->span, action->string, whole);
    }
}

// Whether the statement has the action.
static bool has_action(const Data *statement, Str wanted) {
    const Data *action = NULL;
    for (uint32_t i = 0; (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        if (action->kind == DATA_STRING && iam_matches_action(action->string, wanted)) {
            return true;
        }
    }
    return false;
}

static Str action_of_operation(Str operation) {
    for (size_t i = 0; i < COUNT_OF(OPERATIONS); i++) {
        if (str_is_in_any_case(operation, OPERATIONS[i][0])) {
            return str_of(OPERATIONS[i][1]);
        }
    }
    return STR_NONE;
}

// A name that no action has, and that is surely meant for one.
static void check_name(const ActionsCheck *check, const Data *action, const IamService *service) {
    Session *session = check->rules->session;
    const Str name = name_of(action->string);
    const Str other = action_of_operation(action->string);
    if (other.len > 0) {
        if (!has_action(check->statement, other)) {
            Diag *diag = report_unknown(check, action);
            diag_help(session, diag, "write `%.*s`, by which S3 allows this", STR_ARG(other));
            rule_replace(check->rules, diag, action->span, action->string, other);
        }
        return;
    }
    const Str best = iam_action_near(session, service, name);
    if (best.len > 0) {
        Diag *diag = report_unknown(check, action);
        const Str whole = str_format(session->arena, "%s:%.*s", service->prefix, STR_ARG(best));
        diag_help(session, diag, "write `%.*s`", STR_ARG(whole));
        rule_replace(check->rules, diag, action->span, action->string, whole);
    }
}

static bool is_pattern(Str text) {
    return str_has(text, "*") || str_has(text, "?");
}

static void check_known(const ActionsCheck *check, const Data *action) {
    const Str prefix = prefix_of(action->string);
    const IamService *service = iam_service(prefix);
    if (!is_plain(action) || prefix.len == 0 || is_pattern(prefix)) {
        return;
    }
    if (!iam_is_prefix(prefix)) {
        check_prefix(check, action);
    } else if (service != NULL && !is_pattern(action->string) &&
               iam_action_kind(service, name_of(action->string)) == IAM_ACTION_UNKNOWN) {
        check_name(check, action, service);
    }
}

// ---- resources -----------------------------------------------------------------------------------------------------

// Whether a value is surely an ARN, and so not `*`: what a parameter or another stack gives may be.
static bool is_arn(const Data *data) {
    const Data *sub = data_get(data, "Fn::Sub");
    const Data *join = data_item(data_get(data, "Fn::Join"), 1);
    const Data *attribute = data_get(data, "Fn::GetAtt");
    const Data *name = attribute == NULL || attribute->kind != DATA_LIST ? attribute : data_item(attribute, 1);
    const Data *text = sub != NULL ? data_item(sub, 0) : join != NULL ? data_item(join, 0) : data;
    const bool is_text = text != NULL && text->kind == DATA_STRING && (text->tag.len == 0 || str_is(text->tag, "!Sub"));
    return (is_text && (str_starts_with(text->string, STR("arn:")) || str_has(text->string, ".Arn}"))) ||
           (name != NULL && str_ends_with(name->string, STR("Arn")));
}

static bool are_arns(const Data *statement) {
    const Data *item = NULL;
    bool are = data_item(data_get(statement, "Resource"), 0) != NULL;
    for (uint32_t i = 0; (item = data_item(data_get(statement, "Resource"), i)) != NULL; i++) {
        are = are && is_arn(item);
    }
    return are;
}

static bool allows(const Data *statement) {
    return statement->kind == DATA_MAP && str_is(data_text(statement, "Effect"), "Allow");
}

// Whether a policy of the same holder has a statement of all resources that allows the action.
static bool is_allowed_otherwise(const ActionsCheck *check, Str action) {
    const PlanFile *file = check->rules->plan->file;
    for (uint32_t i = 0; i < file->policies.count; i++) {
        const PlanPolicy *other = file->policies.items[i];
        const bool is_of_holder =
            other == check->policy || (other->named != NULL && other->named == check->policy->named);
        const Data *statement = NULL;
        for (uint32_t k = 0; is_of_holder && (statement = data_item(data_get(other->document, "Statement"), k)) != NULL;
             k++) {
            const bool may = !allows(statement) || !are_arns(statement);
            if (may &&
                (statement->kind != DATA_MAP || data_get(statement, "Effect") == NULL ||
                 data_get(statement, "NotAction") != NULL || (allows(statement) && has_action(statement, action)))) {
                return true;
            }
        }
    }
    return false;
}

// Whether the holder has a policy of AWS or of its account beside this one, which may allow the action.
static bool has_managed(const ActionsCheck *check) {
    const Data *arns = data_get(check->policy->holder, "ManagedPolicyArns");
    // What they allow: nothing of a registry, nor of anything else that is not in `services`.
    static const char *const KNOWN[] = { "AmazonSSMManagedInstanceCore", "AmazonS3ReadOnlyAccess", "AmazonS3FullAccess",
                                         "CloudWatchAgentServerPolicy" };
    const Data *item = NULL;
    bool has = false;
    for (uint32_t i = 0; (item = data_item(arns, i)) != NULL; i++) {
        bool is_known = false;
        for (size_t k = 0; k < COUNT_OF(KNOWN); k++) {
            is_known = is_known || data_has_text(item, KNOWN[k]);
        }
        has = has || !is_known;
    }
    return has;
}

static bool is_without_arn(const Data *action) {
    const IamService *service =
        is_plain(action) && !is_pattern(action->string) ? iam_service(prefix_of(action->string)) : NULL;
    return service != NULL && iam_action_kind(service, name_of(action->string)) == IAM_ACTION_WITHOUT_ARN;
}

// Anybody may ask who they are, whatever their policies say (AWS STS API Reference, GetCallerIdentity, read 2026-11).
static bool needs_no_permission(Str action) {
    return str_is_in_any_case(action, "sts:GetCallerIdentity") || str_is_in_any_case(action, "sts:GetSessionToken");
}

// One finding for a statement: all of them are mended in one place.
static void check_without_arn(const ActionsCheck *check) {
    Session *session = check->rules->session;
    const Data *first = data_item(data_get(check->statement, "Resource"), 0);
    const Data *action = NULL;
    Diag *diag = NULL;
    uint32_t count = 0;
    bool has_others = false;
    for (uint32_t i = 0; (action = data_item(data_get(check->statement, "Action"), i)) != NULL; i++) {
        has_others = has_others || !is_without_arn(action);
        const bool is_one = is_without_arn(action) && !needs_no_permission(action->string) &&
                            !is_allowed_otherwise(check, action->string);
        if (is_one && diag == NULL) {
            diag = plan_report(session, check->policy->subject, action->span, DIAG(action_without_arn),
                               STR_ARG(action->string));
            diag_label(session, diag, first->span, "so that the statement does not allow it");
        } else if (is_one && count < 4) {
            diag_label(session, diag, action->span, "likewise");
            count++;
        }
    }
    if (diag != NULL) {
        if (has_others) {
            diag_help(session, diag, "move %s into a statement of %s own, which has `Resource` \"*\"",
                      count > 0 ? "them" : "it", count > 0 ? "their" : "its");
        } else {
            diag_help(session, diag, "write \"*\" for its `Resource`");
        }
    }
}

// The service of an ARN; empty where it is not known.
static Str service_of(const Data *resource) {
    const Str service = arn_field(policy_arn(resource), ARN_SERVICE);
    return is_pattern(service) || str_has(service, "$") || str_has(service, "<") || str_has(service, "{") ? STR_NONE
                                                                                                          : service;
}

// Whether an ARN of the statement may be one that actions of the service take.
static bool may_be_about(const Data *statement, const IamService *service) {
    const Data *item = NULL;
    for (uint32_t i = 0; (item = data_item(data_get(statement, "Resource"), i)) != NULL; i++) {
        const Str name = service_of(item);
        if (name.len == 0 || words_have(str_of(service->arns), name)) {
            return true;
        }
    }
    return false;
}

static void check_services(const ActionsCheck *check) {
    Session *session = check->rules->session;
    const Data *first = data_item(data_get(check->statement, "Resource"), 0);
    const Data *action = NULL;
    for (uint32_t i = 0; (action = data_item(data_get(check->statement, "Action"), i)) != NULL; i++) {
        const IamService *service = is_plain(action) ? iam_service(prefix_of(action->string)) : NULL;
        const bool is_known =
            service != NULL &&
            (is_pattern(action->string) || iam_action_kind(service, name_of(action->string)) == IAM_ACTION_WITH_ARN);
        if (is_known && !may_be_about(check->statement, service)) {
            const Str other = service_of(first);
            Diag *diag = plan_report(session, check->policy->subject, action->span, DIAG(resource_of_other_service),
                                     STR_ARG(action->string), service->prefix);
            diag_label(session, diag, first->span, "an ARN of `%.*s`", STR_ARG(other));
            diag_help(session, diag, "add the ARN that `%.*s` is about, or name an action of `%.*s`",
                      STR_ARG(action->string), STR_ARG(other));
            return;
        }
    }
}

// ---- statements ----------------------------------------------------------------------------------------------------

static uint32_t count_actions(const Data *statement) {
    const Data *actions = data_get(statement, "Action");
    return actions != NULL && actions->kind == DATA_LIST ? actions->count : 1;
}

void rule_policy_actions(const Rules *rules, const PlanPolicy *policy) {
    const Data *statement = NULL;
    const Data *all = data_get(policy->document, "Statement");
    uint32_t count = 0;
    if (all != NULL && all->kind == DATA_LIST && all->count > STATEMENTS_MAX) {
        return;
    }
    for (uint32_t i = 0; (statement = data_item(all, i)) != NULL; i++) {
        const ActionsCheck check = { .rules = rules, .policy = policy, .statement = statement };
        const Data *action = NULL;
        count += count_actions(statement);
        if (count > ACTIONS_MAX || statement->kind != DATA_MAP || policy->kind == POLICY_OF_TRUST) {
            return;
        }
        for (uint32_t k = 0; (action = data_item(data_get(statement, "Action"), k)) != NULL; k++) {
            check_known(&check, action);
        }
        if (policy->kind == POLICY_OF_IDENTITY && allows(statement) && are_arns(statement)) {
            if (!has_managed(&check)) {
                check_without_arn(&check);
            }
            check_services(&check);
        }
    }
}
