// Resources that an author wrote in CloudFormation's own words, and what rules ask of them: the resources of one stack
// are lifted into launches, groups and containers, which declared groups and jobs have as well. Only
// raw*.c knows whether the tree comes from a raw `resource` or from another file. A late value, or one that an
// intrinsic puts together, is FIELD_LATE.
#pragma once

#include "compiler/base/str_map.h"
#include "compiler/plan/model/plan.h"

typedef struct RawResource RawResource;

struct RawResource {
    Str type; // "AWS::EC2::LaunchTemplate"
    Str id;   // its logical id
    Str name; // as the author calls it
    Span span;
    Span whole;               // all of it, from its type to its end; SPAN_NONE where it is no raw `resource`
    const Subject *subject;   // what findings are about
    const Resource *resource; // NULL where it is no raw `resource`
    const ValueEntry *properties;
    uint32_t property_count;
    Str condition;   // of a template, under which it is there; empty: none
    bool is_part;    // of a request (extra.h)
    bool is_changed; // by a patch: nobody knows what it ends up as
};

// A launch template, and what is known of it beside its launch.
typedef struct {
    const RawResource *resource;
    PlanField name; // LaunchTemplateName
    PlanField instance_type;
    PlanField image;   // ImageId
    PlanField market;  // MarketType
    PlanField profile; // IamInstanceProfile; only whether it is there
    PlanField subnet;  // SubnetId of the first interface that has one
    PlanLaunch *launch;
    VEC(const PlanGroup *) groups; // that use it
} RawTemplate;

typedef struct {
    const RawResource *resource;
    PlanSecurityGroup *group;
} RawSecurityGroup;

typedef struct {
    const RawResource *resource; // NULL: another file makes it
    const Value *id;             // then: what names it; NULL: nothing does
    PlanVpc *vpc;
} RawVpc;

typedef struct {
    const RawResource *resource;
    PlanVpcSubnet *subnet;
    PlanVpc *vpc; // that it is in
} RawSubnet;

// A container of a job definition, before it is linked to the groups that may run it.
typedef struct {
    PlanContainer *container;
    int neuron_devices; // that it is given one by one; 0: it may have all of its node
    bool is_serverless; // Fargate
} RawContainer;

// ---- the stack

typedef VEC(RawResource *) RawResources;

typedef struct {
    Session *session;
    Arena *arena;
    const PlanCluster *cluster; // whose stack it is; NULL: no cluster's
    RawResources resources;
    StrMap by_id; // the first resource of each id
    VEC(RawTemplate *) templates;
    VEC(RawTemplate *) instances; // each is its own
    VEC(PlanGroup *) of_batch;    // compute environments, whose jobs say what they are for
    VEC(RawSecurityGroup) security_groups;
    VEC(RawVpc) vpcs;
    VEC(RawContainer) containers;
    StrMap subnets;            // by the ids of their resources, to RawSubnet
    const PlanTemplate *names; // of the template that the stack is one way to deploy; NULL: it is of none
    PlanRaw parts;
} RawStack;

// The raw resources of the parts of a plan that share a stack, and of all parts in these.
const RawStack *raw_stack(Session *session, const PlanCluster *cluster, const PlanParts *parts);

// The stack of resources that another reader found; `whole` are those of them that rules about every type ask for, `names`
// those of the template, or NULL.
const RawStack *raw_stack_of(Session *session, RawResources resources, PlanResources whole, const PlanTemplate *names);

// The parts of the stack, made from its resources; raw_stack() calls them in this order.
void raw_add_security_groups(RawStack *stack);
void raw_add_vpcs(RawStack *stack);
void raw_add_controllers(RawStack *stack);
void raw_add_ways(RawStack *stack);   // of these: subnets, routes and endpoints
void raw_close_ways(RawStack *stack); // whether others add to these
void raw_add_storages(RawStack *stack);
void raw_add_templates(RawStack *stack);
void raw_add_node_groups(RawStack *stack); // after the templates
void raw_add_hyperpod_groups(RawStack *stack);
void raw_add_provisionings(RawStack *stack); // of HyperPod
void raw_add_containers(RawStack *stack);
void raw_link(RawStack *stack); // all of these

// The security group of the stack that a field refers to; NULL: it refers to none.
PlanSecurityGroup *raw_security_group(const RawStack *stack, const PlanField *field);

// Says that it carries EFA of the nodes of a launch, once.
void raw_add_efa_group(const RawStack *stack, PlanLaunch *launch, const PlanField *field);

// Adds a placement group that is there whatever the deployment gives; anything else is none.
void raw_add_placement_group(const RawStack *stack, PlanLaunch *launch, const PlanField *group);

PlanPlacementGroup raw_placement_group(const RawStack *stack, const PlanField *group);

// What an instance says itself, where it would say it as a launch template; NULL: it is no instance.
const RawTemplate *raw_own_template(const RawStack *stack, const RawResource *resource);

// ---- what the parts are made with

// A map of properties, as far as it is known.
typedef struct {
    FieldState state;
    Span key;
    Span span;
    Span whole; // of the resource
    const ValueEntry *entries;
    uint32_t count;
} RawMap;

RawMap raw_properties(const RawResource *resource);
RawMap raw_map(const RawMap *map, const char *name);
PlanField raw_field(const RawStack *stack, const RawMap *map, const char *name);
PlanField raw_field_at(const RawStack *stack, const RawMap *map,
                       const char *path); // through maps: "Outer.Name"; absent of NULL
RawMap raw_walk(const RawStack *stack, const RawMap *map, const char *path,
                const char **last); // the map of its last name
PlanField raw_either(const RawStack *stack, const RawMap *map, const char *name, const char *other); // the one there is
PlanFields raw_fields(const RawStack *stack, const RawMap *map, const char *name); // one value counts as a list of it
const Value *raw_value(const RawMap *map, const char *name, Span *key);            // NULL where absent

// The maps in a list; `*state` is FIELD_KNOWN where every item is there. Items that are no maps, or late, are left out.
typedef VEC(RawMap) RawMaps;
RawMaps raw_maps(const RawStack *stack, const RawMap *map, const char *name, FieldState *state, Span *key);

// "Fn::Sub" of `{ "Fn::Sub" = … }`, with its argument; an empty name where the value is no intrinsic in long form.
Str raw_intrinsic(const Value *value, const Value **argument);

// Whether a property is there, whatever it is: FIELD_KNOWN, with no text, FIELD_LATE where it may be nothing, or FIELD_ABSENT.
PlanField raw_presence(const RawMap *map, const char *name);

// The zone of a subnet, by its name or its id.
PlanField raw_zone(const RawStack *stack, const RawMap *subnet);

// What is known of the subnets that a list names.
PlanNodeSubnets raw_subnets(const RawStack *stack, const PlanFields *fields);

// A block of addresses that a resource says.
PlanVpcBlock raw_block(const RawResource *resource, PlanField block);

// A subnet of the stack that a field refers to; NULL: it refers to none.
const RawSubnet *raw_find_subnet(const RawStack *stack, const PlanField *field);

// NULL: this stack makes no subnet behind the field.
const RawResource *raw_own_subnet(const PlanField *field);

bool raw_refers(const PlanField *field, const RawResource *resource); // to this very resource

// The launch template that an id or a name means; NULL where it is none of the stack.
RawTemplate *raw_find_template(const RawStack *stack, const PlanField *id);

// What a managed group of EKS says, with the map that names its launch template. NULL: that is in no template of the stack.
const PlanManagedGroup *raw_managed_group(RawStack *stack, const RawMap *properties, const RawMap *launch,
                                          RawTemplate *template);

// What a compute environment of AWS Batch says, with the same.
const PlanBatchGroup *raw_batch_group(const RawStack *stack, const RawMap *properties, const RawMap *launch,
                                      const RawTemplate *template);

// The row of an instance type that is known; NULL without.
const InstanceRow *raw_type(const RawStack *stack, const PlanField *field);

// Adds the volume that a map says, where it says something of it. `words` are its keys, and who takes it.
typedef struct {
    PlanVolumeTaker taker;
    const char *usual;
    const char *type;
    const char *size;
    const char *iops;
    const char *rate;
} RawVolumeWords;

const PlanVolume *raw_volume(RawStack *stack, const Subject *subject, const RawMap *map, const RawVolumeWords *words);
void raw_add_volume(RawStack *stack, const Subject *subject, const RawMap *map, const RawVolumeWords *words);

// Where a file system keeps what it says: paths. What is NULL it does not say.
typedef struct {
    StorageKind kind;
    const char *capacity;
    const char *deployment;
    const char *rate;
    const char *medium;
    const char *import_path;
    const char *export_path;
    const char *version;
    const char *backups;
    const char *throughput;
    const char *backup;
    const char *kms_key;
    const char *drive_cache;
    const char *efa;
    const char *metadata;
    const char *tier_rate;
} RawFileSystemWords;

void raw_read_file_system(const RawStack *stack, const RawMap *map, const RawFileSystemWords *words,
                          PlanFileSystem *system);

// What a class of volumes makes; NULL where the object is no such class, or has a driver that is not known.
const PlanFileSystem *raw_class(Session *session, const PlanObject *object);

// The reservation of the stack that LaunchTemplateData names; NULL: none.
const PlanReserved *raw_reserved(const RawStack *stack, const RawMap *data);
