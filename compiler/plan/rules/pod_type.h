// Which instance type a pod asks for.
#pragma once

#include "compiler/semantics/value.h"

// The one instance type that the pod of this specification may run on; NULL where there are several, or nobody knows.
const Value *pod_type(const Value *pod);
