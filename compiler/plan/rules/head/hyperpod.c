// Rules about clusters of SageMaker HyperPod: what their instance groups are to each other.
#include "compiler/plan/rules/rule_combination.h"
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

// HyperPod gives itself access by entries of the cluster, which EKS takes where it does not look at the ConfigMap alone. That
// is what CloudFormation makes where nothing is said.
// source: Amazon SageMaker AI Developer Guide, Prerequisites for using Amazon EKS to orchestrate HyperPod; EKS API Reference,
// CreateAccessConfigRequest, 2026-11, read 2026-11
void rule_template_hyperpod_access(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && !template->is_open && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_eks = use->kind == USE_ATTRIBUTE && use->from != NULL && use->to != NULL &&
                            str_is(use->from->type, "AWS::SageMaker::Cluster") && str_is(use->key, "ClusterArn") &&
                            str_is(use->to->type, "AWS::EKS::Cluster");
        const Data *properties = is_eks ? data_get(use->to->data, "Properties") : NULL;
        if (properties == NULL || properties->kind != DATA_MAP || data_get(properties, "Fn::If") != NULL) {
            continue;
        }
        const Data *access = data_get(properties, "AccessConfig");
        const Data *mode = data_get(access, "AuthenticationMode");
        const bool is_map = mode != NULL && mode->kind == DATA_STRING && str_is(mode->string, "CONFIG_MAP");
        const bool is_silent = access == NULL || (access->kind == DATA_MAP && mode == NULL && access->count > 0 &&
                                                  !str_starts_with(access->entries[0].key, STR("Fn::")) &&
                                                  !str_is(access->entries[0].key, "Ref"));
        if (is_map || is_silent) {
            Diag *diag = rule_combination(
                rules, is_map ? use->to->subject : use->subject, is_map ? mode->span : use->span, "SageMaker HyperPod",
                is_map ? STR("`AuthenticationMode: CONFIG_MAP`") : STR("cluster of EKS without `AuthenticationMode`"),
                is_map ? STR(" of its cluster of EKS") : STR(", which is `CONFIG_MAP` then"), NULL);
            diag_label(rules->session, diag, is_map ? use->span : use->to->span, "%s",
                       is_map ? "HyperPod stands on it" : "the cluster of EKS");
            diag_help(rules->session, diag,
                      "write `AccessConfig: {AuthenticationMode: API_AND_CONFIG_MAP}` into `%.*s`",
                      STR_ARG(use->to->name));
        }
    }
}
