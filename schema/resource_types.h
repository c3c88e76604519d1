// What resources of CloudFormation give, and what their properties take (resource_types.def).
#pragma once

#include "compiler/base/str.h"

// What `Ref` of a resource is: "a subnet id". Empty where no row knows the type.
Str resource_ref(Str type);

// What an attribute of it is; empty: nothing that a property takes, or not known.
Str resource_attribute(Str type, Str attribute);

// False only where rows know the type, and it has no such attribute.
bool resource_has_attribute(Str type, Str attribute);

// The attribute of a type that is `kind`; empty without one.
Str resource_attribute_of(Str type, Str kind);

// An attribute of a type, by number; empty: there is none behind the last.
Str resource_attribute_name(Str type, size_t number);

// What a property of a resource takes; NULL: no row knows. `key` is the property's name, behind that of the one around it
// where the row has both.
typedef struct {
    Str owner;
    Str key;
    const char *const *kinds; // ends with NULL
} ResourceTakes;

const ResourceTakes *resource_takes(Str type, Str outer, Str key);
bool resource_has_takes(Str type); // whether a property of the type is in the rows
bool resource_takes_kind(const ResourceTakes *takes, Str kind);

// What an id has behind its beginning; nothing of an ARN.
typedef struct {
    size_t length;    // letters and digits
    size_t strays;    // of these, what is no digit of an id: those are 0 to 9 and a to f
    char first_stray; // where there is one
} ResourceId;

// What a literal text is, or means to be: "a subnet id". Empty where no row knows it.
Str resource_literal(Str text, ResourceId *id);
