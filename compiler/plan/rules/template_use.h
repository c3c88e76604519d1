// Questions about where a template uses its names (plan_template.h).
#pragma once

#include "compiler/plan/model/plan_template.h"

// Whether rules that look through all uses again and again look at this template: it has the names that it is deployed
// with, and no more uses than CloudFormation takes.
bool template_is_readable(const PlanTemplate *template);

// Whether a resource of this type has a resource of the template behind a property: `Ref`, in any part of its value.
bool use_is_reference(const PlanUse *use, const char *type, const char *key);
