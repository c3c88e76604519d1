// AWS PCS API Reference, CreateCluster, size: the limits are rows of schema/limits.def.
#include "compiler/plan/model/pcs.h"

static const PcsSizeRow SIZE_ROWS[] = {
    [PCS_SMALL] = { "small", "SMALL", LIMIT_PCS_SMALL_NODES_MAX, LIMIT_PCS_SMALL_JOBS_MAX },
    [PCS_MEDIUM] = { "medium", "MEDIUM", LIMIT_PCS_MEDIUM_NODES_MAX, LIMIT_PCS_MEDIUM_JOBS_MAX },
    [PCS_LARGE] = { "large", "LARGE", LIMIT_PCS_LARGE_NODES_MAX, LIMIT_PCS_LARGE_JOBS_MAX },
};

const PcsSizeRow *plan_pcs_size(PcsSize size) {
    return &SIZE_ROWS[size];
}

PcsSize plan_pcs_size_of(Str word) {
    return str_equal_in_any_case(word, STR("small"))    ? PCS_SMALL
           : str_equal_in_any_case(word, STR("medium")) ? PCS_MEDIUM
                                                        : PCS_LARGE;
}

PcsSize plan_pcs_least_size(int64_t nodes) {
    return nodes <= LIMIT_PCS_SMALL_NODES_MAX    ? PCS_SMALL
           : nodes <= LIMIT_PCS_MEDIUM_NODES_MAX ? PCS_MEDIUM
                                                 : PCS_LARGE;
}

int64_t plan_pcs_nodes(const PlanPcsController *controller) {
    int64_t nodes = 0;
    for (uint32_t i = 0; i < controller->groups.count; i++) {
        const int64_t most = field_number(&controller->groups.items[i].most, 0);
        nodes += most < 0 || most > INT32_MAX ? 0 : most;
    }
    return nodes;
}
