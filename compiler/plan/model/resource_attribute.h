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

// The resource that a value of DependsOn names; NULL where it is something else. The id of one that dtc makes is a text.
const Resource *plan_named_resource(const Value *value);
