// The steps that come before the objects and the jobs of a cluster on EKS.
#pragma once

#include "emitters/kubernetes/manifest.h"

// The steps that make nodes come before `after`: until there are some, no pod of a controller runs.
void controllers_add_nodes(const Manifest *manifest, DeploymentStep *after);

// The step that applies the objects of the cluster: its plugins, its claims, and the author's own; NULL: there are none.
DeploymentStep *controllers_step_of_objects(const Manifest *manifest);

// What runs the job, and what gives it its secrets, before `after`.
void controllers_add_of_job(const Manifest *manifest, const PlanJob *job, DeploymentStep *after);

// What knows the objects of the author, before `after`.
void controllers_add_of_objects(const Manifest *manifest, DeploymentStep *after);
