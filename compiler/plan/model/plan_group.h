// A group of nodes that are launched in one way, whoever wrote it and in whose words: `nodes` of infra.dt, a group of a
// service with its launch template, a compute resource, a group of eksctl, a pool of Karpenter. Each way in fills it,
// and rules about groups ask it alone.
#pragma once

#include "compiler/plan/model/batch_group.h"
#include "compiler/plan/model/managed_group.h"
#include "compiler/plan/model/node_subnets.h"
#include "compiler/plan/model/node_room.h"

// In what a group is written: spelling.def has the words of each. A rule asks only where one service does another thing.
typedef enum {
    GROUP_DECLARED,   // `nodes`
    GROUP_TEMPLATE,   // a launch template that nothing in its file uses
    GROUP_INSTANCE,   // AWS::EC2::Instance
    GROUP_EKS,        // AWS::EKS::Nodegroup
    GROUP_BATCH,      // AWS::Batch::ComputeEnvironment
    GROUP_PCS,        // AWS::PCS::ComputeNodeGroup
    GROUP_SCALING,    // AWS::AutoScaling::AutoScalingGroup
    GROUP_MIXED,      // the same, with a MixedInstancesPolicy
    GROUP_FLEET,      // AWS::EC2::EC2Fleet
    GROUP_SPOT_FLEET, // AWS::EC2::SpotFleet
    GROUP_HYPERPOD,   // an instance group of AWS::SageMaker::Cluster
    GROUP_PCLUSTER,
    GROUP_EKSCTL,
    GROUP_KARPENTER,
} PlanGroupForm;

// The volume of a node on which its pods keep their files.
typedef struct {
    double bytes;
    double room; // that pods get of it together
    Span span;   // of its size
} PlanNodeStorage;

typedef struct PlanGroup {
    PlanGroupForm form;
    const Subject *subject; // of what stands in the group itself
    Str name;
    Span whole; // what stands here is this group's alone, so that a fix may change it; SPAN_NONE: nobody knows
    const PlanLaunch *launch; // its launch template, or its own words; shared where several groups start from one
    Span launch_whole;        // of a launch template: what stands there is the template's
    PlanTypes types;
    bool has_other_types; // which are not known
    PlanTypes of_image;   // of a pool: those that its image is to fit, or one of each family that it names
    Str region;           // empty: the deployment decides
    Span region_span;
    PlanField image; // that of the launch, or that of the service; its span is SPAN_NONE where nothing names it
    PlanField low;   // instances
    PlanField most;
    PlanPurchases purchases;            // that are said in the group; those of the launch where there are none
    VEC(PlanPlacementGroup) placements; // beside those of the launch
    PlanNodeSubnets subnets;
    PlanFields groups;       // security groups that stand beside its launch template
    int64_t addresses;       // that a node takes; 0: not known
    int64_t least_addresses; // that it takes where the author asks for the layout with the fewest; 0: no fewer
    int interfaces;          // of a node; 0: not known
    Span span_of_interfaces;

    // What pods of files beside it see.
    Str cluster; // of EKS, as its file calls it; empty: of none
    Span span;
    const Value *labels;                      // NULL: none but those that each node has
    const Value *taints;                      // NULL: none
    const Value *requirements;                // of a pool: on the labels of its nodes; NULL: it says none
    const Value *limits;                      // of a pool: of all of its nodes together; NULL: it says none
    const PlanNodeStorage *storage;           // NULL: not known, or the instances' own disks
    NodeKeeps keeps;                          // of the CPUs and the memory of a node
    int efa_of_pods;                          // EFA interfaces that they find on a node; -1: as many as the type has
    Str efa_help;                             // how a group without EFA gets some; empty: no way is known
    bool has_no_pages;                        // its image is known to reserve no huge pages
    bool has_other_plugins;                   // nobody knows how often they offer an NVIDIA device
    bool is_managed;                          // EKS makes the nodes, and keeps labels for itself
    const PlanManagedGroup *managed;          // its words in CloudFormation; NULL: another form has none
    const PlanPcsPurchase *pcs_purchase;      // NULL: the template stands elsewhere, or the group is of another service
    const PlanBatchGroup *batch;              // likewise, of a compute environment
    const struct PlanEksctlGroup *eksctl;     // of a group of eksctl: cluster_config.h
    const struct PlanPclusterGroup *pcluster; // of a compute resource: configuration.h
    bool has_kubelet_labels;                  // the kubelet gives them to its node, so that it may not take any
    bool has_own_labels;                      // dtc adds some of its own
    PlanField efa;                            // what switches EFA on or off; absent where nothing does
    PlanAnswer has_efa;                       // one interface at least
    bool has_limited_lock;      // its image is EKS's own that is known to let containers lock 8 MiB of memory
    Span span_of_efa;           // of what says that it has EFA, or of its name
    PlanAnswer works_together;  // nodes share a job; ANSWER_NO: each is known to work alone
    int64_t job_nodes;          // of the largest job that is known to run there; 0: of none
    const InstanceRow *job_row; // the type that it asks for; NULL: any
    const Subject *job;         // of that job, whose allows count as the group's do; NULL where there is none
    VEC(const struct PlanContainer *) jobs; // of AWS Batch, that run nowhere else
} PlanGroup;

// Instances at most; -1: not known.
int64_t group_most(const PlanGroup *group);

// The type of nodes that work as one, where that is sold for it: the one that a job asks for, or the first, where each
// type is such a one. NULL: it is another one, or not known.
const PlanType *group_type_for_efa(const PlanGroup *group);

// How many EFA interfaces a type can have there. Who lists interfaces by hand may take any layout.
int group_efa_most(const PlanGroup *group, const InstanceRow *row);

// The types that its image is to fit, as far as they are known.
const PlanTypes *group_image_types(const PlanGroup *group);

// Whether it is of a cluster of Kubernetes, and says what its pods find.
bool group_takes_pods(const PlanGroup *group);

// Whether its labels have the GPU Operator cut or share its GPUs (MIG, time-slicing): pods find more of them, and smaller ones.
bool group_shares_gpus(const PlanGroup *group);

// A label that it gives to its nodes; NULL: it gives none of the name, or nobody knows which it gives.
const Value *group_label(const PlanGroup *group, Str key);

// Whether it is a NodePool of Karpenter that says which nodes it starts.
bool group_is_pool(const PlanGroup *group);

// What pods find of a resource on the node that has most of it.
typedef struct {
    double room; // that they get together; -1: not known
    double has;  // with what the node keeps back
    const PlanType *type;
    Span place; // of what says so
} GroupRoom;

GroupRoom group_room(const PlanGroup *group, const char *name);

// Its placement groups, first those of its launch; NULL behind the last one.
const PlanPlacementGroup *group_placement(const PlanGroup *group, uint32_t i);

// How it buys Spot instances; NULL: it does not.
const PlanPurchase *group_spot(const PlanGroup *group);

// Whether its nodes have to stand close to each other.
bool group_wants_one_zone(const PlanGroup *group);

// Whether a place is the group's own. What a queue says, or a launch template that something uses, others may have taken as
// well.
bool group_owns(const PlanGroup *group, Span place);

// The subject of what stands at a place: a launch template has its own.
const Subject *group_subject_at(const PlanGroup *group, Span span);

// Fills in what its launch says and the group does not.
PlanGroup group_of_launch(PlanGroupForm form, const PlanLaunch *launch);
