// Rules about a ClusterConfig at which eksctl stops: what one part of the file says is at odds with another part.
// Source: eksctl-io/eksctl@99984adb pkg/apis/eksctl.io/v1alpha5/validation.go, validateNg; pkg/vpc/vpc.go,
// validateVPCCIDR, selectNodeGroupSubnetsFromIDs; 2026-08-21, read 2026-11-26.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/cidr.h"
#include "compiler/base/str_map.h"
#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/model/object_value.h"
#include "schema/limits.h"

// ---- private clusters ----------------------------------------------------------------------------------------------

static void make_private(const Rules *rules, Diag *diag, const PlanEksctlGroup *own) {
    if (own->is_private.state == FIELD_KNOWN) {
        rule_replace(rules, diag, own->is_private.span, STR("false"), STR("true"));
    } else {
        rule_insert_beside(rules, diag, rule_span(&own->name), STR("privateNetworking"), STR("true"));
    }
}

void rule_eksctl_private(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    const Value *document = own == NULL ? NULL : own->config->file.document;
    const Value *enabled = object_get(object_get(document, "privateCluster"), "enabled");
    const bool is_private = enabled != NULL && enabled->kind == VALUE_BOOL && enabled->boolean;
    const bool is_written = is_private && field_is(&own->is_private, "false");
    if (!is_private || (!is_written && own->is_private.state != FIELD_ABSENT)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, group->subject, rule_span(is_written ? &own->is_private : &own->name),
                    DIAG(cluster_config_refused), "a group of a private cluster without `privateNetworking: true`");
    diag_label(rules->session, diag, enabled->span, "the cluster is private");
    diag_help(rules->session, diag, "write `privateNetworking: true` into the group");
    make_private(rules, diag, own);
}

// ---- subnets that a group names ------------------------------------------------------------------------------------

// Whether a map of subnets has one of this name, or with this id. What is not known may be it.
static bool has_subnet(const Value *subnets, Str name) {
    bool has = subnets != NULL && subnets->kind != VALUE_MAP;
    for (uint32_t i = 0; subnets != NULL && subnets->kind == VALUE_MAP && i < subnets->map.count; i++) {
        const ValueEntry *entry = &subnets->map.entries[i];
        has = has || str_equal(entry->key, name) || str_equal(object_text(object_get(entry->value, "id")), name);
    }
    return has;
}

static void offer_subnets(Suggestion *suggestion, const Value *subnets) {
    for (uint32_t i = 0; subnets != NULL && i < subnets->map.count; i++) {
        suggest_offer(suggestion, subnets->map.entries[i].key);
    }
}

// Whether it is no text with a placeholder that somebody fills in.
static bool is_name(Str text) {
    bool is = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        const char c = char_small(text.data[i]);
        is = is && (char_is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '_' || c == '.');
    }
    return is;
}

static void check_subnet(const Rules *rules, const PlanGroup *group, const Value *subnets, const PlanField *field) {
    Session *session = rules->session;
    const Value *private = object_get(subnets, "private");
    const Value *public = object_get(subnets, "public");
    const bool is_private = has_subnet(private, field->text);
    const bool is_public = has_subnet(public, field->text);
    const PlanField *own = &group->eksctl->is_private;
    const bool is_open = own->state == FIELD_ABSENT || field_is(own, "false");
    if (is_private && !is_public && is_open) {
        Diag *diag = plan_report(session, group->subject, rule_span(field), DIAG(cluster_config_refused),
                                 "a private subnet, and the group has no `privateNetworking: true`");
        diag_help(session, diag, "write `privateNetworking: true` into the group");
        make_private(rules, diag, group->eksctl);
    } else if (!is_private && !is_public && !str_starts_with(field->text, STR("subnet-")) && is_name(field->text)) {
        Diag *diag = plan_report(session, group->subject, rule_span(field), DIAG(cluster_config_refused),
                                 "`vpc.subnets` has no subnet of this name");
        Suggestion suggestion = suggest_for(session, field->text);
        offer_subnets(&suggestion, private);
        offer_subnets(&suggestion, public);
        if (!suggest_say(session, diag, &suggestion, rule_span(field))) {
            diag_help(session, diag, "write one of its names, or the id of a subnet");
        }
    }
}

void rule_eksctl_subnets(const Rules *rules, const PlanGroup *group) {
    const PlanEksctlGroup *own = group->eksctl;
    const Value *document = own == NULL ? NULL : own->config->file.document;
    const Value *subnets = object_get(object_get(document, "vpc"), "subnets");
    for (uint32_t i = 0; subnets != NULL && subnets->kind == VALUE_MAP && i < own->subnets.count; i++) {
        if (own->subnets.items[i].state == FIELD_KNOWN) {
            check_subnet(rules, group, subnets, &own->subnets.items[i]);
        }
    }
}

// ---- names -----------------------------------------------------------------------------------------------------------

typedef struct {
    const Rules *rules;
    const PlanClusterConfig *config;
    StrMap seen;
} NamesCheck;

static Diag *refuse_name(const NamesCheck *check, Span span, const char *why) {
    return plan_report(check->rules->session, configuration_subject(&check->config->file, span), span,
                       DIAG(cluster_config_refused), why);
}

static void check_once(NamesCheck *check, const Value *name, Str whole, const char *why) {
    const Value *before = is_name(object_text(name)) ? str_map_add(&check->seen, whole, (void *)name) : NULL;
    if (before != NULL) {
        Diag *diag = refuse_name(check, name->span, why);
        diag_label(check->rules->session, diag, before->span, "the first one");
        diag_help(check->rules->session, diag, "write another name");
    }
}

// source: eksctl-io/eksctl@01985725 pkg/apis/eksctl.io/v1alpha5/validation.go, ValidateClusterConfig, read 2026-11
static void check_accounts(const Rules *rules, const PlanClusterConfig *config) {
    static const char *const WAYS[] = { "wellKnownPolicies", "attachPolicyARNs", "attachPolicy", "attachRoleARN" };
    Arena *arena = rules->session->arena;
    NamesCheck check = { .rules = rules, .config = config, .seen = { .arena = arena } };
    const Value *accounts = object_get(object_get(config->file.document, "iam"), "serviceAccounts");
    for (uint32_t i = 0; i < object_count(accounts); i++) {
        const Value *account = accounts->list.items[i];
        const Value *metadata = object_get(account, "metadata");
        const Value *name = object_get(metadata, "name");
        const Value *place = object_get(metadata, "namespace");
        bool has_policy = account->kind != VALUE_MAP;
        for (size_t k = 0; k < COUNT_OF(WAYS); k++) {
            has_policy = has_policy || object_get(account, WAYS[k]) != NULL;
        }
        if (place == NULL || object_text(place).len > 0) {
            check_once(&check, name,
                       str_format(arena, "%.*s/%.*s", STR_ARG(place == NULL ? STR("default") : object_text(place)),
                                  STR_ARG(object_text(name))),
                       "two service accounts of one namespace have this name");
        }
        if (!has_policy && object_text(name).len > 0) {
            Diag *diag = refuse_name(&check, name->span, "this service account has no policy and no role");
            diag_help(rules->session, diag, "write `attachPolicyARNs`, `wellKnownPolicies` or `attachRoleARN` into it");
        }
    }
}

void rule_cluster_config_names(const Rules *rules, const PlanClusterConfig *config) {
    static const char *const LISTS[] = { "nodeGroups", "managedNodeGroups" };
    NamesCheck check = { .rules = rules, .config = config, .seen = { .arena = rules->session->arena } };
    for (size_t k = 0; k < COUNT_OF(LISTS); k++) {
        const Value *groups = object_get(config->file.document, LISTS[k]);
        for (uint32_t i = 0; i < object_count(groups); i++) {
            const Value *name = object_get(groups->list.items[i], "name");
            check_once(&check, name, object_text(name), "two groups have this name");
        }
    }
    check_accounts(rules, config);
}
