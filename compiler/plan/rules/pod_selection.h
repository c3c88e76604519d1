// Whether the selector of a Service finds pods.
#pragma once

#include "compiler/plan/model/object.h"

typedef enum {
    SELECTS_NOT,
    SELECTS,
    SELECTS_PERHAPS, // a label comes from a controller, or is not known; or there is no selector
} Selection;

// Of the pods of an object, which have `labels`; NULL: none of their own. The selector may be NULL.
Selection pod_selection(const PlanObject *object, const Value *selector, const Value *labels);
