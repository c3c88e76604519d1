// Rules about the subnets that nodes stand in.
#include "compiler/plan/rules.h"

static bool is_same(const Value *a, const Value *b) {
    if (a->kind == VALUE_LATE && b->kind == VALUE_LATE) {
        return a->late->kind == LATE_PARAM && b->late->kind == LATE_PARAM && a->late->param == b->late->param;
    }
    return a->kind == VALUE_STRING && b->kind == VALUE_STRING && str_equal(a->string, b->string);
}

// Where a network says that the subnet is a public one; NULL where none does.
static const Value *find_public(const Plan *plan, const Value *subnet) {
    bool is_output = subnet->kind == VALUE_LATE && subnet->late->kind == LATE_OUTPUT;
    if (is_output && str_is(subnet->late->name, "public")) {
        return subnet;
    }
    for (uint32_t i = 0; i < plan->networks.count; i++) {
        const Value *ids = plan->networks.items[i]->public_ids;
        for (uint32_t k = 0; ids != NULL && ids->kind == VALUE_LIST && k < ids->list.count; k++) {
            if (is_same(ids->list.items[k], subnet)) {
                return ids->list.items[k];
            }
        }
    }
    return NULL;
}

void rule_private_subnet(const Rules *rules, const PlanNodes *nodes) {
    for (uint32_t i = 0; nodes->nics.count > 1 && nodes->subnet_ids != NULL && i < nodes->subnet_ids->list.count; i++) {
        const Value *subnet = nodes->subnet_ids->list.items[i];
        const Value *public = find_public(rules->plan, subnet);
        if (public == NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, nodes->head.block, subnet->span, DIAG(public_subnet),
                                 STR_ARG(nodes->head.id), nodes->nics.count);
        if (public != subnet) {
            diag_label(rules->session, diag, public->span, "a public subnet");
        }
        diag_label(rules->session, diag, nodes->instance_value->span, "%d network interfaces a node",
                   nodes->nics.count);
        bool is_written = read_value(nodes->head.block, NODES_SUBNET) != NULL;
        diag_help(rules->session, diag,
                  is_written ? "name one of the private subnets, or leave `subnet` out"
                             : "`private` is for subnets whose way out is a NAT gateway");
    }
}
