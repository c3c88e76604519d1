// What the rules about raw resources share: the place of a finding, and the instance types that use a template.
#pragma once

#include "compiler/plan/given/raw.h"
#include "compiler/plan/rules/rules.h"

// The place of a finding about a property: its value, or its name if the value came from no file.
Span rule_span(const RawField *field);

// Adds a label at the property, if its value was written elsewhere: in a `let` or a list.
void rule_label_use(const Rules *rules, Diag *diag, const RawField *field);

// Adds a fix that replaces the value, if the value stands in the resource itself. Elsewhere, others may use it too.
void rule_fix(const Rules *rules, Diag *diag, const RawResource *resource, const RawField *field, Str replacement);

// The instance types that a launch template is used with: those of the compute environments that use it, else its own.
// Batch takes the former. Types that are late or not in the schema are left out.
typedef struct {
    const InstanceRow *row;
    const RawField *field;
} RawType;

typedef VEC(RawType) RawTypes;
RawTypes rule_types(const Rules *rules, const RawLaunchTemplate *template);

// rule_count_devices() counts the EFA devices that a container maps. rule_count_efa() counts the EFA interfaces of the
// nodes on which it runs: those in the stack's launch templates, else those that the type `row` has. -1 if the number
// is unknown.
int rule_count_devices(const RawContainer *container);
int rule_count_efa(const RawStack *stack, const RawContainer *container, const InstanceRow *row);
