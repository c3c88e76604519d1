// Questions about where a template uses its names (plan_template.h).
#pragma once

#include "compiler/plan/model/plan_template.h"

// Whether rules that look through all uses again and again look at this template: it has the names that it is deployed
// with, and no more uses than CloudFormation takes.
bool template_is_readable(const PlanTemplate *template);

// Whether a resource of this type has a resource of the template behind a property: `Ref`, in any part of its value.
bool use_is_reference(const PlanUse *use, const char *type, const char *key);

// Whether a property of the resource is this use, a `Ref`, or a list that it is has it, as it is written.
bool use_is_written(const PlanUse *use, const PlanNamed *from, const char *key);

// Whether a policy that stands by itself may be attached to the role by a name that is written, and not by a `Ref`.
bool template_attaches_by_name(const PlanTemplate *template, const PlanNamed *role);

// Whether a value has a part that is a parameter with an empty default, which a deployment fills in. `template` may be NULL.
bool use_of_empty_default(const PlanTemplate *template, Span span);

// The default of the parameter whose `Ref` stands at a place; NULL: none stands there, or it has no default. `template` may be
// NULL.
const Data *use_default_at(const PlanTemplate *template, Span place);

// Whether it counts wherever the resource is that it stands in: no `Fn::If` is around it.
bool use_is_no_choice(const PlanUse *use);

// Whether both count in the same deployments, as far as it is written.
bool guard_is_same(const PlanGuard *left, const PlanGuard *right);

// Whether both are written in the same way, so that they are the same wherever they stand.
bool template_is_same_text(const Data *left, const Data *right);

// The resource of the template that a value is a `Ref` to; NULL: it is none. `value` may be NULL.
const PlanNamed *template_referred(const PlanTemplate *template, const Data *value);
