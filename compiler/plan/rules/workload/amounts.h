// Amounts of memory, storage and CPUs that nobody can mean, since their unit is another one.
#pragma once

#include "compiler/semantics/value.h"

// Of a resource of one container: memory of some bytes, or thousands of CPUs.
bool amount_is_odd(Str resource, double amount);
