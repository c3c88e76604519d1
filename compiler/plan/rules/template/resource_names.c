// A rule about names that authors give to resources: of two with one name CloudFormation makes the first, and rolls back.
// source: CloudFormation User Guide, Name type, and CloudFormation Template Reference, the resources named here, 2026-11, read 2026-12
#include "compiler/plan/rules/rules.h"

#include "compiler/base/str_map.h"
#include "compiler/plan/model/allow.h"

// Where names of a type have to differ: in the account and the region, or among those of one owner.
typedef struct {
    const char *type;
    const char *name;
    const char *owner; // the property that names it; empty: there is none
} NameRow;

static const NameRow ROWS[] = {
    { "AWS::EC2::LaunchTemplate", "LaunchTemplateName", "" },
    { "AWS::EC2::SecurityGroup", "GroupName", "VpcId" },
    { "AWS::EC2::KeyPair", "KeyName", "" },
    { "AWS::EC2::PlacementGroup", "GroupName", "" },
    { "AWS::IAM::Role", "RoleName", "" },
    { "AWS::IAM::InstanceProfile", "InstanceProfileName", "" },
    { "AWS::IAM::ManagedPolicy", "ManagedPolicyName", "Path" },
    { "AWS::IAM::User", "UserName", "" },
    { "AWS::IAM::Group", "GroupName", "" },
    { "AWS::S3::Bucket", "BucketName", "" },
    { "AWS::Batch::ComputeEnvironment", "ComputeEnvironmentName", "" },
    { "AWS::Batch::JobQueue", "JobQueueName", "" },
    { "AWS::Batch::SchedulingPolicy", "Name", "" },
    { "AWS::EKS::Cluster", "Name", "" },
    { "AWS::EKS::Nodegroup", "NodegroupName", "ClusterName" },
    { "AWS::EKS::Addon", "AddonName", "ClusterName" },
    { "AWS::EKS::FargateProfile", "FargateProfileName", "ClusterName" },
    { "AWS::PCS::Cluster", "Name", "" },
    { "AWS::PCS::ComputeNodeGroup", "Name", "ClusterId" },
    { "AWS::PCS::Queue", "Name", "ClusterId" },
    { "AWS::SageMaker::Cluster", "ClusterName", "" },
    { "AWS::AutoScaling::AutoScalingGroup", "AutoScalingGroupName", "" },
    { "AWS::Logs::LogGroup", "LogGroupName", "" },
    { "AWS::ECR::Repository", "RepositoryName", "" },
    { "AWS::ECS::Cluster", "ClusterName", "" },
    { "AWS::SNS::Topic", "TopicName", "" },
    { "AWS::SQS::Queue", "QueueName", "" },
    { "AWS::Lambda::Function", "FunctionName", "" },
    { "AWS::SSM::Parameter", "Name", "" },
    { "AWS::SSM::Document", "Name", "" },
    { "AWS::SecretsManager::Secret", "Name", "" },
    { "AWS::DynamoDB::Table", "TableName", "" },
    { "AWS::CloudWatch::Alarm", "AlarmName", "" },
    { "AWS::Events::Rule", "Name", "EventBusName" },
    { "AWS::StepFunctions::StateMachine", "StateMachineName", "" },
    { "AWS::ElasticLoadBalancingV2::LoadBalancer", "Name", "" },
    { "AWS::ElasticLoadBalancingV2::TargetGroup", "Name", "" },
    { "AWS::RDS::DBInstance", "DBInstanceIdentifier", "" },
    { "AWS::RDS::DBCluster", "DBClusterIdentifier", "" },
};

static const NameRow *row_of(Str type) {
    for (size_t i = 0; i < COUNT_OF(ROWS); i++) {
        if (str_is(type, ROWS[i].type)) {
            return &ROWS[i];
        }
    }
    return NULL;
}

// How a value is written: two that are written alike are one when the stack is made. Empty: it may be none.
static Str written(const Rules *rules, const Data *value) {
    const bool may_be = value != NULL && value->kind != DATA_NULL && value->kind != DATA_LIST;
    const Str text = may_be ? source_text(rules->session, value->span) : STR_NONE;
    return str_has(text, "AWS::NoValue") || str_has(text, "Fn::If") || str_has(text, "!If") ? STR_NONE : str_trim(text);
}

void rule_template_resource_names(const Rules *rules, const PlanFile *file) {
    Session *session = rules->session;
    StrMap seen = { .arena = session->arena };
    const bool is_asked = file->names != NULL && !file->names->has_macro;
    for (uint32_t i = 0; is_asked && i < file->names->named.count; i++) {
        const PlanNamed *named = file->names->named.items[i];
        const NameRow *row = named->kind == NAMED_RESOURCE ? row_of(named->type) : NULL;
        const Data *properties = row == NULL ? NULL : data_get(named->data, "Properties");
        const Data *value = properties == NULL ? NULL : data_get(properties, row->name);
        const Str name = written(rules, value);
        if (name.len == 0) {
            continue;
        }
        const Data *owner = row->owner[0] == '\0' ? NULL : data_get(properties, row->owner);
        const Str of = owner == NULL ? STR_NONE : source_text(session, owner->span);
        const Str key = str_format(session->arena, "%s|%.*s|%.*s|%.*s", row->type, STR_ARG(of), STR_ARG(name),
                                   STR_ARG(data_text(named->data, "Condition")));
        const Data *first = str_map_add(&seen, key, value);
        if (first != NULL && !span_equal(first->span, value->span)) { // else a loop makes both
            Diag *diag =
                plan_report(session, named->subject, value->span, DIAG(resource_name_twice), row->type, row->name);
            diag_label(session, diag, first->span, "the first one");
            diag_help(session, diag, "give it a name of its own, or leave `%s` out: CloudFormation makes one",
                      row->name);
        }
    }
}
