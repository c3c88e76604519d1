// Findings about what a service takes together, and how many of something it takes, whoever writes it.
#pragma once

#include "compiler/plan/rules/rules.h"

// "`Roles` has 2 entries, and an instance profile takes 1".
Diag *rule_entries(const Rules *rules, const Subject *subject, Span span, const char *name, uint32_t count,
                   const char *service, int most);

// "EC2 takes no `key` without `other`": `others` begins with a blank. With a `consequence` it is taken, and that comes.
Diag *rule_combination(const Rules *rules, const Subject *subject, Span span, const char *service, Str key, Str others,
                       const char *consequence);
