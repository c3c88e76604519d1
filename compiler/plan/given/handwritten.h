// What is written by hand for each stack of a Plan.
#pragma once

#include "compiler/plan/model/plan.h"

// Adds it to a plan whose clusters, jobs and images are there.
void handwritten_add(Session *session, Plan *plan);
