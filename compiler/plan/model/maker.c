// Answers about who makes a group, from the rows of maker.def.
#include "compiler/plan/model/maker.h"

typedef enum { GROUP_IN_STACK, GROUP_IN_PCLUSTER, GROUP_IN_EKSCTL } GroupFile;
typedef enum { TEMPLATE_OF_DTC, TEMPLATE_OF_PCLUSTER, TEMPLATE_OF_EKSCTL } TemplateWriter;

typedef struct {
    TargetSet target;
    GroupFile group_in;
    TemplateWriter template_of;
    bool is_managed;
    NameListId policies;
} MakerRow;

static const MakerRow MAKER_ROWS[] = {
#define MAKER(name, target, group_in, template_of, is_managed, policies) \
    [MAKER_##name] = { target, group_in, template_of, is_managed, policies },
#include "compiler/plan/model/maker.def"
};

bool plan_has_own_template(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].template_of == TEMPLATE_OF_DTC;
}

bool plan_is_of_eksctl(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].template_of == TEMPLATE_OF_EKSCTL;
}

bool plan_is_in_eksctl_file(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].group_in == GROUP_IN_EKSCTL;
}

bool plan_is_in_stack(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].group_in == GROUP_IN_STACK;
}

bool plan_names_own_template(const PlanNodes *nodes) {
    return plan_is_in_eksctl_file(nodes) && plan_has_own_template(nodes);
}

bool plan_is_in_node_stack(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].target == TARGET_EKS && plan_has_own_template(nodes);
}

bool plan_is_managed(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].is_managed;
}

NameListId plan_policies_beside(const PlanNodes *nodes) {
    if (nodes->maker == MAKER_PARALLELCLUSTER && nodes->validate != NULL) {
        return plan_nodes_pull(nodes) ? NAMES_POLICIES_OF_SLURM_NODES_IN_REACH_THAT_PULL
                                      : NAMES_POLICIES_OF_SLURM_NODES_IN_REACH;
    }
    if (nodes->maker == MAKER_PARALLELCLUSTER && plan_nodes_pull(nodes)) {
        return NAMES_POLICIES_OF_SLURM_NODES_THAT_PULL;
    }
    if (nodes->maker == MAKER_PCS && plan_nodes_pull(nodes)) {
        return NAMES_POLICIES_OF_PCS_NODES_THAT_PULL;
    }
    return MAKER_ROWS[nodes->maker].policies;
}

bool plan_is_repaired(const PlanNodes *nodes) {
    return plan_is_managed(nodes) && nodes->eks->repair->boolean;
}
