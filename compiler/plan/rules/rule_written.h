// What rules of several rooms say of a value that somebody wrote.
#pragma once

#include "compiler/plan/rules/rules.h"

// Reports that an attribute of a part changes nothing, and why. The caller adds a way out.
Diag *rule_without_effect(const Rules *rules, const PlanPart *part, int attribute, const char *why);

// Reports that a text cannot be `what`, for its `fault`; once, where several subjects have it from one place. The caller adds
// a way out.
Diag *rule_bad_name(const Rules *rules, const Subject *subject, Span span, Str text, const char *what,
                    const char *fault);
