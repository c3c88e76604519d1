// Rules about clusters of SageMaker HyperPod: what their instance groups are to each other.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

static void check_names(const Rules *rules, const PlanResource *resource, const char *list, StrMap *seen) {
    const Value *groups = resource_property(resource->resource, list);
    for (uint32_t i = 0; i < object_count(groups); i++) {
        const Value *name = object_get(groups->list.items[i], "InstanceGroupName");
        const Value *before = object_text(name).len == 0 ? NULL : str_map_add(seen, name->string, name);
        if (before == NULL || span_equal(before->span, name->span)) {
            continue;
        }
        Diag *diag = plan_report(rules->session, resource->subject, name->span, DIAG(configuration_twice),
                                 STR_ARG(name->string));
        diag_label(rules->session, diag, before->span, "the first one");
        diag_help(rules->session, diag, "give one of the two groups another name");
    }
}

void rule_hyperpod_names(const Rules *rules, const PlanResource *resource) {
    StrMap seen = { .arena = rules->session->arena };
    if (str_is(resource->resource->type, "AWS::SageMaker::Cluster")) {
        check_names(rules, resource, "InstanceGroups", &seen);
        check_names(rules, resource, "RestrictedInstanceGroups", &seen);
    }
}
