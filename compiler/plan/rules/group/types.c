// Rules about groups of several instance types. That the types are alike is seen where the Plan is built, since nothing
// could be planned of others: build_types.c.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/maker.h"

#include "schema/limits.h"

// A group of reservations may have some of each type: EC2 User Guide, Capacity Reservation groups, 2026-11.
void rule_types_of_reservation(const Rules *rules, const PlanNodes *nodes) {
    for (const PlanCapacity *capacity = nodes->capacity; capacity != NULL; capacity = capacity->otherwise) {
        if (nodes->types.count > 1 && capacity_is_reserved(capacity->kind) &&
            capacity->kind != CAPACITY_RESERVATION_GROUP) {
            const Value *written = subject_value(nodes->head.subject, NODES_CAPACITY);
            Diag *diag = report(rules->session, written->span, DIAG(types_of_reservation),
                                capacity_name(capacity->kind), nodes->types.count);
            for (uint32_t i = 0; i < nodes->types.count; i++) {
                diag_label(rules->session, diag, nodes->types.items[i].name->span, "type %" PRIu32, i + 1);
            }
            diag_help(rules->session, diag,
                      "name one type; the others in a group of their own, and a `queue` over both");
            if (capacity->kind == CAPACITY_RESERVATION) {
                diag_help(rules->session, diag, "or write `reservation_group(arn)`, of a group with some of each type");
            }
            return;
        }
    }
}

void rule_job_of_one_type(const Rules *rules, const PlanJob *job) {
    const PlanNodes *group = job->group;
    if (job->cluster->batch == NULL || job->nodes->integer < 2 || group->types.count == 1) {
        return;
    }
    Diag *diag = plan_report(rules->session, job->head.subject, job->nodes->span, DIAG(job_of_one_type),
                             STR_ARG(job->head.id), job->nodes->integer, group->instance->name);
    diag_label(rules->session, diag, group->instance_value->span, "all its nodes are of this type");
    diag_help(rules->session, diag, "give the job a group of one type");
}

// EKS and eksctl have the same limit. The group of a stack has another, which is far away.
void rule_types_of_eks(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->types.count <= LIMIT_EKS_TYPES_MAX || plan_is_in_stack(nodes)) {
        return;
    }
    Diag *diag = report(rules->session, nodes->types.items[LIMIT_EKS_TYPES_MAX].name->span, DIAG(too_many_types),
                        STR_ARG(nodes->head.id), nodes->types.count, plan_is_managed(nodes) ? "EKS" : "eksctl",
                        (int)LIMIT_EKS_TYPES_MAX);
    diag_primary_label(rules->session, diag, "one too many");
    diag_help(rules->session, diag, "put the types into two groups");
}
