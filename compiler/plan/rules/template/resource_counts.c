// Rules about numbers of a resource that rise: the least, the one to begin with, and the most; the soft and the hard limit
// of a container; how many instances of a group stay in service while it is updated, and how many signals its creation
// waits for; how many roles a profile has.
#include "compiler/plan/rules/rule_combination.h"
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/job_containers.h"
#include "compiler/plan/model/object_value.h"
#include "schema/limits.h"

typedef struct {
    const char *type;
    const char *map; // that they stand in, or a list of such maps; NULL: the properties
    const char *least;
    const char *first; // NULL: it has none
    const char *most;
    bool is_bound; // the first may not be below the least
} CountsRow;

// source: EKS API Reference, NodegroupScalingConfig; EC2 Auto Scaling API Reference, CreateAutoScalingGroup; AWS PCS API
// Reference, ScalingConfigurationRequest; SageMaker API Reference, ClusterInstanceGroupSpecification, 2026-11, read 2026-11
static const CountsRow COUNTS_ROWS[] = {
    { "AWS::Batch::ComputeEnvironment", "ComputeResources", "MinvCpus", "DesiredvCpus", "MaxvCpus", false },
    { "AWS::EKS::Nodegroup", "ScalingConfig", "MinSize", "DesiredSize", "MaxSize", true },
    { "AWS::PCS::ComputeNodeGroup", "ScalingConfiguration", "MinInstanceCount", NULL, "MaxInstanceCount", false },
    { "AWS::AutoScaling::AutoScalingGroup", NULL, "MinSize", "DesiredCapacity", "MaxSize", true },
    { "AWS::SageMaker::Cluster", "InstanceGroups", "MinInstanceCount", NULL, "InstanceCount", false },
    { "AWS::EC2::LaunchTemplate", "LaunchTemplateData", "MinCount", NULL, "MaxCount", false },
    { "AWS::EC2::EC2Fleet", "TargetCapacitySpecification", "OnDemandTargetCapacity", NULL, "TotalTargetCapacity",
      false },
    { "AWS::EC2::EC2Fleet", "TargetCapacitySpecification", "SpotTargetCapacity", NULL, "TotalTargetCapacity", false },
    { "AWS::RDS::DBCluster", "ServerlessV2ScalingConfiguration", "MinCapacity", NULL, "MaxCapacity", false },
    { "AWS::AutoScaling::ScheduledAction", NULL, "MinSize", "DesiredCapacity", "MaxSize", false },
};

// `map` is the one that they stand in; NULL: the properties.
static const Value *value_of(const PlanResource *resource, const Value *map, const char *name) {
    return map == NULL ? resource_property(resource->resource, name) : object_get(map, name);
}

// The number that a value is, or that a late param is where nobody gives it another one.
static bool number_or_default(const Value *value, int64_t *number) {
    const bool is_late = value != NULL && value->kind == VALUE_LATE && value->late->kind == LATE_PARAM;
    const Value *used = is_late && !value->late->param->is_given ? value->late->param->initial : value;
    return used != NULL && rule_number(used, number);
}

// False where the two are in order, or one is not known. What is below 0 stands for no limit.
static bool values_cross(const Rules *rules, const PlanResource *resource, const char *low, const Value *lower,
                         const char *high, const Value *higher) {
    int64_t least = 0;
    int64_t most = 0;
    if (!number_or_default(lower, &least) || !number_or_default(higher, &most) || least <= most || most < 0) {
        return false;
    }
    Diag *diag =
        plan_report(rules->session, resource->subject, lower->span, DIAG(counts_between), low, least, high, most);
    diag_label(rules->session, diag, higher->span, "%" PRId64 "%s", most,
               higher->kind == VALUE_LATE ? " without another value" : "");
    return true;
}

static bool cross(const Rules *rules, const PlanResource *resource, const Value *map, const char *low,
                  const char *high) {
    return values_cross(rules, resource, low, value_of(resource, map, low), high, value_of(resource, map, high));
}

static void check_counts(const Rules *rules, const PlanResource *resource, const CountsRow *row, const Value *map) {
    const bool is_crossed = cross(rules, resource, map, row->least, row->most);
    if (!is_crossed && row->first != NULL && !cross(rules, resource, map, row->first, row->most) && row->is_bound) {
        cross(rules, resource, map, row->least, row->first);
    }
}

void rule_counts_of_resource(const Rules *rules, const PlanResource *resource) {
    for (size_t i = 0; i < COUNT_OF(COUNTS_ROWS); i++) {
        const CountsRow *row = &COUNTS_ROWS[i];
        const Value *map = row->map == NULL ? NULL : resource_property(resource->resource, row->map);
        if (!str_is(resource->resource->type, row->type) || (row->map != NULL && map == NULL)) {
            continue;
        }
        for (uint32_t k = 0; k < object_count(map); k++) {
            check_counts(rules, resource, row, map->list.items[k]);
        }
        if (object_count(map) == 0) {
            check_counts(rules, resource, row, map);
        }
    }
}

// The kernel refuses a soft limit above the hard one, and the container does not start: setrlimit(2), EINVAL, read 2026-11.
void rule_limits_of_container(const Rules *rules, const PlanResource *resource) {
    const JobContainers containers = job_containers(rules->session->arena, resource->resource);
    for (uint32_t i = 0; i < containers.count; i++) {
        const Value *limits = object_get(containers.items[i].container, "Ulimits");
        for (uint32_t k = 0; k < object_count(limits); k++) {
            const Value *limit = limits->list.items[k];
            values_cross(rules, resource, "SoftLimit", object_get(limit, "SoftLimit"), "HardLimit",
                         object_get(limit, "HardLimit"));
        }
    }
}

// With as many in service as the group may have, there is no room for a new instance beside them.
void rule_update_of_group(const Rules *rules, const PlanResource *resource) {
    const bool is_group = str_is(resource->resource->type, "AWS::AutoScaling::AutoScalingGroup");
    const ValueEntry *policy =
        is_group ? value_entry(resource->attributes, resource->attribute_count, "UpdatePolicy") : NULL;
    const Value *rolling = policy == NULL ? NULL : object_get(policy->value, "AutoScalingRollingUpdate");
    const Value *in_service = object_get(rolling, "MinInstancesInService");
    const Value *most = is_group ? resource_property(resource->resource, "MaxSize") : NULL;
    int64_t kept = 0;
    int64_t size = 0;
    if (!rule_number(in_service, &kept) || !rule_number(most, &size) || kept <= 0 || kept < size) {
        return;
    }
    Diag *diag =
        plan_report(rules->session, resource->subject, in_service->span, DIAG(update_without_room), kept, size);
    diag_label(rules->session, diag, most->span, "%" PRId64, size);
    diag_help(rules->session, diag, "write `MinInstancesInService` below %" PRId64 ", or raise `MaxSize`", size);
}

// A group begins with its DesiredCapacity, else with its MinSize, and each instance signals once.
void rule_signals_of_group(const Rules *rules, const PlanResource *resource) {
    const bool is_group = str_is(resource->resource->type, "AWS::AutoScaling::AutoScalingGroup");
    const ValueEntry *policy =
        is_group ? value_entry(resource->attributes, resource->attribute_count, "CreationPolicy") : NULL;
    const Value *count = policy == NULL ? NULL : object_get(object_get(policy->value, "ResourceSignal"), "Count");
    const Value *desired = is_group ? resource_property(resource->resource, "DesiredCapacity") : NULL;
    const Value *size = desired != NULL || !is_group ? desired : resource_property(resource->resource, "MinSize");
    int64_t signals = 0;
    int64_t instances = 0;
    if (rule_number(count, &signals) && rule_number(size, &instances) && signals > instances && instances > 0) {
        Diag *diag = plan_report(rules->session, resource->subject, count->span, DIAG(counts_between), "Count", signals,
                                 desired != NULL ? "DesiredCapacity" : "MinSize", instances);
        diag_label(rules->session, diag, size->span, "so many instances are started");
        diag_help(rules->session, diag, "write `Count: %" PRId64 "`, the signals that come", instances);
    }
}

void rule_roles_of_profile(const Rules *rules, const PlanResource *resource) {
    const bool is_profile = str_is(resource->resource->type, "AWS::IAM::InstanceProfile");
    const Value *roles = is_profile ? resource_property(resource->resource, "Roles") : NULL;
    for (uint32_t i = 0; i < object_count(roles); i++) {
        if (value_may_be_null(roles->list.items[i])) {
            return;
        }
    }
    if (object_count(roles) > LIMIT_PROFILE_ROLES_MAX) {
        Diag *diag = rule_entries(rules, resource->subject, roles->list.items[LIMIT_PROFILE_ROLES_MAX]->span, "Roles",
                                  object_count(roles), "an instance profile", LIMIT_PROFILE_ROLES_MAX);
        diag_help(rules->session, diag, "give one role the policies of all");
    }
}
