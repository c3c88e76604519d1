// A rule about conditions of policies that no request fulfils: keys that there are not, and values that the operator never
// finds in a request. IAM takes such a policy.
// source: IAM User Guide, IAM JSON policy elements: Condition operators; AWS global condition context keys, aws:SourceIp and
// aws:VpcSourceIp; IAM Access Analyzer policy check reference, 2026-11, read 2026-11
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/cidr.h"
#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"

enum { VALUES_MAX = 200 };

static const struct {
    const char *prefix;
    const char *keys;
} KEYS[] = {
#define CONDITION_KEYS(prefix, keys) { prefix, keys },
#include "schema/condition_keys.def"
};

typedef struct {
    const Rules *rules;
    const PlanPolicy *policy;
    Str operator; // as it is written
    Str plain;    // without what stands before its colon, and without `IfExists`
} ConditionsCheck;

static Diag *say(const ConditionsCheck *check, Span span, const char *format, Str name) {
    Session *session = check->rules->session;
    const Str fault = str_format(session->arena, format, STR_ARG(name));
    return plan_report(session, check->policy->subject, span, DIAG(condition_of_none), str_c(session->arena, fault));
}

// Whether the deployment, another program or the request puts something in a part of the text.
static bool is_open(const Data *data) {
    return data->kind != DATA_STRING || data->tag.len > 0 || data->string.len == 0 || str_has(data->string, "$") ||
           str_has(data->string, "{") || str_has(data->string, "<");
}

static bool is_pattern(Str text) {
    return str_has(text, "*") || str_has(text, "?");
}

static Str prefix_of(Str key) {
    const size_t colon = str_find(key, STR(":"), 0);
    return colon < key.len ? str_slice(key, 0, colon) : STR_NONE;
}

// "RequestTag" of `aws:RequestTag/team`.
static Str name_of(Str key) {
    const Str rest = str_slice(key, prefix_of(key).len + 1, key.len);
    size_t end = 0;
    while (end < rest.len && rest.data[end] != '/' && rest.data[end] != ':') {
        end++;
    }
    return str_slice(rest, 0, end);
}

static bool is_key(Str key, const char *name) {
    return str_is_in_any_case(key, name);
}

// ---- keys ------------------------------------------------------------------------------------------------------------

static void check_key(const ConditionsCheck *check, const DataEntry *entry) {
    const Str prefix = prefix_of(entry->key);
    const Str name = name_of(entry->key);
    const char *keys = NULL;
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        keys = str_is_in_any_case(prefix, KEYS[i].prefix) ? KEYS[i].keys : keys;
    }
    if (keys == NULL || str_has(entry->key, "$") || str_has(entry->key, "<") ||
        words_have_in_any_case(str_of(keys), name)) {
        return;
    }
    Suggestion suggestion = suggest_for(check->rules->session, name);
    size_t offset = 0;
    Str word;
    while (words_next(str_of(keys), &offset, &word)) {
        suggest_offer(&suggestion, word);
    }
    if (suggest_is_sure(&suggestion)) {
        Session *session = check->rules->session;
        const Str rest = str_slice(entry->key, prefix.len + 1 + name.len, entry->key.len);
        const Str better =
            str_format(session->arena, "%.*s:%.*s%.*s", STR_ARG(prefix), STR_ARG(suggestion.best), STR_ARG(rest));
        Diag *diag = say(check, entry->key_span, "`%.*s` is no key", entry->key);
        diag_help(session, diag, "write `%.*s`", STR_ARG(better));
        rule_replace(check->rules, diag, entry->key_span, entry->key, better);
    }
}

// ---- texts -----------------------------------------------------------------------------------------------------------

// Parts of keys whose values are what somebody likes, and may have a `*`.
static const char *const WITH_STAR[] = { "Tag", "Context", "UserAgent", "Referer", "SourceIdentity" };

// Namespaces of metrics and the names that GitHub gives have no `*` in them, and the keys that dtc knows but those above.
static bool is_without_star(Str key) {
    const char *keys =
        is_key(key, "cloudwatch:namespace") || is_key(key, "token.actions.githubusercontent.com:sub") ? "" : NULL;
    const Str name = name_of(key);
    for (size_t i = 0; i < COUNT_OF(KEYS) && keys == NULL; i++) {
        const bool is_one = str_is_in_any_case(prefix_of(key), KEYS[i].prefix);
        keys = is_one && words_have_in_any_case(str_of(KEYS[i].keys), name) ? KEYS[i].keys : NULL;
    }
    for (size_t i = 0; i < COUNT_OF(WITH_STAR) && keys != NULL; i++) {
        keys = str_find(name, str_of(WITH_STAR[i]), 0) < name.len ? NULL : keys;
    }
    return keys != NULL;
}

// What the operator does with a value that it never finds; NULL: nothing. The operator is meant to be another one.
static const char *fault_of_text(const ConditionsCheck *check, Str key, const Data *value, const char **better) {
    const bool is_negated = str_has(check->plain, "Not");
    const bool is_exact = str_has(check->plain, "Equals");
    if (is_key(key, "aws:SourceIp") && str_has(value->string, "/")) {
        *better = is_negated ? "NotIpAddress" : "IpAddress";
        return "`%.*s` compares no blocks of addresses";
    }
    *better = is_negated ? "StringNotLike" : "StringLike";
    return is_exact && is_pattern(value->string) && is_without_star(key) ? "`%.*s` takes `*` as a letter" : NULL;
}

// "ssm.amazonaws.com": KMS is told of a service with its region.
// source: AWS KMS Developer Guide, kms:ViaService, 2026-11, read 2026-11
static void check_via(const ConditionsCheck *check, const Data *value) {
    const Str end = STR(".amazonaws.com");
    const Str text = value->string;
    const Str service = str_ends_with(text, end) ? str_slice(text, 0, text.len - end.len) : STR_NONE;
    if (service.len > 0 && !str_has(service, ".") && !is_pattern(service) && !is_open(value)) {
        Session *session = check->rules->session;
        diag_help(
            session, say(check, value->span, "`%.*s` is without a region", text),
            "write `%.*s.REGION.amazonaws.com`, as `%.*s.us-east-1.amazonaws.com`; or `%.*s.*.amazonaws.com` with "
            "`StringLike`",
            STR_ARG(service), STR_ARG(service), STR_ARG(service));
    }
}

// "sagemaker.us-east-1.amazonaws.com": a role is passed to a service, whose name has no region.
// source: IAM User Guide, AWS JSON policy elements: Principal, AWS service principals, 2026-11, read 2026-11
static void check_passed(const ConditionsCheck *check, const Data *value) {
    static const char *const SERVICES[] = { "sagemaker", "ec2", "eks", "lambda", "ecs-tasks", "batch" };
    const Str end = STR(".amazonaws.com");
    const Str text = value->string;
    const Str name = str_ends_with(text, end) ? str_slice(text, 0, text.len - end.len) : STR_NONE;
    const size_t dot = str_find(name, STR("."), 0);
    for (size_t i = 0; dot < name.len && i < COUNT_OF(SERVICES); i++) {
        if (str_is(str_slice(name, 0, dot), SERVICES[i]) && schema_region(str_slice(name, dot + 1, name.len)) != NULL) {
            Diag *diag =
                say(check, value->span, "`%.*s` names a region, and a service that takes roles has none", text);
            diag_help(check->rules->session, diag, "write `%s.amazonaws.com`", SERVICES[i]);
        }
    }
}

// One finding for all values of a key: they are mended by another operator.
static void check_texts(const ConditionsCheck *check, const DataEntry *entry) {
    Session *session = check->rules->session;
    const Data *value = NULL;
    Diag *diag = NULL;
    for (uint32_t i = 0; i < VALUES_MAX && (value = data_item(entry->value, i)) != NULL; i++) {
        const char *better = NULL;
        if (is_key(entry->key, "kms:ViaService")) {
            check_via(check, value);
        } else if (is_key(entry->key, "iam:PassedToService") && !is_open(value)) {
            check_passed(check, value);
        }
        const char *fault = is_open(value) ? NULL : fault_of_text(check, entry->key, value, &better);
        if (fault != NULL && diag != NULL) {
            diag_label(session, diag, value->span, "likewise");
        } else if (fault != NULL) {
            diag = say(check, value->span, fault, check->operator);
            diag_help(session, diag, "write `%s` in the place of `%.*s`", better, STR_ARG(check->operator));
        }
    }
}

// ---- addresses -------------------------------------------------------------------------------------------------------

// A block of IPv4, or one address; false of any other text.
static bool read_block(Arena *arena, Str text, Cidr *block) {
    const bool is_one = !str_has(text, "/");
    return cidr_parse(is_one ? str_format(arena, "%.*s/32", STR_ARG(text)) : text, block);
}

static void check_addresses(const ConditionsCheck *check, const DataEntry *entry) {
    Session *session = check->rules->session;
    const Data *value = NULL;
    const Data *first = data_item(entry->value, 0);
    bool are_private = first != NULL && is_key(entry->key, "aws:SourceIp");
    for (uint32_t i = 0; i < VALUES_MAX && (value = data_item(entry->value, i)) != NULL; i++) {
        Cidr block = { 0 };
        const bool is_open_one = is_open(value) || str_has(value->string, ":");
        const bool is_block = !is_open_one && read_block(session->arena, value->string, &block);
        if (!is_open_one && !is_block) {
            diag_help(session, say(check, value->span, "`%.*s` is no block of addresses", value->string),
                      "write an address and a length: `203.0.113.0/24`");
        }
        are_private = are_private && is_block && cidr_is_private(cidr_trim(block));
    }
    if (are_private) {
        Diag *diag = say(check, first->span, "`%.*s` is private, and `aws:SourceIp` a public address", first->string);
        diag_help(session, diag, "write `aws:VpcSourceIp`, or the public addresses of the NAT gateways");
    }
}

// ---- other values ----------------------------------------------------------------------------------------------------

static bool is_date(Str text) {
    bool are_digits = true;
    for (size_t i = 0; i < text.len; i++) {
        are_digits = are_digits && char_is_digit(text.data[i]);
    }
    bool is_year = text.len >= 4;
    for (size_t i = 0; i < 4 && is_year; i++) {
        is_year = char_is_digit(text.data[i]);
    }
    const char behind = str_at(text, 4);
    return are_digits || (is_year && (behind == '-' || char_is_digit(behind)));
}

static bool is_number(Str text) {
    bool is = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is = is && (char_is_digit(text.data[i]) || (text.data[i] == '-' && i == 0) || text.data[i] == '.');
    }
    return is;
}

static void check_value(const ConditionsCheck *check, const Data *value) {
    Session *session = check->rules->session;
    const Str text = value->string;
    if ((str_is(check->plain, "Bool") || str_is(check->plain, "Null")) && !str_is_in_any_case(text, "true") &&
        !str_is_in_any_case(text, "false")) {
        diag_help(session, say(check, value->span, "`%.*s` is neither `true` nor `false`", text),
                  "write `true` or `false`");
    } else if (str_starts_with(check->plain, STR("Date")) && !is_date(text)) {
        diag_help(session, say(check, value->span, "`%.*s` is no time", text), "write `2027-12-31T00:00:00Z`");
    } else if (str_starts_with(check->plain, STR("Numeric")) && !is_number(text)) {
        diag_help(session, say(check, value->span, "`%.*s` is no number", text), "write a number");
    }
}

// ---- tags of requests ------------------------------------------------------------------------------------------------

// What makes nothing has no tags in its request. Of EC2 and of Auto Scaling alone, some that other services have as well.
// source: Service Authorization Reference, condition keys of the actions of Amazon EC2, Amazon EC2 Auto Scaling, Amazon EKS
// and AWS Batch, 2026-11, read 2026-11
static const struct {
    const char *prefix;
    const char *verb;
} TAGLESS[] = {
    { "", "Describe" },
    { "", "Terminate" },
    { "", "Stop" },
    { "", "Reboot" },
    { "", "Delete" },
    { "ec2:", "StartInst" },
    { "autoscaling:", "SetD" },
    { "autoscaling:", "SetInst" },
};

static bool is_tagless(const Data *action) {
    const Str text = action->string;
    const Str prefix = str_slice(text, 0, prefix_of(text).len + 1);
    const Str verb = str_slice(text, prefix.len, text.len);
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(TAGLESS); i++) {
        is = is || ((TAGLESS[i].prefix[0] == '\0' || str_is(prefix, TAGLESS[i].prefix)) &&
                    str_starts_with(verb, str_of(TAGLESS[i].verb)));
    }
    return is && !is_open(action) && prefix.len > 1 && !str_has(verb, "Tag") &&
           !(str_starts_with(verb, STR("Delete")) && is_pattern(verb));
}

// An action that carries no tags, where the statement allows no other; NULL: it is not known. `StringNotEquals` and its
// like, `Null` and those with `IfExists` are fulfilled by a request without tags.
static const Data *tagless_action(const Data *statement) {
    const Data *actions = data_get(statement, "Action");
    const Data *action = NULL;
    bool are = str_is(data_text(statement, "Effect"), "Allow");
    for (uint32_t i = 0; are && (action = data_item(actions, i)) != NULL; i++) {
        are = is_tagless(action);
    }
    return are ? data_item(actions, 0) : NULL;
}

static void check_tags(const ConditionsCheck *check, const Data *statement, const DataEntry *entry) {
    const bool is_of_request =
        str_is_in_any_case(name_of(entry->key), "RequestTag") || str_is_in_any_case(name_of(entry->key), "TagKeys");
    const bool wants_tags = str_is_in_any_case(prefix_of(entry->key), "aws") && is_of_request &&
                            !str_is(check->plain, "Null") && !str_has(check->plain, "Not") &&
                            !str_ends_with(check->operator, STR("IfExists")) &&
                            !str_starts_with(check->operator, STR("ForAllValues"));
    const Data *action = wants_tags ? tagless_action(statement) : NULL;
    if (action != NULL) {
        Session *session = check->rules->session;
        Diag *diag = say(check, entry->key_span, "`%.*s` is of tags that the request brings", entry->key);
        diag_label(session, diag, action->span, "brings none");
        diag_help(session, diag, "write `aws:ResourceTag/` and the key of a tag that the resource has");
    }
}

// ---- conditions ------------------------------------------------------------------------------------------------------

static void check_operator(const Rules *rules, const PlanPolicy *policy, const Data *statement,
                           const DataEntry *operator) {
    const Str written = operator->key;
    const size_t colon = str_find(written, STR(":"), 0);
    const Str whole = colon < written.len ? str_slice(written, colon + 1, written.len) : written;
    const Str end = STR("IfExists");
    const ConditionsCheck check = {
        .rules = rules,
        .policy = policy,
        .operator= written,
        .plain = str_ends_with(whole, end) ? str_slice(whole, 0, whole.len - end.len) : whole,
    };
    for (uint32_t i = 0; operator->value->kind == DATA_MAP && i<operator->value->count && i<VALUES_MAX; i++) {
        const DataEntry *entry = &operator->value->entries[i];
        const Data *value = NULL;
        if (str_starts_with(entry->key, STR("Fn::"))) {
            return;
        }
        check_key(&check, entry);
        check_tags(&check, statement, entry);
        if (str_has(check.plain, "IpAddress")) {
            check_addresses(&check, entry);
        } else if (str_starts_with(check.plain, STR("String"))) {
            check_texts(&check, entry);
        }
        for (uint32_t k = 0; k < VALUES_MAX && (value = data_item(entry->value, k)) != NULL; k++) {
            if (!is_open(value)) {
                check_value(&check, value);
            }
        }
    }
}

void rule_policy_conditions(const Rules *rules, const PlanPolicy *policy) {
    const Data *statement = NULL;
    for (uint32_t i = 0; (statement = data_item(data_get(policy->document, "Statement"), i)) != NULL; i++) {
        const Data *condition = data_get(statement, "Condition");
        for (uint32_t k = 0; condition != NULL && condition->kind == DATA_MAP && k < condition->count && k < VALUES_MAX;
             k++) {
            check_operator(rules, policy, statement, &condition->entries[k]);
        }
    }
}
