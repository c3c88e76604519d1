// Rules about managed policies: whether AWS has one of that name under that path, and how many one role can have. IAM
// and AWS STS quotas in the IAM User Guide, 2026-11.
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/template_use.h"
#include "compiler/plan/rules/rule_word.h"
#include "schema/names.h"

// ---- names and paths -------------------------------------------------------------------------------------------

typedef struct {
    bool is_known_partition; // false: only the deployment knows it
    bool is_arn;             // else a name, with its path or without
    Str partition;
    Str path; // "service-role/", or nothing
    Str name;
} OwnPolicy;

// A policy of AWS's own; false where it is an account's. `text` may be the last part of a late ARN.
static bool policy_parse(Str text, OwnPolicy *policy) {
    const Str own = STR(":iam::aws:policy/");
    const Str scheme = STR("arn:");
    const size_t at = str_find(text, own, 0);
    const bool is_arn = at < text.len;
    if (!is_arn && str_find(text, STR(":"), 0) < text.len) {
        return false;
    }
    const Str rest = is_arn ? str_slice(text, at + own.len, text.len) : text;
    size_t start = rest.len;
    while (start > 0 && rest.data[start - 1] != '/') {
        start--;
    }
    const bool has_partition =
        is_arn && str_starts_with(text, scheme) && str_find(str_slice(text, 0, at), STR("${"), 0) == at;
    *policy = (OwnPolicy){ .is_known_partition = has_partition,
                           .is_arn = is_arn,
                           .partition = has_partition ? str_slice(text, scheme.len, at) : STR_NONE,
                           .path = str_slice(rest, 0, start),
                           .name = str_slice(rest, start, rest.len) };
    return policy->name.len > 0;
}

// The only policy that begins with a name and goes on with a word: AmazonSSMManagedInstanceCore. Else empty.
static Str only_longer(Str name) {
    enum { SURE_LETTERS = 12 };
    Str found = STR_NONE;
    for (int i = 0; name.len >= SURE_LETTERS && i < POLICY_ROW_COUNT; i++) {
        const Str other = str_of(&POLICY_TEXTS[STORED_POLICIES[i].name]);
        if (str_starts_with(other, name)) {
            if (found.len > 0) {
                return STR_NONE;
            }
            found = other;
        }
    }
    return found;
}

// What somebody is to replace is found as such.
static void report_unknown(const Rules *rules, const Subject *subject, Span span, Str name) {
    size_t start;
    size_t end;
    if (placeholder_find(name, TEXT_PLAIN, 0, &start, &end)) {
        return;
    }
    Suggestion suggestion = suggest_for(rules->session, name);
    for (int i = 0; i < POLICY_ROW_COUNT && !suggest_is_idle(&suggestion); i++) {
        suggest_offer(&suggestion, str_of(&POLICY_TEXTS[STORED_POLICIES[i].name]));
    }
    Diag *diag = plan_report(rules->session, subject, span, DIAG(policy_unknown), STR_ARG(name));
    const Str longer = suggestion.best.len == 0 ? only_longer(name) : STR_NONE;
    if (longer.len > 0) {
        diag_help(rules->session, diag, "did you mean `%.*s`?", STR_ARG(longer));
        rule_replace_part(rules, diag, span, name, longer);
    } else if (!suggest_say(rules->session, diag, &suggestion, span)) {
        diag_help(rules->session, diag, "a policy of your own is named by its whole ARN");
    }
}

// What is named by its whole ARN.
typedef struct {
    const char *part;    // ":policy/"
    const char *what;    // "a policy"
    const char *pattern; // "arn:aws:iam::ACCOUNT:policy/NAME"
} ArnKind;

static const ArnKind POLICY_ARN = { ":policy/", "a policy", "arn:aws:iam::ACCOUNT:policy/NAME" };
static const ArnKind ROLE_ARN = { ":role/", "a role", "arn:aws:iam::ACCOUNT:role/NAME" };
static const ArnKind PROFILE_ARN = { ":instance-profile/", "an instance profile",
                                     "arn:aws:iam::ACCOUNT:instance-profile/NAME" };

// Whether it is none, as far as is known. What somebody is to replace is found as such.
static bool check_arn(const Rules *rules, const Subject *subject, const Value *value, const ArnKind *kind) {
    size_t start;
    size_t end;
    if (value->kind != VALUE_STRING || str_find(value->string, str_of(kind->part), 0) < value->string.len ||
        str_find(value->string, STR("{{resolve:"), 0) < value->string.len ||
        placeholder_find(value->string, TEXT_PLAIN, 0, &start, &end) ||
        (value->string.len == 0 && use_of_empty_default(rules->plan->names, value->span))) {
        return true;
    }
    const Str name = str_after_last(value->string, '/');
    const PolicyPath *row = kind == &POLICY_ARN ? schema_policy(name) : NULL;
    Diag *diag =
        plan_report(rules->session, subject, value->span, DIAG(name_for_arn), STR_ARG(value->string), kind->what);
    if (row != NULL) {
        rule_write_at(rules, diag, value->span, value->string,
                      str_format(rules->session->arena, "arn:aws:iam::aws:policy/%s%.*s", row->path, STR_ARG(name)));
    } else {
        diag_help(rules->session, diag, "write `%s`", kind->pattern);
    }
    return false;
}

// The table is of the partition `aws`; others leave some out and have some more.
static void check_policy(const Rules *rules, const Subject *subject, Span span, const OwnPolicy *policy) {
    const PolicyPath *row = schema_policy(policy->name);
    if (row == NULL) {
        if (!policy->is_known_partition || str_is(policy->partition, "aws")) {
            report_unknown(rules, subject, span, policy->name);
        }
        return;
    }
    if (row->attachable == 0) {
        Diag *diag = plan_report(rules->session, subject, span, DIAG(policy_of_service), STR_ARG(policy->name));
        diag_help(rules->session, diag, "name a policy outside `%s`", row->path);
    } else if (!str_is(policy->path, row->path) && (policy->is_arn || policy->path.len > 0)) {
        Diag *diag = plan_report(rules->session, subject, span, DIAG(policy_path), row->path, STR_ARG(policy->name),
                                 STR_ARG(policy->path), STR_ARG(policy->name));
        if (policy->is_arn) {
            Arena *arena = rules->session->arena;
            const Str right = str_format(arena, "policy/%s%.*s", row->path, STR_ARG(policy->name));
            const Str wrong = str_format(arena, "policy/%.*s%.*s", STR_ARG(policy->path), STR_ARG(policy->name));
            diag_help(rules->session, diag, "write `%.*s` in place of `%.*s`", STR_ARG(right), STR_ARG(wrong));
            rule_replace_part(rules, diag, span, wrong, right);
        } else {
            diag_help(rules->session, diag, "write `%.*s`: dtc adds the path", STR_ARG(policy->name));
        }
    }
}

static void check_value(const Rules *rules, const Subject *subject, const Value *value);

// In CloudFormation's own words: `{ "Fn::Sub" = "arn:${AWS::Partition}:…" }`, or the parts of `Fn::Join`.
static void check_intrinsic(const Rules *rules, const Subject *subject, const Value *value) {
    const Value *argument = value->map.count == 1 ? value->map.entries[0].value : NULL;
    const Str name = value->map.count == 1 ? value->map.entries[0].key : STR_NONE;
    const bool is_pair = argument != NULL && argument->kind == VALUE_LIST && argument->list.count == 2;
    const Value *text = argument;
    if (str_is(name, "Fn::Join") && is_pair && argument->list.items[1]->kind == VALUE_LIST &&
        argument->list.items[1]->list.count > 0) {
        text = argument->list.items[1]->list.items[argument->list.items[1]->list.count - 1];
    } else if (!str_is(name, "Fn::Sub")) {
        return;
    }
    OwnPolicy policy;
    if (text->kind == VALUE_STRING && policy_parse(text->string, &policy) && policy.is_arn &&
        str_find(policy.name, STR("${"), 0) == policy.name.len &&
        str_find(policy.path, STR("${"), 0) == policy.path.len) {
        check_policy(rules, subject, text->span, &policy);
    }
}

// A choice has its two values, and a late ARN ends with its name.
static void check_value(const Rules *rules, const Subject *subject, const Value *value) {
    OwnPolicy policy;
    if (value->kind == VALUE_STRING && policy_parse(value->string, &policy)) {
        check_policy(rules, subject, value->span, &policy);
    } else if (value->kind == VALUE_MAP) {
        check_intrinsic(rules, subject, value);
    } else if (value->kind == VALUE_LATE && (value->late->kind == LATE_IF || value->late->kind == LATE_DEFAULT)) {
        for (uint32_t i = value->late->kind == LATE_IF ? 1 : 0; i < value->late->part_count; i++) {
            check_value(rules, subject, value->late->parts[i]);
        }
    } else if (value->kind == VALUE_LATE && value->late->kind == LATE_TEXT) {
        const Value *last = value->late->parts[value->late->part_count - 1];
        if (last->kind == VALUE_STRING && policy_parse(last->string, &policy) && policy.is_arn) {
            check_policy(rules, subject, value->span, &policy);
        }
    }
}

static int policies_attribute(const PlanPart *part) {
    return part_is(part, KIND_NODES)  ? NODES_POLICIES
           : part_is(part, KIND_HEAD) ? HEAD_POLICIES
           : part_is(part, KIND_JOB)  ? JOB_POLICIES
                                      : -1;
}

// ---- how many --------------------------------------------------------------------------------------------------

// What the files of a build, and ParallelCluster, give a role beside what the author writes; of a job's role, and
// of one that is written by hand, nothing.
typedef struct {
    bool has_any;
    NameListId list;
} OwnPolicies;

static OwnPolicies policies_beside(const PlanPart *part) {
    const PlanCluster *cluster = part->cluster;
    if (cluster != NULL && part_is(part, KIND_HEAD)) {
        return (OwnPolicies){ .has_any = true, .list = NAMES_POLICIES_OF_SLURM_NODES_IN_REACH };
    }
    for (uint32_t i = 0; cluster != NULL && i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (nodes->head.part == part) {
            return (OwnPolicies){ .has_any = true, .list = plan_policies_beside(nodes) };
        }
    }
    return (OwnPolicies){ .has_any = false };
}

// IAM has each once, however it is written; what only the deployment knows counts as another one.
static void check_count(const Rules *rules, const Subject *subject, OwnPolicies beside, const Value *list) {
    StrMap seen = { .arena = rules->session->arena };
    uint32_t count = 0;
    for (size_t i = 0; beside.has_any && i < names_of(beside.list).count; i++) {
        str_map_add(&seen, str_after_last(str_of(names_of(beside.list).items[i]), '/'), list);
        count++;
    }
    const uint32_t own = count;
    for (uint32_t i = 0; i < list->list.count; i++) {
        const Value *item = list->list.items[i];
        OwnPolicy policy;
        const bool is_text = item->kind == VALUE_STRING;
        const Str key = is_text && policy_parse(item->string, &policy) ? policy.name : item->string;
        count += !is_text || str_map_add(&seen, key, item) == NULL;
    }
    if (count <= LIMIT_ROLE_POLICIES_USUAL) {
        return;
    }
    const bool is_refused = count > LIMIT_ROLE_POLICIES_MAX;
    Diag *diag = is_refused ? plan_report(rules->session, subject, list->span, DIAG(policies_refused), count,
                                          (int)LIMIT_ROLE_POLICIES_MAX)
                            : plan_report(rules->session, subject, list->span, DIAG(policies_many), count,
                                          (int)LIMIT_ROLE_POLICIES_USUAL);
    if (own > 0) {
        diag_note(rules->session, diag, "%" PRIu32 " of them the service needs", own);
    }
    diag_help(rules->session, diag, "join some into one policy of your own");
}

void rule_policies(const Rules *rules, const PlanPart *part) {
    const int attribute = policies_attribute(part);
    const Value *list = attribute < 0 ? NULL : subject_value(part->subject, attribute);
    for (uint32_t i = 0; list != NULL && list->kind == VALUE_LIST && i < list->list.count; i++) {
        check_value(rules, part->subject, list->list.items[i]);
    }
    if (list != NULL && list->kind == VALUE_LIST) {
        check_count(rules, part->subject, policies_beside(part), list);
    }
}

void rule_policies_of_role(const Rules *rules, const PlanResource *resource) {
    static const struct {
        const char *type;
        const char *key;
    } LISTS[] = {
        { "AWS::IAM::Role", "ManagedPolicyArns" },
        { "AWS::IAM::User", "ManagedPolicyArns" },
        { "AWS::IAM::Group", "ManagedPolicyArns" },
        { "AWS::SSO::PermissionSet", "ManagedPolicies" },
    };
    const Str type = resource->resource->type;
    const Value *arns = NULL;
    for (size_t i = 0; i < COUNT_OF(LISTS); i++) {
        arns = str_is(type, LISTS[i].type) ? resource_property(resource->resource, LISTS[i].key) : arns;
    }
    const Value *boundary =
        str_starts_with(type, STR("AWS::IAM::")) ? resource_property(resource->resource, "PermissionsBoundary") : NULL;
    if (boundary != NULL) {
        check_value(rules, resource->subject, boundary);
    }
    if (arns == NULL || arns->kind != VALUE_LIST) {
        return;
    }
    for (uint32_t k = 0; k < arns->list.count; k++) {
        if (check_arn(rules, resource->subject, arns->list.items[k], &POLICY_ARN)) {
            check_value(rules, resource->subject, arns->list.items[k]);
        }
    }
    if (str_is(type, "AWS::IAM::Role")) {
        check_count(rules, resource->subject, (OwnPolicies){ .has_any = false }, arns);
    }
}

// ---- in files of other tools -----------------------------------------------------------------------------------

// ParallelCluster has a list of `Policy`, eksctl one of ARNs, at several places.
static void search_policies(const Rules *rules, const PlanConfiguration *file, const Value *value) {
    const bool is_map = value->kind == VALUE_MAP;
    const uint32_t count = is_map ? value->map.count : object_count(value);
    for (uint32_t i = 0; i < count; i++) {
        const Value *part = is_map ? value->map.entries[i].value : value->list.items[i];
        const Str key = is_map ? value->map.entries[i].key : STR_NONE;
        const bool is_list = str_is(key, "AdditionalIamPolicies") || str_is(key, "attachPolicyARNs") ||
                             str_is(key, "permissionPolicyARNs");
        for (uint32_t k = 0; is_list && k < object_count(part); k++) {
            const Value *item = part->list.items[k];
            const Value *policy = item->kind == VALUE_MAP ? object_get(item, "Policy") : item;
            const Subject *subject = policy == NULL ? NULL : configuration_subject(file, policy->span);
            if (policy != NULL && policy->kind == VALUE_STRING && check_arn(rules, subject, policy, &POLICY_ARN)) {
                check_value(rules, subject, policy);
            }
        }
        search_policies(rules, file, part);
    }
}

static void check_iam(const Rules *rules, const PlanConfiguration *configuration, const Value *iam) {
    static const struct {
        const char *key;
        const ArnKind *kind;
    } KEYS[] = { { "InstanceRole", &ROLE_ARN },
                 { "InstanceProfile", &PROFILE_ARN },
                 { "PermissionsBoundary", &POLICY_ARN } };
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        const Value *value = object_get(iam, KEYS[i].key);
        if (value != NULL) {
            check_arn(rules, configuration_subject(configuration, value->span), value, KEYS[i].kind);
        }
    }
}

static void check_iam_of_each(const Rules *rules, const PlanConfiguration *configuration, const Value *list) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        check_iam(rules, configuration, object_get(list->list.items[i], "Iam"));
    }
}

void rule_configuration_policies(const Rules *rules, const PlanConfiguration *configuration) {
    const Value *document = configuration->document;
    search_policies(rules, configuration, document);
    check_iam(rules, configuration, object_get(document, "Iam"));
    check_iam(rules, configuration, object_get(object_get(document, "HeadNode"), "Iam"));
    check_iam_of_each(rules, configuration, object_get(object_get(document, "LoginNodes"), "Pools"));
    check_iam_of_each(rules, configuration, object_get(object_get(document, "Scheduling"), "SlurmQueues"));
}

void rule_cluster_config_policies(const Rules *rules, const PlanClusterConfig *config) {
    search_policies(rules, &config->file, config->file.document);
}
