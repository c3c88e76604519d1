// A CloudFormation template as it stands in a file: its sections, and what is assumed of a deployment of it.
// Source: AWS CloudFormation User Guide, "CfnTemplate sections" and "CfnCall function reference", read 2026-11.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/session.h"
#include "compiler/base/str_map.h"

enum {
    WORLDS_MAX = 64,             // ways to deploy one template that are looked at
    DECISIONS_MAX = 64000,       // of conditions, in all ways together: a template of people has some dozen conditions
    CONDITION_DEPTH_MAX = 32,    // of conditions that name others
    CONDITION_STEPS_MAX = 20000, // of one world: each may name several, which name the same ones again
    WORLD_VALUES_MAX = 500000,   // of the resources, in all ways together; of a large template fewer ways are looked at
    MADE_VALUES_MAX = 800000,    // that the functions of a template make, in all ways together
    MADE_MIB_MAX = 32,           // of texts, likewise
};

// What the functions of a template have made so far.
typedef struct {
    uint32_t values;
    size_t text_bytes;
    bool is_too_much; // which is reported
} CfnMade;

// The sections are maps; NULL: it has none.
typedef struct {
    Session *session;
    const Data *parameters;
    const Data *mappings;
    const Data *conditions;
    const Data *rules;      // that refuse some values of parameters together
    const Data *resources;  // never NULL
    bool has_macro;         // of somebody: what it makes of the resources, nobody knows
    StrMap parameter_names; // to the entries
    StrMap condition_names;
    CfnMade *made;
} CfnTemplate;

// Whether `Transform` names another one than those that begin with `known`.
bool cfn_is_transformed(const Data *document, Str known);

// False where the document is no template: it has no resource whose type is one of AWS or of a custom resource.
bool cfn_read(Session *session, const Data *document, CfnTemplate *template);

typedef enum {
    PARAMETER_DEFAULT, // what the template says
    PARAMETER_LATE,    // anything
    PARAMETER_ASSUMED, // the text that a condition asks for
} ParameterState;

typedef struct {
    ParameterState state;
    Str text; // PARAMETER_ASSUMED
} AssumedParameter;

typedef enum { TRUTH_UNKNOWN, TRUTH_FALSE, TRUTH_TRUE } Truth;

// Two sides of an `Fn::Equals`, and whether they are taken to be equal.
typedef struct {
    const Data *pair; // a list of two
    uint32_t hash;    // of what they say, in either order
    Truth truth;
} AssumedPair;

// One way to deploy a template: which parameters have their defaults, and which conditions hold.
typedef struct {
    const CfnTemplate *template;
    AssumedParameter *parameters; // one for each, in the template's order
    Truth *conditions;            // likewise; none is TRUTH_UNKNOWN
    VEC(AssumedPair) pairs;
    uint32_t *steps; // that may still be taken to work out conditions
} CfnWorld;

typedef VEC(const CfnWorld *) CfnWorlds;

// The ways to deploy it that differ: the first has all defaults, and each other one turns one condition around. A
// condition that the defaults do not decide holds in the first, unless one before it says otherwise.
CfnWorlds cfn_worlds(const CfnTemplate *template);

// The parameter of that name: its index, -1 where there is none.
int cfn_parameter(const CfnTemplate *template, Str name);

// The same of a condition.
int cfn_condition(const CfnTemplate *template, Str name);
