// A group of nodes in a file that somebody else wrote, as the pods of files beside it see it.
#pragma once

#include "compiler/plan/model/launch.h"

typedef struct {
    Str name;
    Str cluster; // as its file calls it
    Span span;
    PlanTypes types;
    bool has_other_types; // which are not known
    PlanField most;       // nodes
    const Value *labels;  // NULL: none but those that each node has
    const Value *taints;  // NULL: none
} PlanOffer;

// Subnets of nodes, as far as the stack that makes them tells.
typedef struct {
    Span key;               // of Subnets
    VEC(PlanField) zones;   // the known ones
    int64_t free_addresses; // of all of them; -1: not known
} PlanNodeSubnets;

// A managed group of EKS in CloudFormation's own words, and what its launch template says beside it.
typedef struct {
    const Subject *subject;
    Str name;
    Span span; // of its name
    PlanNodeSubnets subnets;
    PlanField most;           // MaxSize
    bool wants_one_zone;      // its nodes belong together
    PlanField capacity;       // CapacityType
    PlanFields types;         // InstanceTypes
    PlanField image;          // AmiType
    PlanField version;        // of Kubernetes: its own, or that of its cluster in the same stack
    PlanField disk;           // DiskSize
    PlanField remote;         // RemoteAccess; only whether it is there
    Span template_key;        // of LaunchTemplate; SPAN_NONE
    const PlanLaunch *launch; // what that is; NULL: not known
    PlanField market;         // of it: MarketType
    PlanField type;           // InstanceType
    PlanField profile;        // IamInstanceProfile; only whether it is there
    PlanField subnet;         // SubnetId of its first interface that has one
} PlanManagedGroup;
