// VPC flow logs: a log group, a role that may write to it, and the flow log.
#include "emitters/cloudformation/network/network_parts.h"

#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/template/intrinsic.h"

enum { MILLISECONDS_OF_DAY = 24 * 60 * 60 * 1000 };

// Rule log_retention has held them.
static int retention_days(const Network *network) {
    return (int)(network->plan->made.flow_logs->integer / MILLISECONDS_OF_DAY);
}

static void add_role(const Network *network, Str id, Str group) {
    // Not logs:DescribeLogGroups, which cannot be granted on one group (hashicorp/terraform-provider-aws#8804).
    static const char *const ACTIONS[] = { "logs:CreateLogStream", "logs:DescribeLogStreams", "logs:PutLogEvents" };
    Stack *stack = network->stack;
    DocNode *role = iam_role(stack, (IamRole){
                                        .id = id,
                                        .service = "vpc-flow-logs.amazonaws.com",
                                        .trust = WHY_NETWORK_FLOW_LOGS,
                                        .is_own_account = true,
                                    });
    DocNode *policy = tree_add_map(stack->doc, tree_put_list(stack->doc, role, "Policies"));
    tree_put_text(stack->doc, policy, "PolicyName", WHY_NETWORK_FLOW_LOGS, "write-flow-logs");
    DocNode *document = tree_put_map(stack->doc, policy, "PolicyDocument");
    DocNode *statement = iam_statement(stack, document);
    DocNode *actions = tree_put_list(stack->doc, statement, "Action");
    for (size_t i = 0; i < COUNT_OF(ACTIONS); i++) {
        doc_add(stack->doc, actions, tree_text(stack->doc, WHY_NETWORK_FLOW_LOGS, ACTIONS[i]));
    }
    tree_put(stack->doc, statement, "Resource", intrinsic_get_att(stack, group, "Arn"));
    network_put_tags(network, role);
}

void network_add_flow_logs(const Network *network) {
    Stack *stack = network->stack;
    const Value *retention = network->plan->made.flow_logs;
    if (retention == NULL || retention->kind == VALUE_NULL) {
        return;
    }
    doc_because(stack->doc, retention->origin);
    Str group_id = network_id(network, "FlowLogsGroup", 0);
    Str role_id = network_id(network, "FlowLogsRole", 0);
    DocNode *group = stack_resource(stack, (StackResource){ .id = group_id, .type = "AWS::Logs::LogGroup" });
    tree_put(stack->doc, group, "RetentionInDays", doc_int(stack->doc, retention_days(network), retention->origin));
    network_put_tags(network, group);
    add_role(network, role_id, group_id);
    DocNode *log = stack_resource(stack, (StackResource){
                                             .id = network_id(network, "FlowLog", 0),
                                             .type = "AWS::EC2::FlowLog",
                                         });
    tree_put(stack->doc, log, "ResourceId", intrinsic_ref(stack, network_id(network, "VPC", 0)));
    tree_put_text(stack->doc, log, "ResourceType", WHY_NETWORK_FLOW_LOGS, "VPC");
    tree_put_text(stack->doc, log, "TrafficType", WHY_NETWORK_FLOW_LOGS, "ALL");
    tree_put_text(stack->doc, log, "LogDestinationType", WHY_NETWORK_FLOW_LOGS, "cloud-watch-logs");
    tree_put(stack->doc, log, "LogGroupName", intrinsic_ref(stack, group_id));
    tree_put(stack->doc, log, "DeliverLogsPermissionArn", intrinsic_get_att(stack, role_id, "Arn"));
    network_put_tags(network, log);
    doc_unbecause(stack->doc);
}
