// Quantities as Kubernetes writes them: "16Gi", "500m", 2.
#pragma once

#include "compiler/semantics/value.h"

// False where it is none, or not known yet.
bool quantity_read(const Value *value, double *amount);
