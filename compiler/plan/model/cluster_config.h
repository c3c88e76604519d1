// A ClusterConfig of eksctl, as its author wrote it, and as rules ask for it. Each group has a launch, which declared
// groups have too.
#pragma once

#include "compiler/plan/model/configuration.h"
#include "compiler/plan/model/control_plane.h"

// What a group of eksctl says in words of its own.
typedef struct PlanEksctlGroup {
    const struct PlanClusterConfig *config; // its file
    PlanField name;
    PlanField family;  // amiFamily
    PlanField image;   // ami
    PlanField desired; // desiredCapacity
    PlanField is_private;
    PlanFields zones;
    PlanFields subnets;
    PlanField override;   // overrideBootstrapCommand
    Span commands;        // of the key preBootstrapCommands; SPAN_NONE
    const Value *kubelet; // kubeletExtraConfig
    bool has_template;    // of its own, which says the rest
} PlanEksctlGroup;

// Places in which eksctl puts a group that says none.
typedef struct {
    FieldState state;
    Span span; // of what names them
    uint32_t count;
} PlanClusterConfigPlaces;

typedef struct PlanClusterConfig {
    PlanConfiguration file; // its subject, sections and values alone
    Str name;               // empty: not known
    Span name_span;
    const Value *zone_list; // availabilityZones; NULL: none
    const PlanVpc *vpc;
    const PlanControlPlane *control_plane;
    bool has_one_block;   // of IPv4, which eksctl cuts into subnets of the Availability Zones
    bool has_other_nodes; // that are no group's
    PlanField version;
    PlanField region;
    bool is_all_private; // every group is, whatever it says; or nobody knows
    PlanClusterConfigPlaces zones;
    PlanClusterConfigPlaces private;
    PlanClusterConfigPlaces public;
    VEC(const PlanGroup *) groups;
} PlanClusterConfig;
