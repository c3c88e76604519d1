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
    bool is_found;      // something was reported
    bool is_pods_found; // of the pods, which may be allowed
} Pool;

// Free addresses of a zone's private subnet; 0 where the blocks are wrong, which the emitter says.
static int64_t free_in_zone(const PlanNetwork *network, uint32_t zone) {
    const PlanCut cut = plan_private_cut(network->zones->list.count, network->made.cidr->list.count, zone);
    Cidr cidr;
    bool is_known = cut.block < network->made.cidr->list.count &&
                    network->made.cidr->list.items[cut.block]->kind == VALUE_STRING &&
                    cidr_parse(network->made.cidr->list.items[cut.block]->string, &cidr) &&
                    cidr.prefix + cut.bits <= LIMIT_VPC_PREFIX_MAX && cidr.prefix >= LIMIT_VPC_PREFIX_MIN;
    return is_known ? (INT64_C(1) << (32 - cidr.prefix - cut.bits)) - LIMIT_SUBNET_ADDRESSES_KEPT : 0;
}

static int64_t free_in_all(const PlanNetwork *network) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < network->zones->list.count; i++) {
        int64_t free = free_in_zone(network, i);
        if (free == 0) {
            return 0;
        }
        sum += free;
    }
    return sum;
}

enum { ZONE_ALL = -1, ZONE_UNKNOWN = -2 };

// The one zone that the group stands in, or all, or a subnet of which nothing is known.
static int64_t zone_of(const PlanNodes *nodes) {
    bool is_one = nodes->subnets.ids != NULL && nodes->subnets.ids->list.count == 1;
    const Value *subnet = is_one ? nodes->subnets.ids->list.items[0] : NULL;
    if (subnet == NULL || subnet->kind != VALUE_LATE || subject_value(nodes->head.subject, NODES_SUBNET) != NULL) {
        return ZONE_UNKNOWN;
    }
    if (subnet->late->kind == LATE_ITEM) {
        return (int64_t)subnet->late->index;
    }
    return nodes->cluster->network->zones->list.count == 1 ? 0 : ZONE_ALL;
}

static void report_small(const Rules *rules, const PlanNodes *nodes, int64_t needed, int64_t free) {
    int addresses = nics_private_ips(&nodes->fabric.nics);
    const PlanNetwork *network = nodes->cluster->network;
    Diag *diag = plan_report(rules->session, nodes->head.subject, nodes->count.high->span, DIAG(subnet_small),
                             STR_ARG(nodes->head.id), needed, free);
    diag_primary_label(rules->session, diag, "%d address%s a node", addresses, addresses == 1 ? "" : "es");
    if (subject_value(network->head.subject, NETWORK_CIDR) != NULL) {
        diag_label(rules->session, diag, network->made.cidr->span, "the private subnets are parts of these");
    }
    Nics least;
    bool is_less = nics_place(nodes->instance, LAYOUT_MIN_IP, nodes->fabric.efa_count, &least) == NICS_PLACED &&
                   nics_pass(schema_target_name(nodes->cluster->target), &least) &&
                   nics_private_ips(&least) < addresses;
    if (is_less) {
        diag_help(rules->session, diag, "write `efa_layout = min_ip`: %d address a node", nics_private_ips(&least));
    }
    diag_help(rules->session, diag, "give the network a larger `cidr`, or the group fewer nodes");
}

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
    int64_t zone = zone_of(nodes);
    if (zone == ZONE_UNKNOWN) {
        return;
    }
    int64_t needed = nodes->count.high->integer * nics_private_ips(&nodes->fabric.nics);
    int64_t free = zone == ZONE_ALL ? free_in_all(pool->network) : free_in_zone(pool->network, (uint32_t)zone);
    if (free == 0 || needed > free) {
        pool->is_found = true;
        if (free > 0) {
            report_small(rules, nodes, needed, free);
        }
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
        int64_t free = free_in_zone(pool->network, i);
        if (pool->needed[i] > free) {
            report_shared(rules, pool->network, pool->needed[i], free);
            return;
        }
    }
    if (!pool->is_found && pool->total > free_in_all(pool->network)) {
        report_shared(rules, pool->network, pool->total, free_in_all(pool->network));
    } else if (!pool->is_found && !pool->is_pods_found && pool->pods > free_in_all(pool->network)) {
        const PlanHead *head = &pool->network->head;
        report_pods(rules, head->subject, head->subject->name_span, head->id, pool->pods, free_in_all(pool->network));
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
