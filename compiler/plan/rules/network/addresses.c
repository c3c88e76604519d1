// The addresses of subnets that this build makes, against what nodes take of them: each interface that is not for EFA
// alone takes one. Endpoints of the network take a few more, which are not counted: what is found here is certain.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/cidr.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/network_ids.h"

// One network that is made: what its groups ask for so far, together and zone by zone.
typedef struct {
    const PlanNetwork *network;
    int64_t *needed;    // of each zone, by groups that stand in it alone
    int64_t total;      // of all groups
    int64_t pods;       // of all groups on EKS, with those that wait for pods
    bool is_found;      // one of them asks for too many
    bool is_pods_found; // of the pods, which may be allowed
} Pool;

// The VPC CNI fills a node's first interface when the node comes, and takes another one with the first pods. So this
// count is the least. aws/amazon-vpc-cni-k8s@b5218838 docs/eni-and-ip-target.md, WARM_ENI_TARGET, 2026-08.
static int64_t addresses_with_pods(const PlanNodes *nodes) {
    const int first = schema_interface_addresses(str_of(nodes->instance->name));
    return first == UNKNOWN ? 0 : nodes->count.high->integer * (nics_private_ips(&nodes->fabric.nics) - 1 + first);
}

static void report_pods(const Rules *rules, const Subject *subject, Span span, Str id, int64_t needed, int64_t free) {
    Diag *diag = plan_report(rules->session, subject, span, DIAG(pods_take_addresses), STR_ARG(id), needed, free);
    diag_help(rules->session, diag, "give the network a larger `cidr`, or the groups fewer nodes");
}

static void add_pods(const Rules *rules, Pool *pool, const PlanNodes *nodes, int64_t free) {
    const int64_t needed = nodes->cluster->target == TARGET_EKS ? addresses_with_pods(nodes) : 0;
    pool->pods += needed;
    if (needed > free) {
        pool->is_pods_found = true;
        report_pods(rules, nodes->head.subject, nodes->count.high->span, nodes->head.id, needed, free);
    }
}

static void report_shared(const Rules *rules, const PlanNetwork *network, int64_t needed, int64_t free) {
    Diag *diag = plan_report(rules->session, network->head.subject, network->head.subject->name_span,
                             DIAG(subnet_shared), STR_ARG(network->head.id), needed, free);
    diag_help(rules->session, diag, "give the network a larger `cidr`, or the groups fewer nodes");
}

static void add_group(const Rules *rules, Pool *pool, const PlanNodes *nodes) {
    const int64_t zone = plan_zone_of_addresses(nodes);
    if (zone == ADDRESSES_UNKNOWN) {
        return;
    }
    int64_t needed = nodes->count.high->integer * nics_private_ips(&nodes->fabric.nics);
    int64_t free =
        zone == ADDRESSES_OF_ALL ? plan_free_in_all(pool->network) : plan_free_in_zone(pool->network, (uint32_t)zone);
    if (free == 0 || needed > free) {
        pool->is_found = true; // by rule group_addresses
        return;
    }
    pool->total += needed;
    add_pods(rules, pool, nodes, free);
    if (zone >= 0) {
        pool->needed[zone] += needed;
    }
}

static Pool *pool_of(const Rules *rules, StrMap *pools, const PlanNetwork *network) {
    Str key = str_format(rules->session->arena, "%p", (const void *)network);
    Pool *pool = str_map_get_mutable(pools, key);
    if (pool == NULL) {
        pool = arena_new(rules->session->arena, Pool);
        pool->network = network;
        pool->needed = arena_new_array(rules->session->arena, int64_t, network->zones->list.count);
        str_map_add(pools, key, pool);
    }
    return pool;
}

static void check_pool(const Rules *rules, const Pool *pool) {
    for (uint32_t i = 0; i < pool->network->zones->list.count && !pool->is_found; i++) {
        int64_t free = plan_free_in_zone(pool->network, i);
        if (pool->needed[i] > free) {
            report_shared(rules, pool->network, pool->needed[i], free);
            return;
        }
    }
    if (!pool->is_found && pool->total > plan_free_in_all(pool->network)) {
        report_shared(rules, pool->network, pool->total, plan_free_in_all(pool->network));
    } else if (!pool->is_found && !pool->is_pods_found && pool->pods > plan_free_in_all(pool->network)) {
        const PlanHead *head = &pool->network->head;
        report_pods(rules, head->subject, head->subject->name_span, head->id, pool->pods,
                    plan_free_in_all(pool->network));
    }
}

void rule_addresses(const Rules *rules) {
    StrMap pools = { .arena = rules->session->arena };
    for (uint32_t i = 0; i < rules->plan->clusters.count; i++) {
        const PlanCluster *cluster = rules->plan->clusters.items[i];
        const PlanNetwork *network = cluster->network;
        if (network == NULL || network->mode != NETWORK_MADE || network->is_used_module || network->made.cidr == NULL) {
            continue;
        }
        Pool *pool = pool_of(rules, &pools, network);
        for (uint32_t k = 0; k < cluster->nodes.count; k++) {
            const uint32_t outer = diags_begin_turn(rules->session);
            add_group(rules, pool, cluster->nodes.items[k]);
            diags_end_turn(rules->session, outer);
        }
    }
    for (uint32_t i = 0; i < rules->plan->networks.count; i++) {
        const PlanNetwork *network = rules->plan->networks.items[i];
        const Pool *pool = str_map_get_mutable(&pools, str_format(rules->session->arena, "%p", (const void *)network));
        if (pool != NULL) {
            check_pool(rules, pool);
        }
    }
}
