// Uses of names of a template: references of one resource to another.
#include "compiler/plan/rules/template_use.h"

// CloudFormation takes 500 resources. Where a file has far more, rules would take long, and stay silent.
enum { USES_MAX = 5000 };

bool template_is_readable(const PlanTemplate *template) {
    return !template->is_open && template->uses.count <= USES_MAX && template->named.count <= USES_MAX;
}

bool use_is_reference(const PlanUse *use, const char *type, const char *key) {
    return use->kind == USE_REF && !use->is_sub && use->to != NULL && use->from != NULL &&
           use->to->kind == NAMED_RESOURCE && str_is(use->from->type, type) && str_is(use->key, key);
}

bool use_of_empty_default(const PlanTemplate *template, Span span) {
    for (uint32_t i = 0; template != NULL && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (span_holds(span, use->span) && use->kind == USE_REF && use->to != NULL &&
            use->to->kind == NAMED_PARAMETER) {
            const Data *initial = data_get(use->to->data, "Default");
            if (initial != NULL && initial->kind == DATA_STRING && initial->string.len == 0) {
                return true;
            }
        }
    }
    return false;
}

const Data *use_default_at(const PlanTemplate *template, Span place) {
    for (uint32_t i = 0; template != NULL && i < template->uses.count && i < USES_MAX; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->kind == USE_REF && use->to != NULL && use->to->kind == NAMED_PARAMETER &&
            (span_equal(use->span, place) || span_holds(place, use->span))) {
            return data_get(use->to->data, "Default");
        }
    }
    return NULL;
}

bool use_is_written(const PlanUse *use, const PlanNamed *from, const char *key) {
    return use->from == from && use->kind == USE_REF && use->is_whole && str_is(use->key, key);
}

bool template_attaches_by_name(const PlanTemplate *template, const PlanNamed *role) {
    const bool has_name = data_get(data_get(role->data, "Properties"), "RoleName") != NULL;
    for (uint32_t i = 0; has_name && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const bool is_of_one = str_is(named->type, "AWS::IAM::RolePolicy");
        const bool is_policy =
            is_of_one || str_is(named->type, "AWS::IAM::Policy") || str_is(named->type, "AWS::IAM::ManagedPolicy");
        const Data *properties = data_get(named->data, "Properties");
        const Data *roles = is_policy ? data_get(properties, is_of_one ? "RoleName" : "Roles") : NULL;
        const Data *item = NULL;
        for (uint32_t k = 0; (item = data_item(roles, k)) != NULL; k++) {
            const Data *ref = data_get(item, "Ref");
            const Data *text = ref != NULL ? ref : item;
            const bool is_ref = text->kind == DATA_STRING && (ref != NULL || str_is(item->tag, "!Ref"));
            if (!is_ref || plan_named(template, NAMED_RESOURCE, text->string) == NULL) {
                return true;
            }
        }
    }
    return false;
}

bool use_is_no_choice(const PlanUse *use) {
    return use->guard == NULL || use->guard->choice == NULL;
}

bool guard_is_same(const PlanGuard *left, const PlanGuard *right) {
    return left == right ||
           (left != NULL && right != NULL && left->condition != NULL && left->condition == right->condition &&
            left->holds == right->holds && guard_is_same(left->outer, right->outer));
}

bool template_is_same_text(const Data *left, const Data *right) {
    if (left->kind != right->kind || left->count != right->count || !str_equal(left->tag, right->tag) ||
        !str_equal(left->string, right->string)) {
        return false;
    }
    for (uint32_t i = 0; i < left->count; i++) {
        const bool is_map = left->kind == DATA_MAP;
        if ((is_map && !str_equal(left->entries[i].key, right->entries[i].key)) ||
            !template_is_same_text(is_map ? left->entries[i].value : left->items[i],
                                   is_map ? right->entries[i].value : right->items[i])) {
            return false;
        }
    }
    return true;
}

const PlanNamed *template_referred(const PlanTemplate *template, const Data *value) {
    const Data *ref = value == NULL || value->kind != DATA_MAP ? NULL : data_get(value, "Ref");
    const Data *name = ref != NULL ? ref : value;
    const bool is_ref = name != NULL && name->kind == DATA_STRING && (ref != NULL || str_is(name->tag, "!Ref"));
    return is_ref ? plan_named(template, NAMED_RESOURCE, name->string) : NULL;
}
