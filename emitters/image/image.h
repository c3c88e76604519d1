// How images are built: for each one that the source describes, a Dockerfile and a script that builds it and pushes it.
#pragma once

#include "emitters/emitter.h"

Emit image_emit;

// A step for each image that somebody else pushes and that other steps need. It comes behind all other emitters.
Emit image_emit_questions;

// Where dtc-collective lies among the files that a build sees.
#define COLLECTIVE_IN_CONTEXT ".dtc/dtc-collective"

// The text of the Dockerfile of an image. One of the author's own is as it is.
Str image_dockerfile(Session *session, const Plan *plan, const PlanImage *image);
