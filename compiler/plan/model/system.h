// Operating systems as the tools call them.
#pragma once

#include "compiler/base/str.h"

// ParallelCluster's word, and eksctl's `amiFamily`; NULL where the tool has no such system.
const char *system_of_parallelcluster(Str os);
const char *system_of_eksctl(Str os);
