// The properties that resources of CloudFormation take, and the members of requests of the AWS CLI in the same words.
#pragma once

#include "compiler/base/str.h"

typedef enum {
    PROPERTY_TEXT, // a single value
    PROPERTY_NUMBER,
    PROPERTY_BOOL,
    PROPERTY_LIST,
    PROPERTY_MAP,
    PROPERTY_ANY,
} PropertyForm;

typedef struct {
    Str name;
    PropertyForm form;
    bool is_required;
} Property;

// The properties of a map: a type, and with a `/` before each the properties that lead to it. Empty where the map has keys of
// its author's own, or nothing is known of it.
Str schema_properties(Str path);

// The one at `*at` of such, which goes on behind it; false at the end.
bool schema_next_property(Str properties, size_t *at, Property *property);
