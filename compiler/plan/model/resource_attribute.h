// What CloudFormation has beside the properties of a resource: attributes such as DeletionPolicy.
#pragma once

#include "compiler/plan/model/plan.h"

typedef enum {
    RESOURCE_DELETION_POLICY,
    RESOURCE_UPDATE_REPLACE_POLICY,
    RESOURCE_DEPENDS_ON,
    RESOURCE_CREATION_POLICY,
    RESOURCE_UPDATE_POLICY,
    RESOURCE_METADATA,
    RESOURCE_CONDITION,
    RESOURCE_PROPERTY, // none of them
} ResourceAttribute;

// What a key in the body of a raw resource is. Where its type has a property of that name, it is the property.
ResourceAttribute plan_resource_attribute(const Resource *resource, Str key);

// Whether a resource of a template may have the key: its type, its properties, or an attribute.
bool plan_is_resource_key(Str key);

// The attribute that a property's key is spelled like but for the case of its letters, "DependsOn" of "dependsOn"; or
// "Properties", which is no key of a raw resource. NULL where the key is neither, or a property that the type has.
const char *plan_meant_attribute(const Resource *resource, Str key);

// The resource that a value of DependsOn names; NULL where it is something else. The id of one that dtc makes is a text.
const Resource *plan_named_resource(const Value *value);
