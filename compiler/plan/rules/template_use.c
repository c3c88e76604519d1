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
