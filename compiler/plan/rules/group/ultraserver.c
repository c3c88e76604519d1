// Rules about types that are sold in UltraServers, or in one Local Zone alone: what joins their instances, and where they
// are.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/network_ids.h"

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

// Where the group is: in its own zone, that of its subnet, or any of its network. NULL: in the right one, or nobody knows.
static const Value *wrong_zone(const PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    const Value *subnet = subject_value(nodes->head.subject, NODES_SUBNET);
    const Value *zone = nodes->subnets.zone != NULL         ? nodes->subnets.zone
                        : subnet != NULL && network != NULL ? plan_zone_of_subnet(network, subnet)
                                                            : NULL;
    if (zone != NULL || subnet != NULL) {
        const bool is_known = zone != NULL && zone->kind == VALUE_STRING;
        return is_known && is_elsewhere(nodes->instance, zone->string) ? zone : NULL;
    }
    const Value *zones = network == NULL ? NULL : network->zones;
    for (uint32_t i = 0; zones != NULL && zones->kind == VALUE_LIST && i < zones->list.count; i++) {
        const Value *item = zones->list.items[i];
        if (item->kind != VALUE_STRING || !is_elsewhere(nodes->instance, item->string)) {
            return NULL;
        }
        zone = item;
    }
    return zone;
}

void rule_zone_of_type(const Rules *rules, const PlanNodes *nodes) {
    const Value *zone = wrong_zone(nodes);
    const char *only = nodes->instance->only_zone;
    if (zone == NULL) {
        return;
    }
    Diag *diag = plan_report(rules->session, nodes->head.subject, zone->span, DIAG(type_elsewhere),
                             nodes->instance->name, only, STR_ARG(nodes->head.id), STR_ARG(zone->string));
    diag_label(rules->session, diag, nodes->instance_value->span, "in %s alone", only);
    const PlanCluster *cluster = nodes->cluster;
    if (cluster->target == TARGET_EKS && cluster->eks->existing == NULL) {
        diag_help(rules->session, diag,
                  "put the group into a second `cluster` block, with `existing = \"%.*s\"`, and with a network that "
                  "names the VPC and a private subnet in %s",
                  STR_ARG(cluster->head.id), only);
    } else {
        diag_help(rules->session, diag, "give the network the zone, and write `zone = \"%s\"`", only);
    }
}

// The same of a group in a file of eksctl.
void rule_cluster_config_zone_of_type(const Rules *rules, const PlanClusterConfig *config) {
    for (uint32_t i = 0; i < config->groups.count; i++) {
        const PlanClusterConfigGroup *group = config->groups.items[i];
        const PlanTypes *types = &group->launch->types;
        for (uint32_t k = 0; group->zones.count == 1 && k < types->count; k++) {
            const InstanceRow *type = types->items[k].row;
            const PlanField *zone = &group->zones.items[0];
            if (zone->state != FIELD_KNOWN || !is_elsewhere(type, zone->text)) {
                continue;
            }
            Diag *diag = plan_report(rules->session, group->subject, rule_span(zone), DIAG(type_elsewhere), type->name,
                                     type->only_zone, STR_ARG(group->name.text), STR_ARG(zone->text));
            diag_label(rules->session, diag, types->items[k].field.span, "in %s alone", type->only_zone);
            diag_help(rules->session, diag, "write `localZones: [%s]` for the group, and list it under `localZones`",
                      type->only_zone);
        }
    }
}
