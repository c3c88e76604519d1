// The branches of NVIDIA's driver in images that services keep (gpu_drivers.def).
#pragma once

#include "compiler/base/arena.h"
#include "schema/instance.h"

// The branch of NVIDIA's driver in an image that does not work with a type; 0: one of them does, or nothing is known. The
// image is a word of a service or a path, `minor` is of Kubernetes, 0 where it is not known.
int gpu_driver_at_odds(Arena *arena, Str image, int minor, const InstanceRow *type);
