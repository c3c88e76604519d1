// What the build needs of the account's quotas, in vCPUs: each group at its high end, summed up by quota and region.
// EC2 counts at launch, so a quota that is too small is otherwise found by nodes that do not come (VcpuLimitExceeded,
// aws/aws-parallelcluster#3863).
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/region.h"

static Market market_of(CapacityKind kind) {
    switch (kind) {
    case CAPACITY_ON_DEMAND:
    case CAPACITY_RESERVATION:
    case CAPACITY_RESERVATION_GROUP:
    case CAPACITY_INTERRUPTIBLE:
        return MARKET_ON_DEMAND;
    case CAPACITY_SPOT:
        return MARKET_SPOT;
    case CAPACITY_BLOCK:
        return MARKET_BLOCK;
    }
    return MARKET_ON_DEMAND;
}

static void add_need(Builder *builder, const QuotaRow *row, const RegionRow *region, int64_t vcpus) {
    for (uint32_t i = 0; i < builder->plan->quotas.count; i++) {
        PlanQuota *quota = &builder->plan->quotas.items[i];
        if (quota->row == row && quota->region == region) {
            quota->vcpus += vcpus;
            return;
        }
    }
    const PlanQuota quota = { .row = row, .region = region, .vcpus = vcpus };
    vec_push(builder->arena, &builder->plan->quotas, quota);
}

// All nodes may be of any of the types, so the group counts once in each quota that one of the types is of. The types
// have the same number of vCPUs.
static void add_market(Builder *builder, const PlanNodes *nodes, const RegionRow *region, Market market) {
    for (uint32_t i = 0; i < nodes->types.count; i++) {
        const QuotaRow *row = schema_quota(nodes->types.items[i].row, market);
        bool is_counted = row == NULL || nodes->instance->vcpus == UNKNOWN;
        for (uint32_t k = 0; k < i; k++) {
            is_counted = is_counted || schema_quota(nodes->types.items[k].row, market) == row;
        }
        if (!is_counted) {
            add_need(builder, row, region, nodes->count.high->integer * nodes->instance->vcpus);
        }
    }
}

// A chain of alternatives may come down to any of them, so it counts once in each quota that one of them is of.
static void add_group(Builder *builder, const PlanNodes *nodes) {
    Span reason;
    const RegionRow *region = plan_region(nodes, &reason);
    bool is_counted[] = { [MARKET_ON_DEMAND] = false, [MARKET_SPOT] = false, [MARKET_BLOCK] = false };
    for (const PlanCapacity *capacity = nodes->capacity; capacity != NULL; capacity = capacity->otherwise) {
        Market market = market_of(capacity->kind);
        if (!is_counted[market]) {
            add_market(builder, nodes, region, market);
        }
        is_counted[market] = true;
    }
}

void build_quotas(Builder *builder) {
    for (uint32_t i = 0; i < builder->plan->clusters.count; i++) {
        const PlanCluster *cluster = builder->plan->clusters.items[i];
        for (uint32_t k = 0; k < cluster->nodes.count; k++) {
            add_group(builder, cluster->nodes.items[k]);
        }
    }
}
