// Where AWS keeps its Deep Learning Containers (containers.def).
#pragma once

#include "compiler/base/str.h"

// The account of their registry in a region; NULL where there is none.
const char *containers_account(Str region);
