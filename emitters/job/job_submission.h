// What the steps that submit jobs share. A job that others wait for leaves its id in a file, where it is submitted.
#pragma once

#include "emitters/emitter.h"

// "train.jobid"
Str job_id_file(Arena *arena, Str job);

// Fills what the step is called, and which steps come before it. `needs` of the cluster is the caller's.
void job_fill_step(Arena *arena, DeploymentStep *step, const PlanJob *job);
