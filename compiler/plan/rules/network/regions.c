// Rules about zones and regions that lack something: Local Zones and Wavelength Zones, zones without EKS, regions
// without ParallelCluster or AWS PCS.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/endpoints.h"
#include "compiler/plan/model/region.h"

static const char *kind_name(ZoneKind kind) {
    switch (kind) {
    case ZONE_AVAILABILITY:
        return "an Availability Zone";
    case ZONE_LOCAL:
        return "a Local Zone";
    case ZONE_WAVELENGTH:
        return "a Wavelength Zone";
    }
    return "a zone";
}

// The first zone of the list of another kind than an Availability Zone; NULL if there is none.
static const Value *outside(const Value *zones, ZoneKind least) {
    for (uint32_t i = 0; zones != NULL && zones->kind == VALUE_LIST && i < zones->list.count; i++) {
        const Value *zone = zones->list.items[i];
        if (zone->kind == VALUE_STRING && schema_zone_kind(zone->string) >= least) {
            return zone;
        }
    }
    return NULL;
}

void rule_public_in_wavelength(const Rules *rules, const PlanNetwork *network) {
    const Value *zone = network->mode == NETWORK_MADE ? outside(network->zones, ZONE_WAVELENGTH) : NULL;
    if (zone == NULL || !network->made.public->boolean) {
        return;
    }
    Diag *diag = plan_report(rules->session, network->head.subject, zone->span, DIAG(public_in_wavelength),
                             STR_ARG(zone->string));
    diag_help(rules->session, diag, "write `public = none`; an `AWS::EC2::CarrierGateway` can be a raw resource");
}

// The first service of `endpoints` that has interface endpoints, as all have but those of routes.
static const Value *interface_endpoint(const PlanNetwork *network) {
    for (uint32_t i = 0; i < network->made.endpoints->list.count; i++) {
        const Value *word = network->made.endpoints->list.items[i];
        if (endpoint_is_interface(word->string)) {
            return word;
        }
    }
    return NULL;
}

void rule_endpoints_of_somebody(const Rules *rules, const PlanNetwork *network) {
    const Value *written = subject_value(network->head.subject, NETWORK_ENDPOINTS);
    const bool is_asked = network->mode == NETWORK_MADE && !network->is_used_module && written != NULL;
    if (!is_asked || written->kind != VALUE_WORD || rules->plan->lacks_clusters) {
        return;
    }
    for (uint32_t i = 0; i < rules->plan->clusters.count; i++) {
        if (rules->plan->clusters.items[i]->network == network) {
            return;
        }
    }
    Diag *diag = plan_report(rules->session, network->head.subject, written->span, DIAG(endpoints_of_nobody),
                             STR_ARG(network->head.id));
    diag_help(rules->session, diag, "list the services that nodes call, as in `endpoints = [s3, ecr, ecs, logs]`");
}

void rule_endpoints_in_zones(const Rules *rules, const PlanNetwork *network) {
    const bool is_asked = network->mode == NETWORK_MADE && !network->is_used_module && network->zones->list.count > 0;
    const Value *endpoint = is_asked ? interface_endpoint(network) : NULL;
    const Value *zone = endpoint == NULL ? NULL : network->zones->list.items[plan_home_zone(network)];
    if (zone == NULL || !plan_is_outer_zone(zone)) {
        return;
    }
    const ZoneKind kind = schema_zone_kind(zone->string);
    Diag *diag = plan_report(rules->session, network->head.subject, endpoint->span, DIAG(endpoint_in_outer_zone),
                             STR_ARG(endpoint->string), kind_name(kind));
    diag_label(rules->session, diag, zone->span, "%s", kind_name(kind));
    diag_help(rules->session, diag, "add a zone such as `%sa`: nodes of the others reach its endpoints too",
              schema_zone_region(zone->string)->name);
}

static const RegionRow *region_of(const PlanCluster *cluster) {
    return cluster->network == NULL ? NULL : schema_region(plan_network_region(cluster->network));
}

static void show_region(const Rules *rules, const PlanNetwork *network, Diag *diag, const char *target) {
    const Value *said = network->region != NULL ? network->region : network->zones;
    if (said != NULL) {
        diag_label(rules->session, diag, said->span, "the network is in %s",
                   schema_region(plan_network_region(network))->name);
    }
    diag_help(rules->session, diag, "take a network in another region, or `on %s`", target);
}

// AWS ParallelCluster User Guide, Supported AWS Regions, 2026-11; pcluster refuses any other. NULL where nothing is said.
static Diag *report_without_slurm(const Rules *rules, const Subject *subject, Span span, const RegionRow *region) {
    return region == NULL || region->has_parallelcluster
               ? NULL
               : plan_report(rules->session, subject, span, DIAG(region_without_slurm), region->name);
}

void rule_region_of_slurm(const Rules *rules, const PlanCluster *cluster) {
    const Subject *subject = cluster->head.subject;
    Diag *diag = cluster->target == TARGET_PARALLELCLUSTER
                     ? report_without_slurm(rules, subject, subject->name_span, region_of(cluster))
                     : NULL;
    if (diag != NULL) {
        show_region(rules, cluster->network, diag, "batch");
    }
}

void rule_configuration_region(const Rules *rules, const PlanConfiguration *configuration) {
    const PlanField *field = &configuration->region;
    const RegionRow *region = field->state == FIELD_KNOWN ? schema_region(field->text) : NULL;
    Diag *diag = report_without_slurm(rules, configuration->subject, rule_span(field), region);
    if (diag != NULL) {
        diag_help(rules->session, diag, "take another region");
    }
}

// The list is no whole one, since PCS comes to new regions every few months.
void rule_pcs_region(const Rules *rules, const PlanCluster *cluster) {
    const RegionRow *region = region_of(cluster);
    if (region == NULL || region->has_pcs) {
        return;
    }
    Diag *diag = plan_report(rules->session, cluster->head.subject, cluster->head.subject->name_span,
                             DIAG(region_without_pcs), STR_ARG(cluster->head.id), region->name);
    show_region(rules, cluster->network, diag, "parallelcluster");
}
