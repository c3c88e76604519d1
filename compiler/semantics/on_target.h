// What is said of a block that has what its target lacks, or lacks what it needs. The pass that checks blocks says it, and
// so do rules about blocks that have no target of their own.
#pragma once

#include "compiler/semantics/program.h"

// "`head` is not available on batch", or "this release of dtc does not write `…` for batch yet".
Diag *report_not_on_target(Session *session, Span span, const char *name, unsigned targets, unsigned later,
                           const char *instead, TargetSet target);

// "nodes `gpu` has no `instance`".
Diag *report_missing(Session *session, Span span, Str owner, const AttributeRow *row);
