// The service's own words are CloudFormation's, but for the case of the first letter.
#include "compiler/readers/aws_cli/aws_cli_request.h"

#include "compiler/readers/foreign_subject.h"
#include "compiler/readers/foreign_value.h"

typedef struct {
    const char *name;     // that every such request has
    const char *parts[4]; // and one of these
    const char *answer;   // has this too, and is no request
    const char *type;     // of the resource that it makes
    const char *certain;  // YAML has this too; NULL: it is read as JSON alone
} RequestRow;

// The parameters from which HyperPod sets up Slurm are no request, and have keys of their own.
#define PROVISIONING "HyperPod::Slurm::ProvisioningParameters"

static const RequestRow REQUEST_ROWS[] = {
    { "jobDefinitionName",
      { "containerProperties", "nodeProperties", "ecsProperties", "eksProperties" },
      "jobDefinitionArn",
      "AWS::Batch::JobDefinition",
      "type" },
    { "jobQueueName", { "computeEnvironmentOrder" }, "jobQueueArn", "AWS::Batch::JobQueue", "priority" },
    { "computeEnvironmentName",
      { "computeResources" },
      "computeEnvironmentArn",
      "AWS::Batch::ComputeEnvironment",
      "type" },
    { "LaunchTemplateData",
      { "LaunchTemplateName", "LaunchTemplateId" },
      "LaunchTemplateVersions",
      "AWS::EC2::LaunchTemplate",
      "LaunchTemplateName" },
    { "nodegroupName", { "clusterName" }, "nodegroupArn", "AWS::EKS::Nodegroup", "nodeRole" },
    { "name", { "resourcesVpcConfig" }, "arn", "AWS::EKS::Cluster", "roleArn" },
    { "VolumeType", { "AvailabilityZone" }, "VolumeId", "AWS::EC2::Volume", NULL },
    { "FileSystemType", { "LustreConfiguration", "SubnetIds" }, "FileSystemId", "AWS::FSx::FileSystem", NULL },
    { "computeNodeGroupName", { "clusterIdentifier" }, "arn", "AWS::PCS::ComputeNodeGroup", "instanceConfigs" },
    { "scheduler", { "clusterName" }, "arn", "AWS::PCS::Cluster", "networking" },
    { "ClusterName", { "InstanceGroups", "RestrictedInstanceGroups" }, "ClusterArn", "AWS::SageMaker::Cluster", NULL },
    { "workload_manager", { "controller_group", "worker_groups" }, "InstanceGroups", PROVISIONING, NULL },
    { "AutoScalingGroupName",
      { "LaunchTemplate", "MixedInstancesPolicy" },
      "AutoScalingGroupARN",
      "AWS::AutoScaling::AutoScalingGroup",
      NULL },
    { "FunctionName", { "Runtime" }, "FunctionArn", "AWS::Lambda::Function", NULL },
    { "jobDefinition", { "jobQueue" }, "jobId", "AWS::Batch::Job", "jobName" },
    { "LaunchTemplateConfigs", { "TargetCapacitySpecification" }, "FleetId", "AWS::EC2::EC2Fleet", NULL },
};

// The data of a launch template alone, as `--launch-template-data file://…` takes it, and a request to run instances, which
// has the same keys, and how many.
static const RequestRow DATA_ROWS[] = {
    { "MaxCount", { "ImageId", "InstanceType", "LaunchTemplate" }, "Instances", "AWS::EC2::LaunchTemplate", NULL },
    { "UserData", { "ImageId", "InstanceType" }, "Instances", "AWS::EC2::LaunchTemplate", NULL },
    { "NetworkInterfaces", { "ImageId", "InstanceType" }, "Instances", "AWS::EC2::LaunchTemplate", NULL },
    { "BlockDeviceMappings", { "ImageId", "InstanceType" }, "Instances", "AWS::EC2::LaunchTemplate", NULL },
};

// The container of a job definition alone, as `--container-properties file://…` takes it. One of ECS has a name.
static const RequestRow CONTAINER_ROWS[] = {
    { "image", { "jobRoleArn", "resourceRequirements", "vcpus" }, "name", "AWS::Batch::JobDefinition", NULL },
};

static bool has_part(const RequestRow *row, const Data *document) {
    bool has_one = false;
    for (size_t i = 0; i < COUNT_OF(row->parts) && row->parts[i] != NULL; i++) {
        has_one = has_one || data_get(document, row->parts[i]) != NULL;
    }
    return has_one;
}

static const RequestRow *find_row(const RequestRow *rows, size_t count, const Data *document, bool is_json) {
    for (size_t i = 0; i < count; i++) {
        const RequestRow *row = &rows[i];
        const bool is_certain = is_json || (row->certain != NULL && data_get(document, row->certain) != NULL);
        if (is_certain && data_get(document, row->name) != NULL && has_part(row, document) &&
            data_get(document, row->answer) == NULL) {
            return row;
        }
    }
    return NULL;
}

// What `describe-instances` answers has ids, and is no request.
static const RequestRow *find_data_row(const Data *document, bool is_json) {
    return data_get(document, "InstanceId") == NULL ? find_row(DATA_ROWS, COUNT_OF(DATA_ROWS), document, is_json)
                                                    : NULL;
}

// "hostPath" is "HostPath".
static Str property_name(Arena *arena, Str name) {
    const char first = str_at(name, 0);
    if (first < 'a' || first > 'z') {
        return name;
    }
    return str_format(arena, "%c%.*s", first - 'a' + 'A', STR_ARG(str_slice(name, 1, name.len)));
}

// What a request calls otherwise than CloudFormation does.
// source: AWS PCS API Reference, CreateCluster, CreateComputeNodeGroup and CustomLaunchTemplate, read 2026-11
static Str renamed(Arena *arena, Str outer, Str name) {
    static const struct {
        const char *outer; // the map that it is in; NULL: any
        const char *name;
        const char *property;
    } ROWS[] = {
        { NULL, "clusterIdentifier", "ClusterId" },
        { NULL, "computeNodeGroupName", "Name" },
        { "customLaunchTemplate", "id", "TemplateId" },
    };
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(name, ROWS[i].name) && (ROWS[i].outer == NULL || str_is(outer, ROWS[i].outer))) {
            return str_of(ROWS[i].property);
        }
    }
    return property_name(arena, name);
}

// The subnets of a group have commas between in a request, and are a list in CloudFormation.
static Data *in_list(Arena *arena, Data *data) {
    Data *list = data_list(arena);
    list->span = data->span;
    for (size_t at = 0; at <= data->string.len;) {
        const size_t end = str_find(data->string, STR(","), at);
        Data *item = arena_new(arena, Data);
        *item = *data;
        item->string = str_trim(str_slice(data->string, at, end));
        data_add(arena, list, item);
        at = end + 1;
    }
    return list;
}

// Whether the keys of such a map are the author's own: `labels`.
static bool has_own_keys(Str name) {
    static const char *const NAMES[] = { "driverOpts", "labels", "options", "parameters", "tags" };
    return str_is_any(name, NAMES, COUNT_OF(NAMES));
}

// A copy in CloudFormation's words.
static Data *in_properties(Arena *arena, Str outer, const Data *data) {
    Data *copy = arena_new(arena, Data);
    *copy = *data;
    if (data->kind == DATA_LIST) {
        copy->items = arena_new_array(arena, Data *, data->count);
        for (uint32_t i = 0; i < data->count; i++) {
            copy->items[i] = in_properties(arena, outer, data->items[i]);
        }
    } else if (data->kind == DATA_MAP) {
        copy->entries = arena_new_array(arena, DataEntry, data->count);
        for (uint32_t i = 0; i < data->count; i++) {
            const DataEntry *entry = &data->entries[i];
            const bool is_own = entry->value->kind == DATA_MAP && has_own_keys(entry->key);
            const bool is_list = str_is(entry->key, "VPCZoneIdentifier") && entry->value->kind == DATA_STRING;
            copy->entries[i] = (DataEntry){ .key = renamed(arena, outer, entry->key),
                                            .key_span = entry->key_span,
                                            .value = is_own    ? entry->value
                                                     : is_list ? in_list(arena, entry->value)
                                                               : in_properties(arena, entry->key, entry->value) };
        }
    }
    return copy;
}

// `{KEY: …}` around the data.
static Data *in_map(Arena *arena, Str key, Data *data) {
    DataEntry *entry = arena_new(arena, DataEntry);
    *entry = (DataEntry){ .key = key, .key_span = data->span, .value = data };
    Data *map = arena_new(arena, Data);
    *map = (Data){ .kind = DATA_MAP, .span = data->span, .entries = entry, .count = 1 };
    return map;
}

// Whether the CLI moves the security groups and the subnet of a request into its first interface. Elsewhere EC2 refuses
// them beside interfaces.
// Source: aws/aws-cli, awscli/customizations/ec2/runinstances.py, _fix_args, 2026-11, read 2026-11
static bool are_moved(const Data *request) {
    static const char *const WORDS[] = { "AssociatePublicIpAddress", "PrivateIpAddresses",
                                         "SecondaryPrivateIpAddressCount" };
    const Data *interfaces = data_get(request, "NetworkInterfaces");
    const bool has_one = interfaces != NULL && interfaces->kind == DATA_LIST && interfaces->count > 0;
    const Data *first = has_one ? interfaces->items[0] : NULL;
    bool are = false;
    for (size_t i = 0; i < COUNT_OF(WORDS) && first != NULL && first->kind == DATA_MAP; i++) {
        are = are || data_get(first, WORDS[i]) != NULL;
    }
    return are;
}

// A request to run instances in the words of a launch template. It has the text of the user data, which the CLI encodes; a
// template has its base64.
// Source: boto/botocore, botocore/handlers.py, base64_encode_user_data, 2026-11, read 2026-11
static Data *as_data(Arena *arena, const Data *request) {
    Data *data = arena_new(arena, Data);
    *data = *request;
    data->entries = arena_new_array(arena, DataEntry, request->count);
    data->count = 0;
    const bool is_moving = are_moved(request);
    for (uint32_t i = 0; i < request->count; i++) {
        DataEntry entry = request->entries[i];
        if (is_moving && (str_is(entry.key, "SecurityGroupIds") || str_is(entry.key, "SubnetId"))) {
            continue;
        }
        if (str_is(entry.key, "UserData")) {
            entry.value = in_map(arena, STR("Fn::Base64"), entry.value);
        }
        data->entries[data->count++] = entry;
    }
    return data;
}

// A request has no more than the properties.
static PlanResources whole_of(Arena *arena, const RawResource *raw) {
    Resource *own = arena_new(arena, Resource);
    *own = (Resource){ .type = raw->type,
                       .is_request = true,
                       .is_part = raw->is_part,
                       .type_span = raw->span,
                       .name = raw->name,
                       .span = raw->span,
                       .whole = raw->whole,
                       .properties = raw->properties,
                       .property_count = raw->property_count };
    PlanResource *resource = arena_new(arena, PlanResource);
    *resource = (PlanResource){ .subject = raw->subject, .resource = own };
    PlanResources resources = { 0 };
    vec_push(arena, &resources, (const PlanResource *)resource);
    return resources;
}

RawResource *aws_cli_read(Session *session, const Subject *file, Data *document) {
    Arena *arena = session->arena;
    const bool is_map = document->kind == DATA_MAP;
    const bool is_json = is_map && str_starts_with(source_text(session, document->span), STR("{"));
    const RequestRow *row = is_map ? find_row(REQUEST_ROWS, COUNT_OF(REQUEST_ROWS), document, is_json) : NULL;
    const RequestRow *data_row = is_map && row == NULL ? find_data_row(document, is_json) : NULL;
    const bool is_open = is_map && row == NULL && data_row == NULL;
    const RequestRow *container_row =
        is_open ? find_row(CONTAINER_ROWS, COUNT_OF(CONTAINER_ROWS), document, is_json) : NULL;
    row = data_row != NULL ? data_row : container_row != NULL ? container_row : row;
    if (row == NULL) {
        return NULL;
    }
    const DataEntry *name = data_entry(document, row->name);
    const bool is_provisioning = str_is(str_of(row->type), PROVISIONING);
    if (is_provisioning && (name->value->kind != DATA_STRING || !str_is(name->value->string, "slurm"))) {
        return NULL;
    }
    Data *data = data_get(document, "MaxCount") == NULL ? document : as_data(arena, document);
    const Data *request = data_row != NULL        ? in_map(arena, STR("LaunchTemplateData"), data)
                          : container_row != NULL ? in_map(arena, STR("containerProperties"), document)
                                                  : document;
    const Data *words = is_provisioning ? request : in_properties(arena, STR_NONE, request);
    const Value *properties = foreign_value(arena, words);
    const Data *title = data_get(document, "LaunchTemplateName");
    const Data *called = title == NULL ? name->value : title;
    RawResource *resource = arena_new(arena, RawResource);
    *resource = (RawResource){ .type = str_of(row->type),
                               .name = called->kind == DATA_STRING ? called->string : name->key,
                               .is_part = container_row != NULL,
                               .span = name->key_span,
                               .whole = document->span,
                               .subject = foreign_subject(session, file, name->key_span, document->span),
                               .properties = properties->map.entries,
                               .property_count = properties->map.count };
    return resource;
}

const PlanRaw *aws_cli_parts(Session *session, RawResource *resource) {
    RawResources resources = { 0 };
    vec_push(session->arena, &resources, resource);
    return &raw_stack_of(session, resources, whole_of(session->arena, resource), NULL)->parts;
}
