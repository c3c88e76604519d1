// Quantities as Kubernetes writes them: "16Gi", "500m", 2.
#pragma once

#include "compiler/semantics/value.h"

// False where it is none, or not known yet.
bool quantity_read(const Value *value, double *amount);

// A whole number of devices; -1 where it is not known, `otherwise` where nothing is asked for.
int64_t quantity_whole(const Value *value, int64_t otherwise);
