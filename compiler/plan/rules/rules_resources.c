// Rules about raw resources of every type. dtc does not know which types CloudFormation has, but it knows the form of a
// type's name.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/resource_attribute.h"

static bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

_Static_assert(LIMIT_CUSTOM_TYPE_MAX == 60, "the text of custom_fault()");
_Static_assert(LIMIT_TYPE_PART_MIN == 2 && LIMIT_TYPE_PART_MAX == 64, "the text of type_fault()");

// Custom::NAME: letters, digits and `_@-`, 60 characters with the word (CloudFormation User Guide,
// AWS::CloudFormation:: CustomResource, 2026-11).
static const char *custom_fault(Str type) {
    const size_t start = STR("Custom::").len;
    bool is_good = type.len > start && type.len <= LIMIT_CUSTOM_TYPE_MAX;
    for (size_t i = start; is_good && i < type.len; i++) {
        is_good = is_letter_or_digit(type.data[i]) || strchr("_@-", type.data[i]) != NULL;
    }
    return is_good ? NULL : "behind `Custom::` stand letters, digits and `_ @ -`, 60 characters with it";
}

// CloudFormation API Reference, RegisterType, TypeName, 2026-11.
static const char *type_fault(Str type) {
    if (str_starts_with(type, STR("Custom::"))) {
        return custom_fault(type);
    }
    int names = 0;
    for (size_t start = 0; start <= type.len; names++) {
        const size_t end = str_find(type, STR("::"), start);
        const Str name = str_slice(type, start, end);
        bool is_good = name.len >= LIMIT_TYPE_PART_MIN && name.len <= LIMIT_TYPE_PART_MAX;
        for (size_t i = 0; is_good && i < name.len; i++) {
            is_good = is_letter_or_digit(name.data[i]);
        }
        if (!is_good) {
            return "each of its names is of 2 to 64 letters and digits";
        }
        start = end + 2;
    }
    const bool is_module = names == 4 && str_ends_with(type, STR("::MODULE"));
    if (names != 3 && !is_module) {
        return "it is not of three names, such as `AWS::S3::Bucket`";
    }
    const Str vendor = str_slice(type, 0, str_find(type, STR("::"), 0));
    const bool is_aws = str_is(vendor, "aws") || str_is(vendor, "Aws");
    return is_aws ? "AWS's own begin with `AWS::`, in capitals" : NULL;
}

void rule_resource_types(const Rules *rules, const PlanPart *part) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        const Resource *resource = part->resources.items[i];
        const char *fault = plan_is_object(part, resource) ? NULL : type_fault(resource->type); // of Kubernetes: DT0582
        if (fault != NULL) {
            plan_report(rules->session, part->subject, resource->type_span, DIAG(bad_resource_type),
                        STR_ARG(resource->type), fault);
        }
    }
}

// ---- attributes ------------------------------------------------------------------------------------------------

// source: CloudFormation User Guide, DeletionPolicy attribute, 2026-11
static const char *const WITH_SNAPSHOTS[] = {
    "AWS::DocDB::DBCluster",          "AWS::EC2::Volume",
    "AWS::ElastiCache::CacheCluster", "AWS::ElastiCache::ReplicationGroup",
    "AWS::Neptune::DBCluster",        "AWS::RDS::DBCluster",
    "AWS::RDS::DBInstance",           "AWS::Redshift::Cluster",
};

static bool is_one_of(Str text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (str_is(text, words[i])) {
            return true;
        }
    }
    return false;
}

static const char *policy_fault(const Value *value, bool is_deletion) {
    static const char *const POLICIES[] = { "Delete", "Retain", "Snapshot", "RetainExceptOnCreate" };
    if (value->kind == VALUE_STRING && is_one_of(value->string, POLICIES, is_deletion ? 4 : 3)) {
        return NULL;
    }
    return is_deletion ? "\"Delete\", \"Retain\", \"RetainExceptOnCreate\" or \"Snapshot\""
                       : "\"Delete\", \"Retain\" or \"Snapshot\"";
}

static const char *depends_fault(const Rules *rules, const PlanPart *part, const Value *value) {
    if (value->kind == VALUE_LIST) {
        const char *fault = NULL;
        for (uint32_t i = 0; fault == NULL && i < value->list.count; i++) {
            const Value *item = value->list.items[i];
            fault = depends_fault(rules, part, item);
        }
        return fault;
    }
    const Resource *named = plan_named_resource(value);
    if (named == NULL) {
        return "the name of a resource, or a list of them";
    }
    const PlanPart *other = plan_part(rules->plan, named->block);
    return part_root(other) == part_root(part) ? NULL : "a resource of the same stack";
}

static const char *attribute_fault(const Rules *rules, const PlanPart *part, ResourceAttribute attribute,
                                   const Value *value) {
    switch (attribute) {
    case RESOURCE_DELETION_POLICY:
    case RESOURCE_UPDATE_REPLACE_POLICY:
        return policy_fault(value, attribute == RESOURCE_DELETION_POLICY);
    case RESOURCE_DEPENDS_ON:
        return depends_fault(rules, part, value);
    case RESOURCE_CREATION_POLICY:
    case RESOURCE_UPDATE_POLICY:
    case RESOURCE_METADATA:
        return value->kind == VALUE_MAP ? NULL : "a map";
    case RESOURCE_PROPERTY:
        break;
    }
    return NULL;
}

static void check_attributes(const Rules *rules, const PlanPart *part, const Resource *resource) {
    for (uint32_t i = 0; i < resource->property_count; i++) {
        const ValueEntry *entry = &resource->properties[i];
        const Value *value = entry->value;
        const ResourceAttribute attribute = plan_resource_attribute(resource, entry->key);
        const char *fault = attribute_fault(rules, part, attribute, value);
        const bool is_policy = attribute == RESOURCE_DELETION_POLICY || attribute == RESOURCE_UPDATE_REPLACE_POLICY;
        if (fault != NULL) {
            plan_report(rules->session, part->subject, value->span, DIAG(bad_resource_attribute), STR_ARG(entry->key),
                        fault);
        } else if (is_policy && str_is(value->string, "Snapshot") && str_starts_with(resource->type, STR("AWS::")) &&
                   !is_one_of(resource->type, WITH_SNAPSHOTS, COUNT_OF(WITH_SNAPSHOTS))) {
            plan_report(rules->session, part->subject, value->span, DIAG(no_snapshots), STR_ARG(resource->type));
        }
    }
}

void rule_resource_attributes(const Rules *rules, const PlanPart *part) {
    for (uint32_t i = 0; i < part->resources.count; i++) {
        if (!plan_is_object(part, part->resources.items[i])) {
            check_attributes(rules, part, part->resources.items[i]);
        }
    }
}
