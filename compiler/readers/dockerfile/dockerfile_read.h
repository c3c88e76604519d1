// Reads a Dockerfile: its instructions, stages, variables and scripts.
#pragma once

#include "compiler/base/session.h"
#include "compiler/plan/model/plan_dockerfile.h"

// Whether a file is called as Dockerfiles are: `Dockerfile`, `Dockerfile.gpu`, `train.dockerfile`, `Containerfile`.
bool dockerfile_is_called(Str path);

// Whether a text has to do with EFA, NCCL, CUDA or Neuron. Of other Dockerfiles nothing is judged.
bool dockerfile_is_of_training(Str text);

enum {
    DOCKERFILE_BYTES_MAX = 256 * 1024,
    DOCKERFILE_STEPS_MAX = 1000,
    DOCKERFILE_STAGES_MAX = 100,
    DOCKERFILE_SETTINGS_MAX = 2000
}; // nobody writes a larger one by hand

// The file; NULL where its first instruction is no FROM and no ARG, or it is too large.
const PlanDockerfile *dockerfile_read(Session *session, uint32_t source, const Subject *subject);

// Adds the releases that the steps bring in. A part of dockerfile_read().
void dockerfile_find_releases(Session *session, PlanDockerfile *file);
