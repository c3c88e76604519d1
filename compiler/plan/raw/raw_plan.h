// What the raw resources of each stack of a Plan are.
#pragma once

#include "compiler/plan/model/plan.h"

// Adds it to a plan whose clusters, jobs and images are there.
void raw_add(Session *session, Plan *plan);
