// The words of each form for what rules about groups ask its author to write.
#pragma once

#include "compiler/plan/rules/rule_field.h"

typedef enum {
    SPELL_EFA_ALL, // on each interface that can have it
    SPELL_EFA_ANY, // at all
    SPELL_EFA_NONE,
    SPELL_PLACEMENT_NONE,
    SPELL_PLACEMENT_LEFT, // none beside a reservation
    SPELL_ONE_ZONE,
    SPELL_GROUP_EACH,   // for each of two kinds of types
    SPELL_ZONE_OF_TYPE, // of the one zone that has a type
    SPELL_ADDRESSES,
    SPELL_DISK,
    SPELL_PURCHASE,
    SPELL_ON_DEMAND,
    SPELL_SPOT,
    SPELL_BLOCK,
} Spelling;

// A word of the group's form.
const char *spelling(const PlanGroup *group, Spelling what);

// Adds the help that says how to write it, and `rest` behind it. Where the text of `place` can be replaced, adds the fix.
void rule_write(const Rules *rules, Diag *diag, const PlanGroup *group, Spelling what, const PlanField *place,
                const char *rest);

// ", or say why not: …" for the code of a finding.
const char *rule_or_allow(const Rules *rules, const Diag *diag, const PlanGroup *group, Span span);

// Reports what stands at a place of the group, or of its launch. An `allow` counts at the place, and in the group.
Diag *group_report(const Rules *rules, const PlanGroup *group, Span place, DiagId id, const char *format, ...)
    PRINTF_LIKE(5, 6);

// The same, of what dtc cannot make: where it is the maker, no `allow` helps.
Diag *group_refuse(const Rules *rules, const PlanGroup *group, Span place, DiagId id, const char *format, ...)
    PRINTF_LIKE(5, 6);
