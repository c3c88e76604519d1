// Where a value stands, for rules that look at resources and at files of tools alike.
#pragma once

#include "compiler/plan/model/configuration.h"
#include "compiler/plan/rules/rules.h"

typedef struct {
    const Rules *rules;
    const Subject *subject;                 // NULL: that of the value's place in the file
    const PlanConfiguration *configuration; // NULL: of no such file
} ValuePlace;

static inline const Subject *place_subject(const ValuePlace *place, Span span) {
    return place->subject != NULL ? place->subject : configuration_subject(place->configuration, span);
}
