// A rule about services that a policy names as principals: IAM refuses a policy that names one which is none.
// source: IAM User Guide, AWS JSON policy elements: Principal, AWS service principals; IAM API Reference,
// MalformedPolicyDocument, "Invalid principal in policy", read 2026-11
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/role.h"

static const char NAMES[] =
#define SERVICE_PRINCIPALS(names) names
#include "schema/service_principals.def"
    ;

static const char OWN_DOMAIN[] = "amazonaws.com";

static bool is_known(Str name) {
    return words_have(str_of(NAMES), name);
}

static void offer_names(Suggestion *suggestion) {
    size_t offset = 0;
    Str name;
    while (words_next(str_of(NAMES), &offset, &name)) {
        suggest_offer(suggestion, name);
    }
}

// The service that is meant by a name that is none: it is in the list as it stands, or surely near to one there.
static Str meant(Session *session, Str name) {
    Suggestion suggestion = suggest_for(session, name);
    offer_names(&suggestion);
    return is_known(name) ? name : suggest_is_sure(&suggestion) ? suggestion.best : STR_NONE;
}

// Whether the domain is one in which services are, or may be in a partition of its own.
static bool is_domain(Str domain) {
    static const char *const ENDS[] = { "amazonaws.com.cn", "amazonaws.eu", "aws.internal", "ic.gov",
                                        "sgov.gov",         "adc-e.uk",     "api.aws" };
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        if (str_ends_with(domain, str_of(ENDS[i]))) {
            return true;
        }
    }
    return false;
}

// What the principal has to be; empty where nothing is surely wrong with it. `ec2.us-east-1.amazonaws.com` is of a region.
static Str corrected(Session *session, Str principal) {
    const Str whole = str_of(OWN_DOMAIN);
    const Str own = str_format(session->arena, ".%s", OWN_DOMAIN);
    if (str_ends_with(principal, own)) {
        const Str name = str_slice(principal, 0, principal.len - own.len);
        const Str better = is_known(name) ? STR_NONE : meant(session, name);
        return better.len == 0 || str_has(name, ".") != str_has(better, ".")
                   ? STR_NONE
                   : str_format(session->arena, "%.*s.%s", STR_ARG(better), OWN_DOMAIN);
    }
    const size_t dot = str_find(principal, STR("."), 0);
    const Str name = meant(session, str_slice(principal, 0, dot));
    const Str domain = str_slice(principal, dot + 1, principal.len);
    if (name.len == 0 || is_domain(domain)) {
        return STR_NONE;
    }
    Suggestion suggestion = suggest_for(session, domain);
    suggest_offer(&suggestion, whole);
    const bool is_near = suggestion.best.len > 0 || domain.len == 0 || str_is(domain, "amazon.com") ||
                         str_is(domain, "aws.com") || str_is(domain, "aws.amazon.com") || str_is(domain, "amazonaws");
    return is_near ? str_format(session->arena, "%.*s.%s", STR_ARG(name), OWN_DOMAIN) : STR_NONE;
}

static void check_service(const Rules *rules, const PlanPolicy *policy, const Data *value) {
    const Str text = value->string;
    const bool is_written = value->kind == DATA_STRING && value->tag.len == 0 && text.len > 0 && !str_has(text, "$") &&
                            !str_has(text, "{") && !str_has(text, "<") && !str_has(text, "*");
    const Str better = is_written ? corrected(rules->session, text) : STR_NONE;
    if (better.len > 0) {
        Diag *diag = plan_report(rules->session, policy->subject, value->span, DIAG(principal_unknown), STR_ARG(text));
        diag_help(rules->session, diag, "write `%.*s`", STR_ARG(better));
        rule_replace(rules, diag, value->span, text, better);
    }
}

// `iam:PassedToService` names the services that a role may be handed to.
static void check_passed(const Rules *rules, const PlanPolicy *policy, const Data *condition) {
    for (uint32_t i = 0; condition != NULL && condition->kind == DATA_MAP && i < condition->count; i++) {
        const Data *keys = condition->entries[i].value;
        for (uint32_t k = 0; keys->kind == DATA_MAP && k < keys->count; k++) {
            const Data *value = NULL;
            const bool is_one = str_is_in_any_case(keys->entries[k].key, "iam:PassedToService");
            for (uint32_t n = 0; is_one && (value = data_item(keys->entries[k].value, n)) != NULL; n++) {
                check_service(rules, policy, value);
            }
        }
    }
}

// ---- words of another kind -------------------------------------------------------------------------------------------

// The text of a value, or that of Fn::Sub. Both begin and end as they are written.
static Str text_of(const Data *value) {
    const Data *sub = data_get(value, "Fn::Sub");
    const Data *text = sub == NULL ? value : sub;
    return text->kind == DATA_STRING && !str_is(text->tag, "!Ref") && !str_is(text->tag, "!ImportValue") &&
                   !str_is(text->tag, "!GetAtt")
               ? text->string
               : STR_NONE;
}

static bool is_account(Str text) {
    bool is = text.len == 12;
    for (size_t i = 0; is && i < text.len; i++) {
        is = char_is_digit(text.data[i]);
    }
    return is || str_starts_with(text, STR("arn:"));
}

static bool is_service(Str text) {
    return (str_ends_with(text, STR(".amazonaws.com")) || str_ends_with(text, STR(".amazonaws.com.cn"))) &&
           !str_has(text, "/") && !str_has(text, ":") && !str_starts_with(text, STR("$"));
}

static bool is_of_no_provider(Str text) {
    static const char *const OTHERS[] = { ":role/", ":user/", ":group/", ":policy/", ":instance-profile/", ":root" };
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        is = is || (str_starts_with(text, STR("arn:")) && str_has(text, OTHERS[i]));
    }
    return is;
}

// What a key of `Principal` does not take, and what the statement has to say in its place.
static const struct {
    const char *key;
    bool (*is_wrong)(Str text);
    const char *fault;
    const char *help;
} KINDS[] = {
    { "AWS", is_service, "`%.*s` is a service, and stands below `AWS`", "write it below `Service`" },
    { "Service", is_account, "`%.*s` is no service, and stands below `Service`", "write it below `AWS`" },
    { "Federated", is_of_no_provider, "`%.*s` is no identity provider, and stands below `Federated`",
      "write the ARN of a provider, such as "
      "`arn:aws:iam::100000000001:oidc-provider/token.actions.githubusercontent.com`" },
};

// `is_asked`: another rule says that the role does not trust the service of its users.
static void check_kinds(const Rules *rules, const PlanPolicy *policy, const Data *principal, bool is_asked) {
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        const Data *values = data_get(principal, KINDS[i].key);
        const Data *value = NULL;
        for (uint32_t k = 0; (value = data_item(values, k)) != NULL && !(is_asked && KINDS[i].is_wrong == is_account);
             k++) {
            const Str text = text_of(value);
            if (!KINDS[i].is_wrong(text)) {
                continue;
            }
            const Str fault = str_format(rules->session->arena, KINDS[i].fault, STR_ARG(text));
            Diag *diag = plan_report(rules->session, policy->subject, value->span, DIAG(statement_refused),
                                     str_c(rules->session->arena, fault));
            diag_help(rules->session, diag, "%s", KINDS[i].help);
        }
    }
}

void rule_policy_principals(const Rules *rules, const PlanPolicy *policy) {
    const Data *statement = NULL;
    const bool is_asked = role_has_users(policy->template, policy->named); // and another rule asks who they are
    for (uint32_t i = 0; (statement = data_item(data_get(policy->document, "Statement"), i)) != NULL; i++) {
        const Data *principal = data_get(statement, "Principal");
        const bool is_map = principal != NULL && principal->kind == DATA_MAP;
        const Data *services = is_map && !is_asked ? data_get(principal, "Service") : NULL;
        const Data *value = NULL;
        for (uint32_t k = 0; (value = data_item(services, k)) != NULL; k++) {
            check_service(rules, policy, value);
        }
        if (is_map) {
            check_kinds(rules, policy, principal, is_asked);
        }
        if (!is_asked) {
            check_passed(rules, policy, data_get(statement, "Condition"));
        }
    }
}
