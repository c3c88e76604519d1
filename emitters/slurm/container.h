// The container of a job on Slurm: options of srun that pyxis adds, and what enroot needs to fetch the image.
#pragma once

#include "emitters/tool/tool_file.h"

// What the script says before its first srun: which devices the container sees, and how enroot logs in to ECR. Nothing
// where the job has no image.
void container_add_setup(ToolFile *file, StrBuf *text, const PlanJob *job);

// Options behind `srun`, and the end of their line; nothing where the job has no image. `has_root_address` says that
// the script exports NEURON_RT_ROOT_COMM_ID.
void container_add_options(ToolFile *file, StrBuf *text, const PlanJob *job, bool has_root_address);

// The step that switches pyxis on in a cluster of ParallelCluster, if one of its jobs has an image: a script for the
// head node.
void pyxis_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output);

// What that step is known by; empty where there is none.
Str pyxis_step_key(Arena *arena, const PlanCluster *cluster);
