// A rule about properties of containers of AWS Batch that are nearly ones that there are. CloudFormation refuses them.
#include "compiler/plan/rules/job_containers.h"
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

// Of a container alone, of one of several nodes, and of a task: what one of them lacks is not said here.
// Source: CloudFormation Template Reference, AWS::Batch::JobDefinition ContainerProperties, MultiNodeContainerProperties,
// TaskContainerProperties and LinuxParameters, read 2026-11.
static const char *const CONTAINER_KEYS[] = {
    "Command",
    "DependsOn",
    "EnableExecuteCommand",
    "Environment",
    "EphemeralStorage",
    "Essential",
    "ExecutionRoleArn",
    "FargatePlatformConfiguration",
    "FirelensConfiguration",
    "Image",
    "InstanceType",
    "JobRoleArn",
    "LinuxParameters",
    "LogConfiguration",
    "Memory",
    "MountPoints",
    "Name",
    "NetworkConfiguration",
    "Privileged",
    "ReadonlyRootFilesystem",
    "RepositoryCredentials",
    "ResourceRequirements",
    "RuntimePlatform",
    "Secrets",
    "Ulimits",
    "User",
    "Vcpus",
    "Volumes",
};

static const char *const LINUX_KEYS[] = { "Devices",          "InitProcessEnabled", "MaxSwap",
                                          "SharedMemorySize", "Swappiness",         "Tmpfs" };

// AWS Batch may have learnt a key since: only one that is almost another counts, and that is not there.
static void check_keys(const Rules *rules, const PlanResource *resource, const Value *map, const char *of,
                       const char *const *keys, size_t count) {
    for (uint32_t i = 0; map != NULL && map->kind == VALUE_MAP && i < map->map.count; i++) {
        const ValueEntry *entry = &map->map.entries[i];
        Suggestion suggestion = { .name = entry->key };
        bool is_known = false;
        for (size_t k = 0; k < count; k++) {
            is_known = is_known || str_is(entry->key, keys[k]);
            suggest_offer(&suggestion, str_of(keys[k]));
        }
        if (is_known || suggestion.best.len == 0 || value_find(map, suggestion.best) != NULL) {
            continue;
        }
        Diag *diag = plan_report(rules->session, resource->subject, entry->key_span, DIAG(unknown_policy_key),
                                 STR_ARG(str_of(of)), STR_ARG(resource->resource->type), STR_ARG(entry->key));
        suggest_say(rules->session, diag, &suggestion, entry->key_span);
    }
}

void rule_container_fields(const Rules *rules, const PlanResource *resource) {
    const JobContainers containers = job_containers(rules->session->arena, resource->resource);
    for (uint32_t i = 0; i < containers.count; i++) {
        const Value *container = containers.items[i].container;
        check_keys(rules, resource, container, "ContainerProperties", CONTAINER_KEYS, COUNT_OF(CONTAINER_KEYS));
        check_keys(rules, resource, object_get(container, "LinuxParameters"), "LinuxParameters", LINUX_KEYS,
                   COUNT_OF(LINUX_KEYS));
    }
}
