// Rules about resources that the service refuses, or does not make for every account.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/object_value.h"

// Lambda sets these itself.
// source: AWS Lambda Developer Guide, Defined runtime environment variables, Reserved environment variables, 2026-11, read
// 2026-11
static const char *const RESERVED[] = {
    "_HANDLER",
    "_X_AMZN_TRACE_ID",
    "AWS_DEFAULT_REGION",
    "AWS_REGION",
    "AWS_EXECUTION_ENV",
    "AWS_LAMBDA_FUNCTION_NAME",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
    "AWS_LAMBDA_FUNCTION_VERSION",
    "AWS_LAMBDA_INITIALIZATION_TYPE",
    "AWS_LAMBDA_LOG_GROUP_NAME",
    "AWS_LAMBDA_LOG_STREAM_NAME",
    "AWS_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_LAMBDA_RUNTIME_API",
    "LAMBDA_TASK_ROOT",
    "LAMBDA_RUNTIME_DIR",
};

void rule_variables_of_lambda(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    const ValueEntry *environment = value_entry(raw->properties, raw->property_count, "Environment");
    const Value *variables = environment == NULL || !str_is(raw->type, "AWS::Lambda::Function")
                                 ? NULL
                                 : object_get(environment->value, "Variables");
    for (uint32_t i = 0; variables != NULL && variables->kind == VALUE_MAP && i < variables->map.count; i++) {
        const ValueEntry *entry = &variables->map.entries[i];
        if (str_is_any(entry->key, RESERVED, COUNT_OF(RESERVED))) {
            Diag *diag = plan_report(rules->session, resource->subject, entry->key_span, DIAG(variable_of_lambda),
                                     STR_ARG(entry->key));
            diag_help(rules->session, diag, "leave it out: the function has it anyway; or give it another name");
        }
    }
}

// source: Amazon EC2 Auto Scaling User Guide, Auto Scaling launch configurations: "New accounts created on or after October 1,
// 2024 can't create new launch configurations by using the console, API, AWS CLI, and CloudFormation", 2026-11, read 2026-11
void rule_launch_configuration(const Rules *rules, const PlanResource *resource) {
    const Resource *raw = resource->resource;
    if (str_is(raw->type, "AWS::AutoScaling::LaunchConfiguration") && !raw->is_request &&
        !span_is_none(raw->type_span)) {
        Diag *diag = plan_report(rules->session, resource->subject, raw->type_span, DIAG(launch_configuration));
        diag_help(rules->session, diag,
                  "write an `AWS::EC2::LaunchTemplate`, and its id and version into `LaunchTemplate` of the group");
    }
}
