// Rules about where a new Lustre file system stands: in one subnet, and so in one zone, which need not be that of the
// nodes.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/claim.h"
#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/user_data_mounts.h"

static bool is_new_lustre(const PlanStorage *storage) {
    return storage->kind == STORAGE_LUSTRE && storage->existing == NULL;
}

// ---- EKS, AWS Batch and AWS PCS -------------------------------------------------------------------------------------------------------------

static void check_zone(const Rules *rules, const PlanNodes *nodes, const PlanStorage *storage) {
    const PlanNetwork *network = nodes->cluster->network;
    const Value *subnet =
        storage->subnet != NULL ? storage->subnet : plan_single_subnet(plan_claim_group(nodes->cluster));
    const Value *here = plan_zone_of_subnet(network, subnet);
    const Value *there = plan_zone_of_subnet(network, plan_single_subnet(nodes));
    if (here == NULL || there == NULL || value_equal(here, there)) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, nodes->head.subject, nodes->head.subject->name_span, DIAG(lustre_in_other_zone),
                    STR_ARG(nodes->head.id), STR_ARG(there->string), STR_ARG(storage->head.id), STR_ARG(here->string));
    diag_label(rules->session, diag, storage->head.subject->name_span, "in %.*s", STR_ARG(here->string));
    diag_help(rules->session, diag, "write `zone = \"%.*s\"` in the group, or `subnet = …` of %.*s in the storage",
              STR_ARG(here->string), STR_ARG(there->string));
}

// Groups without accelerators may have nothing to do with the data.
void rule_zone_of_lustre(const Rules *rules, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const bool is_of_target = cluster->target == TARGET_EKS || plan_mounts_by_user_data(cluster);
    const bool is_asked = is_of_target && cluster->network != NULL && nodes->instance->accelerator != ACCELERATOR_NONE;
    for (uint32_t i = 0; is_asked && i < cluster->storages.count; i++) {
        if (is_new_lustre(cluster->storages.items[i])) {
            check_zone(rules, nodes, cluster->storages.items[i]);
        }
    }
}

// ---- AWS Batch and AWS PCS -------------------------------------------------------------------------------------------------------

static void check_targets(const Rules *rules, const PlanCluster *cluster, const PlanPlace *place) {
    const PlanHead *head = &place->storage->head;
    const PlanHead *network = &cluster->network->head;
    if (place->has_unknown) {
        Diag *diag = plan_report(rules->session, head->subject, head->subject->name_span, DIAG(efs_without_subnets),
                                 STR_ARG(head->id), STR_ARG(network->id));
        diag_label(rules->session, diag, network->subject->name_span, "does not say how many it has");
        diag_help(rules->session, diag, "give `zones` to `%.*s`, or `subnet` to each group", STR_ARG(network->id));
    } else if (place->may_share_zone) {
        Diag *diag = plan_report(rules->session, head->subject, head->subject->name_span, DIAG(efs_in_one_zone),
                                 STR_ARG(head->id), STR_ARG(network->id));
        diag_label(rules->session, diag, network->subject->name_span, "does not say the zones of its subnets");
        diag_help(rules->session, diag, "give `zones` to `%.*s`, in the order of its subnets", STR_ARG(network->id));
    }
}

void rule_places_of_storage(const Rules *rules, const PlanCluster *cluster) {
    const PlanNetwork *network = cluster->network;
    for (uint32_t i = 0; i < cluster->places.count; i++) {
        check_targets(rules, cluster, cluster->places.items[i]);
    }
    if (cluster->places.count > 0 && network->mode == NETWORK_GIVEN && network->given.vpc == NULL &&
        !network->is_used_module) {
        const PlanHead *head = &cluster->places.items[0]->storage->head;
        Diag *diag = plan_report(rules->session, network->head.subject, network->head.subject->name_span,
                                 DIAG(storage_without_vpc), STR_ARG(network->head.id), STR_ARG(cluster->head.id));
        diag_label(rules->session, diag, head->subject->name_span, "gets a security group");
        diag_help(rules->session, diag, "write `vpc = \"vpc-…\"`, the VPC of its subnets");
    }
}
