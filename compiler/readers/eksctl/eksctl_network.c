// The network of a ClusterConfig, and the places of its control plane.
#include "compiler/readers/eksctl/eksctl_read.h"

static PlanClusterConfigPlaces subnets_of(const RawMap *subnets, const char *name) {
    const RawMap map = raw_map(subnets, name);
    return (PlanClusterConfigPlaces){ .state = subnets->state == FIELD_LATE ? FIELD_LATE : map.state,
                                      .span = map.key,
                                      .count = map.count };
}

static void read_places(const EksctlRead *read, const RawMap *document) {
    const RawMap vpc = raw_map(document, "vpc");
    const RawMap subnets = raw_map(&vpc, "subnets");
    const PlanFields zones = raw_fields(read->stack, document, "availabilityZones");
    // On an Outpost the control plane stands in its one zone.
    if (raw_map(document, "outpost").state != FIELD_ABSENT) {
        return;
    }
    read->config->zones = (PlanClusterConfigPlaces){ .state = zones.state, .span = zones.key, .count = zones.count };
    read->config->private = subnets_of(&subnets, "private");
    read->config->public = subnets_of(&subnets, "public");
}

// Whether all subnets of a map are known to be in the zone, the first one's where it is empty.
static bool are_in_zone(const EksctlRead *read, const RawMap *subnets, PlanField *zone) {
    for (uint32_t i = 0; subnets->state == FIELD_KNOWN && i < subnets->count; i++) {
        const RawMap subnet = raw_map(subnets, str_c(read->stack->arena, subnets->entries[i].key));
        const PlanField other = raw_field(read->stack, &subnet, "az");
        *zone = zone->state == FIELD_ABSENT ? other : *zone;
        if (other.state != FIELD_KNOWN || !str_equal(other.text, zone->text)) {
            return false;
        }
    }
    return subnets->state != FIELD_LATE;
}

static bool add_places(const EksctlRead *read, const PlanClusterConfigPlaces *places, const char *what,
                       PlanControlPlane *plane) {
    if (places->state == FIELD_KNOWN) {
        vec_push(read->stack->arena, &plane->places,
                 ((PlanEksPlaces){ .what = what, .span = places->span, .count = places->count }));
    }
    return places->count == 1;
}

// A file that names the cluster's security group adds groups to a cluster that somebody else has made.
static void read_control_plane_places(const EksctlRead *read, const RawMap *document, PlanControlPlane *plane) {
    const PlanClusterConfig *config = read->config;
    const RawMap vpc = raw_map(document, "vpc");
    const RawMap subnets = raw_map(&vpc, "subnets");
    const RawMap private = raw_map(&subnets, "private");
    const RawMap public = raw_map(&subnets, "public");
    const PlanClusterConfigPlaces *places = config->private.count > 0 ? &config->private : &config->public;
    PlanField zone = { .state = FIELD_ABSENT };
    (void)add_places(read, &config->zones, "zone", plane);
    const bool has_one_private = add_places(read, &config->private, "private subnet", plane);
    const bool has_one_public = add_places(read, &config->public, "public subnet", plane);
    const bool is_other = raw_presence(&vpc, "securityGroup").state != FIELD_ABSENT ||
                          raw_presence(&vpc, "controlPlaneSubnetIDs").state != FIELD_ABSENT;
    if (!is_other && !has_one_private && !has_one_public && places->state == FIELD_KNOWN &&
        are_in_zone(read, &private, &zone) && are_in_zone(read, &public, &zone) && zone.state == FIELD_KNOWN) {
        plane->alike = field_known("subnets", places->span, zone.text);
    }
}

static bool makes_nodes(const EksctlRead *read, const RawMap *document) {
    const RawMap automatic = raw_map(document, "autoModeConfig");
    const PlanField enabled = raw_field(read->stack, &automatic, "enabled");
    return raw_map(document, "karpenter").state != FIELD_ABSENT ||
           raw_presence(document, "fargateProfiles").state != FIELD_ABSENT ||
           (automatic.state != FIELD_ABSENT && !field_is(&enabled, "false"));
}

static const PlanControlPlane *read_control_plane(const EksctlRead *read, const RawMap *document) {
    const PlanClusterConfig *config = read->config;
    const RawMap network = raw_map(document, "kubernetesNetworkConfig");
    const PlanFields zones = raw_fields(read->stack, document, "availabilityZones");
    const PlanField services = raw_field(read->stack, &network, "serviceIPv4CIDR");
    PlanControlPlane *plane = arena_new(read->stack->arena, PlanControlPlane);
    *plane = (PlanControlPlane){
        .subject = read->file,
        .maker = config->vpc->maker,
        .name = config->name,
        .name_span = config->name_span,
        .vpc = config->vpc,
        .makes_nodes = makes_nodes(read, document),
        .zone_help = "write Local Zones under `localZones`, and here zones",
        .place_help =
            "add one of another zone; nodes that belong together stay in one by `availabilityZones` of their group",
    };
    for (uint32_t i = 0; i < zones.count; i++) {
        vec_push(read->stack->arena, &plane->zones, zones.items[i]);
    }
    if (services.state == FIELD_KNOWN) {
        vec_push(read->stack->arena, &plane->services, services);
    }
    read_control_plane_places(read, document, plane);
    return plane;
}

// A subnet may be told by its block. One that stands there twice is said to be so by its id.
static void add_subnets(const EksctlRead *read, const RawMap *subnets, StrMap *ids, PlanVpc *vpc) {
    for (uint32_t i = 0; subnets->state == FIELD_KNOWN && i < subnets->count; i++) {
        const Str name = subnets->entries[i].key;
        const RawMap subnet = raw_map(subnets, str_c(read->stack->arena, name));
        const PlanField block = raw_field(read->stack, &subnet, "cidr");
        const PlanField id = raw_field(read->stack, &subnet, "id");
        const bool is_first = id.state != FIELD_KNOWN || str_map_add(ids, id.text, vpc) == NULL;
        if (block.state == FIELD_KNOWN && is_first) {
            vec_push(read->stack->arena, &vpc->subnets,
                     ((PlanVpcBlock){ .subject = read->file, .name = name, .span = block.span, .block = block }));
        }
    }
}

static PlanVpc *read_vpc(const EksctlRead *read, const RawMap *document, bool is_made) {
    const PlanClusterConfig *config = read->config;
    const RawMap written = raw_map(document, "vpc");
    const PlanField block = raw_field(read->stack, &written, "cidr");
    PlanVpc *vpc = arena_new(read->stack->arena, PlanVpc);
    *vpc = (PlanVpc){ .subject = read->file,
                      .maker = is_made ? VPC_BY_EKSCTL : VPC_OF_OTHERS,
                      .name = config->name,
                      .has_other_blocks = block.state == FIELD_LATE || !is_made,
                      .zones = config->zone_list,
                      .has_subnets = is_made,
                      .what = "cluster",
                      .span = SPAN_NONE };
    vpc->region = config->region.state == FIELD_KNOWN ? config->region.text : STR_NONE;
    vpc->region_span = config->region.span;
    const RawMap subnets = raw_map(&written, "subnets");
    const RawMap private = raw_map(&subnets, "private");
    const RawMap public = raw_map(&subnets, "public");
    StrMap ids = { .arena = read->stack->arena };
    add_subnets(read, &private, &ids, vpc);
    add_subnets(read, &public, &ids, vpc);
    if (block.state == FIELD_KNOWN) {
        vec_push(read->stack->arena, &vpc->blocks,
                 ((PlanVpcBlock){ .subject = read->file, .name = config->name, .span = block.span, .block = block }));
    } else if (block.state == FIELD_ABSENT && is_made) {
        vec_push(read->stack->arena, &vpc->blocks, vpc_block_of_eksctl(read->file, config->name));
    }
    return vpc;
}

// Private subnets of a VPC that eksctl makes have a way out by its NAT gateway alone. A VPC that is there has its own ways
// out, and one for IPv6 has an egress-only gateway.
static void read_ways(const EksctlRead *read, const RawMap *written, bool has_gateways, PlanVpc *vpc) {
    const RawMap nat = raw_map(written, "nat");
    const PlanField gateway = raw_field(read->stack, &nat, "gateway");
    const bool is_off = has_gateways && field_is(&gateway, "Disable");
    vpc->private_way = is_off ? WAY_NONE : has_gateways && gateway.state != FIELD_LATE ? WAY_NAT : WAY_UNKNOWN;
    vpc->private_span = is_off ? gateway.span : SPAN_NONE;
    vpc->may_have_more = true;
}

// Endpoints that a private cluster has beside those that each has.
// source: eksctl-io/eksctl@99984adb pkg/apis/eksctl.io/v1alpha5/vpc_endpoints.go, EndpointServices, read 2026-11
static void read_endpoints(const EksctlRead *read, const RawMap *document, PlanVpc *vpc) {
    static const char *const SERVICES[] = { "autoscaling", "cloudformation", "logs" };
    const RawMap private = raw_map(document, "privateCluster");
    const PlanField enabled = raw_field(read->stack, &private, "enabled");
    const PlanFields services = raw_fields(read->stack, &private, "additionalEndpointServices");
    for (uint32_t i = 0; field_is(&enabled, "true") && i < services.count; i++) {
        for (size_t k = 0; k < COUNT_OF(SERVICES); k++) {
            const PlanField *service = &services.items[i];
            if (field_is(service, SERVICES[k])) {
                PlanVpcEndpoint *endpoint = arena_new(read->stack->arena, PlanVpcEndpoint);
                *endpoint = (PlanVpcEndpoint){ .subject = read->file,
                                               .service = service->text,
                                               .service_span = service->span,
                                               .type = field_known("type", service->span, STR("Interface")),
                                               .names = field_known("names", service->span, STR("true")) };
                vec_push(read->stack->arena, &vpc->endpoints, (const PlanVpcEndpoint *)endpoint);
            }
        }
    }
}

void eksctl_read_network(EksctlRead *read, const RawMap *document) {
    const RawMap vpc = raw_map(document, "vpc");
    const RawMap network = raw_map(document, "kubernetesNetworkConfig");
    const PlanField family = raw_field(read->stack, &network, "ipFamily");
    const bool is_made =
        raw_presence(&vpc, "id").state == FIELD_ABSENT && raw_presence(&vpc, "subnets").state == FIELD_ABSENT;
    const bool is_ipv4 = family.state == FIELD_ABSENT || field_is(&family, "IPv4");
    const bool is_in_region = raw_map(document, "outpost").state == FIELD_ABSENT;
    read->config->has_one_block =
        is_made && is_in_region && is_ipv4 && raw_presence(document, "localZones").state == FIELD_ABSENT;
    read_places(read, document);
    PlanVpc *made = read_vpc(read, document, is_made && is_in_region);
    read_ways(read, &vpc, is_made && is_ipv4, made);
    read_endpoints(read, document, made);
    read->config->vpc = made;
    read->config->control_plane = read_control_plane(read, document);
    vec_push(read->stack->arena, &read->stack->parts.vpcs, read->config->vpc);
    vec_push(read->stack->arena, &read->stack->parts.control_planes, read->config->control_plane);
}
