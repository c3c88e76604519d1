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

// Where each group says what Slurm takes it for, one is the controller. A group that says nothing may be told elsewhere.
void rule_hyperpod_controller(const Rules *rules, const PlanResource *resource) {
    const bool is_cluster = str_is(resource->resource->type, "AWS::SageMaker::Cluster");
    const Value *groups = is_cluster ? resource_property(resource->resource, "InstanceGroups") : NULL;
    const Value *first = NULL;
    for (uint32_t i = 0; i < object_count(groups); i++) {
        const Value *kind = object_get(object_get(groups->list.items[i], "SlurmConfig"), "NodeType");
        const Str word = object_text(kind);
        if (!str_is(word, "Compute") && !str_is(word, "Login")) {
            return;
        }
        first = first == NULL ? kind : first;
    }
    if (first != NULL) {
        Diag *diag = plan_report(rules->session, resource->subject, first->span, DIAG(provisioning_refused),
                                 "no instance group is the controller");
        diag_help(rules->session, diag, "add an instance group with `SlurmConfig: {NodeType: Controller}`");
    }
}
