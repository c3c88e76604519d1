// What a cluster on EKS has besides its node groups: version, region, and where its VPC comes from.
#include "compiler/plan/declared/builder.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/capacity.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/region.h"

// A device plugin or the driver of a file system; what schedules jobs comes with the jobs.
static const char *const ADDONS[] = { "efa", "efs", "fsx", "neuron", "nvidia" };

static bool is_addon(Str name) {
    for (size_t i = 0; i < COUNT_OF(ADDONS); i++) {
        if (str_is(name, ADDONS[i])) {
            return true;
        }
    }
    return false;
}

static void report_addon(Builder *builder, const Block *block) {
    Diag *diag = report(builder->session, block->subject.name_span, DIAG(addon_unknown), STR_ARG(block->name));
    Suggestion suggestion = { .name = block->name };
    StrBuf names = { .arena = builder->arena };
    for (size_t i = 0; i < COUNT_OF(ADDONS); i++) {
        suggest_offer(&suggestion, str_of(ADDONS[i]));
        strbuf_add_format(&names, "%s`%s`", i == 0 ? "" : ", ", ADDONS[i]);
    }
    if (suggestion.best.len > 0 && !schema_has_word(block->name)) {
        diag_help(builder->session, diag, "did you mean `%.*s`?", STR_ARG(suggestion.best));
    }
    diag_note(builder->session, diag, "there are %.*s", STR_ARG(strbuf_str(&names)));
}

static void build_addons(Builder *builder, const Block *block, PlanEks *eks) {
    for (uint32_t i = 0; i < block->children.count; i++) {
        const Block *child = block->children.items[i];
        if (child->kind != &KIND_ROWS[KIND_ADDON]) {
            continue;
        }
        if (!is_addon(child->name)) {
            report_addon(builder, child);
            continue;
        }
        PlanAddon *addon = arena_new(builder->arena, PlanAddon);
        addon->head = builder_head(builder, child, -1);
        addon->version = read_known(builder, child, ADDON_VERSION);
        addon->off = read_bool(builder, child, ADDON_OFF, false);
        vec_push(builder->arena, &eks->addons, addon);
    }
}

static const char *newest(void) {
    for (int i = 0; i < KUBERNETES_ROW_COUNT; i++) {
        if (plan_kubernetes_is_way_out(&KUBERNETES_ROWS[i])) {
            return KUBERNETES_ROWS[i].version;
        }
    }
    return KUBERNETES_ROWS[0].version;
}

// Of a version that EKS has no more, and of one in extended support, rule version_of_cluster speaks.
static void check_version(Builder *builder, const Block *block, const PlanEks *eks) {
    const Value *version = eks->version;
    const KubernetesRow *row = NULL;
    for (int i = 0; i < KUBERNETES_ROW_COUNT && row == NULL; i++) {
        row = str_is(version->string, KUBERNETES_ROWS[i].version) ? &KUBERNETES_ROWS[i] : NULL;
    }
    if (row == NULL &&
        plan_kubernetes_minor(version->string) > plan_kubernetes_minor(str_of(KUBERNETES_ROWS[0].version))) {
        plan_report(builder->session, &block->subject, version->span, DIAG(version_unknown), STR_ARG(version->string),
                    KUBERNETES_ROWS[0].version);
    } else if (row != NULL && row->support != SUPPORT_ENDED && row->standard_end == NULL) {
        builder_add_decision(builder, version->span, builder_subject(builder, block),
                             "no source of dtc has the calendar of Kubernetes %s on EKS yet", row->version);
    }
}

void build_eks(Builder *builder, const Block *block, PlanCluster *cluster) {
    PlanEks *eks = arena_new(builder->arena, PlanEks);
    cluster->eks = eks;
    eks->version = read_known(builder, block, CLUSTER_VERSION);
    eks->zones = read_known(builder, block, CLUSTER_ZONES);
    eks->existing = read_given(builder, block, CLUSTER_EXISTING);
    eks->control_plane_security_group = read_given(builder, block, CLUSTER_CONTROL_PLANE_SECURITY_GROUP);
    eks->oidc = read_bool(builder, block, CLUSTER_OIDC, true);
    build_addons(builder, block, eks);
    build_objects(builder, plan_part(builder->plan, block), eks);
    if (eks->version == NULL && block_value(block, CLUSTER_VERSION) == NULL) {
        Diag *diag = report(builder->session, block->subject.name_span, DIAG(version_missing), STR_ARG(block->name));
        diag_help(builder->session, diag, "write `version = \"%s\"`", newest());
    }
    if (eks->version != NULL) {
        check_version(builder, block, eks);
    }
    const Value *region = read_known(builder, block, CLUSTER_REGION);
    if (region != NULL) {
        cluster->region = region->string;
    } else if (cluster->region.len == 0) {
        cluster->region = plan_zones_region(eks->zones);
    }
    // The stack of groups for a running cluster is deployed where that is; of a new network, its zones would tell. One
    // with neither network nor zones that are known has a mistake that was said.
    const PlanNetwork *network = cluster->network;
    const bool is_said =
        network == NULL ? eks->zones == NULL
                        : network->mode == NETWORK_MADE && !network->is_used_module && plan_subnet_count(network) == 0;
    if (cluster->region.len == 0 && eks->existing == NULL && !is_said) {
        Diag *diag = report(builder->session, block->subject.name_span, DIAG(region_unknown), STR_ARG(block->name));
        diag_help(builder->session, diag, "write `region = \"us-east-1\"` in its network");
    }
}

// Whether the author gives a Cluster Autoscaler its permissions: then there will be one.
static bool has_auto_scaler(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const Value *policies = cluster->nodes.items[i]->eks->addon_policies;
        for (uint32_t k = 0; k < policies->list.count; k++) {
            if (str_is(policies->list.items[k]->string, "auto_scaler")) {
                return true;
            }
        }
    }
    return false;
}

// Groups of EKS have the number of nodes that somebody gives them: pods that wait add none.
static void decide_empty_groups(Builder *builder, const PlanCluster *cluster) {
    const bool has_scaler = has_auto_scaler(cluster);
    for (uint32_t i = 0; i < cluster->nodes.count && !has_scaler; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (plan_begins_empty(nodes) && nodes->eks->desired == NULL) {
            builder_add_decision(builder, nodes->head.subject->name_span, builder_subject(builder, nodes->head.block),
                                 "begins without nodes, and EKS adds none for pods that wait: write `desired`%s, or "
                                 "run a cluster autoscaler",
                                 capacity_has(nodes->capacity, CAPACITY_BLOCK) ? " once its Capacity Block has begun"
                                                                               : "");
        }
    }
}

void build_eks_start(Builder *builder, const PlanCluster *cluster) {
    if (cluster->target == TARGET_EKS) {
        decide_empty_groups(builder, cluster);
    }
    bool is_empty = cluster->target == TARGET_EKS && cluster->eks->existing == NULL && cluster->nodes.count > 0;
    for (uint32_t i = 0; i < cluster->nodes.count && is_empty; i++) {
        is_empty = plan_begins_empty(cluster->nodes.items[i]);
    }
    if (is_empty) {
        builder_add_decision(builder, cluster->head.subject->name_span, cluster->head.id,
                             "all groups begin without nodes, and CoreDNS waits for the first");
    }
}
