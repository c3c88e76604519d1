// Questions about images and their names.
#pragma once

#include "compiler/plan/model/plan.h"

// Whether this build writes what builds the image and pushes it.
bool plan_image_is_built(const PlanImage *image);

// Whether somebody else builds it, for a repository that this build makes: until it is pushed nothing is there.
bool plan_image_is_awaited(const PlanImage *image);

// "team/train:v1": the image in its registry. The step of plan.json that pushes it has this name.
Str plan_image_reference(Arena *arena, const PlanImage *image);

// Whether a host is a private registry of ECR: its region. It stays as it is if it is none.
bool plan_registry_region(Str host, Str *region);

// Whether an image is in a private registry of ECR: its host, and the host's region. Both stay as they are if it is not.
bool plan_image_registry(Str image, Str *host, Str *region);

// Whether it is an AWS Deep Learning Container for training: its entry point is a script of SageMaker's.
bool plan_image_is_dlc(Str image);

// Whether somebody can give the image's name to another image: its tag is `latest`, or it has neither a tag nor a digest.
bool plan_image_moves(Str image);
