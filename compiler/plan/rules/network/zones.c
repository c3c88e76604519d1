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

// A control plane, and who finds it where it cannot be.
typedef struct {
    const Subject *subject;
    Span name;
    const char *help;           // how to give it other zones
    const PlanCluster *cluster; // NULL: of somebody else's file
} ControlPlane;

// EKS User Guide, network requirements. Accounts see the same zone under different letters.
static void check_eks_zones(const Rules *rules, const ControlPlane *plane, const Value *zones) {
    for (uint32_t i = 0; zones != NULL && zones->kind == VALUE_LIST && i < zones->list.count; i++) {
        const Value *zone = zones->list.items[i];
        const int has_eks = zone->kind == VALUE_STRING ? schema_zone_has_eks(zone->string) : 1;
        if (has_eks == 1) {
            continue;
        }
        const Subject *subject = plane->subject;
        Session *session = rules->session;
        Diag *diag = has_eks == 0
                         ? plan_report(session, subject, zone->span, DIAG(zone_without_eks), STR_ARG(zone->string))
                         : plan_report(session, subject, zone->span, DIAG(letter_without_eks), STR_ARG(zone->string));
        diag_label(rules->session, diag, plane->name, "its control plane has an address in each zone");
        diag_help(rules->session, diag, "take another zone of %s", schema_zone_region(zone->string)->name);
    }
}

static void check_control_plane(const Rules *rules, const ControlPlane *plane, const Value *zones) {
    const Value *zone = outside(zones, ZONE_LOCAL);
    if (zone == NULL) {
        check_eks_zones(rules, plane, zones);
        return;
    }
    Diag *diag = plan_report(rules->session, plane->subject, zone->span, DIAG(control_plane_zone),
                             STR_ARG(zone->string), kind_name(schema_zone_kind(zone->string)));
    diag_label(rules->session, diag, plane->name, "its control plane has an address in each zone");
    diag_help(rules->session, diag, "%s such as `%sa`", plane->help, schema_zone_region(zone->string)->name);
    if (plane->cluster != NULL) {
        diag_help(
            rules->session, diag,
            "nodes in `%.*s` go into a second `cluster` block, with `existing = \"%.*s\"`, and with a network that "
            "names the VPC and a private subnet there",
            STR_ARG(zone->string), STR_ARG(plane->cluster->head.id));
    }
}

void rule_control_plane_zones(const Rules *rules, const PlanCluster *cluster) {
    const ControlPlane plane = { .subject = cluster->head.subject,
                                 .name = cluster->head.subject->name_span,
                                 .help = "give it a network in zones",
                                 .cluster = cluster };
    if (cluster->eks->existing == NULL) {
        check_control_plane(rules, &plane, cluster->network == NULL ? cluster->eks->zones : cluster->network->zones);
    }
}

// What stands under `localZones` is for nodes alone.
void rule_cluster_config_control_plane(const Rules *rules, const PlanClusterConfig *config) {
    const ControlPlane plane = { .subject = config->file.subject,
                                 .name = config->name_span,
                                 .help = "write Local Zones under `localZones`, and here zones" };
    check_control_plane(rules, &plane, config->zone_list);
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
