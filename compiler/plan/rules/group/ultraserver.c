// Rules about types that are sold in UltraServers, or in one Local Zone alone: what joins their instances, and where they
// are.
#include "compiler/plan/rules/group/spelling.h"

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

// The zone of all nodes of a group, of which eksctl keeps its own list; NULL where there are several, or nobody knows.
static const PlanField *only_zone(const PlanGroup *group) {
    const PlanFields *own = group->eksctl == NULL ? NULL : &group->eksctl->zones;
    if (own != NULL) {
        return own->count == 1 && own->items[0].state == FIELD_KNOWN ? &own->items[0] : NULL;
    }
    const PlanNodeSubnets *subnets = &group->subnets;
    for (uint32_t i = 1; i < subnets->zones.count; i++) {
        if (!str_equal(subnets->zones.items[i].text, subnets->zones.items[0].text)) {
            return NULL;
        }
    }
    return subnets->zones.count == 0 || subnets->has_other_zones ? NULL : &subnets->zones.items[0];
}

// The same of a group that somebody wrote in other words.
void rule_group_zone_of_type(const Rules *rules, const PlanGroup *group) {
    const PlanField *zone = only_zone(group);
    for (uint32_t i = 0; zone != NULL && i < group->types.count; i++) {
        const PlanType *type = &group->types.items[i];
        const PlanField only = { .name = type->row->only_zone };
        if (!is_elsewhere(type->row, zone->text)) {
            continue;
        }
        const Span span = rule_span(zone);
        Diag *diag = plan_report(rules->session, group->subject, span, DIAG(type_elsewhere), type->row->name, only.name,
                                 STR_ARG(group->name), STR_ARG(zone->text));
        diag_label(rules->session, diag, rule_span(&type->field), "in %s alone", only.name);
        rule_write(rules, diag, group, SPELL_ZONE_OF_TYPE, &only, "");
    }
}
