// A managed group of EKS, in words of its own.
#pragma once

#include "compiler/plan/model/launch.h"

// What a group of AWS PCS and its launch template say of how the nodes are bought.
typedef struct {
    PlanField purchase; // PurchaseOption
    PlanField market;   // MarketType of the template
    Span template_key;  // of CustomLaunchTemplate
} PlanPcsPurchase;

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
