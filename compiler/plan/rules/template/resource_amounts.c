// Rules about numbers in resources of CloudFormation that the service takes only within limits. Declared clusters have
// them too, in their own words.
#include "compiler/plan/rules/rule_field.h"

#include "compiler/plan/model/object_value.h"
#include "schema/limits.h"

typedef struct {
    const char *type;
    const char *path[4]; // of properties
    int64_t least;
    int64_t most;
    const char *service;
} AmountRow;

static const AmountRow AMOUNT_ROWS[] = {
    { "AWS::Batch::JobQueue", { "Priority" }, 0, LIMIT_QUEUE_PRIORITY_MAX, "AWS Batch" },
    { "AWS::Batch::JobDefinition", { "SchedulingPriority" }, 0, LIMIT_JOB_PRIORITY_MAX, "AWS Batch" },
    { "AWS::Batch::JobQueue",
      { "JobStateTimeLimitActions", "MaxTimeSeconds" },
      LIMIT_QUEUE_STATE_SECONDS_MIN,
      LIMIT_QUEUE_STATE_SECONDS_MAX,
      "AWS Batch" },
    { "AWS::Batch::ComputeEnvironment", { "ComputeResources", "MinvCpus" }, 0, INT32_MAX, "AWS Batch" },
    { "AWS::Batch::ComputeEnvironment", { "ComputeResources", "DesiredvCpus" }, 0, INT32_MAX, "AWS Batch" },
    { "AWS::Batch::ComputeEnvironment", { "ComputeResources", "MaxvCpus" }, 0, INT32_MAX, "AWS Batch" },
    { "AWS::Batch::ComputeEnvironment",
      { "ComputeResources", "BidPercentage" },
      0,
      LIMIT_BID_PERCENT_MAX,
      "AWS Batch" },
    { "AWS::Batch::SchedulingPolicy",
      { "FairsharePolicy", "ShareDecaySeconds" },
      0,
      LIMIT_SHARE_DECAY_SECONDS_MAX,
      "AWS Batch" },
    { "AWS::Batch::SchedulingPolicy",
      { "FairsharePolicy", "ComputeReservation" },
      0,
      LIMIT_SHARE_RESERVATION_MAX,
      "AWS Batch" },
    { "AWS::Events::Rule",
      { "Targets", "BatchParameters", "ArrayProperties", "Size" },
      LIMIT_JOB_ARRAY_MIN,
      LIMIT_JOB_ARRAY_MAX,
      "AWS Batch" },
    { "AWS::Batch::Job", { "ArrayProperties", "Size" }, LIMIT_JOB_ARRAY_MIN, LIMIT_JOB_ARRAY_MAX, "AWS Batch" },
    { "AWS::Batch::Job", { "SchedulingPriorityOverride" }, 0, LIMIT_JOB_PRIORITY_MAX, "AWS Batch" },
    { "AWS::Batch::Job", { "RetryStrategy", "Attempts" }, LIMIT_JOB_ATTEMPTS_MIN, LIMIT_JOB_ATTEMPTS_MAX, "AWS Batch" },
    { "AWS::Batch::Job", { "Timeout", "AttemptDurationSeconds" }, LIMIT_JOB_TIMEOUT_S_MIN, INT32_MAX, "AWS Batch" },
    { "AWS::Batch::Job", { "NodeOverrides", "NumNodes" }, 1, INT32_MAX, "AWS Batch" },
    { "AWS::EC2::LaunchTemplate",
      { "LaunchTemplateData", "MetadataOptions", "HttpPutResponseHopLimit" },
      LIMIT_IMDS_HOPS_MIN,
      LIMIT_IMDS_HOPS_MAX,
      "EC2" },
    { "AWS::AutoScaling::LifecycleHook",
      { "HeartbeatTimeout" },
      LIMIT_HOOK_SECONDS_MIN,
      LIMIT_HOOK_SECONDS_MAX,
      "EC2 Auto Scaling" },
    { "AWS::AutoScaling::AutoScalingGroup",
      { "LifecycleHookSpecificationList", "HeartbeatTimeout" },
      LIMIT_HOOK_SECONDS_MIN,
      LIMIT_HOOK_SECONDS_MAX,
      "EC2 Auto Scaling" },
    { "AWS::RDS::DBCluster",
      { "ServerlessV2ScalingConfiguration", "MaxCapacity" },
      LIMIT_DATABASE_UNITS_MAX_MIN,
      LIMIT_DATABASE_UNITS_MAX_MAX,
      "RDS" },
    { "AWS::IAM::Role",
      { "MaxSessionDuration" },
      LIMIT_ROLE_SESSION_SECONDS_MIN,
      LIMIT_ROLE_SESSION_SECONDS_MAX,
      "IAM" },
    { "AWS::SageMaker::Cluster", { "InstanceGroups", "InstanceCount" }, 0, LIMIT_HYPERPOD_NODES_MAX, "SageMaker" },
    { "AWS::SageMaker::Cluster", { "InstanceGroups", "MinInstanceCount" }, 0, LIMIT_HYPERPOD_NODES_MAX, "SageMaker" },
    { "AWS::SageMaker::Cluster",
      { "InstanceGroups", "InstanceStorageConfigs", "EbsVolumeConfig", "VolumeSizeInGB" },
      LIMIT_HYPERPOD_VOLUME_GB_MIN,
      LIMIT_HYPERPOD_VOLUME_GB_MAX,
      "SageMaker" },
    { "AWS::SageMaker::Cluster",
      { "RestrictedInstanceGroups", "InstanceCount" },
      0,
      LIMIT_HYPERPOD_NODES_MAX,
      "SageMaker" },
    { "AWS::SageMaker::Cluster",
      { "RestrictedInstanceGroups", "InstanceStorageConfigs", "EbsVolumeConfig", "VolumeSizeInGB" },
      LIMIT_HYPERPOD_VOLUME_GB_MIN,
      LIMIT_HYPERPOD_VOLUME_GB_MAX,
      "SageMaker" },
    { "AWS::SageMaker::Cluster",
      { "RestrictedInstanceGroups", "EnvironmentConfig", "FSxLustreConfig", "SizeInGiB" },
      LIMIT_HYPERPOD_LUSTRE_GIB_MIN,
      LIMIT_HYPERPOD_LUSTRE_GIB_MAX,
      "SageMaker" },
    { "AWS::SageMaker::Cluster",
      { "RestrictedInstanceGroups", "EnvironmentConfig", "FSxLustreConfig", "PerUnitStorageThroughput" },
      LIMIT_HYPERPOD_LUSTRE_RATE_MIN,
      LIMIT_HYPERPOD_LUSTRE_RATE_MAX,
      "SageMaker" },
    { "AWS::SageMaker::Cluster",
      { "TieredStorageConfig", "InstanceMemoryAllocationPercentage" },
      0,
      LIMIT_HYPERPOD_TIER_PERCENT_MAX,
      "SageMaker" },
    { "AWS::AutoScaling::AutoScalingGroup", { "MinSize" }, 0, INT32_MAX, "EC2 Auto Scaling" },
    { "AWS::AutoScaling::AutoScalingGroup", { "MaxSize" }, 0, INT32_MAX, "EC2 Auto Scaling" },
    { "AWS::AutoScaling::AutoScalingGroup",
      { "MixedInstancesPolicy", "InstancesDistribution", "OnDemandPercentageAboveBaseCapacity" },
      0,
      LIMIT_ON_DEMAND_PERCENT_MAX,
      "EC2 Auto Scaling" },
    { "AWS::AutoScaling::AutoScalingGroup",
      { "MixedInstancesPolicy", "InstancesDistribution", "OnDemandBaseCapacity" },
      0,
      INT32_MAX,
      "EC2 Auto Scaling" },
    { "AWS::EC2::SpotFleet", { "SpotFleetRequestConfigData", "TargetCapacity" }, 0, INT32_MAX, "EC2" },
    { "AWS::PCS::Cluster",
      { "SlurmConfiguration", "ScaleDownIdleTimeInSeconds" },
      LIMIT_PCS_IDLE_SECONDS_MIN,
      LIMIT_PCS_IDLE_SECONDS_MAX,
      "AWS PCS" },
    { "AWS::PCS::ComputeNodeGroup", { "ScalingConfiguration", "MinInstanceCount" }, 0, INT32_MAX, "AWS PCS" },
    { "AWS::PCS::ComputeNodeGroup", { "ScalingConfiguration", "MaxInstanceCount" }, 0, INT32_MAX, "AWS PCS" },
};

// A number that is larger than any that rule_number() reads: "1e999", or one of 400 digits.
static bool is_huge(Arena *arena, const Value *value) {
    const Str text = object_text(value);
    if (text.len == 0 || !char_is_digit(text.data[0]) || str_find(text, STR("x"), 0) < text.len) {
        return false;
    }
    char *end = NULL;
    const double number = strtod(str_c(arena, text), &end);
    return *end == '\0' && number > 1e12;
}

// A long number is told by its beginning.
static Str as_written(Arena *arena, Str text) {
    enum { SHOWN_MAX = 20 };
    return text.len <= SHOWN_MAX ? text : str_format(arena, "%.*s…", STR_ARG(str_slice(text, 0, SHOWN_MAX)));
}

static void check_amount(const Rules *rules, const PlanResource *resource, const AmountRow *row, const char *name,
                         const Value *value) {
    Arena *arena = rules->session->arena;
    int64_t number = 0;
    const bool is_number = rule_number(value, &number);
    if (is_number ? number < row->least || number > row->most : is_huge(arena, value)) {
        const Str written = value->kind == VALUE_INT ? str_format(arena, "%" PRId64, value->integer) : value->string;
        rule_outside(rules, resource->subject, value->span, name, as_written(arena, written), row->service,
                     str_format(arena, "%" PRId64, row->least), str_format(arena, "%" PRId64, row->most));
    }
}

// Goes on along the properties that lead to the amount, of each item where one is a list.
static void check_path(const Rules *rules, const PlanResource *resource, const AmountRow *row, size_t depth,
                       const Value *value) {
    if (depth == COUNT_OF(row->path) || row->path[depth] == NULL) {
        check_amount(rules, resource, row, row->path[depth - 1], value);
        return;
    }
    for (uint32_t i = 0; i < object_count(value); i++) {
        check_path(rules, resource, row, depth + 1, object_get(value->list.items[i], row->path[depth]));
    }
    if (object_count(value) == 0) {
        check_path(rules, resource, row, depth + 1, object_get(value, row->path[depth]));
    }
}

void rule_amounts_of_resource(const Rules *rules, const PlanResource *resource) {
    for (size_t i = 0; i < COUNT_OF(AMOUNT_ROWS); i++) {
        if (str_is(resource->resource->type, AMOUNT_ROWS[i].type)) {
            check_path(rules, resource, &AMOUNT_ROWS[i], 1,
                       resource_property(resource->resource, AMOUNT_ROWS[i].path[0]));
        }
    }
}
