// The same template in YAML and in JSON: what is wrong with it is said once.
#pragma once

#include "compiler/base/session.h"

// Hides what is said of a file in JSON, and in the same words of a file in YAML that is called like it and stands beside it,
// or in a folder `yaml` where the other one is in `json`. Returns how the last line speaks of it, which begins with `; `;
// empty where nothing was hidden.
Str twins_hide(Session *session);
