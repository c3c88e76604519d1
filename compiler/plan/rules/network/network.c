// Rules about a network that somebody else has made: what its clusters need of it.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/maker.h"
#include "compiler/semantics/value_cycle.h"

// On AWS Batch and AWS PCS a stack makes a security group if the network has none. A stack of nodes on EKS always makes
// its own, whose members may send to each other.
void rule_vpc_of_nodes(const Rules *rules, const PlanCluster *cluster) {
    const PlanNetwork *network = cluster->network;
    if (network == NULL || network->mode != NETWORK_GIVEN || network->given.vpc != NULL || network->is_used_module) {
        return;
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        const bool is_in_own_stack = nodes->maker == MAKER_BATCH || nodes->maker == MAKER_PCS;
        if (is_in_own_stack && nodes->security_group == NULL) {
            Diag *diag = report(rules->session, network->head.subject->name_span, DIAG(no_security_group),
                                STR_ARG(network->head.id));
            diag_help(rules->session, diag, "give it a `security_group` or a `vpc`");
            return;
        }
        if (plan_is_in_node_stack(nodes)) {
            Diag *diag = report(rules->session, network->head.subject->name_span, DIAG(stack_without_vpc),
                                STR_ARG(network->head.id), STR_ARG(nodes->head.id));
            diag_label(rules->session, diag, nodes->head.subject->name_span, "in a stack that makes a security group");
            diag_help(rules->session, diag, "write `vpc = \"vpc-…\"`, the VPC of its subnets");
            return;
        }
    }
}

// ---- names of other stacks ---------------------------------------------------------------------------------------

typedef VEC(const PlanNetwork *) Networks;

typedef struct {
    const Rules *rules;
    const PlanNetwork *wanted;
    Networks seen; // each is followed once
} NameSearch;

// Whether what a value says depends on the name of the wanted network's stack.
static bool leads_to(NameSearch *search, const Value *value) {
    if (value == NULL || value->kind != VALUE_LATE) {
        return false;
    }
    const Late *late = value->late;
    for (uint32_t i = 0; i < late->part_count; i++) {
        if (leads_to(search, late->parts[i])) {
            return true;
        }
    }
    const PlanNetwork *network = late->kind == LATE_OUTPUT ? plan_network(search->rules->plan, late->block) : NULL;
    if (network == search->wanted) {
        return network != NULL;
    }
    for (uint32_t i = 0; i < search->seen.count; i++) {
        if (search->seen.items[i] == network) {
            return false;
        }
    }
    if (network == NULL || network->mode != NETWORK_IMPORTED) {
        return false;
    }
    vec_push(search->rules->session->arena, &search->seen, network);
    return leads_to(search, network->stack);
}

// An output of such a network is imported under a name that begins with its stack's.
void rule_name_of_stack(const Rules *rules, const PlanNetwork *network) {
    NameSearch search = { .rules = rules, .wanted = network };
    if (network->mode == NETWORK_IMPORTED && leads_to(&search, network->stack)) {
        Diag *diag = value_cycle_report(rules->session, network->stack->span, STR("stack"));
        diag_help(rules->session, diag, "write the name of the stack that exports the network's ids");
    }
}
