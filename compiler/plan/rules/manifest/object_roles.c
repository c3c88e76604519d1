// Rules about roles of Kubernetes and who has them: a rule of a role names resources of the groups that it names, and a
// binding names whom the API server takes.
// Source: kubernetes/kubernetes pkg/apis/rbac/validation/validation.go, validateRoleBindingSubject and
// ValidateClusterRoleBinding, read 2026-11-26.
#include "compiler/plan/rules/rules.h"
#include "compiler/plan/rules/rule_remove.h"

#include "compiler/base/words.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

// ---- what a role gives ---------------------------------------------------------------------------------------------

static const struct {
    const char *group;
    const char *resources;
} GROUPS[] = {
#define OBJECT_RESOURCES(...) { __VA_ARGS__ },
#include "schema/object_resources.def"
#undef OBJECT_RESOURCES
};

enum { RULES_MAX = 500 };

// The group that has a resource, or a part of it as in `pods/log`; NULL where the rows do not say.
static const char *group_of(Str resource) {
    const Str name = str_slice(resource, 0, str_find(resource, STR("/"), 0));
    for (size_t i = 0; i < COUNT_OF(GROUPS); i++) {
        if (words_have(str_of(GROUPS[i].resources), name)) {
            return GROUPS[i].group;
        }
    }
    return NULL;
}

static bool has(const Value *list, Str text) {
    bool is = list != NULL && list->kind != VALUE_LIST;
    for (uint32_t i = 0; i < object_count(list) && !is; i++) {
        const Value *item = list->list.items[i];
        is = item->kind != VALUE_STRING || str_equal(item->string, text) || str_is(item->string, "*");
    }
    return is;
}

// Whether all groups of a rule are among the rows. Others may have resources of the same names.
static bool is_known(const Value *groups) {
    bool is = object_count(groups) > 0;
    for (uint32_t i = 0; i < object_count(groups) && is; i++) {
        bool is_row = false;
        for (size_t k = 0; k < COUNT_OF(GROUPS) && groups->list.items[i]->kind == VALUE_STRING; k++) {
            is_row = is_row || str_is(groups->list.items[i]->string, GROUPS[k].group);
        }
        is = is_row;
    }
    return is;
}

// What one rule gives in vain another rule of the role may give.
static bool is_given(const Value *rules, const char *group, Str resource) {
    for (uint32_t i = 0; i < object_count(rules); i++) {
        const Value *rule = rules->list.items[i];
        if (has(object_get(rule, "apiGroups"), str_of(group)) && has(object_get(rule, "resources"), resource)) {
            return true;
        }
    }
    return false;
}

static void check_rule(const Rules *rules, const PlanObject *object, const Value *all, const Value *rule) {
    Session *session = rules->session;
    const Value *groups = object_get(rule, "apiGroups");
    const Value *resources = object_get(rule, "resources");
    for (uint32_t i = 0; is_known(groups) && i < object_count(resources); i++) {
        const Value *resource = resources->list.items[i];
        const char *group = group_of(object_text(resource));
        if (group == NULL || is_given(all, group, resource->string)) {
            continue;
        }
        Diag *diag = plan_report(session, object->subject, resource->span, DIAG(role_of_nothing),
                                 STR_ARG(resource->string), group[0] == '\0' ? "\"\"" : group);
        diag_label(session, diag, groups->span, "the groups of this rule");
        diag_help(session, diag,
                  "where nothing needs it, leave it out; else write a rule of its own with `apiGroups: [\"%s\"]`",
                  group);
        return;
    }
}

static void check_role(const Rules *rules, const PlanObject *object) {
    const Value *all = object_get(object->fields, "rules");
    for (uint32_t i = 0; object_count(all) < RULES_MAX && i < object_count(all); i++) {
        check_rule(rules, object, all, all->list.items[i]);
    }
}

// ---- who has it ----------------------------------------------------------------------------------------------------

static Diag *refuse(const Rules *rules, const PlanObject *object, Span span, const char *why) {
    return plan_report(rules->session, object->subject, span, DIAG(object_refused),
                       STR_ARG(str_after_last(object->resource->type, '/')), why);
}

// Kustomize may fill in the namespaces of a file that has none at all.
static bool has_namespaces(const Rules *rules) {
    for (uint32_t i = 0; i < rules->plan->objects.count; i++) {
        if (object_get(object_get(rules->plan->objects.items[i]->fields, "metadata"), "namespace") != NULL) {
            return true;
        }
    }
    return false;
}

static void check_subject(const Rules *rules, const PlanObject *object, const Value *subject, bool is_of_all) {
    const Value *name = object_get(subject, "name");
    const Value *group = object_get(subject, "apiGroup");
    if (!str_is(object_text(object_get(subject, "kind")), "ServiceAccount")) {
        return;
    }
    if (object_text(group).len > 0) {
        Diag *diag = refuse(rules, object, group->span, "a service account is of no API group");
        diag_help(rules->session, diag, "leave `apiGroup` out");
        rule_remove(rules, diag, group->span, false);
    } else if (is_of_all && name != NULL && object_get(subject, "namespace") == NULL && has_namespaces(rules)) {
        Diag *diag = refuse(rules, object, name->span, "the service account has no `namespace`");
        diag_help(rules->session, diag, "write `namespace` beside its name");
    }
}

// The binding of a namespace takes service accounts of its own where none is written.
static void check_binding(const Rules *rules, const PlanObject *object, bool is_of_all) {
    const Value *subjects = object_get(object->fields, "subjects");
    const Value *kind = object_get(object_get(object->fields, "roleRef"), "kind");
    if (is_of_all && str_is(object_text(kind), "Role")) {
        Diag *diag = refuse(rules, object, kind->span, "a Role is of one namespace");
        diag_help(rules->session, diag, "name a ClusterRole, or write a RoleBinding");
    }
    for (uint32_t i = 0; i < object_count(subjects); i++) {
        check_subject(rules, object, subjects->list.items[i], is_of_all);
    }
}

void rule_object_roles(const Rules *rules, const PlanObject *object) {
    const Str api = STR("rbac.authorization.k8s.io/");
    const Str kind = str_after_last(object->resource->type, '/');
    if (object->is_changed || !str_starts_with(object->resource->type, api)) {
        return;
    }
    if (str_is(kind, "Role") || str_is(kind, "ClusterRole")) {
        check_role(rules, object);
    } else if (str_is(kind, "RoleBinding") || str_is(kind, "ClusterRoleBinding")) {
        check_binding(rules, object, str_is(kind, "ClusterRoleBinding"));
    }
}
