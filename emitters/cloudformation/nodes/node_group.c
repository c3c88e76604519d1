// The stack of a cluster's groups with `group = stack`. It has one security group. For each group it has a role with
// its access entry, a launch template and an auto scaling group. Managed groups that eksctl cannot start have their
// launch template in it (managed_template.c). Creating and updating wait until the nodes have joined (node_joining.c).
// What the cluster's jobs may do stands here as well, in a stack of its own where there are no such groups.
#include "emitters/cloudformation/nodes/node_group.h"

#include "compiler/base/shell.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/identity.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/network_ids.h"
#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/extras.h"
#include "emitters/cloudformation/access/iam.h"
#include "emitters/cloudformation/access/pod_identity.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/nodes/launch_template.h"
#include "emitters/cloudformation/nodes/mixed_instances.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/access/security_group.h"
#include "emitters/cloudformation/template/sub.h"
#include "emitters/cloudformation/template/tags.h"
#include "emitters/deployment/variable.h"
#include "emitters/node/second_stage.h"
#include "emitters/node/verdicts.h"
#include "schema/names.h"

enum { HTTPS_PORT = 443, FIRST_PORT = 1025, LAST_PORT = 65535 };

static const char CLUSTER_GROUP[] = "ClusterSecurityGroup"; // parameter

// The name of the cluster that the nodes join, with text before it: "kubernetes.io/cluster/" or nothing.
static DocNode *node_group_cluster_name(Stack *stack, const PlanCluster *cluster, const char *before) {
    SubText text = { .stack = stack };
    if (before[0] != 0) {
        sub_add(&text, str_of(before), why(WHY_NODE_OWNED));
    }
    sub_add_value(&text, plan_eks_name(cluster));
    return sub_node(&text);
}

static bool has_stack(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_is_in_stack(cluster->nodes.items[i])) {
            return true;
        }
    }
    return false;
}

// ---- what EKS answers ------------------------------------------------------------------------------------------

// Adds the cluster's name as one word: a late one comes from the environment, as the parameter does.
static void add_name(Stack *stack, StrBuf *command, const PlanCluster *cluster) {
    const Value *name = plan_eks_name(cluster);
    if (name->kind == VALUE_STRING) {
        shell_add(command, "--name", name->string);
        return;
    }
    assert(name->kind == VALUE_LATE && name->late->kind == LATE_PARAM); // rule known_name
    const Param *param = name->late->param;
    if (param->initial != NULL && param->initial->kind == VALUE_STRING) {
        shell_add(command, "--name", param->initial->string);
        return;
    }
    strbuf_add(command, STR(" --name \"${"));
    variable_add(command, stack_pascal(stack, param->name));
    strbuf_add(command, STR(":?}\""));
}

static Str ask(Stack *stack, const PlanCluster *cluster, const char *query) {
    StrBuf text = { .arena = stack->arena };
    strbuf_add(&text, STR("aws eks describe-cluster"));
    add_name(stack, &text, cluster);
    shell_add_given(&text, "--region", stack->region);
    strbuf_add_format(&text, " --query %s --output text", query);
    return strbuf_str(&text);
}

// What only nodes that EKS does not keep must be told.
static NodeGroupAnswers add_join_answers(Stack *stack, const PlanCluster *cluster) {
    NodeGroupAnswers answers = { 0 };
    answers.endpoint = stack_answer(stack, (StackAnswer){
                                               .id = "ApiServerEndpoint",
                                               .type = "String",
                                               .pattern = "^https://[A-Za-z0-9.-]+(:[0-9]+)?$",
                                               .description = "Address of the cluster's API server",
                                               .command = ask(stack, cluster, "cluster.endpoint"),
                                           });
    answers.authority = stack_answer(stack, (StackAnswer){
                                                .id = "CertificateAuthority",
                                                .type = "String",
                                                .pattern = "^[A-Za-z0-9+/=]+$",
                                                .description = "Certificate of the cluster's authority, in base64",
                                                .command = ask(stack, cluster, "cluster.certificateAuthority.data"),
                                            });
    // A cluster of IPv6 has none. Its nodes would need IPv6 addresses, a way out for them and a policy for the CNI, and
    // this stack gives none of these (EKS User Guide, IPv6 addresses for clusters, pods and services, 2026-11).
    answers.service_cidr =
        stack_answer(stack, (StackAnswer){
                                .id = "ServiceCidr",
                                .type = "String",
                                .pattern = "^[0-9.]+/[0-9]+$",
                                .constraint = "a block of IPv4: these nodes join no cluster of IPv6",
                                .description = "Block of the addresses of the cluster's services",
                                .command = ask(stack, cluster, "cluster.kubernetesNetworkConfig.serviceIpv4Cidr"),
                            });
    return answers;
}

// EKS tells the nodes that it keeps, unless they have an image of the author's.
static bool must_tell(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (plan_is_in_node_stack(nodes) && (!plan_is_managed(nodes) || nodes->ami.given != NULL)) {
            return true;
        }
    }
    return false;
}

static NodeGroupAnswers add_answers(Stack *stack, const PlanCluster *cluster) {
    NodeGroupAnswers answers = { 0 };
    if (must_tell(cluster)) {
        answers = add_join_answers(stack, cluster);
    }
    stack_answer(stack, (StackAnswer){
                            .id = CLUSTER_GROUP,
                            .type = "AWS::EC2::SecurityGroup::Id",
                            .description = "Security group that EKS made for the cluster",
                            .command = ask(stack, cluster, "cluster.resourcesVpcConfig.clusterSecurityGroupId"),
                        });
    if (cluster->network == NULL) {
        answers.vpc = stack_answer(stack, (StackAnswer){
                                              .id = "ClusterVPC",
                                              .type = "AWS::EC2::VPC::Id",
                                              .description = "VPC that eksctl made for the cluster",
                                              .command = ask(stack, cluster, "cluster.resourcesVpcConfig.vpcId"),
                                          });
    }
    return answers;
}

// ---- security groups -------------------------------------------------------------------------------------------

static Str group_id(const Stack *stack) {
    return stack_id(stack, stack->head->id, STR_NONE, "SecurityGroup");
}

// The security groups of each interface. The stack's own is for EFA. Members of the cluster's own reach each other and
// the control plane. Through it nodes of eksctl reach these nodes, as CoreDNS must. The last ones are those of the
// network.
DocNode *node_group_interface_groups(Stack *stack, const PlanNodes *nodes) {
    DocNode *list = tree_list_of(stack->doc, intrinsic_ref(stack, group_id(stack)));
    doc_add(stack->doc, list, intrinsic_ref(stack, str_of(CLUSTER_GROUP)));
    if (nodes->security_group != NULL) {
        doc_add(stack->doc, list, template_value(stack, nodes->security_group));
    }
    return list;
}

typedef struct {
    const char *role;
    const char *type;
    bool is_of_nodes; // whose rule it is: the nodes', else the control plane's
    const char *other;
    int from;
} RuleRow;

// What the control plane and nodes say to each other: kubelets and webhooks there, the API here.
static const RuleRow RULE_ROWS[] = {
    { "ControlPlaneIngress", "AWS::EC2::SecurityGroupIngress", false, "SourceSecurityGroupId", HTTPS_PORT },
    { "ControlPlaneEgress", "AWS::EC2::SecurityGroupEgress", false, "DestinationSecurityGroupId", FIRST_PORT },
    { "ControlPlaneEgressOn443", "AWS::EC2::SecurityGroupEgress", false, "DestinationSecurityGroupId", HTTPS_PORT },
    { "FromControlPlaneIngress", "AWS::EC2::SecurityGroupIngress", true, "SourceSecurityGroupId", FIRST_PORT },
    { "FromControlPlaneIngressOn443", "AWS::EC2::SecurityGroupIngress", true, "SourceSecurityGroupId", HTTPS_PORT },
};

static void add_control_plane_rules(Stack *stack, const PlanCluster *cluster) {
    const Value *control_plane = cluster->eks->control_plane_security_group;
    for (size_t i = 0; i < COUNT_OF(RULE_ROWS); i++) {
        const RuleRow *row = &RULE_ROWS[i];
        DocNode *rule = stack_resource(stack, (StackResource){
                                                  .id = stack_id(stack, stack->head->id, STR_NONE, row->role),
                                                  .type = row->type,
                                                  .origin = control_plane->origin,
                                              });
        DocNode *own = intrinsic_ref(stack, group_id(stack));
        DocNode *other = template_value(stack, control_plane);
        tree_put(stack->doc, rule, "GroupId", row->is_of_nodes ? own : other);
        tree_put(stack->doc, rule, row->other, row->is_of_nodes ? other : own);
        tree_put_text(stack->doc, rule, "IpProtocol", WHY_NODE_CONTROL_PLANE, "tcp");
        tree_put(stack->doc, rule, "FromPort", tree_number(stack->doc, WHY_NODE_CONTROL_PLANE, row->from));
        tree_put(stack->doc, rule, "ToPort",
                 tree_number(stack->doc, WHY_NODE_CONTROL_PLANE, row->from == HTTPS_PORT ? HTTPS_PORT : LAST_PORT));
    }
}

static DocNode *owned_tag(Stack *stack, const PlanCluster *cluster) {
    DocNode *tag = doc_map(stack->doc);
    tree_put(stack->doc, tag, "Key", node_group_cluster_name(stack, cluster, "kubernetes.io/cluster/"));
    tree_put_text(stack->doc, tag, "Value", WHY_NODE_OWNED, "owned");
    return tag;
}

static DocNode *vpc_of(Stack *stack, const PlanCluster *cluster, const NodeGroupAnswers *answers) {
    return cluster->network == NULL ? intrinsic_ref(stack, answers->vpc)
                                    : template_value(stack, plan_network_ids(stack->arena, cluster->network).vpc);
}

static void add_security_group(Stack *stack, const PlanCluster *cluster, const NodeGroupAnswers *answers) {
    DocNode *group = security_group_add_efa(stack, stack->head->id, vpc_of(stack, cluster, answers));
    // Not tagged as the cluster's: one group of a node may be, and the one that EKS made is.
    tree_put(stack->doc, group, "Tags", tags_list(stack, (Tags){ .inner = cluster->tags }));
    if (cluster->eks->control_plane_security_group != NULL) {
        add_control_plane_rules(stack, cluster);
    }
}

// ---- a group ---------------------------------------------------------------------------------------------------

static DocNode *market(Stack *stack, const PlanCapacity *capacity) {
    if (capacity->kind != CAPACITY_SPOT) {
        return launch_template_block_market(stack, capacity);
    }
    DocNode *options = doc_map(stack->doc);
    tree_put_text(stack->doc, options, "MarketType", WHY_NODE_SPOT, "spot");
    return options;
}

// The author's image where one is given, else the one of EKS.
static DocNode *image(Stack *stack, const PlanNodes *nodes) {
    const Condition *given =
        nodes->ami.given == NULL ? condition_bool(false) : condition_given(stack, nodes->ami.given);
    if (given->kind == CONDITION_TRUE) {
        return template_value(stack, nodes->ami.given);
    }
    DocNode *service = intrinsic_ref(stack, stack_image(stack, nodes->ami.parameter, nodes->ami.origin));
    return given->kind == CONDITION_FALSE
               ? service
               : condition_if(stack, given, template_given_value(stack, nodes->ami.given), service);
}

static void add_launch_template(Stack *stack, const PlanNodes *nodes, const NodeGroupAnswers *answers) {
    const NameList names = names_of(NAMES_POLICIES_OF_STACK_NODES);
    const IamNodes needs = {
        .policies = { .names = names.items, .count = names.count, .reason = WHY_NODE_POLICY },
        .object = second_stage_objects(stack->arena, nodes),
    };
    DocNode *placement = placement_node(stack, nodes);
    DocNode *profile = nodes->role.instance_profile != NULL
                           ? template_value(stack, nodes->role.instance_profile)
                           : intrinsic_get_att(stack, iam_instance_profile(stack, nodes, needs), "Arn");
    // Beside several types Auto Scaling takes no template that asks for Spot: mixed_instances_add() asks for it then.
    CapacityNode *const market_of = nodes->types.count > 1 ? launch_template_block_market : market;
    DocNode *data = launch_template_add(stack, nodes, node_group_interface_groups, market_of);
    tree_put(stack->doc, data, "InstanceType", template_value(stack, nodes->instance_value));
    tree_put(stack->doc, data, "ImageId", image(stack, nodes));
    tree_put(stack->doc, tree_put_map(stack->doc, data, "IamInstanceProfile"), "Arn", profile);
    tree_put(stack->doc, data, "KeyName", template_value(stack, nodes->key));
    if (placement != NULL) {
        tree_put(stack->doc, tree_put_map(stack->doc, data, "Placement"), "GroupName", placement);
    }
    tree_put(stack->doc, data, "UserData", node_group_user_data(stack, nodes, answers));
    launch_template_add_tags(stack, data, nodes);
}

// The name at the end of a profile's ARN.
static Str profile_name(const Value *profile) {
    const Value *known = value_by_default(profile);
    assert(known->kind == VALUE_STRING); // rule known_profile
    return str_after_last(known->string, '/');
}

// The role of a profile that is there is a parameter, which IAM answers.
static void ask_role(Stack *stack, const PlanNodes *nodes) {
    if (nodes->role.instance_profile == NULL) {
        return;
    }
    StrBuf command = { .arena = stack->arena };
    shell_add(&command, "aws iam get-instance-profile --instance-profile-name",
              profile_name(nodes->role.instance_profile));
    strbuf_add(&command, STR(" --query 'InstanceProfile.Roles[0].Arn' --output text"));
    stack_answer(stack, (StackAnswer){
                            .id = str_c(stack->arena, stack_group_id(stack, nodes, "InstanceRole")),
                            .type = "String",
                            .pattern = "^arn:[a-z-]+:iam::[0-9]{12}:role/.+$",
                            .description = "Role of the group's instance profile",
                            .command = strbuf_str(&command),
                            .origin = nodes->role.instance_profile->origin,
                        });
}

static DocNode *role_arn(Stack *stack, const PlanNodes *nodes) {
    const Str id = stack_group_id(stack, nodes, "InstanceRole");
    return nodes->role.instance_profile == NULL ? intrinsic_get_att(stack, id, "Arn") : intrinsic_ref(stack, id);
}

// By it the role's nodes may join; without it they start and are never seen.
static Str add_access_entry(Stack *stack, const PlanNodes *nodes) {
    Str id = stack_group_id(stack, nodes, "AccessEntry");
    DocNode *entry = stack_resource(stack, (StackResource){ .id = id, .type = "AWS::EKS::AccessEntry" });
    tree_put(stack->doc, entry, "ClusterName", node_group_cluster_name(stack, nodes->cluster, ""));
    tree_put(stack->doc, entry, "PrincipalArn", role_arn(stack, nodes));
    tree_put_text(stack->doc, entry, "Type", WHY_NODE_ACCESS, "EC2_LINUX");
    return id;
}

// The sizes of an Auto Scaling group are strings: AWS::AutoScaling::AutoScalingGroup in the CloudFormation Template
// Reference, 2026-11. CloudFormation takes numbers too, and AWS's validator warns of them.
static DocNode *size_node(Stack *stack, const Value *size) {
    if (size->kind != VALUE_INT) {
        return template_value(stack, size);
    }
    return doc_string(stack->doc, str_format(stack->arena, "%" PRId64, size->integer), size->origin);
}

static void add_auto_scaling_group(Stack *stack, const PlanNodes *nodes) {
    Str entry = add_access_entry(stack, nodes);
    Str id = stack_group_id(stack, nodes, "AutoScalingGroup");
    DocNode *group = stack_resource(stack, (StackResource){
                                               .id = id,
                                               .type = "AWS::AutoScaling::AutoScalingGroup",
                                               .depends_on = entry,
                                           });
    if (nodes->types.count > 1) {
        mixed_instances_add(stack, group, nodes);
    } else {
        launch_template_refer(stack, group, nodes, WHY_NODE_TEMPLATE_VERSION);
    }
    tree_put(stack->doc, group, "MinSize", size_node(stack, nodes->count.written_low));
    tree_put(stack->doc, group, "MaxSize", size_node(stack, nodes->count.written_high));
    // Without it a group begins with its fewest, and later deployments leave it as large as somebody has made it
    // (CloudFormation Template Reference, AWS::AutoScaling::AutoScalingGroup, 2026-11).
    if (nodes->eks->desired != NULL) {
        tree_put(stack->doc, group, "DesiredCapacity", size_node(stack, nodes->eks->desired));
    }
    tree_put(stack->doc, group, "VPCZoneIdentifier", template_list(stack, nodes->subnets.ids));
    DocNode *tag = owned_tag(stack, nodes->cluster);
    tree_put(stack->doc, tag, "PropagateAtLaunch", tree_bool(stack->doc, WHY_NODE_OWNED, true));
    tree_put(stack->doc, group, "Tags", tree_list_of(stack->doc, tag));
    node_joining_add(stack, nodes, id);
}

static void add_outputs(Stack *stack, const PlanNodes *nodes) {
    Str name = nodes->head.id;
    stack_output(stack, stack_id(stack, name, STR_NONE, "AutoScalingGroup"), "Keeps the group's nodes",
                 intrinsic_ref(stack, stack_group_id(stack, nodes, "AutoScalingGroup")), true);
    stack_output(stack, stack_id(stack, name, STR_NONE, "InstanceRole"), "The role of the group's nodes",
                 role_arn(stack, nodes), true);
}

// ---- the stack -------------------------------------------------------------------------------------------------

static bool has_groups(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_is_in_node_stack(cluster->nodes.items[i])) {
            return true;
        }
    }
    return false;
}

static Str describe(Stack *stack, const PlanCluster *cluster, const Origin **reason) {
    StrBuf text = { .arena = stack->arena };
    strbuf_add(&text, has_groups(cluster) ? STR("Nodes for a cluster on EKS") : STR("Roles of jobs on EKS"));
    const char *between = ":";
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (plan_is_in_node_stack(nodes)) {
            strbuf_add_format(&text, "%s %.*s (%.*s)", between, STR_ARG(nodes->head.id),
                              STR_ARG(plan_type_names(stack->arena, nodes)));
            *reason = origin_join(stack->arena, *reason, nodes->instance_value->origin);
            between = ",";
        }
    }
    return strbuf_str(&text);
}

static Str describe_waiting(Arena *arena, const PlanNodes *nodes) {
    const int64_t in_update = plan_tolerance(nodes, nodes->count.written_low);
    if (plan_begins_empty(nodes)) {
        return str_format(arena,
                          "an update waits until each new node has joined, %d minutes at most; %" PRId64
                          " percent of them may stay away: `tolerance`",
                          NODE_GROUP_WAIT_MINUTES, in_update);
    }
    return str_format(arena,
                      "deploying waits until each new node has joined, %d minutes at most; %" PRId64
                      " percent of them at first, and %" PRId64 " in an update, may stay away: `tolerance`",
                      NODE_GROUP_WAIT_MINUTES, plan_tolerance(nodes, node_joining_first(nodes)), in_update);
}

static void decide(Stack *stack, const PlanNodes *nodes) {
    Arena *arena = stack->session->arena;
    const Str texts[] = {
        STR("nodes join by an access entry, so the cluster's authentication mode is `API` or `API_AND_CONFIG_MAP`"),
        describe_waiting(arena, nodes),
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        vec_push(arena, &stack->decisions,
                 ((PlanDecision){ .span = nodes->head.subject->name_span,
                                  .subject = plan_group_path(arena, nodes),
                                  .text = texts[i] }));
    }
}

// Where the stack is not called as the cluster is.
static void decide_name(Stack *stack, const PlanCluster *cluster) {
    Arena *arena = stack->session->arena;
    const Value *name = cluster->head.name;
    if (!str_equal(plan_eks_stack_name(arena, name->string), name->string)) {
        const PlanDecision decision = {
            .span = name->span,
            .subject = cluster->head.id,
            .text =
                str_format(arena, "its stack is called %.*s, since a stack's name begins with a letter and has no `_`",
                           STR_ARG(stack->head->name->string)),
        };
        vec_push(arena, &stack->decisions, decision);
    }
}

static void add_groups(Stack *stack, const PlanCluster *cluster) {
    const NodeGroupAnswers answers = add_answers(stack, cluster);
    add_security_group(stack, cluster, &answers);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (!plan_is_in_node_stack(nodes)) {
            continue;
        }
        const Span before = stack_enter(stack, &nodes->head);
        if (plan_is_managed(nodes)) {
            managed_template_add(stack, nodes, &answers);
        } else {
            ask_role(stack, nodes);
            add_launch_template(stack, nodes, &answers);
            add_auto_scaling_group(stack, nodes);
            add_outputs(stack, nodes);
            decide(stack, nodes);
            second_stage_decide_role(stack->session->arena, &stack->decisions, nodes);
            verdicts_decide_role(stack->session->arena, &stack->decisions, nodes);
        }
        stack_leave(stack, before);
    }
    stack_output(stack, group_id(stack), "Security group of the nodes", intrinsic_ref(stack, group_id(stack)), true);
}

// A cluster that is there may have the agent, and an add-on is made once.
static void decide_agent(Stack *stack, const PlanCluster *cluster) {
    const Value *existing = cluster->eks->existing;
    if (existing == NULL || !plan_has_identities(cluster)) {
        return;
    }
    StrBuf text = { .arena = stack->session->arena };
    strbuf_add(&text,
               STR("EKS Pod Identity gives its jobs their roles: if the cluster has no agent, aws eks create-addon "
                   "--addon-name eks-pod-identity-agent"));
    shell_add(&text, "--cluster-name", existing->kind == VALUE_STRING ? existing->string : STR("NAME"));
    shell_add_given(&text, "--region", stack->region);
    vec_push(stack->session->arena, &stack->decisions,
             ((PlanDecision){ .span = existing->span, .subject = cluster->head.id, .text = strbuf_str(&text) }));
}

static void add_identities(Stack *stack, const PlanCluster *cluster) {
    decide_agent(stack, cluster);
    for (uint32_t i = 0; i < cluster->jobs.count; i++) {
        const PlanJob *job = cluster->jobs.items[i];
        if (!plan_job_has_identity(job)) {
            continue;
        }
        const Span before = stack_enter(stack, &job->head);
        pod_identity_add(stack, job);
        stack_leave(stack, before);
    }
}

void node_group_emit(Session *session, const Plan *plan, const PlanCluster *cluster, Output *output) {
    const bool is_without_place = has_stack(cluster) && cluster->network == NULL; // which is reported
    if (!plan_has_node_stack(cluster) || is_without_place) {
        return;
    }
    Stack *stack = stack_open(session, plan, emitter_nodes_head(session, cluster), cluster->region);
    stack->output = output;
    decide_name(stack, cluster);
    if (has_groups(cluster)) {
        add_groups(stack, cluster);
    }
    add_identities(stack, cluster);
    if (plan_eks_is_made(plan, cluster)) {
        stack_need(stack, plan_eksctl_stack(stack->session->arena, plan_eks_name(cluster)->string));
    }
    extras_add(stack, cluster->head.part, true);
    const Origin *reason = NULL;
    Str description = describe(stack, cluster, &reason);
    stack_write(stack, description, reason, output);
}
