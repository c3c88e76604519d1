// EFA passes only where a group admits all traffic from itself and to itself. The rules are resources of their own, as
// a group cannot name itself while it is made.
#include "emitters/cloudformation/access/security_group.h"

#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/cloudformation/template/intrinsic.h"

DocNode *security_group_add(Stack *stack, Str block, const char *role, const char *description, Why reason,
                            DocNode *vpc) {
    DocNode *group = stack_resource(stack, (StackResource){
                                               .id = stack_id(stack, block, STR_NONE, role),
                                               .type = "AWS::EC2::SecurityGroup",
                                           });
    tree_put_text(stack->doc, group, "GroupDescription", reason, description);
    tree_put(stack->doc, group, "VpcId", vpc);
    return group;
}

// A rule for all traffic; the caller says with whom.
static DocNode *add_rule(Stack *stack, Str block, const char *role, const char *type, Why reason) {
    DocNode *rule =
        stack_resource(stack, (StackResource){ .id = stack_id(stack, block, STR_NONE, role), .type = type });
    tree_put(stack->doc, rule, "GroupId", intrinsic_ref(stack, stack_id(stack, block, STR_NONE, "SecurityGroup")));
    tree_put_text(stack->doc, rule, "IpProtocol", reason, "-1");
    return rule;
}

DocNode *security_group_add_efa(Stack *stack, Str block, DocNode *vpc) {
    static const char INGRESS[] = "AWS::EC2::SecurityGroupIngress";
    static const char EGRESS[] = "AWS::EC2::SecurityGroupEgress";
    DocNode *group = security_group_add(stack, block, "SecurityGroup", "EFA: all traffic between members, and out",
                                        WHY_NETWORK_EFA_RULES, vpc);
    Str id = stack_id(stack, block, STR_NONE, "SecurityGroup");
    DocNode *in = add_rule(stack, block, "EFASecurityGroupIngress", INGRESS, WHY_NETWORK_EFA_RULES);
    tree_put(stack->doc, in, "SourceSecurityGroupId", intrinsic_ref(stack, id));
    DocNode *out = add_rule(stack, block, "EFASecurityGroupEgress", EGRESS, WHY_NETWORK_EFA_RULES);
    tree_put(stack->doc, out, "DestinationSecurityGroupId", intrinsic_ref(stack, id));
    DocNode *open = add_rule(stack, block, "OpenSecurityGroupEgress", EGRESS, WHY_NETWORK_EGRESS);
    tree_put_text(stack->doc, open, "CidrIp", WHY_NETWORK_EGRESS, "0.0.0.0/0");
    return group;
}

void security_group_add_of(Stack *stack, const PlanCluster *cluster) {
    bool is_wanted = false;
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        is_wanted = is_wanted || cluster->nodes.items[i]->security_group == NULL;
    }
    if (!is_wanted) {
        return;
    }
    // A rule has asked for the VPC.
    DocNode *group =
        security_group_add_efa(stack, cluster->head.id, template_value(stack, cluster->network->given.vpc));
    tree_put(stack->doc, group, "Tags", tags_list(stack, (Tags){ .inner = cluster->tags }));
}

DocNode *security_groups_of(Stack *stack, const PlanNodes *nodes) {
    if (nodes->security_group != NULL) {
        return template_list(stack, nodes->security_group);
    }
    return tree_list_of(stack->doc,
                        intrinsic_ref(stack, stack_id(stack, nodes->cluster->head.id, STR_NONE, "SecurityGroup")));
}
