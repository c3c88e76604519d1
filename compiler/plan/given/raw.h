// Resources that an author wrote in CloudFormation's own words, as the rules see them: those of one stack, with the
// properties that some rule asks for. A rule never walks a tree. Only raw*.c knows whether the tree comes from a raw
// `resource` or from another file. A late value, or one that an intrinsic puts together, is RAW_LATE, and no finding
// can rest on it.
#pragma once

#include "compiler/plan/model/plan.h"

typedef struct RawStack RawStack;
typedef struct RawResource RawResource;
typedef struct RawLaunchTemplate RawLaunchTemplate;
typedef struct RawEnvironment RawEnvironment;

typedef enum {
    RAW_ABSENT, // not written, or written as nothing
    RAW_LATE,   // there, or may be: nobody knows yet what it is
    RAW_KNOWN,
} RawState;

// A property that has no parts.
typedef struct {
    RawState state;
    const char *name; // "DeviceIndex"
    Span key;         // of the name; SPAN_NONE where absent, and in a list
    Span span;        // of the value, wherever it was written
    Str text;         // RAW_KNOWN: 1 and "1" are the same here, as are true and "true"; else empty
    bool may_be_null; // RAW_LATE: an optional that may not be given

    // RAW_LATE: the resource of this stack that it refers to, by Ref ("") or one of its attributes; else NULL.
    const RawResource *resource;
    Str attribute;
} RawField;

// A property that is a list of such.
typedef struct {
    RawState state; // of the list itself; RAW_KNOWN where its length is known
    const char *name;
    Span key;
    const RawField *items;
    uint32_t count;
} RawFields;

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
    bool is_changed; // by a patch: nobody knows what it ends up as
};

// ---- EC2

typedef struct {
    Span span;
    RawField card;      // NetworkCardIndex
    RawField device;    // DeviceIndex
    RawField type;      // InterfaceType
    RawField public_ip; // AssociatePublicIpAddress
    RawField address;   // the first other property that gives it an address; absent where there is none
    RawFields groups;
} RawInterface;

typedef struct {
    RawField field;   // the property
    Str start;        // what is known of it, from its beginning on; decoded where it was written as base64
    size_t bytes_min; // how long it is at least
    bool is_whole;    // `start` is all of it
} RawUserData;

struct RawLaunchTemplate {
    const RawResource *resource;
    RawField name; // LaunchTemplateName
    RawField instance_type;
    RawField image;            // ImageId
    RawState interfaces_state; // RAW_KNOWN: every one of them is in `interfaces`
    Span interfaces_key;
    const RawInterface *interfaces; // those that are known to be there
    uint32_t interface_count;
    RawFields groups; // SecurityGroupIds or SecurityGroups, beside the interfaces
    RawField market_type;
    RawField reservation;       // CapacityReservationId
    RawField reservation_group; // CapacityReservationResourceGroupArn
    RawState target_state;      // of CapacityReservationTarget
    RawField placement_group;   // GroupName or GroupId
    RawField tenancy;
    RawUserData user_data;
    VEC(const RawEnvironment *) users; // compute environments of the stack
};

typedef enum { RAW_NO, RAW_YES, RAW_MAYBE } RawAnswer;

typedef struct {
    const RawResource *resource;
    RawAnswer allows_ingress; // of all traffic from itself
    RawAnswer allows_egress;  // of all traffic to itself
    Span open_egress;         // a rule that lets all out to everywhere, which does not cover EFA; SPAN_NONE
} RawSecurityGroup;

// ---- Batch

struct RawEnvironment {
    const RawResource *resource;
    RawField capacity; // ComputeResources.Type
    RawFields instance_types;
    RawField placement_group;
    RawFields subnets;
    RawField image;        // ImageId
    RawFields image_types; // ImageType of each Ec2Configuration that has no ImageIdOverride
    Span template_key;     // of LaunchTemplate
    RawField version;
    RawField template_id;              // LaunchTemplateId or LaunchTemplateName
    const RawLaunchTemplate *template; // where it is of this stack; else NULL
};

// A variable of a container's environment.
typedef struct {
    RawField name;
    RawField value;
} RawVariable;

// A container of a job definition: of each range of nodes, or the only one.
typedef struct {
    const RawResource *resource;
    bool is_multi_node;
    Span key;               // of Container or ContainerProperties
    RawField instance_type; // of nodes
    RawField nodes;         // NumNodes
    RawField gpus;
    RawField memory; // MiB
    RawState linux_parameters;
    Span linux_parameters_key;
    RawField shm;      // MiB
    RawFields devices; // host paths
    RawState ulimits;
    Span ulimits_key;
    RawField memlock;             // soft limit; absent where none of the limits is of locked memory
    const RawVariable *variables; // those that are known to be there
    uint32_t variable_count;
} RawContainer;

// ---- the stack

struct RawStack {
    Arena *arena;
    VEC(const RawResource *) resources;
    VEC(const RawLaunchTemplate *) templates;
    VEC(const RawSecurityGroup *) groups;
    VEC(const RawEnvironment *) environments;
    VEC(const RawContainer *) containers;
};

// The raw resources of the blocks that share a stack, and of all blocks in these.
const RawStack *raw_stack(Arena *arena, const Block *const *blocks, uint32_t count);

// The views of the stack, made from its resources; raw_stack() calls them in this order.
void raw_add_templates(RawStack *stack);
void raw_add_groups(RawStack *stack);
void raw_add_environments(RawStack *stack); // after the templates, to which they are added as users
void raw_add_containers(RawStack *stack);

// ---- what the views are made with

// A map of properties, as far as it is known.
typedef struct {
    RawState state;
    Span key;
    Span span;
    const ValueEntry *entries;
    uint32_t count;
} RawMap;

RawMap raw_properties(const RawResource *resource);
RawMap raw_map(const RawStack *stack, const RawMap *map, const char *name);
RawField raw_field(const RawStack *stack, const RawMap *map, const char *name);
RawField raw_either(const RawStack *stack, const RawMap *map, const char *name, const char *other); // the one there is
RawFields raw_fields(const RawStack *stack, const RawMap *map, const char *name); // one value counts as a list of it
const Value *raw_value(const RawMap *map, const char *name, Span *key);           // NULL where absent

// The maps in a list; `*state` is RAW_KNOWN where every item is there. Items that are no maps, or late, are left out.
typedef VEC(RawMap) RawMaps;
RawMaps raw_maps(const RawStack *stack, const RawMap *map, const char *name, RawState *state, Span *key);

// "Fn::Sub" of `{ "Fn::Sub" = … }`, with its argument; an empty name where the value is no intrinsic in long form.
Str raw_intrinsic(const Value *value, const Value **argument);

// ---- questions that rules ask

// The number that a field is, `absent` where it is absent, and -1 where it is late or no number from 0 on.
int64_t raw_number(const RawField *field, int64_t absent);
bool raw_is(const RawField *field, const char *text);                // known, and this text; case matters
bool raw_refers(const RawField *field, const RawResource *resource); // to this very resource
// What CloudFormation calls kinds of interfaces; NIC_INTERFACE where absent. False where it is late or none of them.
bool raw_nic_kind(const RawInterface *interface, NicKind *kind);
// How many of a template's interfaces are EFA; -1 where that is not known.
int raw_efa_count(const RawLaunchTemplate *template);
bool raw_has_efa(const RawLaunchTemplate *template); // one at least is known to be
