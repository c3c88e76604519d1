// A value that depends on itself.
#pragma once

#include "compiler/base/diag/diag.h"

// Reports it where it is written, `name` = …. The caller adds the way round, or the way out.
Diag *value_cycle_report(Session *session, Span span, Str name);
