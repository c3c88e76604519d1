// Rules about types that are sold in UltraServers, or in one Local Zone alone: what joins their instances, and where they
// are.
#include "compiler/plan/rules/group/spelling.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/group_zones.h"

// ---- NVLink between instances ----------------------------------------------------------------------------------

// A ComputeDomain of NVIDIA's DRA driver sets up IMEX for the pods that claim its channel, which rule_channel() looks for.
static bool has_compute_domain(const PlanCluster *cluster) {
    for (uint32_t i = 0; cluster->eks != NULL && i < cluster->eks->objects.count; i++) {
        if (str_ends_with(cluster->eks->objects.items[i]->resource->type, STR("/ComputeDomain"))) {
            return true;
        }
    }
    return false;
}

static const char *way_to_imex(const PlanCluster *cluster) {
    switch (cluster->target) {
    case TARGET_EKS:
        return "install NVIDIA's DRA driver, and write a ComputeDomain as a raw `resource`: jobs on several nodes "
               "claim its channel";
    case TARGET_PCS:
        return "write a prolog of Slurm that tells IMEX the nodes of the job, as AWS PCS's guide has it";
    case TARGET_PARALLELCLUSTER:
        return "let `setup` put a prolog that tells IMEX the nodes of the job into /opt/slurm/etc/scripts/prolog.d";
    case TARGET_BATCH:
        return "take EKS, AWS PCS or ParallelCluster, for which AWS says how to set it up";
    case TARGET_NETWORK:
        break;
    }
    return ""; // no cluster is on a network
}

void rule_imex(const Rules *rules, const PlanNodes *nodes) {
    const InstanceRow *type = nodes->instance;
    const bool has_fabric = type->accelerator == ACCELERATOR_NVIDIA && type->ultraserver_sizes[0] > 0;
    if (!has_fabric || nodes->count.high->integer < 2 || has_compute_domain(nodes->cluster)) {
        return;
    }
    Diag *diag = plan_report(rules->session, nodes->head.subject, nodes->instance_value->span, DIAG(imex_missing),
                             STR_ARG(nodes->head.id));
    diag_primary_label(rules->session, diag, "instances of one UltraServer share an NVLink fabric");
    diag_help(rules->session, diag, "%s", way_to_imex(nodes->cluster));
    diag_help(rules->session, diag, "where IMEX is set up, or no job spans instances, write `allow DT1871, \"…\"`");
}

// ---- the one zone of a type ------------------------------------------------------------------------------------

// The id of a Local Zone says its zone in another way.
static bool is_elsewhere(const InstanceRow *type, Str zone) {
    const bool is_local_id = schema_zone_kind(zone) == ZONE_LOCAL && str_find(zone, STR("-az"), 0) < zone.len;
    return type->only_zone != NULL && schema_zone_region(zone) != NULL && !is_local_id &&
           !str_is(zone, type->only_zone);
}

// The first zone of the nodes, where each is another one than that of the type. NULL: one is right, or nobody knows.
static const PlanField *wrong_zone(const PlanGroup *group, const InstanceRow *type) {
    const PlanFields zones = group_zones(group);
    bool is_wrong = zones.count > 0 && !group->subnets.has_other_zones;
    for (uint32_t i = 0; is_wrong && i < zones.count; i++) {
        is_wrong = zones.items[i].state == FIELD_KNOWN && is_elsewhere(type, zones.items[i].text);
    }
    return is_wrong ? &zones.items[0] : NULL;
}

void rule_group_zone_of_type(const Rules *rules, const PlanGroup *group) {
    for (uint32_t i = 0; i < group->types.count; i++) {
        const PlanType *type = &group->types.items[i];
        const PlanField *zone = wrong_zone(group, type->row);
        const PlanField only = { .name = type->row->only_zone };
        if (zone == NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, group->subject, rule_span(zone), DIAG(type_elsewhere), type->row->name,
                                 only.name, STR_ARG(group->name), STR_ARG(zone->text));
        diag_label(rules->session, diag, rule_span(&type->field), "in %s alone", only.name);
        if (group->subnets.cluster_of_zone != NULL) {
            diag_help(rules->session, diag, "%s in %s", group->subnets.cluster_of_zone, only.name);
        } else {
            rule_write(rules, diag, group, SPELL_ZONE_OF_TYPE, &only, "");
        }
    }
}
