// What is said of a name that a template does not have.
#pragma once

#include "compiler/plan/rules/rules.h"

// `otherwise` is the way out where the template has no name like it; empty: none is said.
void names_report(const Rules *rules, const PlanTemplate *template, const PlanUse *use, Str otherwise);
