// A role, whoever wrote it: who may take it, what it may do, and who uses it. Each way in fills it as far as it is
// written, and rules about roles ask it alone.
#pragma once

#include "compiler/plan/model/field.h"
#include "compiler/plan/model/plan_template.h"
#include "compiler/semantics/extra.h"

// What its users need of a role. A policy of AWS gives it, or an action of one's own policy.
typedef struct {
    const char *policy;
    const char *marks[4];   // names of policies of AWS that give the same
    const char *actions[2]; // the beginnings of actions that do
    const char *addon;      // of EKS, which needs it where it has no role of its own; NULL: all nodes do
    const char *account;    // the service account of its pods
} RoleNeed;

// A property of CloudFormation that names a role, or an instance profile with one.
typedef struct {
    const char *type;
    const char *key;
    const char *service; // that takes the role, without its domain
    bool wants_tags;     // on the session in which it is taken
    const char *start;   // of the role's name, or else `path` is in its path; NULL: it may have any
    const char *path;
    RoleNeed needs[3]; // as many as have a policy
} RoleUse;

// NULL: the property names no role that is asked for.
const RoleUse *role_use(Str type, Str key);

// Somebody who takes a role.
typedef struct {
    const RoleUse *use;
    const PlanNamed *from;
    const Subject *subject;
    Span span; // where the role is named
} PlanRoleUser;

// A statement that says who may take it.
typedef struct {
    VEC(Str) services; // as they are written, with their domain
    Span first;        // of these; SPAN_NONE
    bool has_others;   // accounts, or somebody who is not known
    bool lets_take;    // `sts:AssumeRole`
    bool lets_tag;     // `sts:TagSession`
    Span takes;        // where it names `sts:AssumeRole`, and no other action; SPAN_NONE
} PlanTrust;

struct PlanRole {
    const Subject *subject;
    Str name;
    Span span;
    const PlanTemplate *template; // that it stands in, as `named`; NULL: none
    const PlanNamed *named;
    PlanField given_name;
    Str name_start; // what the name surely begins with, where the deployment gives the rest
    PlanField path;
    bool is_trust_known; // each statement of it is in `trusts`
    VEC(PlanTrust) trusts;
    VEC(Str) policies;   // managed ones, by their ARNs or what is written of these
    VEC(Str) actions;    // of its own policies
    bool may_allow_more; // by what stands elsewhere, or is not known
    VEC(PlanRoleUser) users;
};

// Whether a service, such as "ec2", may take it.
PlanAnswer role_trusts(const PlanRole *role, const char *service);

// Whether a statement names the service, for whatever action.
bool role_names(const PlanRole *role, const char *service);

// Whether that service may tag the session.
PlanAnswer role_lets_tag(const PlanRole *role, const char *service);

// Whether its policies give what is needed.
PlanAnswer role_gives(const PlanRole *role, const RoleNeed *need);

// Whether its name or its path is one that the user takes.
PlanAnswer role_has_name_for(const PlanRole *role, const RoleUse *use);

// Whether the role that a resource is has users in its template.
bool role_has_users(const PlanTemplate *template, const PlanNamed *named);

// A statement without services and actions, which its reader adds: whether it lets accounts in, or somebody who is not known.
PlanTrust role_trust(bool has_others);

// Adds a service that a statement names at `span`. One that is not known is empty, and may be anybody.
void role_add_service(Arena *arena, PlanTrust *trust, Str service, Span span);

// Adds what an action of a statement lets its services do. One that is not written is empty, and may be any: that of
// `NotAction` is.
void role_add_action(PlanTrust *trust, Str action);

// A role that is a resource of infra.dt, as far as it says who may take it.
PlanRole role_of_resource(Arena *arena, const Resource *resource);
