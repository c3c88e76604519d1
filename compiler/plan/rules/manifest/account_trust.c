// A rule about files that were given together: a ServiceAccount names a role that lets this account take it. The words by
// which an account shows itself are its namespace and its name; a role that asks for others is not taken, and the pods of the
// account get AccessDenied.
// source: Amazon EKS User Guide, Assign IAM roles to Kubernetes service accounts; eksctl, IAM Roles for Service Accounts;
// read 2026-11
#include "compiler/plan/rules/manifest/account_trust.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/cluster_config.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/placeholder.h"

static const char ROLE_KEY[] = "eks.amazonaws.com/role-arn";

// ---- what roles trust ----------------------------------------------------------------------------------------------

// Whether somebody fills in a part of the text, or it stands for several.
static bool is_open(Str text) {
    return text.len == 0 || placeholder_is_open(text) || str_has(text, "*") || str_has(text, "?");
}

static Str account_of(Arena *arena, Str place, Str name) {
    return str_format(arena, "%.*s:%.*s", STR_ARG(place), STR_ARG(name));
}

// Of a role without a known name each account counts, whose role it may be.
static void add_account(MadeObjects *made, Str role, Str account) {
    together_add(made, MADE_TRUST, role, account);
    together_add(made, MADE_TRUST, STR_NONE, account);
}

// What a statement asks of the subject; false where that is nothing, or no account alone.
static bool add_subjects(MadeObjects *made, Str role, const Data *condition) {
    const Str start = STR("system:serviceaccount:");
    bool are_known = false;
    for (uint32_t i = 0; condition != NULL && condition->kind == DATA_MAP && i < condition->count; i++) {
        const Data *keys = condition->entries[i].value;
        for (uint32_t k = 0; keys->kind == DATA_MAP && k < keys->count; k++) {
            const Data *value = NULL;
            if (!str_ends_with(keys->entries[k].key, STR(":sub"))) {
                continue;
            }
            are_known = str_starts_with(condition->entries[i].key, STR("String"));
            for (uint32_t n = 0; (value = data_item(keys->entries[k].value, n)) != NULL && are_known; n++) {
                const bool is_text = value->kind == DATA_STRING && value->tag.len == 0;
                are_known = is_text && !is_open(value->string) && str_starts_with(value->string, start);
                if (are_known) {
                    add_account(made, role, str_slice(value->string, start.len, value->string.len));
                }
            }
        }
    }
    return are_known;
}

static Str name_of_role(const PlanPolicy *policy) {
    const Data *name = policy->named == NULL ? NULL : data_get(policy->holder, "RoleName");
    const bool is_known = name != NULL && name->kind == DATA_STRING && name->tag.len == 0 && !is_open(name->string);
    return is_known ? name->string : STR_NONE;
}

static void add_policy(MadeObjects *made, const PlanPolicy *policy) {
    const Str role = name_of_role(policy);
    const Data *statement = NULL;
    for (uint32_t i = 0; (statement = data_item(data_get(policy->document, "Statement"), i)) != NULL; i++) {
        const Data *principal = statement->kind == DATA_MAP ? data_get(statement, "Principal") : NULL;
        const bool is_federated =
            principal != NULL && principal->kind == DATA_MAP && data_get(principal, "Federated") != NULL;
        if (is_federated && !add_subjects(made, role, data_get(statement, "Condition"))) {
            together_add(made, MADE_TRUST_OPEN, STR_NONE, role.len > 0 ? role : STR("*"));
        }
    }
}

// eksctl makes an account with its role, which trusts this account alone.
static void add_config(MadeObjects *made, const PlanClusterConfig *config) {
    const Value *accounts = object_get(object_get(config->file.document, "iam"), "serviceAccounts");
    for (uint32_t i = 0; i < object_count(accounts); i++) {
        const Value *account = accounts->list.items[i];
        const Value *metadata = object_get(account, "metadata");
        const Str name = object_text(object_get(metadata, "name"));
        const Value *place = object_get(metadata, "namespace");
        const Str role = object_text(object_get(account, "roleName"));
        if (name.len > 0 && role.len > 0 && !is_open(role)) {
            add_account(made, role, account_of(made->arena, place == NULL ? STR("default") : object_text(place), name));
        }
    }
}

void trusts_add_made(MadeObjects *made, const Plan *plan) {
    for (uint32_t i = 0; plan->file != NULL && i < plan->file->policies.count; i++) {
        if (plan->file->policies.items[i]->kind == POLICY_OF_TRUST) {
            add_policy(made, plan->file->policies.items[i]);
        }
    }
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        for (uint32_t k = 0; k < plan->raw.items[i]->cluster_configs.count; k++) {
            add_config(made, plan->raw.items[i]->cluster_configs.items[k]);
        }
    }
}

// ---- accounts ------------------------------------------------------------------------------------------------------

typedef struct {
    Session *session;
    const FilesTogether *together;
    const PlanObject *object;
    const Value *place; // its namespace, as it is written
    const Value *name;
    const Value *role;
} AccountCheck;

static const MadeObject *find(const AccountCheck *check, int kind, Str place, Str name) {
    return together_find(check->session->arena, check->together, kind, place, name);
}

// The end of an ARN, with the path of the role before it.
static Str role_in(Str arn) {
    return str_has(arn, ":role/") && !is_open(arn) ? str_after_last(arn, '/') : STR_NONE;
}

static void report_account(const AccountCheck *check, Str trusted) {
    const size_t colon = str_find(trusted, STR(":"), 0);
    const bool is_place = !str_equal(str_slice(trusted, 0, colon), check->place->string);
    const Value *wrong = is_place ? check->place : check->name;
    const Str why = str_format(check->session->arena, "the role trusts `system:serviceaccount:%.*s`", STR_ARG(trusted));
    Diag *diag = plan_report(check->session, check->object->subject, wrong->span, DIAG(account_role),
                             str_c(check->session->arena, why));
    diag_label(check->session, diag, check->role->span, "the role");
    diag_help(check->session, diag, "write `system:serviceaccount:%.*s:%.*s` into its trust policy, or `%.*s` here",
              STR_ARG(check->place->string), STR_ARG(check->name->string),
              STR_ARG(is_place ? str_slice(trusted, 0, colon) : str_slice(trusted, colon + 1, trusted.len)));
}

// Of a role whose name no file says: a trusted account of this name in another namespace, or of nearly this name, which no
// file makes.
static Str nearest(const AccountCheck *check, Str account) {
    enum { COMPARED_MAX = 500 };
    Str found = STR_NONE;
    uint32_t compared = 0;
    for (uint32_t i = 0; i < check->together->made.count; i++) {
        const MadeObjects *made = check->together->made.items[i];
        for (uint32_t k = 0; k < made->items.count; k++) {
            const MadeObject *item = made->items.items[k];
            if (item->kind != MADE_TRUST || item->place.len > 0 ||
                find(check, MADE_ACCOUNT, STR_NONE, item->name) != NULL || compared++ > COMPARED_MAX) {
                continue;
            }
            const bool is_same_name = str_equal(str_after_last(item->name, ':'), str_after_last(account, ':'));
            Suggestion suggestion = suggest_for(check->session, account);
            suggest_offer(&suggestion, item->name);
            if (!is_same_name && !suggest_is_sure(&suggestion)) {
                continue;
            }
            if (found.len > 0 && !str_equal(found, item->name)) {
                return STR_NONE;
            }
            found = item->name;
        }
    }
    return found;
}

void together_check_account(Session *session, const PlanObject *object, const FilesTogether *together) {
    const Value *metadata = object_get(object->fields, "metadata");
    const AccountCheck check = { .session = session,
                                 .together = together,
                                 .object = object,
                                 .place = object_get(metadata, "namespace"),
                                 .name = object_get(metadata, "name"),
                                 .role = object_get(object_get(metadata, "annotations"), ROLE_KEY) };
    const Str place = object_text(check.place);
    const Str name = object_text(check.name);
    const Str role = role_in(object_text(check.role));
    if (!str_is(object->resource->type, "v1/ServiceAccount") || role.len == 0 || is_open(place) || is_open(name)) {
        return;
    }
    const Str account = account_of(session->arena, place, name);
    const MadeObject *trusted = find(&check, MADE_TRUST, role, STR_NONE);
    if (find(&check, MADE_TRUST, STR_NONE, account) != NULL || find(&check, MADE_TRUST_OPEN, STR_NONE, role) != NULL) {
        return;
    }
    if (trusted != NULL) {
        report_account(&check, trusted->name);
    } else if (find(&check, MADE_TRUST_OPEN, STR_NONE, STR("*")) == NULL) {
        const Str near = nearest(&check, account);
        if (near.len > 0) {
            report_account(&check, near);
        }
    }
}
