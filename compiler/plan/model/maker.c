// Answers about who makes a group, from the rows of maker.def.
#include "compiler/plan/model/maker.h"

typedef enum { TEMPLATE_OF_DTC, TEMPLATE_OF_TOOL } TemplateWriter;

typedef struct {
    TargetSet target;
    TemplateWriter template_of;
    bool is_managed;
} MakerRow;

static const MakerRow MAKER_ROWS[] = {
#define MAKER(name, target, template_of, is_managed) [MAKER_##name] = { target, template_of, is_managed },
#include "compiler/plan/model/maker.def"
};

bool plan_has_own_template(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].template_of == TEMPLATE_OF_DTC;
}

static bool is_on_eks(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].target == TARGET_EKS;
}

bool plan_is_of_eksctl(const PlanNodes *nodes) {
    return is_on_eks(nodes) && !plan_has_own_template(nodes);
}

bool plan_is_in_eksctl_file(const PlanNodes *nodes) {
    return is_on_eks(nodes) && nodes->maker != MAKER_STACK;
}

bool plan_is_in_node_stack(const PlanNodes *nodes) {
    return is_on_eks(nodes) && plan_has_own_template(nodes);
}

bool plan_is_managed(const PlanNodes *nodes) {
    return MAKER_ROWS[nodes->maker].is_managed;
}
