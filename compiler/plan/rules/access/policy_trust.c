// A rule about trust policies that IAM takes, and by which nobody can take the role: what pods of EKS show to STS has names
// that the policy has to ask for in the same words.
// source: Amazon EKS User Guide, Assign IAM roles to Kubernetes service accounts, and EKS Pod Identity association, trust
// policy; IAM User Guide, Available keys for AWS OIDC federation, and Create a role for OpenID Connect federation, read 2026-11
#include "compiler/plan/rules/placeholder.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/iam_pattern.h"
#include "compiler/plan/model/role.h"

enum { STATEMENTS_MAX = 100 }; // IAM takes trust policies of 2,048 characters; of a far longer one nothing is said

typedef struct {
    const Rules *rules;
    const PlanPolicy *policy;
    const Data *statement;
    Str issuer; // of the provider that the statement trusts: `oidc.eks.REGION.amazonaws.com/id/…`; may have placeholders
} TrustCheck;

static Diag *say(const TrustCheck *check, Span span, const char *format, Str name) {
    Session *session = check->rules->session;
    const Str fault = str_format(session->arena, format, STR_ARG(name));
    return plan_report(session, check->policy->subject, span, DIAG(trust_of_nobody), str_c(session->arena, fault));
}

// Whether somebody fills in a part of a text before IAM reads it: `${OIDC}`, `<ID>`, `XXXX`, OIDC_PROVIDER.
static bool is_open(Str text) {
    return text.len == 0 || placeholder_is_open(text) || str_has(text, "xxx") || str_has(text, "...");
}

static bool is_text(const Data *data) {
    return data->kind == DATA_STRING && data->tag.len == 0;
}

static bool lets(const Data *statement, const char *wanted) {
    const Data *action = NULL;
    bool has = data_get(statement, "Action") == NULL;
    for (uint32_t i = 0; (action = data_item(data_get(statement, "Action"), i)) != NULL; i++) {
        has = has || !is_text(action) || is_open(action->string) || iam_matches_action(action->string, str_of(wanted));
    }
    return has;
}

// Where the statement says how the role is taken.
static Span actions_of(const Data *statement) {
    const Data *first = data_item(data_get(statement, "Action"), 0);
    return first == NULL ? statement->span : first->span;
}

// ---- issuers -------------------------------------------------------------------------------------------------------

static bool is_of_eks(Str issuer) {
    return str_starts_with(issuer, STR("oidc.eks.")) || str_starts_with(issuer, STR("oidc-eks."));
}

// The issuer in the ARN of a provider; empty where it is none.
static Str issuer_of(Str arn) {
    const Str mark = STR(":oidc-provider/");
    const size_t at = str_find(arn, mark, 0);
    return at < arn.len ? str_slice(arn, at + mark.len, arn.len) : STR_NONE;
}

// ---- conditions ----------------------------------------------------------------------------------------------------

static bool is_literal(Str operator) {
    return str_has(operator, "StringEquals");
}

// Whether the words of a service account are such as Kubernetes takes: `ml-team`, or in a pattern `ml-*`.
static bool is_account_word(Str word) {
    for (size_t i = 0; i < word.len; i++) {
        const char c = word.data[i];
        if (!char_is_digit(c) && !(c >= 'a' && c <= 'z') && memchr("-.*?", c, 4) == NULL) {
            return false;
        }
    }
    return word.len > 0;
}

static const char SUBJECT[] = "write `system:serviceaccount:NAMESPACE:NAME`, as the pod's own words are";

static void check_subject(const TrustCheck *check, Str operator, const Data * value) {
    const Str text = value->string;
    const Str start = STR("system:serviceaccount:");
    const Str rest = str_slice(text, start.len, text.len);
    const size_t colon = str_find(rest, STR(":"), 0);
    const bool is_pattern = str_has(text, "*") || str_has(text, "?");
    if (!is_text(value) || is_open(text) || !is_of_eks(check->issuer)) {
        return;
    }
    if (is_literal(operator) && is_pattern) {
        Diag *diag = say(check, value->span, "`%.*s` takes `*` as a letter, and no service account has one", operator);
        diag_help(check->rules->session, diag, "write the whole name, or `StringLike` in the place of `%.*s`",
                  STR_ARG(operator));
    } else if (is_pattern && !str_starts_with(text, start)) {
        return; // may fit
    } else if (!str_starts_with(text, start)) {
        diag_help(check->rules->session,
                  say(check, value->span, "`%.*s` is not how a service account shows itself", text), "%s", SUBJECT);
    } else if (colon == rest.len ? !is_pattern : str_find(rest, STR(":"), colon + 1) < rest.len) {
        diag_help(check->rules->session,
                  say(check, value->span, "`%.*s` has not two names, of a namespace and of an account", text), "%s",
                  SUBJECT);
    } else if (colon < rest.len && (!is_account_word(str_slice(rest, 0, colon)) ||
                                    !is_account_word(str_slice(rest, colon + 1, rest.len)))) {
        diag_help(check->rules->session,
                  say(check, value->span, "`%.*s` has letters that no service account has", text), "%s", SUBJECT);
    }
}

// The audience of a token is the author's to choose. One that is near to that of STS is meant to be that.
static bool is_odd_audience(Str text) {
    return !str_is(text, "sts.amazonaws.com") && !str_has(text, "amazonaws.com.cn") && !str_has(text, "amazonaws.eu") &&
           (str_starts_with(text, STR("sts")) || str_has(text, "amazon") || str_has(text, "//sts."));
}

static void check_audience(const TrustCheck *check, const Data *value) {
    if (is_text(value) && !is_open(value->string) && is_of_eks(check->issuer) && is_odd_audience(value->string)) {
        Diag *diag = say(check, value->span, "no token of its pods is for `%.*s`", value->string);
        diag_help(check->rules->session, diag, "write `sts.amazonaws.com`, which is what EKS asks tokens for");
        rule_replace(check->rules, diag, value->span, value->string, STR("sts.amazonaws.com"));
    }
}

// Where the key of a condition names an issuer, and a claim behind its last colon.
static Str claim_of(Str key) {
    const Str claim = str_after_last(key, ':');
    return claim.len == key.len ? STR_NONE : claim;
}

static bool is_claim(Str claim, const char *word) {
    return str_is_in_any_case(claim, word);
}

static void check_claim(const TrustCheck *check, const DataEntry *entry, Str issuer, Str claim) {
    static const char *const OTHERS[] = { "aud", "sub", "amr", "azp", "oaud", "id", "email", "iss" };
    bool is_known = !is_of_eks(issuer) && !is_claim(claim, "audience") && !is_claim(claim, "subject");
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        is_known = is_known || is_claim(claim, OTHERS[i]);
    }
    if (!is_known && !is_open(claim)) {
        Diag *diag = say(check, entry->key_span, "a token has no `%.*s` that IAM reads", claim);
        diag_help(check->rules->session, diag, "write `sub` for the service account, and `aud` for the audience");
    }
}

// A key that names another issuer than the statement trusts.
static void check_key(const TrustCheck *check, const DataEntry *entry) {
    const Str claim = claim_of(entry->key);
    const bool is_global =
        str_starts_with_in_any_case(entry->key, STR("aws:")) || str_starts_with_in_any_case(entry->key, STR("sts:"));
    if (is_global || check->issuer.len == 0) {
        return;
    }
    Session *session = check->rules->session;
    const Str issuer = str_slice(entry->key, 0, entry->key.len - claim.len - 1);
    const bool is_bare = is_claim(entry->key, "sub") || is_claim(entry->key, "aud");
    const bool is_url = str_starts_with(entry->key, STR("https://"));
    const bool are_same = str_equal_in_any_case(issuer, check->issuer);
    if (claim.len == 0 && !is_bare && !is_open(check->issuer) && str_starts_with(entry->key, check->issuer)) {
        Diag *diag = say(check, entry->key_span, "`%.*s` has no `:` and a claim behind the issuer", entry->key);
        diag_help(session, diag, "write `%.*s:sub`", STR_ARG(check->issuer));
    } else if (is_bare || is_url) {
        Diag *diag = say(check, entry->key_span,
                         is_bare ? "`%.*s` does not say whose it is"
                                 : "`%.*s` is an address, and the key of a condition has none",
                         entry->key);
        diag_help(session, diag, "write the provider before it, as its ARN has it: `ISSUER:sub`, without `https://`");
    } else if (claim.len > 0 && are_same) {
        check_claim(check, entry, issuer, claim);
    } else if (claim.len > 0 && !is_open(issuer) && !is_open(check->issuer) && str_has(issuer, ".") &&
               str_has(check->issuer, ".")) {
        Diag *diag = say(check, entry->key_span, "the condition asks for another issuer than `%.*s`", check->issuer);
        diag_help(session, diag, "write `%.*s:%.*s`", STR_ARG(check->issuer), STR_ARG(claim));
        rule_replace_part(check->rules, diag, entry->key_span, issuer, check->issuer);
    }
}

static void check_condition(const TrustCheck *check, const DataEntry *operator) {
    for (uint32_t i = 0; operator->value->kind == DATA_MAP && i<operator->value->count; i++) {
        const DataEntry *entry = &operator->value->entries[i];
        const Str claim = claim_of(entry->key);
        const Data *value = NULL;
        check_key(check, entry);
        for (uint32_t k = 0; (value = data_item(entry->value, k)) != NULL; k++) {
            if (str_has(operator->key, "Not") || check->issuer.len == 0) {
                continue;
            }
            if (is_claim(claim, "sub")) {
                check_subject(check, operator->key, value);
            } else if (is_claim(claim, "aud")) {
                check_audience(check, value);
            }
        }
    }
}

// ---- providers -----------------------------------------------------------------------------------------------------

static const char PROVIDER[] =
    "write `Federated: arn:aws:iam::ACCOUNT:oidc-provider/oidc.eks.REGION.amazonaws.com/id/ID`";

static bool is_china(Str region) {
    return str_starts_with(region, STR("cn-"));
}

// The region of an issuer of EKS; empty of another one.
static Str region_of(Str issuer) {
    const Str start = STR("oidc.eks.");
    return str_starts_with(issuer, start) ? str_slice(issuer, start.len, str_find(issuer, STR("."), start.len))
                                          : STR_NONE;
}

static void check_arn(const TrustCheck *check, const Data *value) {
    Session *session = check->rules->session;
    const Str arn = value->string;
    const Str issuer = check->issuer;
    const Str region = region_of(issuer);
    const Str partition = str_slice(arn, 4, str_find(arn, STR(":"), 4));
    const size_t id = str_find(issuer, STR("/id/"), 0);
    if (str_starts_with(issuer, STR("https://"))) {
        Diag *diag = say(check, value->span, "the ARN of a provider has no `https://`", arn);
        diag_help(session, diag, "leave `https://` out");
        rule_replace_part(check->rules, diag, value->span, STR("oidc-provider/https://"), STR("oidc-provider/"));
    } else if (is_of_eks(issuer) && !is_open(issuer) && id == issuer.len) {
        diag_help(session,
                  say(check, value->span, "an issuer of EKS ends with `/id/` and an id, and `%.*s` does not", issuer),
                  "%s", PROVIDER);
    } else if (region.len > 0 && !is_open(region) && !is_open(partition) &&
               is_china(region) != str_is(partition, "aws-cn")) {
        diag_help(session, say(check, value->span, "the region is in another partition than `%.*s`", partition),
                  is_china(region) ? "write `arn:aws-cn:`" : "write the partition of the region: `arn:aws:`");
    }
}

// False where a principal is written as something that it is not.
static bool check_wrong_kind(const TrustCheck *check, const Data *value, const char *key) {
    const Str text = value->string;
    const bool is_provider = str_has(text, ":oidc-provider/") || str_starts_with(text, STR("oidc.eks.")) ||
                             str_starts_with(text, STR("https://oidc.eks."));
    if (!is_provider || (str_is(str_of(key), "Federated") && str_has(text, ":oidc-provider/"))) {
        return true;
    }
    diag_help(check->rules->session,
              say(check, value->span, "a provider stands behind `Federated`, by its ARN, not as `%.*s`", text), "%s",
              PROVIDER);
    return false;
}

static void check_federated(TrustCheck *check, const Data *value) {
    const Data *condition = data_get(check->statement, "Condition");
    check->issuer = issuer_of(value->string);
    if (check->issuer.len == 0) {
        return;
    }
    check_arn(check, value);
    if (str_starts_with(check->issuer, STR("https://"))) { // said already
        check->issuer = str_slice(check->issuer, STR("https://").len, check->issuer.len);
    }
    if (!lets(check->statement, "sts:AssumeRoleWithWebIdentity")) {
        Diag *diag = say(check, actions_of(check->statement),
                         "tokens of `%.*s` are taken by `sts:AssumeRoleWithWebIdentity` alone", check->issuer);
        diag_help(check->rules->session, diag, "write `sts:AssumeRoleWithWebIdentity`");
        rule_replace(check->rules, diag, actions_of(check->statement), STR("sts:AssumeRole"),
                     STR("sts:AssumeRoleWithWebIdentity"));
    }
    for (uint32_t i = 0; condition != NULL && condition->kind == DATA_MAP && i < condition->count; i++) {
        check_condition(check, &condition->entries[i]);
    }
}

// ---- services ------------------------------------------------------------------------------------------------------

// Whether another statement lets the service do it.
static bool is_let_otherwise(const PlanPolicy *policy, const char *service, const char *wanted) {
    const Data *statement = NULL;
    for (uint32_t i = 0; i < STATEMENTS_MAX; i++) {
        statement = data_item(data_get(policy->document, "Statement"), i);
        const Data *principal = statement == NULL ? NULL : data_get(statement, "Principal");
        if (statement == NULL) {
            return false;
        }
        if (lets(statement, wanted) && (principal == NULL || data_has_text(principal, service))) {
            return true;
        }
    }
    return true;
}

static void check_service(const TrustCheck *check, const Data *value) {
    static const char PODS[] = "pods.eks.amazonaws.com";
    Session *session = check->rules->session;
    const bool is_pods = str_is(value->string, PODS);
    if (role_has_users(check->policy->template, check->policy->named)) {
        return; // and another rule asks for them
    }
    if (!lets(check->statement, "sts:AssumeRole") && lets(check->statement, "sts:AssumeRoleWithWebIdentity")) {
        Diag *diag = say(check, actions_of(check->statement), "`%.*s` takes roles by `sts:AssumeRole`", value->string);
        diag_help(session, diag, "write `sts:AssumeRole`");
    } else if (is_pods && !is_let_otherwise(check->policy, PODS, "sts:TagSession")) {
        Diag *diag = say(check, actions_of(check->statement), "`%.*s` tags the session, and may not", value->string);
        diag_help(session, diag, "write `[\"sts:AssumeRole\", \"sts:TagSession\"]`");
        rule_insert_item(check->rules, diag, actions_of(check->statement), STR("sts:TagSession"));
    }
}

// ---- statements ----------------------------------------------------------------------------------------------------

static void check_statement(const Rules *rules, const PlanPolicy *policy, const Data *statement) {
    static const char *const KEYS[] = { "Federated", "Service", "AWS" };
    TrustCheck check = { .rules = rules, .policy = policy, .statement = statement };
    const Data *principal = data_get(statement, "Principal");
    const Data *value = NULL;
    for (size_t k = 0; k < COUNT_OF(KEYS) && principal != NULL && principal->kind == DATA_MAP; k++) {
        for (uint32_t i = 0; (value = data_item(data_get(principal, KEYS[k]), i)) != NULL; i++) {
            if (!is_text(value)) {
                continue;
            }
            if (!check_wrong_kind(&check, value, KEYS[k])) {
                continue;
            }
            if (k == 0 && data_item(data_get(principal, KEYS[k]), 1) == NULL) {
                check_federated(&check, value);
            } else if (k == 1) {
                check_service(&check, value);
            }
        }
    }
}

void rule_policy_trust(const Rules *rules, const PlanPolicy *policy) {
    const Data *statement = NULL;
    for (uint32_t i = 0; (statement = data_item(data_get(policy->document, "Statement"), i)) != NULL; i++) {
        const bool is_allowed = statement->kind == DATA_MAP && str_is(data_text(statement, "Effect"), "Allow");
        if (policy->kind == POLICY_OF_TRUST && is_allowed) {
            check_statement(rules, policy, statement);
        }
    }
}
