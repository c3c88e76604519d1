// What a group of nodes says in words of its service alone, and what is known of subnets.
#pragma once

#include "compiler/plan/model/launch.h"

// Subnets of nodes, as far as what makes them tells.
typedef struct {
    Span key;               // of what names them
    VEC(PlanField) zones;   // the known ones
    bool has_other_zones;   // which are not known
    int64_t free_addresses; // of all of them; -1: not known
    Span blocks;            // of what they are cut from, where that is written; else SPAN_NONE

    // The first one that is known to be public; absent where none is.
    PlanField public;
    Span public_span;         // of what says so, where another place does; else SPAN_NONE
    const char *private_help; // how the group gets another one
    const char *private_key;  // what is true of a group in private subnets, where its file has some; NULL: nothing is

    // Zones that the group names, and its network does not have.
    VEC(PlanField) zones_elsewhere; // the text is as it is printed
    bool has_no_place;              // in these dtc can plan nothing: no `allow` helps
    Str network;
    Span network_zones; // SPAN_NONE: it says none
    const char *network_label;
    const char *zone_help; // NULL: none
} PlanNodeSubnets;

// What a managed group of EKS says in words of its own, and what its launch template may not say beside it.
typedef struct {
    PlanField capacity; // CapacityType
    PlanFields types;   // InstanceTypes
    PlanField image;    // AmiType
    PlanField version;  // of Kubernetes: its own, or that of its cluster in the same stack
    PlanField disk;     // DiskSize
    PlanField remote;   // RemoteAccess; only whether it is there
    Span template_key;  // of LaunchTemplate; SPAN_NONE
    bool has_launch;    // the launch of the group is that template; else another file has it
    PlanField market;   // of it: MarketType
    PlanField type;     // InstanceType
    PlanField profile;  // IamInstanceProfile; only whether it is there
    PlanField subnet;   // SubnetId of its first interface that has one
} PlanManagedGroup;

// An image of the service's own that new environments start from.
typedef struct {
    PlanField field;
    const ImageRow *row; // NULL: the rows have none of that name
} PlanServiceImage;

typedef VEC(PlanServiceImage) PlanServiceImages;

// What keeps other instances from a compute environment that is there: what is absent keeps nothing from it.
typedef struct {
    bool is_best_fit;   // its strategy is BEST_FIT, which is the default
    PlanField strategy; // AllocationStrategy
    PlanField role;     // ServiceRole, known to be another one than the service-linked role
    PlanField in_place; // ReplaceComputeEnvironment that is false
    PlanField name;     // ComputeEnvironmentName that another environment would have, too
} PlanUpdate;

// What a compute environment of AWS Batch says in words of its own. A declared group has its images alone.
typedef struct {
    PlanFields types;         // InstanceTypes: families, and words such as `optimal`, too
    PlanField most_vcpus;     // MaxvCpus
    PlanField own_image;      // that somebody names in the place of the service's
    PlanServiceImages images; // none where it may start from an author's
    Str template_name;        // as the author calls the launch template; empty: it is another file's
    Span template_key;        // where it is named
    PlanField template_id;
    PlanField version;
    PlanUpdate update;
} PlanBatchGroup;
