// Images that EKS starts nodes of a managed group from (ami_types.def).
#pragma once

#include "schema/schema.h"

typedef struct {
    const char *name; // of `amiType`
    Architecture architecture;
    bool has_nvidia; // drivers of NVIDIA; likewise of Neuron
    bool has_neuron;
} AmiType;

// The names of all of them, and of those without a row; empty behind the last.
Str ami_type_name(size_t index);

// The row of a name; NULL: nothing is known of it.
const AmiType *ami_type(Str name);
