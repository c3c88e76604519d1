// The parts of an object of Kubernetes that a place of schema/object_rules.def names.
#pragma once

#include "compiler/plan/model/plan_object.h"

typedef struct {
    const Value *value;
    Span span;       // of the key that it stands behind
    Str key;         // that key
    bool is_item;    // one of the list behind the key
    bool is_of_pods; // it stands in a specification of pods
} ObjectPart;

typedef void ObjectPartVisit(void *context, const ObjectPart *part);

// Calls `visit` for each part at the place, the items of a list of maps apart where `each_item`.
void object_parts_visit(const PlanObject *object, Str place, bool each_item, ObjectPartVisit *visit, void *context);
