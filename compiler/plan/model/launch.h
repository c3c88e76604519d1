// What an instance is launched with, as rules ask for it: by a declared group, or by a raw launch template,
// which is a resource in CloudFormation's own words. Where dtc writes the template, it says what dtc will write.
#pragma once

#include "compiler/plan/model/field.h"
#include "compiler/plan/model/nics.h"
#include "compiler/plan/model/security_group.h"
#include "compiler/semantics/subject.h"

// In whose words a thing is written: messages say the way out in these.
typedef enum {
    FORM_DECLARED, // a block of infra.dt, such as `nodes`
    FORM_RESOURCE, // a resource of CloudFormation
    FORM_PCLUSTER, // a cluster configuration of ParallelCluster
    FORM_EKSCTL,   // a ClusterConfig of eksctl
} PlanForm;

// An instance type that a source names.
typedef struct {
    const InstanceRow *row;
    PlanField field;
} PlanType;

typedef VEC(PlanType) PlanTypes;

// The first of them, where nics_efa_is_the_point of each; NULL: of another it is not, or not all are known.
const PlanType *types_for_efa(const PlanTypes *types, bool has_others);

// A network interface. Those that dtc places stand nowhere: `interfaces_key` of their launch stands for each place.
typedef struct {
    Span span;
    PlanField card;       // NetworkCardIndex
    PlanField device;     // DeviceIndex
    int64_t card_index;   // 0 where it is absent; -1: not known
    int64_t device_index; // -1 where it is absent, too
    PlanField type;       // InterfaceType
    PlanField public_ip;  // AssociatePublicIpAddress
    PlanField address;    // the first other property that gives it an address; absent where there is none
    PlanFields groups;
} PlanInterface;

// How many EFA interfaces are asked for.
typedef struct {
    int64_t count;   // -1: all that the type has, or nobody knows
    bool is_wanted;  // at least one
    PlanField field; // where the first of them is asked for
    bool is_listed;  // interface by interface, and not as a number
    Span span;       // of the number, or of the list
} PlanEfaWish;

// A security group that carries EFA.
typedef struct {
    const PlanSecurityGroup *group;
    Span span; // where an interface names it
} PlanEfaSecurityGroup;

typedef enum {
    CAPACITY_ON_DEMAND,
    CAPACITY_SPOT,
    CAPACITY_RESERVATION,
    CAPACITY_RESERVATION_GROUP,
    CAPACITY_BLOCK,
    CAPACITY_INTERRUPTIBLE, // a reservation whose owner may take it back
} CapacityKind;

// A way in which instances are to be bought.
typedef struct {
    CapacityKind kind;
    Str word;        // what its author calls it
    PlanField field; // absent: it holds because nothing is written, or null
} PlanPurchase;

typedef VEC(PlanPurchase) PlanPurchases;

// A placement group that instances are to stand in.
typedef struct {
    PlanField field;
    bool is_new;        // made together with them
    bool is_cluster;    // known to be one that puts them close to each other
    PlanField strategy; // of a new one
} PlanPlacementGroup;

// A text of user data that has its own place in the file, and perhaps a head that its author did not write.
typedef struct {
    size_t at;   // in all of it
    size_t head; // bytes of `#!/bin/bash`
    Span text;
} PlanUserPiece;

// The user data that instances start with.
typedef struct {
    PlanField field;   // the property
    Str start;         // what is known of it, from its beginning on; decoded where it was written as base64
    size_t bytes_min;  // how long it is at least
    bool is_whole;     // `start` is all of it
    bool is_plain;     // a text where base64 has to be
    bool is_twice;     // base64 of base64
    const char *fault; // what is wrong with its base64 or its gzip; NULL: nothing is known to be
    bool is_literal;   // a text in `Fn::Base64` that nothing is put into
    Str written;       // all of it as its author wrote it, variables of Fn::Sub and all, or decoded; empty: not known
    Span text;         // of `written`, or of its base64
    VEC(PlanUserPiece) pieces; // where `written` is put together from several; else none
    bool is_joined;            // they are one text; else each is a script of its own
} PlanUserData;

// Where the instances come from. Only a reservation is told here: others bring no place with them.
typedef struct {
    bool is_block;    // a Capacity Block, whatever the deployment gives
    bool is_reserved; // a reservation that is there before the instances are
    bool takes_named; // a placement group that is there may be named beside it
    PlanField field;  // what says so; its text is its kind: "reservation"
    bool has_target;  // a block is named, or may be
    PlanField group;  // the resource group in its place
} PlanReservation;

// A reservation that the same stack makes, and that instances are launched into.
typedef struct {
    Str name;
    PlanField type;  // InstanceType
    PlanField zone;  // AvailabilityZone
    PlanField count; // InstanceCount
} PlanReserved;

// A volume that instances start with.
typedef struct {
    PlanField device; // "/dev/xvda"; absent: the tool puts it where the image has its root
    PlanField size;   // in GiB
} PlanDisk;

// A launch template, or what stands for one: how the instances of a group are launched.
typedef struct {
    PlanForm form;
    const Subject *subject; // what findings are about
    const Subject *maker;   // whose `allow` counts where nothing could be planned; NULL: nobody's, as dtc is the maker
    PlanTypes types;        // that it is launched as, as far as they are known
    bool has_other_types;   // which are not known
    NicLayout layout;
    PlanEfaWish efa;
    FieldState interfaces_state; // FIELD_KNOWN: every one of them is in `interfaces`
    Span interfaces_key;
    const PlanInterface *interfaces; // those that are known to be there
    uint32_t interface_count;
    PlanFields groups; // security groups beside the interfaces
    VEC(PlanEfaSecurityGroup) efa_groups;
    PlanReservation reservation;
    const PlanReserved *reserved; // NULL: none of the same stack
    PlanPurchases purchases;      // that the author asks for
    VEC(PlanPlacementGroup) placement_groups;
    PlanField tenancy;
    PlanField image;    // the machine image
    PlanField tokens;   // whether metadata needs one: "optional"; FIELD_LATE where nobody knows
    PlanField endpoint; // whether there is a metadata service: "disabled"
    PlanField profile;  // an instance profile; only whether it is there
    VEC(PlanDisk) disks;
    Span metadata_key; // of the options of the metadata service; SPAN_NONE where there are none
    PlanUserData user_data;
    const struct PlanLauncher *launcher; // what scripts of the user data start, or of `setup`; NULL: no launcher
    Span user_key;                       // where AWS Batch is told to use it; SPAN_NONE
    Span managed_key;                    // where a managed group of EKS is; SPAN_NONE
    const char *target;                  // whose nodes they are: "pcs"; NULL: another one's, or not known
    Span target_key;                     // where that is said; SPAN_NONE
    Str region;       // that a zone of the same template is in; empty: the deployment decides, or a group says it
    Span region_span; // of that zone
} PlanLaunch;

// What CloudFormation calls kinds of interfaces; NIC_INTERFACE where absent. False where it is late or none of them.
bool launch_nic_kind(const PlanInterface *interface, NicKind *kind);
// Each interface but those for EFA alone takes an address. -1: only the deployment knows.
int64_t launch_address_count(const PlanLaunch *launch);
// How many of the interfaces are EFA; -1 where that is not known.
int launch_efa_count(const PlanLaunch *launch);
bool launch_has_efa(const PlanLaunch *launch); // one at least is known to be

// None of its instance types has EFA, and at least one is known.
bool launch_has_no_efa(const PlanLaunch *launch);
