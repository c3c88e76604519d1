// What CloudFormation says of a managed group of EKS, and of subnets.
#pragma once

#include "compiler/plan/model/launch.h"

// Subnets of nodes, as far as the stack that makes them tells.
typedef struct {
    Span key;               // of Subnets
    VEC(PlanField) zones;   // the known ones
    bool has_other_zones;   // which are not known
    int64_t free_addresses; // of all of them; -1: not known
} PlanNodeSubnets;

// A managed group of EKS in CloudFormation's own words, and what its launch template says beside it.
typedef struct {
    const Subject *subject;
    Str name;
    Span span; // of its name
    PlanNodeSubnets subnets;
    PlanField most;           // MaxSize
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
