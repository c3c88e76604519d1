// Which targets take capacity that its owner may take back: those whose launch templates say what they buy. The market
// type is young, and what a service buys by itself it must know by name.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"

// Why a target cannot buy it, and what to do; NULL: it can.
static const char *gap_of(const PlanNodes *nodes) {
    switch (nodes->maker) {
    case MAKER_BATCH:
        return "no source says that AWS Batch passes the market type on";
    case MAKER_PARALLELCLUSTER:
        return "its CapacityType is ONDEMAND, SPOT or CAPACITY_BLOCK";
    case MAKER_MANAGED:
    case MAKER_MANAGED_WITH_TEMPLATE:
        return "a managed group buys on demand, Spot or Capacity Blocks";
    case MAKER_EKSCTL:
        return "eksctl takes no market type but capacity-block";
    case MAKER_STACK:
    case MAKER_PCS: // AWS PCS User Guide, Using I-ODCRs with AWS PCS, 2026-11
        break;
    }
    return NULL;
}

void rule_interruptible(const Rules *rules, const PlanNodes *nodes) {
    const char *gap = capacity_has(nodes->capacity, CAPACITY_INTERRUPTIBLE) ? gap_of(nodes) : NULL;
    if (gap == NULL) {
        return;
    }
    const Span span = subject_value(nodes->head.subject, NODES_CAPACITY)->span;
    const bool is_batch = nodes->cluster->target == TARGET_BATCH;
    const char *target = schema_target_name(nodes->cluster->target);
    // Where a launch template of ours says it, an author who has tried may know better; elsewhere nothing would say it.
    Diag *diag = is_batch
                     ? plan_report(rules->session, nodes->head.subject, span, DIAG(interruptible_target), target, gap)
                     : report(rules->session, span, DIAG(interruptible_target), target, gap);
    diag_help(rules->session, diag, "%s",
              is_batch ? "write `capacity = reservation(id)` of a reservation that stays, or `allow DT1343, \"…\"`"
              : nodes->cluster->target == TARGET_EKS
                  ? "write `group = stack`, whose launch template says it"
                  : "write `capacity = reservation(id)` of a reservation that stays, or `capacity = spot`");
}
