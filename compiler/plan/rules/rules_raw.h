// What the rules about raw resources share: where they point, and which types they hold a template against.
#pragma once

#include "compiler/plan/given/raw.h"
#include "compiler/plan/rules/rules.h"

// Where a finding about a property stands: its value, or its name where the value came from no file.
Span rule_span(const RawField *field);

// Where the value was written elsewhere, in a `let` or a list, also shows the property that takes it.
void rule_label_use(const Rules *rules, Diag *diag, const RawField *field);

// A fix that replaces the value; only where it stands in the resource itself, since elsewhere others may use it.
void rule_fix(const Rules *rules, Diag *diag, const RawResource *resource, const RawField *field, Str replacement);

// The types that a template is launched as: those of the compute environments that use it, else its own; Batch goes by
// the former. Those alone that are known and in the schema.
typedef struct {
    const InstanceRow *row;
    const RawField *field;
} RawType;

typedef VEC(RawType) RawTypes;
RawTypes rule_types(const Rules *rules, const RawLaunchTemplate *template);

// How many EFA devices a container maps, and how many EFA interfaces the nodes have on which it runs: as the templates
// of the stack say, where they do, else as many as `row`, its type, has. -1 where nobody knows.
int rule_count_devices(const RawContainer *container);
int rule_count_efa(const RawStack *stack, const RawContainer *container, const InstanceRow *row);
