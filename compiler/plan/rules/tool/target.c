// Rules about targets that decide some things by themselves. ParallelCluster and eksctl place network interfaces, and
// eksctl makes placement groups; neither can be told not to. They would ignore what a node group says about these
// things, which is worse than an error.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/region.h"
#include "schema/names.h"
#include "schema/operating_systems.h"

void rule_interfaces_of_eksctl(const Rules *rules, const PlanNodes *nodes) {
    const Subject *subject = nodes->head.subject;
    if (!plan_is_of_eksctl(nodes)) {
        return;
    }
    const Value *layout = subject_value(subject, NODES_EFA_LAYOUT);
    if (layout != NULL && layout->kind == VALUE_WORD && !str_is(layout->string, "auto")) {
        Diag *diag =
            plan_report(rules->session, subject, layout->span, DIAG(layout_of_eksctl), STR_ARG(layout->string));
        diag_help(rules->session, diag, "leave `efa_layout` out, or write `group = managed`");
    }
    const Value *efa = subject_value(subject, NODES_EFA);
    if (efa != NULL && efa->kind == VALUE_INT && efa->integer > 0 && efa->integer < nodes->instance->efa_max) {
        Diag *diag = plan_report(rules->session, subject, efa->span, DIAG(efa_of_eksctl), nodes->instance->name,
                                 nodes->instance->efa_max, nodes->fabric.efa_count);
        diag_help(rules->session, diag, "write `efa = all`, or `group = managed`");
    } else if (nodes->fabric.efa_count > 0 && !plan_is_placed_by_eksctl(nodes->instance)) {
        Diag *diag = plan_report(rules->session, subject, nodes->instance_value->span, DIAG(places_of_eksctl),
                                 nodes->instance->name);
        diag_note(rules->session, diag, "`dtc explain %s` shows its cards", nodes->instance->name);
        diag_help(rules->session, diag,
                  "write `group = managed`, where dtc writes the launch template, or `efa = none`");
    }
}

// A type that eksctl does not know gets an image that does not fit it.
void rule_types_of_eksctl(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->maker == MAKER_STACK || nodes->ami.given != NULL) {
        return;
    }
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        if (!names_have(NAMES_TYPES_UNKNOWN_TO_EKSCTL, nodes->types.items[i].name->string)) {
            return; // eksctl may go by this one
        }
    }
    if (names_have(NAMES_TYPES_UNKNOWN_TO_EKSCTL, str_of(nodes->instance->name))) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, nodes->instance_value->span,
                                 DIAG(type_unknown_to_eksctl), nodes->instance->name);
        diag_help(rules->session, diag, "write `group = stack`, where dtc picks the image");
    }
}

// p6-b300. Of p6e-gb200, which 3.14 brought with a placement of its own (aws/aws-parallelcluster#6930), no source says
// how many interfaces there can be.
void rule_interfaces_of_old_releases(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->fabric.efa_count > 0 && nodes->instance->efa_max != UNKNOWN &&
        nodes->instance->efa_max < nodes->instance->network_cards) {
        plan_report_once(rules->session, nodes->head.subject, nodes->instance_value->span, DIAG(places_of_new_release),
                         nodes->instance->name);
    }
}

static void report_new_group(const Rules *rules, const PlanNodes *nodes, const Value *reason, const char *help) {
    Span span = reason == NULL ? nodes->head.subject->name_span : reason->span;
    Diag *diag = plan_report(rules->session, nodes->head.subject, span, DIAG(group_of_eksctl), STR_ARG(nodes->head.id));
    diag_help(rules->session, diag, "%s", help);
}

// eksctl@99984adb, pkg/cfn/builder, 2026-08, with EFA and no group that is named: managed_launch_template.go makes one
// if there is no reservation. nodegroup.go makes one in any case. Without EFA neither does.
void rule_placement_of_eksctl(const Rules *rules, const PlanNodes *nodes) {
    if (!plan_is_of_eksctl(nodes) || nodes->placement.name != NULL) {
        return;
    }
    const Value *placement = subject_value(nodes->head.subject, NODES_PLACEMENT);
    if (nodes->fabric.efa_count == 0) {
        if (nodes->placement.is_new) {
            Diag *diag = plan_report(rules->session, nodes->head.subject, placement->span, DIAG(no_group_of_eksctl),
                                     STR_ARG(nodes->head.id));
            diag_help(rules->session, diag,
                      "write `group = managed`, where dtc writes the launch template, or name a placement group");
        }
        return;
    }
    const bool is_own = !plan_is_managed(nodes);
    const bool may_be_reserved = capacity_has(nodes->capacity, CAPACITY_RESERVATION) ||
                                 capacity_has(nodes->capacity, CAPACITY_RESERVATION_GROUP) ||
                                 capacity_has(nodes->capacity, CAPACITY_BLOCK);
    const bool is_refused = placement != NULL && placement->kind == VALUE_WORD && str_is(placement->string, "none");
    if (is_own && may_be_reserved) {
        report_new_group(rules, nodes, subject_value(nodes->head.subject, NODES_CAPACITY),
                         "write `group = managed`, where eksctl makes none beside a reservation");
    } else if (is_refused && !capacity_is_reserved(capacity_last(nodes->capacity)->kind)) {
        report_new_group(
            rules, nodes, placement,
            "write `group = managed`, where dtc writes the launch template, or name a group that is there");
    }
}

// A region is taken where the network does not say its own.
void rule_place_of_eks(const Rules *rules, const PlanCluster *cluster) {
    static const int ATTRIBUTES[] = { CLUSTER_ZONES, CLUSTER_REGION };
    const PlanPart *part = cluster->head.part;
    for (size_t i = 0; i < COUNT_OF(ATTRIBUTES) && cluster->network != NULL; i++) {
        const Value *value = subject_value(part->subject, ATTRIBUTES[i]);
        const Str region = plan_network_region(cluster->network);
        const bool is_same = ATTRIBUTES[i] == CLUSTER_REGION && (region.len == 0 || str_equal(region, cluster->region));
        if (value != NULL && !is_same) {
            Diag *diag =
                plan_report(rules->session, part->subject, subject_key(part->subject, ATTRIBUTES[i]),
                            DIAG(place_beside_network), part_attribute(part, ATTRIBUTES[i]), STR_ARG(cluster->head.id));
            diag_label(rules->session, diag, subject_key(part->subject, CLUSTER_NETWORK), "is the place");
        }
    }
}

// ---- systems ---------------------------------------------------------------------------------------------------

static void report_system(const Rules *rules, const PlanCluster *cluster, const char *target, const char *help) {
    Diag *diag = plan_report(rules->session, cluster->head.subject, cluster->os->span, DIAG(os_not_on_target),
                             STR_ARG(cluster->os->string), target);
    diag_help(rules->session, diag, "%s", help);
}

// What a group of a stack on EKS runs on is rule system_of_stack's.
void rule_system_of_target(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->target == TARGET_PARALLELCLUSTER && operating_system(cluster->os->string)->parallelcluster == NULL) {
        report_system(rules, cluster, "ParallelCluster",
                      "write `os = al2023`, `ubuntu2204`, `ubuntu2404`, `rhel8` or `rhel9`");
    }
    // AWS PCS User Guide, Supported operating systems, 2026-11: its agent is installed, and Bottlerocket installs
    // nothing.
    if (cluster->target == TARGET_PCS && str_is(cluster->os->string, "bottlerocket")) {
        report_system(rules, cluster, "AWS PCS",
                      "write the system of the image: `os = al2023`, `ubuntu2204` or `rhel9`");
    }
    bool is_with_eksctl = false;
    for (uint32_t i = 0; cluster->target == TARGET_EKS && i < cluster->nodes.count; i++) {
        is_with_eksctl = is_with_eksctl || plan_is_in_eksctl_file(cluster->nodes.items[i]);
    }
    if (is_with_eksctl && operating_system(cluster->os->string)->eksctl == NULL) {
        report_system(rules, cluster, "EKS", "write `os = al2023`, `ubuntu2204`, `ubuntu2404` or `bottlerocket`");
    }
}
