// The finding that nodes which start together are one and the same node to their launcher.
#pragma once

#include "compiler/plan/rules/rules.h"

// `what` are so many of them: "nodes of this job". Returns the finding, to which its caller adds the way out.
Diag *rule_one_rank(const Rules *rules, const Subject *subject, Span span, int64_t count, const char *what,
                    int64_t rank);
