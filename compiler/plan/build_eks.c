// What a cluster on EKS has beside its groups of nodes: version, region, and where its VPC comes from.
#include "compiler/plan/builder.h"

static Str region_of_zones(const Value *zones) {
    for (uint32_t i = 0; zones != NULL && zones->kind == VALUE_LIST && i < zones->list.count; i++) {
        const Value *zone = zones->list.items[i];
        const RegionRow *region = zone->kind == VALUE_STRING ? schema_zone_region(zone->string) : NULL;
        if (region != NULL) {
            return str_of(region->name);
        }
    }
    return STR_NONE;
}

void build_eks(Builder *builder, const Block *block, PlanCluster *cluster) {
    PlanEks *eks = &cluster->eks;
    eks->version = read_known(builder, block, CLUSTER_VERSION);
    eks->zones = read_known(builder, block, CLUSTER_ZONES);
    eks->existing = read_given(builder, block, CLUSTER_EXISTING);
    eks->control_plane_group = read_given(builder, block, CLUSTER_CONTROL_PLANE_GROUP);
    eks->oidc = read_bool(builder, block, CLUSTER_OIDC, true);
    if (eks->version == NULL && read_value(block, CLUSTER_VERSION) == NULL) {
        Diag *diag = report(builder->session, block->name_span, DIAG(version_missing), STR_ARG(block->name));
        diag_help(builder->session, diag, "write `version = \"1.34\"`");
    }
    const Value *region = read_known(builder, block, CLUSTER_REGION);
    if (region != NULL) {
        cluster->region = region->string;
    } else if (cluster->region.len == 0) {
        cluster->region = region_of_zones(eks->zones);
    }
    // The stack of groups for a running cluster is deployed where that is.
    if (cluster->region.len == 0 && eks->existing == NULL) {
        Diag *diag = report(builder->session, block->name_span, DIAG(region_unknown), STR_ARG(block->name));
        diag_help(builder->session, diag, "write `region = \"us-east-1\"` in its network");
    }
}
