// A rule about statements of policies that IAM refuses: what each has to have, and may not have. A trust policy says who
// takes its role, and any other policy of IAM what may be done.
// source: IAM User Guide, Grammar of the IAM JSON policy language; IAM API Reference, CreateRole, MalformedPolicyDocument;
// hashicorp/terraform#13449, 2026-11, read 2026-11
#include "compiler/plan/rules/rule_remove.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "schema/resource_types.h"

typedef struct {
    const Rules *rules;
    const PlanPolicy *policy;
} StatementsCheck;

static Diag *refuse(const StatementsCheck *check, Span span, const char *fault) {
    return plan_report(check->rules->session, check->policy->subject, span, DIAG(statement_refused), fault);
}

static const char *text(const StatementsCheck *check, const char *format, Str name) {
    return str_c(check->rules->session->arena, str_format(check->rules->session->arena, format, STR_ARG(name)));
}

// A text that the deployment or another program does not change.
static bool is_plain(const Data *data) {
    return data->kind == DATA_STRING && data->tag.len == 0 && str_find(data->string, STR("{"), 0) >= data->string.len &&
           str_find(data->string, STR("<"), 0) >= data->string.len;
}

static bool has_one_of(const Data *statement, const char *key, const char *other) {
    return data_get(statement, key) != NULL || data_get(statement, other) != NULL;
}

// ---- who takes a role ----------------------------------------------------------------------------------------------

// IAM reads actions in any case (IAM User Guide, IAM JSON policy elements: Action, 2026-11).
static void check_trusted_action(const StatementsCheck *check, const Data *action) {
    static const char *const ACTIONS[] = { "sts:AssumeRole", "sts:AssumeRoleWithSAML", "sts:AssumeRoleWithWebIdentity",
                                           "sts:SetContext", "sts:SetSourceIdentity",  "sts:TagSession" };
    Session *session = check->rules->session;
    Suggestion suggestion = suggest_for(session, action->string);
    for (size_t i = 0; i < COUNT_OF(ACTIONS); i++) {
        if (str_is_in_any_case(action->string, ACTIONS[i])) {
            return;
        }
        suggest_offer(&suggestion, str_of(ACTIONS[i]));
    }
    Diag *diag = refuse(check, action->span,
                        text(check, "a role is taken by `sts:AssumeRole` and its like, not by `%.*s`", action->string));
    if (!suggest_say(session, diag, &suggestion, action->span)) {
        diag_help(
            session, diag,
            "write `sts:AssumeRole` here, and what the role may do into a policy beside `AssumeRolePolicyDocument`");
    }
}

static void check_trust(const StatementsCheck *check, const Data *statement) {
    const DataEntry *resource = data_entry(statement, "Resource");
    const Data *action = NULL;
    for (uint32_t i = 0; (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        if (is_plain(action) && str_find(action->string, STR("*"), 0) >= action->string.len) {
            check_trusted_action(check, action);
        }
    }
    if (resource != NULL) {
        Diag *diag = refuse(check, resource->key_span, "a trust policy has no `Resource`: it is of its own role");
        diag_help(check->rules->session, diag, "leave it out");
        rule_remove(check->rules, diag, resource->key_span, false);
    } else if (!has_one_of(statement, "Principal", "NotPrincipal")) {
        Diag *diag = refuse(check, statement->span, "a trust policy says in `Principal` who takes the role");
        diag_help(check->rules->session, diag, "write `Principal: {Service: ec2.amazonaws.com}`, or whoever takes it");
    }
}

// The resource of a name in the template; NULL where there is none.
static const PlanNamed *resource_named(const StatementsCheck *check, Str name) {
    const PlanTemplate *template = check->policy->template;
    return template == NULL ? NULL : plan_named(template, NAMED_RESOURCE, name);
}

// ---- what may be done ----------------------------------------------------------------------------------------------

// The one service whose ARNs a statement names: `s3` of `arn:aws:s3:::corpus/*`. Empty where it is not known.
static Str service_of(const Data *statement) {
    const Data *item = NULL;
    Str service = STR_NONE;
    for (uint32_t i = 0; (item = data_item(data_get(statement, "Resource"), i)) != NULL; i++) {
        const size_t start = is_plain(item) && str_starts_with(item->string, STR("arn:"))
                                 ? str_find(item->string, STR(":"), STR("arn:").len) + 1
                                 : item->string.len;
        const Str one = str_slice(item->string, start, str_find(item->string, STR(":"), start));
        if (one.len == 0 || (service.len > 0 && !str_equal(service, one))) {
            return STR_NONE;
        }
        service = one;
    }
    return service;
}

// Whether it can be an action of S3: nearly all of them are about objects, buckets or uploads.
static bool may_be_of_s3(Str action) {
    return str_has(action, "Object") || str_has(action, "Bucket") || str_has(action, "MultipartUpload");
}

static void check_action(const StatementsCheck *check, const Data *statement, const Data *action) {
    if (is_plain(action) && !str_is(action->string, "*") &&
        str_find(action->string, STR(":"), 0) >= action->string.len) {
        Diag *diag = refuse(check, action->span, text(check, "`%.*s` does not say its service", action->string));
        diag_help(check->rules->session, diag, "write the service and a colon before it, as in `s3:GetObject`");
        const Str service = service_of(statement);
        if (str_is(service, "s3") ? may_be_of_s3(action->string) : service.len > 0) {
            rule_replace(
                check->rules, diag, action->span, action->string,
                str_format(check->rules->session->arena, "%.*s:%.*s", STR_ARG(service), STR_ARG(action->string)));
        }
    }
}

static bool is_bucket(const PlanNamed *made) {
    return str_is(made->type, "AWS::S3::Bucket");
}

// `!GetAtt NAME.Arn` in the place of `!Ref NAME`.
static void write_arn(const StatementsCheck *check, Diag *diag, const Data *ref, Str name) {
    const Str before = STR("!Ref ");
    const uint32_t len = (uint32_t)before.len;
    const Span span = { .source = ref->span.source, .start = ref->span.start - len, .end = ref->span.end };
    if (ref->span.start >= len && str_starts_with(source_text(check->rules->session, span), before)) {
        diag_fix(check->rules->session, diag, span, str_of(text(check, "!GetAtt %.*s.Arn", name)));
    }
}

// The name at the beginning of a text for Fn::Sub, without an attribute: what stands for it is a `Ref`.
static Str first_name(Str text) {
    const Str name = str_trim(str_slice(text, 2, str_find(text, STR("}"), 0)));
    return str_starts_with(text, STR("${")) && str_find(name, STR("."), 0) >= name.len ? name : STR_NONE;
}

// `!Sub "${Bucket}/*"` begins with the name of the bucket, and `!Sub "corpus-${AWS::Region}/*"` with no ARN either.
// Whether a statement allows what is of S3 alone.
static bool is_of_s3(const Data *statement) {
    const Data *item = NULL;
    bool is = data_get(statement, "Action") != NULL;
    for (uint32_t i = 0; (item = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        is = is && is_plain(item) && str_starts_with(item->string, STR("s3:"));
    }
    return is;
}

// Whether a text begins with what may be the name of a bucket.
static bool is_bucket_name(Str text) {
    const char first = str_at(text, 0);
    return (first >= 'a' && first <= 'z') || char_is_digit(first);
}

static Str arn_of(const StatementsCheck *check, Str bucket) {
    return str_format(check->rules->session->arena, "arn:${AWS::Partition}:s3:::%.*s", STR_ARG(bucket));
}

static void check_put_together(const StatementsCheck *check, const Data *statement, const Data *resource,
                               const Data *sub) {
    const Str written = sub->string;
    const PlanNamed *made = resource_named(check, first_name(written));
    const Str gives = made == NULL ? STR_NONE : resource_ref(made->type);
    const bool is_text = written.len > 0 && written.data[0] != '$' && written.data[0] != '*' &&
                         !str_starts_with(written, STR("arn:")) && !str_has(written, "{{") && !str_has(written, "<");
    if (gives.len > 0 && str_find(gives, STR("ARN"), 0) >= gives.len) {
        Diag *diag =
            refuse(check, resource->span, text(check, "`Resource` takes ARNs, and this begins with %.*s", gives));
        diag_help(check->rules->session, diag, "write `${%.*s.Arn}` where its type has that", STR_ARG(made->name));
        if (is_bucket(made)) {
            rule_replace_part(check->rules, diag, sub->span, str_of(text(check, "${%.*s}", made->name)),
                              str_of(text(check, "${%.*s.Arn}", made->name)));
        }
    } else if (is_text) {
        Diag *diag = refuse(check, resource->span, text(check, "`%.*s` is no ARN, and not `*`", written));
        diag_help(check->rules->session, diag, "write the whole ARN, such as `arn:aws:s3:::amzn-s3-demo-bucket/*`");
        if (is_of_s3(statement) && is_bucket_name(written)) {
            rule_replace(check->rules, diag, sub->span, written, arn_of(check, written));
        }
    }
}

// A text that is no ARN, or a `Ref` that gives none.
static void check_resource(const StatementsCheck *check, const Data *statement, const Data *resource) {
    const Data *sub = str_is(resource->tag, "!Sub") ? resource : data_get(resource, "Fn::Sub");
    if (sub != NULL && sub->kind == DATA_STRING) {
        check_put_together(check, statement, resource, sub);
        return;
    }
    const bool is_short = str_is(resource->tag, "!Ref");
    const Str name = is_short ? resource->string : resource->count == 1 ? data_text(resource, "Ref") : STR_NONE;
    const PlanNamed *made = resource_named(check, name);
    const Str gives = made == NULL ? STR_NONE : resource_ref(made->type);
    const bool is_text = is_plain(resource) && resource->string.len > 0 && resource->string.data[0] != '*' &&
                         !str_starts_with(resource->string, STR("arn:"));
    if (gives.len > 0 && str_find(gives, STR("ARN"), 0) >= gives.len) {
        Diag *diag = refuse(check, resource->span, text(check, "`Resource` takes ARNs, and this is %.*s", gives));
        diag_help(check->rules->session, diag, "write its ARN: `!GetAtt %.*s.Arn` where its type has that",
                  STR_ARG(name));
        if (is_bucket(made)) {
            write_arn(check, diag, resource, name);
        }
    } else if (is_text) {
        Diag *diag = refuse(check, resource->span, text(check, "`%.*s` is no ARN, and not `*`", resource->string));
        diag_help(check->rules->session, diag, "write the whole ARN, such as `arn:aws:s3:::amzn-s3-demo-bucket/*`");
        const bool is_unquoted = str_equal(source_text(check->rules->session, resource->span), resource->string);
        if (is_of_s3(statement) && is_unquoted && is_bucket_name(resource->string)) {
            diag_fix(
                check->rules->session, diag, resource->span,
                str_format(check->rules->session->arena, "!Sub \"%.*s\"", STR_ARG(arn_of(check, resource->string))));
        }
    }
}

static void check_permission(const StatementsCheck *check, const Data *statement) {
    const DataEntry *principal = data_entry(statement, "Principal");
    const Data *item = NULL;
    for (uint32_t i = 0; (item = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        check_action(check, statement, item);
    }
    for (uint32_t i = 0; (item = data_item(data_get(statement, "Resource"), i)) != NULL; i++) {
        check_resource(check, statement, item);
    }
    if (principal != NULL) {
        Diag *diag = refuse(check, principal->key_span, "a policy of a role has no `Principal`: it is of the role");
        diag_help(check->rules->session, diag, "leave it out; who takes the role stands in `AssumeRolePolicyDocument`");
        rule_remove(check->rules, diag, principal->key_span, false);
    } else if (!has_one_of(statement, "Action", "NotAction")) {
        refuse(check, statement->span, "it has no `Action`");
    } else if (!has_one_of(statement, "Resource", "NotResource")) {
        Diag *diag = refuse(check, statement->span, "it has no `Resource`");
        diag_help(check->rules->session, diag, "write the ARNs that it is about, or `Resource: \"*\"`");
    }
}

// ---- words ---------------------------------------------------------------------------------------------------------

// What a policy or a statement may have. That IAM reads their names in any case is not ruled out.
static bool is_element(Str key, const char *const *words, size_t count, Suggestion *suggestion) {
    for (size_t i = 0; i < count; i++) {
        if (str_is_in_any_case(key, words[i])) {
            return true;
        }
        suggest_offer(suggestion, str_of(words[i]));
    }
    return false;
}

// False where it has one that there is not: what it seems to lack is meant by that.
static bool check_elements(const StatementsCheck *check, const Data *statement) {
    static const char *const WORDS[] = { "Sid",       "Effect",   "Principal",   "NotPrincipal", "Action",
                                         "NotAction", "Resource", "NotResource", "Condition" };
    bool are_known = true;
    for (uint32_t i = 0; i < statement->count; i++) {
        const DataEntry *entry = &statement->entries[i];
        Suggestion suggestion = suggest_for(check->rules->session, entry->key);
        if (!is_element(entry->key, WORDS, COUNT_OF(WORDS), &suggestion)) {
            Diag *diag = refuse(check, entry->key_span, text(check, "a statement has no `%.*s`", entry->key));
            if (!suggest_say(check->rules->session, diag, &suggestion, entry->key_span)) {
                diag_help(check->rules->session, diag, "leave it out");
            }
            are_known = false;
        }
    }
    return are_known;
}

// Its letters count (IAM User Guide, IAM JSON policy elements: Effect, read 2026-11).
static void check_effect(const StatementsCheck *check, const Data *effect) {
    if (is_plain(effect) && !str_is(effect->string, "Allow") && !str_is(effect->string, "Deny")) {
        Diag *diag = refuse(check, effect->span, text(check, "`%.*s` is no effect", effect->string));
        rule_suggest_words(check->rules, diag, effect->string, STR("Allow|Deny"), effect->span);
    }
}

static void check_sid(const StatementsCheck *check, const Data *sid) {
    for (size_t i = 0; is_plain(sid) && i < sid->string.len; i++) {
        const char c = sid->string.data[i];
        if (c == '_' || !char_is_of_name(c)) {
            Diag *diag = refuse(check, sid->span, text(check, "`%.*s` has more than letters and digits", sid->string));
            diag_help(check->rules->session, diag, "write letters and digits alone into a `Sid`, or leave it out");
            return;
        }
    }
}

// source: IAM User Guide, IAM JSON policy elements: Condition operators, read 2026-11
static void check_operators(const StatementsCheck *check, const Data *condition) {
    static const char *const WORDS[] = { "StringEquals",
                                         "StringNotEquals",
                                         "StringEqualsIgnoreCase",
                                         "StringNotEqualsIgnoreCase",
                                         "StringLike",
                                         "StringNotLike",
                                         "NumericEquals",
                                         "NumericNotEquals",
                                         "NumericLessThan",
                                         "NumericLessThanEquals",
                                         "NumericGreaterThan",
                                         "NumericGreaterThanEquals",
                                         "DateEquals",
                                         "DateNotEquals",
                                         "DateLessThan",
                                         "DateLessThanEquals",
                                         "DateGreaterThan",
                                         "DateGreaterThanEquals",
                                         "Bool",
                                         "BinaryEquals",
                                         "IpAddress",
                                         "NotIpAddress",
                                         "ArnEquals",
                                         "ArnLike",
                                         "ArnNotEquals",
                                         "ArnNotLike",
                                         "Null" };
    for (uint32_t i = 0; condition->kind == DATA_MAP && i < condition->count; i++) {
        const DataEntry *entry = &condition->entries[i];
        const size_t colon = str_find(entry->key, STR(":"), 0);
        const Str whole = colon < entry->key.len ? str_slice(entry->key, colon + 1, entry->key.len) : entry->key;
        const Str end = STR("IfExists");
        const Str name = str_ends_with(whole, end) ? str_slice(whole, 0, whole.len - end.len) : whole;
        Suggestion suggestion = suggest_for(check->rules->session, name);
        const bool is_call = str_has(entry->key, "Fn::") || str_has(entry->key, "$") || str_has(entry->key, "{");
        if (!is_call && !is_element(name, WORDS, COUNT_OF(WORDS), &suggestion)) {
            Diag *diag = refuse(check, entry->key_span, text(check, "a condition has no operator `%.*s`", entry->key));
            if (!suggest_say(check->rules->session, diag, &suggestion, entry->key_span)) {
                diag_help(check->rules->session, diag, "write an operator of IAM, such as `StringEquals`");
            }
        }
    }
}

static bool check_words(const StatementsCheck *check, const Data *statement) {
    const Data *effect = data_get(statement, "Effect");
    const Data *sid = data_get(statement, "Sid");
    if (effect != NULL) {
        check_effect(check, effect);
    }
    if (sid != NULL && check->policy->kind != POLICY_OF_RESOURCE) {
        check_sid(check, sid);
    }
    if (data_get(statement, "Condition") != NULL) {
        check_operators(check, data_get(statement, "Condition"));
    }
    return check_elements(check, statement);
}

// IAM takes each `Sid` once.
static void check_twice(const StatementsCheck *check, uint32_t at) {
    enum { STATEMENTS_MAX = 200 }; // in a policy of 10,240 characters
    const Data *all = data_get(check->policy->document, "Statement");
    const Data *sid = data_get(data_item(all, at), "Sid");
    if (sid == NULL || !is_plain(sid) || sid->string.len == 0 || at >= STATEMENTS_MAX) {
        return;
    }
    for (uint32_t i = 0; i < at; i++) {
        const Data *other = data_get(data_item(all, i), "Sid");
        if (other != NULL && other->kind == DATA_STRING && str_equal(other->string, sid->string)) {
            Diag *diag = refuse(check, sid->span, text(check, "another one is called `%.*s`, too", sid->string));
            diag_label(check->rules->session, diag, other->span, "the other one");
            diag_help(check->rules->session, diag, "write another `Sid`, or leave it out");
            return;
        }
    }
}

static Diag *refuse_policy(const Rules *rules, const PlanPolicy *policy, Span span, const char *format, Str name) {
    const Str fault = str_format(rules->session->arena, format, STR_ARG(name));
    return plan_report(rules->session, policy->subject, span, DIAG(policy_refused),
                       str_c(rules->session->arena, fault));
}

void rule_policy_words(const Rules *rules, const PlanPolicy *policy) {
    static const char *const WORDS[] = { "Version", "Id", "Statement" };
    const Data *version = data_get(policy->document, "Version");
    if (version != NULL && is_plain(version) && !str_is(version->string, "2012-10-17") &&
        !str_is(version->string, "2008-10-17")) {
        Diag *diag = refuse_policy(rules, policy, version->span, "it has no version \"%.*s\"", version->string);
        diag_help(rules->session, diag,
                  "write \"2012-10-17\": it is the version of the language, not the day of the policy");
        rule_replace(rules, diag, version->span, version->string, STR("2012-10-17"));
    }
    for (uint32_t i = 0; i < policy->document->count; i++) {
        const DataEntry *entry = &policy->document->entries[i];
        Suggestion suggestion = suggest_for(rules->session, entry->key);
        const bool is_known = is_element(entry->key, WORDS, COUNT_OF(WORDS), &suggestion);
        if (!is_known && !str_starts_with(entry->key, STR("Fn::"))) {
            Diag *diag = refuse_policy(rules, policy, entry->key_span, "a policy has no `%.*s`", entry->key);
            if (!suggest_say(rules->session, diag, &suggestion, entry->key_span)) {
                diag_help(rules->session, diag, "leave it out");
            }
        }
    }
}

// ---- statements ----------------------------------------------------------------------------------------------------

// What a function or a macro makes of a statement, only the deployment knows.
static bool is_written(const Data *statement) {
    for (uint32_t i = 0; i < statement->count && statement->kind == DATA_MAP; i++) {
        if (str_starts_with(statement->entries[i].key, STR("Fn::"))) {
            return false;
        }
    }
    return statement->kind == DATA_MAP && statement->tag.len == 0;
}

void rule_policy_statements(const Rules *rules, const PlanPolicy *policy) {
    const StatementsCheck check = { .rules = rules, .policy = policy };
    const Data *statement = NULL;
    for (uint32_t i = 0; (statement = data_item(data_get(policy->document, "Statement"), i)) != NULL; i++) {
        if (policy->kind != POLICY_OF_RESOURCE) {
            check_twice(&check, i);
        }
        if (is_written(statement) && check_words(&check, statement) && data_get(statement, "Effect") != NULL &&
            policy->kind != POLICY_OF_RESOURCE) {
            (policy->kind == POLICY_OF_TRUST ? check_trust : check_permission)(&check, statement);
        }
    }
}
