// The roles of a template, as far as their policies are written there, and who uses them.
#pragma once

#include "compiler/plan/model/plan_template.h"

// Adds them to a template whose names and uses are there.
void cfn_add_roles(Arena *arena, PlanTemplate *template);
