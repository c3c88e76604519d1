// The template of one stack while it is built: its resources, and the parameters, conditions and images that they need.
// stack_write() puts the sections in order and makes the artifact.
#pragma once

#include "emitters/doc/constants.h"
#include "emitters/emitter.h"

// A template parameter whose value CloudFormation reads from SSM.
typedef struct {
    Str id;
    Str path;
    const Origin *origin;
} StackImage;

// A template parameter that the command of the plan fills with what a service answers.
typedef struct {
    const char *id;
    const char *type;
    const char *pattern;    // that the value has; NULL: the type sees to it
    const char *constraint; // said where it has not; NULL: nothing
    const char *description;
    Str command; // prints the value
    const Origin *origin;
} StackAnswer;

typedef struct {
    Session *session;
    const Plan *plan;
    Output *output;       // of the build, for what its files share; NULL in a stack without nodes
    const PlanHead *head; // the block whose stack it is
    Str region;           // that it is deployed in; empty where the deployment decides
    Arena *arena;         // the document's: given back as a whole when the text is written
    Doc *doc;
    DocNode *metadata;
    DocNode *conditions;
    DocNode *resources;
    DocNode *outputs;
    Span span;                 // the name that ids come from just now: of the block, a group, a job, a resource
    StrMap ids;                // logical ids of parameters and resources -> Span that they come from
    StrMap output_keys;        // -> DocNode
    StrMap named_conditions;   // -> Condition
    VEC(Span) collided;        // spans whose ids are taken: told once
    VEC(const Param *) params; // that the template uses
    VEC(StackImage) images;
    VEC(StackAnswer) answers;
    DeploymentStep step;     // in the session's arena
    PlanParts parts;         // whose raw resources and outputs are in the template, and whose patches will be
    PlanDecisions decisions; // in the session's arena
    uint32_t errors_before;  // of the session, when the template was begun
    bool has_roles;          // needs CAPABILITY_IAM
    bool has_named_roles;    // needs CAPABILITY_NAMED_IAM
} Stack;

typedef struct {
    Str key;
    DocNode *node;
} StackAttribute;

typedef VEC(Str) StackIds;

// One resource; what is not given is left out.
typedef struct {
    Str id;
    const char *type;
    const Origin *origin; // why it is there; NULL: the stack's block alone
    Str condition;
    const Origin *condition_origin; // of the author's; NULL: of dtc's own
    Str depends_on;
    StackIds also_depends_on;       // where it is made behind several
    bool is_kept;                   // stays when the stack is deleted, or replaces it
    bool is_bare;                   // without properties
    VEC(StackAttribute) attributes; // others, beside the properties
} StackResource;

// An empty template. `region` may be empty.
Stack *stack_open(Session *session, const Plan *plan, const PlanHead *head, Str region);

// PascalCase of the block, of the group (may be empty) and the role: "LabPrivateSubnet". There is one rule for every
// resource. So an id tells in logs whose it is, and no param or raw resource of the author can take it by chance.
Str stack_id(const Stack *stack, Str block, Str group, const char *role);

// The id of a resource of a node group: "LlmComputeGpuLaunchTemplate".
Str stack_group_id(const Stack *stack, const PlanNodes *nodes, const char *role);

// Like stack_id(), with `number` at the end if it is not 0.
Str stack_numbered_id(const Stack *stack, Str block, const char *role, uint32_t number);

// A name as CloudFormation takes it: "vpc_stack" is "VpcStack".
Str stack_pascal(const Stack *stack, Str name);

// Ids come from `span` until it is set back: returns the one before.
Span stack_span(Stack *stack, Span span);

// What is added from here on comes from a block, in its ids and its origins, until it is left with what was returned.
Span stack_enter(Stack *stack, const PlanHead *head);
void stack_leave(Stack *stack, Span before);

// Adds a resource and returns its properties, an empty map; NULL where it is bare.
DocNode *stack_resource(Stack *stack, StackResource resource);

// Adds an output; `description` may be NULL. An exported one is `STACK-key`.
void stack_output(Stack *stack, Str key, const char *description, DocNode *value, bool is_exported);

// The template has a parameter for it from now on. Returns the parameter's name.
Str stack_param(Stack *stack, const Param *param);

// The template has a parameter for the image that an SSM parameter names. Returns the parameter's name.
Str stack_image(Stack *stack, Str path, const Origin *origin);

// The template has a parameter for the answer. Returns its name.
Str stack_answer(Stack *stack, StackAnswer answer);

// Another stack of this name exports something that this one imports.
void stack_need(Stack *stack, Str name);

// Ends the template: sections, patches, limits, and the artifact. `description` is for a block without a doc, `reason`
// (may be NULL) what it names beside the block. The stack
// is gone afterwards.
void stack_write(Stack *stack, Str description, const Origin *reason, Output *output);
