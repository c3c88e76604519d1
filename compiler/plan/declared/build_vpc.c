// Networks and control planes of a program as rules ask for them: what they ask of those that somebody wrote in other words.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/model/endpoints.h"

static PlanField field_of(const char *name, const Value *value) {
    const bool is_known = value->kind == VALUE_STRING;
    PlanField field = field_known(name, value->span, is_known ? value->string : STR_NONE);
    field.state = is_known ? FIELD_KNOWN : FIELD_LATE;
    return field;
}

// ---- blocks of addresses ---------------------------------------------------------------------------------------------

// Whether a value is the VPC that a network makes.
static bool is_vpc_of(const Plan *plan, const PlanNetwork *network, const Value *vpc) {
    return vpc != NULL && vpc->kind == VALUE_LATE && vpc->late->kind == LATE_OUTPUT &&
           plan_network(plan, vpc->late->block) == network && str_is(vpc->late->name, "vpc");
}

// In `cidr`, and by hand.
static void add_blocks(const Builder *builder, const PlanNetwork *network, PlanVpc *vpc) {
    PlanVpcBlock block = { .subject = network->head.subject, .name = network->head.id, .is_cut = true };
    for (uint32_t i = 0; i < network->made.cidr->list.count; i++) {
        block.block = field_of("cidr", network->made.cidr->list.items[i]);
        block.span = block.block.span;
        vec_push(builder->arena, &vpc->blocks, block);
    }
    const Resources *resources = &network->head.part->resources;
    for (uint32_t i = 0; i < resources->count; i++) {
        const Resource *resource = resources->items[i];
        const Value *cidr = resource_property(resource, "CidrBlock");
        const bool is_block = str_is(resource->type, "AWS::EC2::VPCCidrBlock") &&
                              (cidr != NULL || resource_property(resource, "Ipv4IpamPoolId") != NULL);
        if (is_block && is_vpc_of(builder->plan, network, resource_property(resource, "VpcId"))) {
            block.is_cut = false;
            block.span = resource->span;
            block.block = cidr == NULL ? (PlanField){ .state = FIELD_LATE } : field_of("CidrBlock", cidr);
            vec_push(builder->arena, &vpc->blocks, block);
        }
    }
}

// ---- ways out --------------------------------------------------------------------------------------------------------

// A word may stand for several services. Each has its public name.
static void add_endpoints(const Builder *builder, const PlanNetwork *network, PlanVpc *vpc) {
    const Value *words = network->made.endpoints;
    for (uint32_t i = 0; i < words->list.count; i++) {
        const Value *word = words->list.items[i];
        for (size_t k = 0; k < ENDPOINT_ROW_COUNT; k++) {
            const EndpointRow *row = &ENDPOINT_ROWS[k];
            if (!str_is(word->string, row->word)) {
                continue;
            }
            PlanVpcEndpoint *endpoint = arena_new(builder->arena, PlanVpcEndpoint);
            *endpoint = (PlanVpcEndpoint){
                .subject = network->head.subject,
                .service = str_of(row->service),
                .service_span = word->span,
                .type = field_known("type", word->span, row->is_gateway ? STR("Gateway") : STR("Interface")),
                .has_zones = true, // private names of its own, which nobody can switch off
            };
            vec_push(builder->arena, &vpc->endpoints, (const PlanVpcEndpoint *)endpoint);
        }
    }
}

static void add_ways(const Builder *builder, const PlanNetwork *network, PlanVpc *vpc) {
    const int reason = network->made.public->boolean ? NETWORK_NAT : NETWORK_PUBLIC;
    const bool has_nat = network->made.nat != NAT_NONE;
    vpc->private_way = has_nat ? WAY_NAT : WAY_NONE;
    vpc->private_span = has_nat ? SPAN_NONE : subject_key(network->head.subject, reason);
    add_endpoints(builder, network, vpc);
}

// ---- networks --------------------------------------------------------------------------------------------------------

static void say_region(PlanVpc *vpc, const Value *region) {
    vpc->region = region == NULL ? STR_NONE : region->string;
    vpc->region_span = region == NULL ? SPAN_NONE : region->span;
}

static const PlanVpc *vpc_of(const Builder *builder, const PlanNetwork *network) {
    const bool is_made = network->mode == NETWORK_MADE && !network->is_used_module;
    PlanVpc *vpc = arena_new(builder->arena, PlanVpc);
    *vpc = (PlanVpc){ .subject = network->head.subject,
                      .maker = is_made ? VPC_BY_DTC : VPC_OF_OTHERS,
                      .name = network->head.id,
                      .has_other_blocks = !is_made,
                      .zones = network->zones,
                      .has_subnets = network->mode == NETWORK_MADE,
                      .what = "network",
                      .span = SPAN_NONE,
                      .private_span = SPAN_NONE,
                      .may_have_more = !is_made };
    say_region(vpc, network->region);
    if (is_made) {
        add_ways(builder, network, vpc);
        add_blocks(builder, network, vpc);
    }
    return vpc;
}

// A patch may give it a block.
static bool has_patch_of_vpc(const BlockPatches *patches) {
    for (uint32_t i = 0; i < patches->count; i++) {
        if (str_starts_with(patches->items[i].path, STR("vpc"))) {
            return true;
        }
    }
    return false;
}

// The VPC that eksctl makes for a cluster without a network.
static const PlanVpc *vpc_of_eks(const Builder *builder, const PlanCluster *cluster) {
    PlanVpc *vpc = arena_new(builder->arena, PlanVpc);
    *vpc = (PlanVpc){ .subject = cluster->head.subject,
                      .maker = VPC_BY_EKSCTL,
                      .name = cluster->head.id,
                      .has_other_blocks = true,
                      .zones = cluster->eks->zones,
                      .has_subnets = true,
                      .what = "cluster",
                      .span = SPAN_NONE,
                      .private_span = SPAN_NONE,
                      .may_have_more = true };
    say_region(vpc, subject_value(cluster->head.subject, CLUSTER_REGION));
    if (cluster->eks->existing == NULL && !has_patch_of_vpc(&cluster->head.part->patches)) {
        vec_push(builder->arena, &vpc->blocks, vpc_block_of_eksctl(cluster->head.subject, vpc->name));
        vpc->has_other_blocks = false;
    }
    return vpc;
}

// ---- control planes --------------------------------------------------------------------------------------------------

static void add_zones(const Builder *builder, const Value *zones, PlanControlPlane *plane) {
    for (uint32_t i = 0; zones != NULL && zones->kind == VALUE_LIST && i < zones->list.count; i++) {
        if (zones->list.items[i]->kind == VALUE_STRING) {
            vec_push(builder->arena, &plane->zones, field_of("zones", zones->list.items[i]));
        }
    }
}

static void add_places(const Builder *builder, const Value *list, const char *what, PlanControlPlane *plane) {
    if (list != NULL && list->kind == VALUE_LIST) {
        vec_push(builder->arena, &plane->places,
                 ((PlanEksPlaces){ .what = what, .span = list->span, .count = list->list.count }));
    }
}

// eksctl's file has them, as patches say it.
static void add_services(const Builder *builder, const BlockPatches *patches, PlanControlPlane *plane) {
    for (uint32_t i = 0; i < patches->count; i++) {
        const BlockPatch *patch = &patches->items[i];
        const bool is_outer = str_is(patch->path, "kubernetesNetworkConfig") && patch->value->kind == VALUE_MAP;
        const bool is_range = str_is(patch->path, "kubernetesNetworkConfig.serviceIPv4CIDR");
        const Value *value = is_outer ? value_get(patch->value, "serviceIPv4CIDR") : is_range ? patch->value : NULL;
        if (value != NULL && value->kind == VALUE_STRING) {
            vec_push(builder->arena, &plane->services, field_of("serviceIPv4CIDR", value));
        }
    }
}

// Of what another stack has made nothing is known but its name.
static const PlanControlPlane *control_plane_of(const Builder *builder, const PlanCluster *cluster) {
    const PlanNetwork *network = cluster->network;
    const bool is_given = network != NULL && network->mode == NETWORK_GIVEN;
    PlanControlPlane *plane = arena_new(builder->arena, PlanControlPlane);
    *plane = (PlanControlPlane){
        .subject = cluster->head.subject,
        .maker = network == NULL ? VPC_BY_EKSCTL : network->vpc->maker,
        .name = cluster->head.id,
        .name_span = cluster->head.subject->name_span,
        .vpc = network != NULL               ? network->vpc
               : cluster->eks->zones != NULL ? vpc_of_eks(builder, cluster)
                                             : NULL,
        .zone_help = "give it a network in zones",
        .place_help = is_given
                          ? "add a subnet of another zone; nodes that belong together stay in one of them by `subnet`"
                          : "add a zone; nodes that belong together stay in one of them by `zone`",
        .joining = cluster->head.id,
    };
    add_services(builder, &cluster->head.part->patches, plane);
    if (cluster->eks->existing != NULL) {
        return plane;
    }
    const Value *zones = network == NULL ? cluster->eks->zones : network->zones;
    add_zones(builder, zones, plane);
    if (is_given) {
        add_places(builder, network->given.public, "public subnet", plane);
        add_places(builder, network->given.private, "private subnet", plane);
    } else if (network == NULL || network->mode == NETWORK_MADE) {
        add_places(builder, zones, "zone", plane);
    }
    return plane;
}

void build_vpcs(Builder *builder) {
    Plan *plan = builder->plan;
    for (uint32_t i = 0; i < plan->networks.count; i++) {
        PlanNetwork *network = plan_own_network(plan, plan->networks.items[i]->head.block);
        network->vpc = vpc_of(builder, network);
    }
    for (uint32_t i = 0; i < plan->clusters.count; i++) {
        PlanCluster *cluster = plan_own_cluster(plan, plan->clusters.items[i]->head.block);
        cluster->control_plane = cluster->eks == NULL ? NULL : control_plane_of(builder, cluster);
    }
}
