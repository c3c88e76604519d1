// Rules about the attributes of raw resources, which stand beside their properties: what CloudFormation takes for each.
#include "compiler/plan/rules/rule_insert.h"
#include "compiler/plan/rules/rule_remove.h"
#include "compiler/plan/rules/rule_word.h"

#include "compiler/base/pattern.h"
#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/resource_attribute.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/rule_field.h"

// source: CloudFormation User Guide, DeletionPolicy attribute, 2026-11
static const char *const WITH_SNAPSHOTS[] = {
    "AWS::DocDB::DBCluster",          "AWS::EC2::Volume",
    "AWS::ElastiCache::CacheCluster", "AWS::ElastiCache::ReplicationGroup",
    "AWS::Neptune::DBCluster",        "AWS::RDS::DBCluster",
    "AWS::RDS::DBInstance",           "AWS::Redshift::Cluster",
};

// What CreationPolicy and UpdatePolicy have; no parts: the key has a plain value.
// source: CloudFormation Template Reference, CreationPolicy attribute, UpdatePolicy attribute, 2026-11
typedef struct {
    ResourceAttribute attribute;
    const char *type;
    const char *key;
    const char *parts[8];
} PolicyRow;

static const PolicyRow POLICY_ROWS[] = {
    { RESOURCE_CREATION_POLICY, "AWS::AppStream::Fleet", "StartFleet", { NULL } },
    { RESOURCE_CREATION_POLICY,
      "AWS::AutoScaling::AutoScalingGroup",
      "AutoScalingCreationPolicy",
      { "MinSuccessfulInstancesPercent" } },
    { RESOURCE_CREATION_POLICY, "AWS::AutoScaling::AutoScalingGroup", "ResourceSignal", { "Count", "Timeout" } },
    { RESOURCE_CREATION_POLICY, "AWS::CloudFormation::WaitCondition", "ResourceSignal", { "Count", "Timeout" } },
    { RESOURCE_CREATION_POLICY, "AWS::EC2::Instance", "ResourceSignal", { "Count", "Timeout" } },
    { RESOURCE_UPDATE_POLICY, "AWS::AppStream::Fleet", "StartAfterUpdate", { NULL } },
    { RESOURCE_UPDATE_POLICY, "AWS::AppStream::Fleet", "StopBeforeUpdate", { NULL } },
    { RESOURCE_UPDATE_POLICY, "AWS::AutoScaling::AutoScalingGroup", "AutoScalingReplacingUpdate", { "WillReplace" } },
    { RESOURCE_UPDATE_POLICY,
      "AWS::AutoScaling::AutoScalingGroup",
      "AutoScalingRollingUpdate",
      { "MaxBatchSize", "MinActiveInstancesPercent", "MinInstancesInService", "MinSuccessfulInstancesPercent",
        "PauseTime", "SuspendProcesses", "WaitOnResourceSignals" } },
    { RESOURCE_UPDATE_POLICY,
      "AWS::AutoScaling::AutoScalingGroup",
      "AutoScalingScheduledAction",
      { "IgnoreUnmodifiedGroupSizeProperties" } },
    { RESOURCE_UPDATE_POLICY, "AWS::ElastiCache::ReplicationGroup", "UseOnlineResharding", { NULL } },
    { RESOURCE_UPDATE_POLICY, "AWS::Elasticsearch::Domain", "EnableVersionUpgrade", { NULL } },
    { RESOURCE_UPDATE_POLICY,
      "AWS::Lambda::Alias",
      "CodeDeployLambdaAliasUpdate",
      { "AfterAllowTrafficHook", "ApplicationName", "BeforeAllowTrafficHook", "DeploymentGroupName" } },
    { RESOURCE_UPDATE_POLICY, "AWS::OpenSearchService::Domain", "EnableVersionUpgrade", { NULL } },
};

static bool is_one_of(Str text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (str_is(text, words[i])) {
            return true;
        }
    }
    return false;
}

// Whether a snapshot is asked for and AWS takes none of the type. Of types that others make nothing is known.
static bool lacks_snapshots(const Resource *resource, const Value *policy) {
    return str_is(policy->string, "Snapshot") && str_starts_with(resource->type, STR("AWS::")) &&
           !is_one_of(resource->type, WITH_SNAPSHOTS, COUNT_OF(WITH_SNAPSHOTS));
}

static const char *const POLICIES[] = { "Delete", "Retain", "Snapshot", "RetainExceptOnCreate" };

static const char *policy_fault(const Value *value, bool is_deletion) {
    if (value->kind == VALUE_STRING && is_one_of(value->string, POLICIES, is_deletion ? 4 : 3)) {
        return NULL;
    }
    return is_deletion ? "\"Delete\", \"Retain\", \"RetainExceptOnCreate\" or \"Snapshot\""
                       : "\"Delete\", \"Retain\" or \"Snapshot\"";
}

// ---- one attribute ---------------------------------------------------------------------------------------------

static void fix_policy(const Rules *rules, Diag *diag, const Value *value, bool is_deletion) {
    Suggestion suggestion = suggest_for(rules->session, value->string);
    for (size_t i = 0; i < COUNT_OF(POLICIES) - !is_deletion; i++) {
        suggest_offer(&suggestion, str_of(POLICIES[i]));
    }
    if (suggest_is_sure(&suggestion)) {
        rule_replace(rules, diag, value->span, value->string, suggestion.best);
    }
}

// `*place` is set to the item of a list that is at fault.
static const char *depends_fault(const Rules *rules, const PlanResource *resource, const Value *value, Span *place) {
    for (uint32_t i = 0; value->kind == VALUE_LIST && i < value->list.count; i++) {
        const char *fault = depends_fault(rules, resource, value->list.items[i], place);
        if (fault != NULL) {
            return fault;
        }
    }
    if (value->kind == VALUE_LIST) {
        return NULL;
    }
    *place = value->span;
    if (value->kind == VALUE_STRING) {
        return NULL; // the id of a resource that dtc makes: the template is asked for it when it is finished
    }
    const Resource *named = plan_named_resource(value);
    if (named == NULL) {
        return "the name of a resource, a logical id, or a list of them";
    }
    const PlanPart *other = plan_part(rules->plan, named->block);
    return other->stack == resource->part->stack ? NULL : "a resource of the same stack";
}

// A bool that is known, a late param, and what is made of such.
static bool is_bool(const Value *value) {
    if (value->kind == VALUE_BOOL) {
        return true;
    }
    if (value->kind != VALUE_LATE) {
        return false;
    }
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_PARAM:
        return late->type->kind == TYPE_BOOL;
    case LATE_IF:
        return is_bool(late->parts[1]) && is_bool(late->parts[2]);
    case LATE_DEFAULT:
        return is_bool(late->parts[0]) && is_bool(late->parts[1]);
    case LATE_PSEUDO:
    case LATE_OUTPUT:
    case LATE_WRITTEN_OUTPUT:
    case LATE_REF:
    case LATE_ATTRIBUTE:
    case LATE_TEXT:
    case LATE_ITEM:
        break;
    }
    return false;
}

// What is known leaves the resource out, or makes it without a condition: -p may give the value of a late param.
static const char *condition_fault(const Value *value) {
    if (value->kind == VALUE_LATE && is_bool(value) && value->late->is_optional) {
        return "a bool that is always there: write `?? false` behind it";
    }
    return value->kind == VALUE_STRING || is_bool(value) ? NULL : "a bool, or the name of a condition";
}

static const char *attribute_fault(const Rules *rules, const PlanResource *resource, ResourceAttribute attribute,
                                   const Value *value, Span *place) {
    switch (attribute) {
    case RESOURCE_DELETION_POLICY:
    case RESOURCE_UPDATE_REPLACE_POLICY:
        return policy_fault(value, attribute == RESOURCE_DELETION_POLICY);
    case RESOURCE_DEPENDS_ON:
        return depends_fault(rules, resource, value, place);
    case RESOURCE_CREATION_POLICY:
    case RESOURCE_UPDATE_POLICY:
    case RESOURCE_METADATA:
        return value->kind == VALUE_MAP ? NULL : "a map";
    case RESOURCE_CONDITION:
        return condition_fault(value);
    case RESOURCE_PROPERTY:
        break;
    }
    return NULL;
}

// ---- what is in a policy -----------------------------------------------------------------------------------------

// The keys that there are: the nearest is offered, else all of them.
typedef struct {
    Suggestion suggestion;
    StrBuf all;
} Keys;

static Keys keys_for(const Rules *rules, Str wanted) {
    return (Keys){ .suggestion = suggest_for(rules->session, wanted), .all = { .arena = rules->session->arena } };
}

static void offer_key(Keys *keys, const char *key) {
    suggest_offer(&keys->suggestion, str_of(key));
    strbuf_add_format(&keys->all, "%s`%s`", keys->all.len == 0 ? "" : ", ", key);
}

static void unknown_key(const Rules *rules, const PlanResource *resource, const ValueEntry *entry, Str of, Str type,
                        Keys *keys) {
    Diag *diag = plan_report(rules->session, resource->subject, entry->key_span, DIAG(unknown_policy_key), STR_ARG(of),
                             STR_ARG(type), STR_ARG(entry->key));
    if (!suggest_say(rules->session, diag, &keys->suggestion, entry->key_span)) {
        diag_help(rules->session, diag, "it has %.*s", STR_ARG(strbuf_str(&keys->all)));
    }
}

// `15m` and `pt15m` are PT15M.
static void fix_time(const Rules *rules, Diag *diag, Str pattern, const Value *value) {
    StrBuf time = { .arena = rules->session->arena };
    if (char_is_digit(str_at(value->string, 0))) {
        strbuf_add(&time, STR("PT"));
    }
    for (size_t i = 0; i < value->string.len; i++) {
        const char c = value->string.data[i];
        strbuf_add_char(&time, c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c);
    }
    if (pattern_match(rules->session, pattern, strbuf_str(&time), NULL) == PATTERN_YES) {
        rule_replace(rules, diag, value->span, value->string, strbuf_str(&time));
    }
}

// ISO 8601, without years and months: CloudFormation Template Reference, CreationPolicy attribute, UpdatePolicy attribute,
// 2026-11.
static void check_time(const Rules *rules, const PlanResource *resource, const ValueEntry *entry) {
    const Str pattern = STR("P(?!$)([0-9]+D)?(T(?!$)([0-9]+H)?([0-9]+M)?([0-9]+([.][0-9]+)?S)?)?|.*[{$<].*");
    if (entry->value->kind == VALUE_STRING && entry->value->string.len > 0 &&
        pattern_match(rules->session, pattern, entry->value->string, NULL) == PATTERN_NO) {
        Diag *diag = plan_report(rules->session, resource->subject, entry->value->span, DIAG(bad_resource_attribute),
                                 STR_ARG(entry->key), "a time of the form `PT1H30M`");
        diag_help(rules->session, diag, "write `PT15M` for 15 minutes");
        fix_time(rules, diag, pattern, entry->value);
    }
}

// source: EC2 Auto Scaling API Reference, SuspendProcesses, 2026-11
static void check_processes(const Rules *rules, const PlanResource *resource, const ValueEntry *entry) {
    static const char *const PROCESSES[] = { "Launch",          "Terminate",   "AddToLoadBalancer", "AlarmNotification",
                                             "AZRebalance",     "HealthCheck", "InstanceRefresh",   "ReplaceUnhealthy",
                                             "ScheduledActions" };
    for (uint32_t i = 0; i < object_count(entry->value); i++) {
        const Value *item = entry->value->list.items[i];
        if (item->kind != VALUE_STRING || is_one_of(item->string, PROCESSES, COUNT_OF(PROCESSES))) {
            continue;
        }
        Keys keys = keys_for(rules, item->string);
        for (size_t k = 0; k < COUNT_OF(PROCESSES); k++) {
            offer_key(&keys, PROCESSES[k]);
        }
        Diag *diag = plan_report(rules->session, resource->subject, item->span, DIAG(bad_resource_attribute),
                                 STR_ARG(entry->key), "a list of processes of EC2 Auto Scaling");
        if (!suggest_say(rules->session, diag, &keys.suggestion, item->span)) {
            diag_help(rules->session, diag, "it has %.*s", STR_ARG(strbuf_str(&keys.all)));
        }
    }
}

static void check_part(const Rules *rules, const PlanResource *resource, const ValueEntry *entry) {
    if (str_is(entry->key, "Timeout") || str_is(entry->key, "PauseTime")) {
        check_time(rules, resource, entry);
    } else if (str_is(entry->key, "SuspendProcesses")) {
        check_processes(rules, resource, entry);
    }
}

static void check_parts(const Rules *rules, const PlanResource *resource, const PolicyRow *row, const Value *map) {
    if (row->parts[0] != NULL && map->kind != VALUE_MAP && map->kind != VALUE_LATE) {
        plan_report(rules->session, resource->subject, map->span, DIAG(bad_resource_attribute),
                    STR_ARG(str_of(row->key)), "a map");
    }
    for (uint32_t i = 0; row->parts[0] != NULL && map->kind == VALUE_MAP && i < map->map.count; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        Keys keys = keys_for(rules, entry->key);
        bool is_known = false;
        for (size_t k = 0; k < COUNT_OF(row->parts) && row->parts[k] != NULL; k++) {
            is_known = is_known || str_is(entry->key, row->parts[k]);
            offer_key(&keys, row->parts[k]);
        }
        if (!is_known) {
            unknown_key(rules, resource, entry, str_of(row->key), resource->resource->type, &keys);
        } else {
            check_part(rules, resource, entry);
        }
    }
}

static bool has_policy(ResourceAttribute attribute, Str type) {
    for (size_t i = 0; i < COUNT_OF(POLICY_ROWS); i++) {
        if (POLICY_ROWS[i].attribute == attribute && str_is(type, POLICY_ROWS[i].type)) {
            return true;
        }
    }
    return false;
}

// Of types that AWS does not make, nothing is known.
static void check_policy(const Rules *rules, const PlanResource *resource, ResourceAttribute attribute,
                         const ValueEntry *policy) {
    if (!has_policy(attribute, resource->resource->type)) {
        if (str_starts_with(resource->resource->type, STR("AWS::"))) {
            Diag *diag = plan_report(rules->session, resource->subject, policy->key_span, DIAG(policy_without_effect),
                                     STR_ARG(policy->key), STR_ARG(resource->resource->type));
            rule_remove(rules, diag, policy->key_span, false);
        }
        return;
    }
    for (uint32_t i = 0; i < policy->value->map.count; i++) {
        const ValueEntry *entry = &policy->value->map.entries[i];
        const PolicyRow *found = NULL;
        Keys keys = keys_for(rules, entry->key);
        for (size_t k = 0; k < COUNT_OF(POLICY_ROWS); k++) {
            const PolicyRow *row = &POLICY_ROWS[k];
            if (row->attribute == attribute && str_is(resource->resource->type, row->type)) {
                found = str_is(entry->key, row->key) ? row : found;
                offer_key(&keys, row->key);
            }
        }
        if (found != NULL) {
            check_parts(rules, resource, found, entry->value);
        } else {
            unknown_key(rules, resource, entry, policy->key, resource->resource->type, &keys);
        }
    }
}

// ---- all of them -----------------------------------------------------------------------------------------------

// No update replaces a stack (CloudFormation User Guide, AWS::CloudFormation::Stack, TemplateURL, 2026-11), and none deletes a
// bucket with anything in it (AWS::S3::Bucket, 2026-11). A function of Lambda keeps nothing: the template has all of it.
static bool is_never_lost(const Resource *resource) {
    return str_starts_with(resource->type, STR("AWS::Lambda::")) ||
           str_is(resource->type, "AWS::CloudFormation::Stack") || str_is(resource->type, "AWS::S3::Bucket");
}

// A resource that stays when its stack goes is mostly one that is to stay when an update replaces it.
static void check_replacing(const Rules *rules, const PlanResource *resource) {
    const ValueEntry *deletion = value_entry(resource->attributes, resource->attribute_count, "DeletionPolicy");
    if (deletion == NULL || deletion->value->kind != VALUE_STRING || is_never_lost(resource->resource) ||
        value_entry(resource->attributes, resource->attribute_count, "UpdateReplacePolicy") != NULL ||
        policy_fault(deletion->value, true) != NULL || str_is(deletion->value->string, "Delete") ||
        lacks_snapshots(resource->resource, deletion->value)) {
        return;
    }
    const bool is_snapshot = str_is(deletion->value->string, "Snapshot");
    Diag *diag = plan_report(rules->session, resource->subject, deletion->key_span, DIAG(deleted_by_update),
                             STR_ARG(deletion->value->string));
    const char *policy = is_snapshot ? "Snapshot" : "Retain";
    rule_help_resource(rules, diag, resource->subject, "write `UpdateReplacePolicy = \"%s\"` beside it", policy);
    rule_insert_beside(rules, diag, deletion->key_span, STR("UpdateReplacePolicy"), str_of(policy));
}

// What looks like an attribute and is written as a property.
static Diag *check_property(const Rules *rules, const PlanResource *resource, const ValueEntry *entry) {
    const char *meant = plan_meant_attribute(resource->resource, entry->key);
    if (meant == NULL || !str_starts_with(resource->resource->type, STR("AWS::")) || resource->resource->is_request) {
        return NULL;
    }
    Diag *diag = plan_report(rules->session, resource->subject, entry->key_span, DIAG(attribute_as_property),
                             STR_ARG(entry->key), STR_ARG(resource->resource->type));
    if (strcmp(meant, "Properties") == 0) {
        diag_help(rules->session, diag, "write its entries in its place");
    } else {
        diag_help(rules->session, diag, "write `%s`", meant);
    }
    return diag;
}

// Whether an attribute of CloudFormation's own stands among the properties of a template's resource, where it is none.
static bool is_too_deep(const PlanResource *resource, const ValueEntry *entry) {
    return str_starts_with(resource->resource->type, STR("AWS::")) && !resource->resource->is_request &&
           plan_resource_attribute(resource->resource, entry->key) != RESOURCE_PROPERTY;
}

static void report_too_deep(const Rules *rules, const PlanResource *resource, const ValueEntry *entry) {
    Diag *diag = plan_report(rules->session, resource->subject, entry->key_span, DIAG(attribute_as_property),
                             STR_ARG(entry->key), STR_ARG(resource->resource->type));
    diag_help(rules->session, diag, "write it one level further out, beside `Properties`");
    if (entry->value->kind == VALUE_STRING) {
        rule_insert_beside(rules, diag, resource->resource->type_span, entry->key, entry->value->string);
        rule_remove(rules, diag, entry->key_span, true);
    }
}

// A policy that stands among the properties of a template's resource goes beside them.
static void check_misplaced(const Rules *rules, const PlanResource *resource, const ValueEntry *entry) {
    if (is_too_deep(resource, entry)) {
        report_too_deep(rules, resource, entry);
        return;
    }
    Diag *diag = check_property(rules, resource, entry);
    const char *meant = diag == NULL ? NULL : plan_meant_attribute(resource->resource, entry->key);
    Suggestion suggestion = suggest_for(rules->session, entry->key);
    if (meant == NULL || entry->value->kind != VALUE_STRING || !str_ends_with(str_of(meant), STR("Policy"))) {
        return;
    }
    suggest_offer(&suggestion, str_of(meant));
    if (str_is(entry->key, meant) || suggest_is_sure(&suggestion)) {
        rule_insert_beside(rules, diag, resource->resource->type_span, str_of(meant), entry->value->string);
        rule_remove(rules, diag, entry->key_span, true);
    }
}

static void check_attribute(const Rules *rules, const PlanResource *resource, const ValueEntry *entry) {
    const Value *value = entry->value;
    const ResourceAttribute attribute = plan_resource_attribute(resource->resource, entry->key);
    if (attribute == RESOURCE_PROPERTY) {
        (void)check_property(rules, resource, entry);
        return;
    }
    Span place = value->span;
    const char *fault = attribute_fault(rules, resource, attribute, value, &place);
    const bool is_kept = attribute == RESOURCE_DELETION_POLICY || attribute == RESOURCE_UPDATE_REPLACE_POLICY;
    if (fault != NULL) {
        Diag *diag = plan_report(rules->session, resource->subject, place, DIAG(bad_resource_attribute),
                                 STR_ARG(entry->key), fault);
        const PlanField field = { .name = str_c(rules->session->arena, entry->key),
                                  .span = place,
                                  .key = entry->key_span };
        rule_label_use(rules, diag, &field);
        if (is_kept && value->kind == VALUE_STRING && resource->subject->is_foreign) {
            fix_policy(rules, diag, value, attribute == RESOURCE_DELETION_POLICY);
        }
    } else if (attribute == RESOURCE_CREATION_POLICY || attribute == RESOURCE_UPDATE_POLICY) {
        check_policy(rules, resource, attribute, entry);
    } else if (is_kept && lacks_snapshots(resource->resource, value)) {
        Diag *diag = plan_report(rules->session, resource->subject, value->span, DIAG(no_snapshots),
                                 STR_ARG(resource->resource->type));
        if (resource->subject->is_foreign) {
            rule_replace(rules, diag, value->span, value->string, STR("Retain"));
        }
    }
}

// What an intrinsic makes of it, only the deployment knows.
static bool is_known(const Value *value) {
    return value->kind != VALUE_NULL && value->kind != VALUE_ERROR &&
           (value->kind != VALUE_MAP || value->map.count != 1 ||
            (!str_is(value->map.entries[0].key, "Ref") && !str_starts_with(value->map.entries[0].key, STR("Fn::"))));
}

// Beside the properties of a template's resource stand its attributes; among them they are none.
static void check_template(const Rules *rules, const PlanResource *resource) {
    for (uint32_t i = 0; i < resource->attribute_count; i++) {
        if (is_known(resource->attributes[i].value)) {
            check_attribute(rules, resource, &resource->attributes[i]);
        }
    }
    for (uint32_t i = 0; i < resource->resource->property_count; i++) {
        check_misplaced(rules, resource, &resource->resource->properties[i]);
    }
}

void rule_resource_attributes(const Rules *rules, const PlanResource *resource) {
    if (resource->is_object) {
        return;
    }
    for (uint32_t i = 0; resource->part != NULL && i < resource->attribute_count; i++) {
        check_attribute(rules, resource, &resource->attributes[i]);
    }
    if (resource->part == NULL) {
        check_template(rules, resource);
    }
    check_replacing(rules, resource);
}
