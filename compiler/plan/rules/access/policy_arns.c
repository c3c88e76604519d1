// A rule about the ARNs of a statement: that they may be those of resources. IAM takes most others, and the statement neither
// allows nor denies anything by them.
// source: Service Authorization Reference, resource types defined by each service; IAM User Guide, Amazon Resource Names; AWS
// KMS Developer Guide, Specifying KMS keys in IAM policy statements; Amazon CloudWatch Logs User Guide, Overview of managing
// access permissions, ARN format; AWS Secrets Manager User Guide, Identity-based policies, 2026-11, read 2026-11
#include "compiler/plan/rules/access/policy_arns.h"

#include "compiler/base/arn.h"
#include "compiler/base/suggest.h"
#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rule_word.h"

enum { RESOURCES_MAX = 1000 };

typedef struct {
    const Rules *rules;
    const PlanPolicy *policy;
    const Data *statement;
    const Data *resource;
    Str arn;
} ArnsCheck;

Str policy_arn(const Data *resource) {
    const Data *sub = data_get(resource, "Fn::Sub");
    const Data *text = sub == NULL ? resource : data_item(sub, 0);
    const bool is_text = text != NULL && text->kind == DATA_STRING &&
                         (text->tag.len == 0 || str_is(text->tag, "!Sub")) &&
                         str_starts_with(text->string, STR("arn:"));
    return is_text ? text->string : STR_NONE;
}

static Diag *say(const ArnsCheck *check, const char *what) {
    return plan_report(check->rules->session, check->policy->subject, check->resource->span, DIAG(arn_of_none), what,
                       STR_ARG(check->arn));
}

static bool is_pattern(Str text) {
    return str_has(text, "*") || str_has(text, "?");
}

// Whether a field says what it is: no pattern, and nothing that somebody puts in its place.
static bool is_known(Str field) {
    return field.len > 0 && !is_pattern(field) && !placeholder_is_open(field);
}

// The whole ARN with another text in the place of a field or a part of one.
static Str with(const ArnsCheck *check, Str part, Str other) {
    const size_t start = (size_t)(part.data - check->arn.data);
    return str_format(check->rules->session->arena, "%.*s%.*s%.*s", STR_ARG(str_slice(check->arn, 0, start)),
                      STR_ARG(other), STR_ARG(str_slice(check->arn, start + part.len, check->arn.len)));
}

static bool write(const ArnsCheck *check, const char *what, Str better) {
    Diag *diag = say(check, what);
    diag_help(check->rules->session, diag, "write `%.*s`", STR_ARG(better));
    rule_replace(check->rules, diag, check->resource->span, check->arn, better);
    return true;
}

// ---- parts of an ARN -------------------------------------------------------------------------------------------------

static uint32_t count_parts(Str arn) {
    uint32_t count = 1;
    int depth = 0;
    for (size_t i = 0; i < arn.len; i++) {
        depth += arn.data[i] == '{' ? 1 : arn.data[i] == '}' && depth > 0 ? -1 : 0;
        count += arn.data[i] == ':' && depth == 0 ? 1 : 0;
    }
    return count;
}

// A star at the end stands for parts as well.
static bool check_parts(const ArnsCheck *check) {
    enum { PARTS = 6 };
    const Str arn = check->arn;
    const Str s3 = STR(":s3::");
    if (count_parts(arn) >= PARTS || str_ends_with(arn, STR(":*")) || str_ends_with(arn, STR("}")) ||
        str_has(arn, "<") || str_has(arn, "...") || arn.len < STR("arn:aws:s3:").len) {
        return false;
    }
    const size_t at = str_find(arn, s3, 0);
    if (at < arn.len && count_parts(arn) == PARTS - 1) {
        return write(check, "bucket",
                     str_format(check->rules->session->arena, "%.*s:s3:::%.*s", STR_ARG(str_slice(arn, 0, at)),
                                STR_ARG(str_slice(arn, at + s3.len, arn.len))));
    }
    diag_help(check->rules->session, say(check, "resource"),
              "write all parts: `arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE`");
    return true;
}

static const char PARTITIONS[] = "aws|aws-cn|aws-us-gov|aws-iso|aws-iso-b|aws-iso-e|aws-iso-f|aws-eusc";

static bool suggest(const ArnsCheck *check, const char *what, Str part, Suggestion *suggestion) {
    return suggest_is_sure(suggestion) && write(check, what, with(check, part, suggestion->best));
}

static void offer_words(Suggestion *suggestion, const char *words) {
    size_t offset = 0;
    Str word;
    while (words_next(str_of(words), &offset, &word)) {
        suggest_offer(suggestion, word);
    }
}

static Str partition_of(Str region) {
    return str_starts_with(region, STR("cn-"))       ? STR("aws-cn")
           : str_starts_with(region, STR("us-gov-")) ? STR("aws-us-gov")
                                                     : STR("aws");
}

// A region that dtc does not know may be a newer one, if its name has the form of one: `us-east-1`.
static bool is_of_region_form(Str name) {
    const Str last = str_after_last(name, '-');
    int dashes = 0;
    for (size_t i = 0; i < name.len; i++) {
        dashes += name.data[i] == '-' ? 1 : 0;
    }
    return dashes > 1 && last.len == 1 && char_is_digit(last.data[0]);
}

static bool check_region_name(const ArnsCheck *check, Str region) {
    Session *session = check->rules->session;
    Suggestion suggestion = suggest_for(session, region);
    for (int i = 0; i < REGION_ROW_COUNT; i++) {
        suggest_offer(&suggestion, str_of(REGION_ROWS[i].name));
    }
    if (suggest_is_sure(&suggestion)) {
        return write(check, "resource", with(check, region, suggestion.best));
    }
    if (is_of_region_form(region)) {
        return false;
    }
    Diag *diag = say(check, "resource");
    if (suggestion.best.len > 0) {
        diag_help(session, diag, "write `%.*s` for `%.*s`", STR_ARG(suggestion.best), STR_ARG(region));
    } else {
        diag_help(session, diag, "write the name of a region for `%.*s`, such as `us-east-1`", STR_ARG(region));
    }
    return true;
}

static bool check_place(const ArnsCheck *check) {
    const Str partition = arn_field(check->arn, ARN_PARTITION);
    const Str region = arn_field(check->arn, ARN_REGION);
    Session *session = check->rules->session;
    if (is_known(partition) && !words_have(str_of(PARTITIONS), partition) && partition.len < 20) {
        diag_help(session, say(check, "resource"), "write the partition, `aws` of most regions: `arn:aws:…`");
        return true;
    }
    if (!is_known(region)) {
        return false;
    }
    if (schema_region(region) == NULL) {
        return check_region_name(check, region);
    }
    if (is_known(partition) && !str_equal(partition, partition_of(region)) &&
        (str_is(partition, "aws") || str_is(partition, "aws-cn") || str_is(partition, "aws-us-gov"))) {
        return write(check, "resource", with(check, partition, partition_of(region)));
    }
    return false;
}

static bool check_account(const ArnsCheck *check) {
    const Str account = arn_field(check->arn, ARN_ACCOUNT);
    bool are_digits = account.len > 0;
    for (size_t i = 0; i < account.len; i++) {
        are_digits = are_digits && (char_is_digit(account.data[i]) || (account.data[i] == '-' && i > 0));
    }
    if (!are_digits || (account.len == 12 && !str_has(account, "-"))) {
        return false;
    }
    const Str plain = str_replaced(check->rules->session->arena, account, STR("-"), STR(""));
    if (plain.len == 12) {
        return write(check, "resource", with(check, account, plain));
    }
    diag_help(check->rules->session, say(check, "resource"), "write all 12 digits of the account: `%.*s` has %zu",
              STR_ARG(account), plain.len);
    return true;
}

// Services none of whose ARNs has a region.
static const char GLOBAL[] = "iam|cloudfront|organizations|route53";

// Where the region of an ARN stands, even an empty one.
static size_t place_of_region(Str arn) {
    const Str service = arn_field(arn, ARN_SERVICE);
    return (size_t)(service.data - arn.data) + service.len + 1;
}

// The ARN of a bucket has neither a region nor an account; those of access points and jobs do.
static bool check_bucket(const ArnsCheck *check) {
    static const char *const OTHERS[] = {
        "accesspoint", "job/", "storage-lens", "async-request", "access-grants", "*"
    };
    const Str arn = check->arn;
    const Str region = arn_field(arn, ARN_REGION);
    const Str account = arn_field(arn, ARN_ACCOUNT);
    const Str rest = arn_resource(arn);
    bool is_other = rest.len == 0 || region.len + account.len == 0 || is_pattern(region) || is_pattern(account);
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        is_other = is_other || str_starts_with(rest, str_of(OTHERS[i]));
    }
    if (is_other || !str_is(arn_field(arn, ARN_SERVICE), "s3") || check->resource->kind != DATA_STRING ||
        check->resource->tag.len > 0) {
        return false;
    }
    const size_t start = place_of_region(arn);
    return write(
        check, "bucket",
        str_format(check->rules->session->arena, "%.*s::%.*s", STR_ARG(str_slice(arn, 0, start)), STR_ARG(rest)));
}

// Services all of whose ARNs have a region, but for those of IPAM.
// source: Service Authorization Reference, resource types defined by each service, read 2026-11
static const char REGIONAL[] = "ec2|sagemaker|logs|kms|lambda|sqs|sns|ecr|ecs|batch|fsx|elasticfilesystem|"
                               "secretsmanager|states|autoscaling";

static bool check_region(const ArnsCheck *check) {
    const Str service = arn_field(check->arn, ARN_SERVICE);
    const Str region = arn_field(check->arn, ARN_REGION);
    const Str rest = arn_resource(check->arn);
    Session *session = check->rules->session;
    if (words_have(str_of(GLOBAL), service) && is_known(region)) {
        return write(check, "resource", with(check, region, STR_NONE));
    }
    if (region.len > 0 || rest.len == 0 || !words_have(str_of(REGIONAL), service) ||
        str_starts_with(rest, STR("ipam")) || rest.data[0] == '*') {
        return false;
    }
    const size_t start = place_of_region(check->arn);
    diag_help(session, say(check, "resource"), "write `%.*s*%.*s`, or its region in the place of `*`",
              STR_ARG(str_slice(check->arn, 0, start)), STR_ARG(str_slice(check->arn, start, check->arn.len)));
    return true;
}

// No name of a resource ends in a comma: it stands for the next item of a list in JSON.
static bool check_comma(const ArnsCheck *check) {
    if (!str_ends_with(check->arn, STR(","))) {
        return false;
    }
    diag_help(check->rules->session, say(check, "resource"), "write `%.*s`",
              STR_ARG(str_slice(check->arn, 0, check->arn.len - 1)));
    return true;
}

// ---- resources of a service ------------------------------------------------------------------------------------------

// How the resources of a service begin: all of its types.
static const struct {
    const char *service;
    const char *types;
} TYPES[] = {
    { "eks", "cluster|nodegroup|addon|fargateprofile|identityproviderconfig|podidentityassociation|access-entry|"
             "cluster-access-policy|eks-anywhere-subscription|dashboard|capability" },
    { "iam", "role|user|group|policy|instance-profile|oidc-provider|saml-provider|server-certificate|mfa|sms-mfa|"
             "assumed-role|access-report|u2f|root" },
    { "ecr", "repository" },
    { "logs", "log-group|destination|delivery|delivery-source|delivery-destination|anomaly-detector|"
              "log-destination|query-definition|scheduled-query|lookup-table" },
    { "secretsmanager", "secret" },
    { "kms", "key|alias" },
    { "fsx", "file-system|backup|volume|storage-virtual-machine|snapshot|association|task|file-cache" },
    { "elasticfilesystem", "file-system|access-point" },
    { "batch", "compute-environment|job-queue|job-definition|job|scheduling-policy|service-environment|service-job|"
               "consumable-resource" },
    { "lambda", "function|layer|event-source-mapping|code-signing-config|capacity-provider" },
    { "dynamodb", "table|global-table" },
};

static Str type_of(Str rest) {
    size_t end = 0;
    while (end < rest.len && rest.data[end] != '/' && rest.data[end] != ':') {
        end++;
    }
    return end < rest.len ? str_slice(rest, 0, end) : STR_NONE;
}

// The one type that begins with a shorter word: `repository` of `repo`; empty where none or several do.
static Str longer_type(const char *types, Str word) {
    enum { SURE_LETTERS = 4 };
    Str found = STR_NONE;
    size_t offset = 0;
    Str type;
    while (word.len >= SURE_LETTERS && words_next(str_of(types), &offset, &type)) {
        if (str_starts_with(type, word)) {
            if (found.len > 0) {
                return STR_NONE;
            }
            found = type;
        }
    }
    return found;
}

static bool check_type(const ArnsCheck *check) {
    const Str service = arn_field(check->arn, ARN_SERVICE);
    const Str type = type_of(arn_resource(check->arn));
    for (size_t i = 0; is_known(type) && i < COUNT_OF(TYPES); i++) {
        if (str_is_word(service, TYPES[i].service) && !words_have(str_of(TYPES[i].types), type)) {
            Suggestion suggestion = suggest_for(check->rules->session, type);
            offer_words(&suggestion, TYPES[i].types);
            const Str longer = longer_type(TYPES[i].types, type);
            return longer.len > 0 ? write(check, "resource", with(check, type, longer))
                                  : suggest(check, "resource", type, &suggestion);
        }
    }
    return false;
}

// Secrets Manager puts six letters and digits behind the name of a secret.
static bool check_secret(const ArnsCheck *check) {
    enum { ADDED = 6 };
    const Str rest = arn_resource(check->arn);
    const bool is_secret = str_is(arn_field(check->arn, ARN_SERVICE), "secretsmanager") &&
                           str_starts_with(rest, STR("secret:")) && is_known(rest);
    bool has_end = rest.len > ADDED && rest.data[rest.len - ADDED - 1] == '-';
    for (size_t i = 0; i < ADDED && has_end; i++) {
        has_end = char_is_alnum(rest.data[rest.len - 1 - i]);
    }
    return is_secret && !has_end &&
           write(check, "secret", str_format(check->rules->session->arena, "%.*s-??????", STR_ARG(check->arn)));
}

static bool check_parameter(const ArnsCheck *check) {
    const Str rest = arn_resource(check->arn);
    const Str start = STR("parameter//");
    return str_is(arn_field(check->arn, ARN_SERVICE), "ssm") && str_starts_with(rest, start) &&
           write(check, "parameter", with(check, str_slice(rest, 0, start.len), STR("parameter/")));
}

// The name of a queue stands there alone.
static bool check_queue(const ArnsCheck *check) {
    const Str rest = arn_resource(check->arn);
    const Str start = STR("queue/");
    return str_is(arn_field(check->arn, ARN_SERVICE), "sqs") && str_starts_with(rest, start) &&
           write(check, "queue", with(check, str_slice(rest, 0, start.len), STR_NONE));
}

// ---- resources of actions --------------------------------------------------------------------------------------------

// The first action of the statement that is one of these; NULL: none.
static const Data *action_of(const Data *statement, const char *words) {
    const Data *action = NULL;
    for (uint32_t i = 0; (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        if (action->kind == DATA_STRING && words_have_in_any_case(str_of(words), action->string)) {
            return action;
        }
    }
    return NULL;
}

typedef bool Fits(Str arn);

// Whether all resources of the statement are ARNs of the kind.
static bool are_all(const Data *statement, Fits *fits) {
    const Data *resource = NULL;
    bool are = true;
    for (uint32_t i = 0; are && (resource = data_item(data_get(statement, "Resource"), i)) != NULL; i++) {
        const Str arn = policy_arn(resource);
        are = arn.len > 0 && fits(arn);
    }
    return are;
}

static bool is_alias(Str arn) {
    return str_is(arn_field(arn, ARN_SERVICE), "kms") && str_starts_with(arn_resource(arn), STR("alias/"));
}

static bool is_group_alone(Str arn) {
    const Str rest = arn_resource(arn);
    return str_is(arn_field(arn, ARN_SERVICE), "logs") && str_starts_with(rest, STR("log-group:")) &&
           !is_pattern(rest) && !str_has(rest, "log-stream") && !str_has(rest, "$") && !str_has(rest, "<");
}

static void check_actions(const ArnsCheck *check) {
    static const char OF_KEYS[] = "kms:Decrypt|kms:Encrypt|kms:GenerateDataKey|kms:GenerateDataKey*|"
                                  "kms:GenerateDataKeyWithoutPlaintext|kms:ReEncrypt*|kms:DescribeKey|kms:CreateGrant";
    static const char OF_STREAMS[] = "logs:PutLogEvents|logs:GetLogEvents|logs:DeleteLogStream";
    Session *session = check->rules->session;
    const Data *of_keys = action_of(check->statement, OF_KEYS);
    const Data *of_streams = action_of(check->statement, OF_STREAMS);
    if (of_keys != NULL && are_all(check->statement, is_alias)) {
        Diag *diag = say(check, "key");
        diag_label(session, diag, of_keys->span, "of keys");
        diag_help(session, diag,
                  "write the ARN of the key, `…:key/ID`, or `…:key/*` with a condition on `kms:ResourceAliases`");
    } else if (of_streams != NULL && are_all(check->statement, is_group_alone)) {
        Diag *diag = say(check, "log stream");
        diag_label(session, diag, of_streams->span, "of log streams");
        diag_help(session, diag, "write `%.*s:*`", STR_ARG(check->arn));
    }
}

// ---- statements ------------------------------------------------------------------------------------------------------

// The first fault of an ARN is said.
static bool check_arn(const ArnsCheck *check) {
    return (check_parts(check) || check_place(check) || check_account(check) || check_bucket(check) ||
            check_region(check) || check_comma(check) || check_type(check) || check_secret(check) ||
            check_parameter(check) || check_queue(check));
}

// Behind its partition: ":s3:::corpus/*".
static Str tail_of(Str arn) {
    const Str partition = arn_field(arn, ARN_PARTITION);
    const size_t start = STR("arn:").len + partition.len;
    return str_slice(arn, start, arn.len);
}

// ARNs with a partition that is written, in a policy.
typedef struct {
    VEC(ArnsCheck) arns;
    StrMap tails;    // by what stands behind the partition: the first ARN with it
    bool are_of_all; // the same thing is named in two partitions, as for a policy that both have
} Partitions;

static void add_partition(Arena *arena, Partitions *partitions, const ArnsCheck *check) {
    const Str partition = arn_field(check->arn, ARN_PARTITION);
    if (!is_known(partition) || !words_have(str_of(PARTITIONS), partition)) {
        return;
    }
    ArnsCheck *own = arena_new(arena, ArnsCheck);
    *own = *check;
    const ArnsCheck *other = str_map_add(&partitions->tails, tail_of(check->arn), own);
    partitions->are_of_all =
        partitions->are_of_all || (other != NULL && !str_equal(arn_field(other->arn, ARN_PARTITION), partition));
    vec_push(arena, &partitions->arns, *check);
}

// An account is in one partition, and its policies reach nothing of another one. What fewer ARNs have is the fault.
static void check_partitions(const Partitions *partitions) {
    const ArnsCheck *first = partitions->arns.count > 0 ? &partitions->arns.items[0] : NULL;
    const ArnsCheck *other = NULL;
    uint32_t others = 0;
    for (uint32_t i = 1; i < partitions->arns.count && !partitions->are_of_all; i++) {
        const ArnsCheck *check = &partitions->arns.items[i];
        const bool is_other = !str_equal(arn_field(first->arn, ARN_PARTITION), arn_field(check->arn, ARN_PARTITION));
        other = is_other && other == NULL ? check : other;
        others += is_other ? 1 : 0;
    }
    if (other == NULL) {
        return;
    }
    const bool is_first = others * 2 > partitions->arns.count;
    const ArnsCheck *wrong = is_first ? first : other;
    const ArnsCheck *right = is_first ? other : first;
    const Str partition = arn_field(right->arn, ARN_PARTITION);
    const Str better = with(wrong, arn_field(wrong->arn, ARN_PARTITION), partition);
    Diag *diag = say(wrong, "resource");
    diag_label(wrong->rules->session, diag, right->resource->span, "the policy is for the partition `%.*s`",
               STR_ARG(partition));
    diag_help(wrong->rules->session, diag, "write `%.*s`", STR_ARG(better));
}

void rule_policy_arns(const Rules *rules, const PlanPolicy *policy) {
    const Data *statement = NULL;
    uint32_t count = 0;
    Partitions partitions = { .tails = { .arena = rules->session->arena } };
    if (policy->kind == POLICY_OF_TRUST) {
        return;
    }
    for (uint32_t i = 0; (statement = data_item(data_get(policy->document, "Statement"), i)) != NULL; i++) {
        const Data *resource = NULL;
        if (statement->kind != DATA_MAP) {
            continue; // a choice of statements
        }
        for (uint32_t k = 0; (resource = data_item(data_get(statement, "Resource"), k)) != NULL; k++) {
            const ArnsCheck check = { .rules = rules,
                                      .policy = policy,
                                      .statement = statement,
                                      .resource = resource,
                                      .arn = policy_arn(resource) };
            if (++count > RESOURCES_MAX || check.arn.len == 0) {
                continue;
            }
            if (!check_arn(&check)) {
                add_partition(rules->session->arena, &partitions, &check);
            }
            if (k == 0 && policy->kind == POLICY_OF_IDENTITY) {
                check_actions(&check);
            }
        }
    }
    check_partitions(&partitions);
}
