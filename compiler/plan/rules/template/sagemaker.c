// A rule about resources of SageMaker, which has names of its own for instance types.
#include "compiler/plan/rules/rule_field.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/template_use.h"
#include "schema/instances.h"

static void check_type(const Rules *rules, const PlanResource *resource, const Value *type) {
    if (type->kind != VALUE_STRING || schema_instance(rules->session, type->string) == NULL) {
        return;
    }
    const Data *initial = use_default_at(rules->plan->names, type->span);
    const Span place = initial == NULL ? type->span : initial->span;
    Diag *diag = plan_report(rules->session, resource->subject, place, DIAG(type_of_ec2), STR_ARG(type->string));
    if (initial != NULL) {
        diag_label(rules->session, diag, type->span, "SageMaker takes it here");
    }
    rule_write_at(rules, diag, place, type->string,
                  str_format(rules->session->arena, "ml.%.*s", STR_ARG(type->string)));
}

// `InstanceType` and `InstanceTypes`, at any depth.
static void check_types(const Rules *rules, const PlanResource *resource, Str key, const Value *value) {
    if (str_is(key, "InstanceType") || str_is(key, "InstanceTypes")) {
        check_type(rules, resource, value);
    }
    const bool is_map = value->kind == VALUE_MAP;
    const uint32_t count = is_map ? value->map.count : value->kind == VALUE_LIST ? value->list.count : 0;
    for (uint32_t i = 0; i < count; i++) {
        check_types(rules, resource, is_map ? value->map.entries[i].key : key,
                    is_map ? value->map.entries[i].value : value->list.items[i]);
    }
}

void rule_sagemaker_types(const Rules *rules, const PlanResource *resource) {
    const bool is_asked = str_starts_with(resource->resource->type, STR("AWS::SageMaker::"));
    for (uint32_t i = 0; is_asked && i < resource->resource->property_count; i++) {
        const ValueEntry *entry = &resource->resource->properties[i];
        check_types(rules, resource, entry->key, entry->value);
    }
}
