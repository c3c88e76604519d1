// What the rules about fields share: the place of a finding, and what may be put in its place.
#pragma once

#include "compiler/plan/rules/rules.h"

// The place of a finding about a field: its value, or its name if the value came from no file.
Span rule_span(const PlanField *field);

// Adds a label at the name, if the value was written elsewhere: in a `let` or a list.
void rule_label_use(const Rules *rules, Diag *diag, const PlanField *field);

// The whole number that a value of a resource is; "2" is one. False where it is none, or is not known, and of NULL.
bool rule_number(const Value *value, int64_t *number);

// The raw resource of a name; NULL: there is none.
const PlanResource *rule_find_resource(const Rules *rules, Str name);

// Reports an amount below its least, which is 0 or 1.
void rule_too_few(const Rules *rules, const Subject *subject, PlanForm form, Span span, const char *name,
                  int64_t amount, int64_t least);

// Reports what lies outside of what a service takes, `least` to `most`.
Diag *rule_outside(const Rules *rules, const Subject *subject, Span span, const char *name, Str written,
                   const char *service, Str least, Str most);

// Reports more of something than ParallelCluster takes; `name` has them, and `span` is of the first beyond.
void rule_too_many(const Rules *rules, const Subject *subject, Span span, Str name, uint32_t count, const char *what,
                   int most);

// Reports a type that the region does not offer, as far as is known. `reason` is where the region stands. Nothing where the
// region is NULL.
void rule_offered(const Rules *rules, const Subject *subject, Span span, const InstanceRow *type,
                  const RegionRow *region, Span reason);

// Nodes with EFA that are as many as `most`, and have no placement group. The caller adds a way out.
Diag *rule_placed_freely(const Rules *rules, const Subject *subject, Span span, int64_t most, const InstanceRow *type,
                         Span type_span, int efa_count);

// How the author of `subject` allows `code`: "`allow DT0305, \"…\"`".
Str rule_way_to_allow(const Rules *rules, const Subject *subject, const char *code);

// Adds a help about a resource of CloudFormation, in the words of infra.dt: `Name = value`. In a foreign file they become
// those of YAML: `Name: value`.
void rule_help_resource(const Rules *rules, Diag *diag, const Subject *subject, const char *format, ...)
    PRINTF_LIKE(4, 5);

// Adds a fix that replaces the value, if the value stands in the thing itself.
void rule_fix(const Rules *rules, Diag *diag, const PlanField *field, Str replacement);

// The same with a text, which is quoted where the value was: JSON has no others.
void rule_fix_word(const Rules *rules, Diag *diag, const PlanField *field, const char *word);
