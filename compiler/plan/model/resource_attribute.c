#include "compiler/plan/model/resource_attribute.h"

// source: CloudFormation User Guide, Resource attribute reference, 2026-11
static const char *const NAMES[] = {
    [RESOURCE_DELETION_POLICY] = "DeletionPolicy",
    [RESOURCE_UPDATE_REPLACE_POLICY] = "UpdateReplacePolicy",
    [RESOURCE_DEPENDS_ON] = "DependsOn",
    [RESOURCE_CREATION_POLICY] = "CreationPolicy",
    [RESOURCE_UPDATE_POLICY] = "UpdatePolicy",
    [RESOURCE_METADATA] = "Metadata",
    [RESOURCE_CONDITION] = "Condition",
};

// Types that have a property of such a name.
// source: schemas of CloudFormation's resource types, as cfn-lint carries them, 2026-11
static const struct {
    const char *type;
    ResourceAttribute attribute;
} PROPERTIES[] = {
    { "AWS::Batch::ComputeEnvironment", RESOURCE_UPDATE_POLICY },
    { "AWS::Chime::AppInstance", RESOURCE_METADATA },
    { "AWS::Chime::AppInstanceBot", RESOURCE_METADATA },
    { "AWS::EntityResolution::PolicyStatement", RESOURCE_CONDITION },
    { "AWS::Events::EventBusPolicy", RESOURCE_CONDITION },
};

ResourceAttribute plan_resource_attribute(const Resource *resource, Str key) {
    ResourceAttribute attribute = RESOURCE_DELETION_POLICY;
    while (attribute < RESOURCE_PROPERTY && !str_is(key, NAMES[attribute])) {
        attribute++;
    }
    for (size_t i = 0; i < COUNT_OF(PROPERTIES); i++) {
        if (PROPERTIES[i].attribute == attribute && str_is(resource->type, PROPERTIES[i].type)) {
            return RESOURCE_PROPERTY;
        }
    }
    return attribute;
}

// `Version` is of custom resources.
bool plan_is_resource_key(Str key) {
    static const char *const OTHERS[] = { "Type", "Properties", "Version" };
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        if (str_is(key, OTHERS[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (str_is(key, NAMES[i])) {
            return true;
        }
    }
    return false;
}

// Types that have a property of such a name, from the same schemas.
static const struct {
    const char *type;
    const char *key;
} ALIKE[] = {
    { "AWS::AmplifyUIBuilder::Component", "Properties" },
    { "AWS::ApiGateway::DocumentationPart", "Properties" },
    { "AWS::ElastiCache::ParameterGroup", "Properties" },
    { "AWS::IoTManagedIntegrations::ManagedThing", "MetaData" },
    { "AWS::ServiceDiscovery::PrivateDnsNamespace", "Properties" },
    { "AWS::ServiceDiscovery::PublicDnsNamespace", "Properties" },
};

static bool is_spelled_like(Str key, const char *name) {
    bool is_like = key.len == strlen(name);
    for (size_t i = 0; is_like && i < key.len; i++) {
        is_like = (key.data[i] | 0x20) == (name[i] | 0x20);
    }
    return is_like;
}

const char *plan_meant_attribute(const Resource *resource, Str key) {
    for (size_t i = 0; i < COUNT_OF(ALIKE); i++) {
        if (str_is(resource->type, ALIKE[i].type) && str_is(key, ALIKE[i].key)) {
            return NULL;
        }
    }
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (is_spelled_like(key, NAMES[i]) && !str_is(key, NAMES[i])) {
            return NAMES[i];
        }
    }
    return str_is(key, "Properties") ? "Properties" : NULL;
}

const Resource *plan_named_resource(const Value *value) {
    if (value->kind == VALUE_RESOURCE) {
        return value->resource;
    }
    return value->kind == VALUE_LATE && value->late->kind == LATE_REF ? value->late->resource : NULL;
}
