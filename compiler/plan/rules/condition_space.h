// What conditions of a template can be: the values that matter of all that they compare, taken in all combinations.
#pragma once

#include "compiler/plan/model/plan_template.h"
#include "compiler/base/session.h"

// What conditions compare with something, and what it may be.
typedef struct {
    PlanTerm term;
    VEC(Str) values;
    uint32_t at; // the one that it is now
} SpaceVariable;

typedef struct {
    Arena *arena;
    VEC(SpaceVariable) variables;
    VEC(Str) texts; // that something is compared with
    uint32_t steps; // parts of all conditions that were added
    bool is_vague;  // a condition is too deep, or not of a form that can be worked out
    bool is_fixed;  // two texts are compared: somebody wants it to be always the same
} Space;

// Start from `(Space){ .arena = arena }`, add all conditions and parameters that matter, and then begin. False where too
// much would have to be tried, or a condition cannot be worked out.
void space_add(Space *space, const PlanTest *test, int depth);
void space_add_parameter(Space *space, const PlanNamed *parameter);
bool space_begin(Space *space);

// Adds the conditions under which a use counts; false where there are none.
bool space_add_guards(Space *space, const PlanUse *use);

// The next combination; false behind the last.
bool space_next(Space *space);

bool space_truth(const Space *space, const PlanTest *test);
bool space_counts(const Space *space, const PlanUse *use);       // with the guards added
Str space_value(const Space *space, const PlanNamed *parameter); // of one that was added

// The texts that may be given for a parameter; NULL where it is not said.
const Data *parameter_values(const PlanNamed *parameter);

// Whether a deployment that CloudFormation takes has all of these uses. False where that cannot be worked out, or a file asks
// too often: `asked` counts what had to be tried, and begins with 0.
bool uses_meet(Arena *arena, const PlanUse *const *uses, uint32_t count, uint32_t *asked);

// Whether CloudFormation takes the value that the variable has now, as far as the template says.
bool space_is_taken(const SpaceVariable *variable);

// Sets each variable to the default of its parameter; false where one has none.
bool space_set_defaults(Space *space);

// Those that `Ref` of it may be; NULL also where that is looked up in the parameter store.
const Data *parameter_refs(const PlanNamed *parameter);

// Whether CloudFormation looks up what is given for it, as an id of EC2: it is never the empty text.
bool parameter_is_id(const PlanNamed *parameter);

// Whether `text` is among them. Where one of the two is a bool and no text in quotes, YAML decides how it is spelt: then
// upper case and lower case are one.
bool parameter_may_be(const Data *values, Str text, bool is_bool);
