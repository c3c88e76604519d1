// Rules about nodes of a template that start from its launch template, and never join: their security groups reach no API
// server, or nobody lets Auto Scaling use the key of their volumes. Who may be given more elsewhere is passed over.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/template_use.h"

// The resource of this type that a property of another one names, whatever the property is a part of; NULL: none of it.
static const PlanUse *use_of(const PlanTemplate *template, const PlanNamed *from, const char *key, const char *type) {
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        if (use->from == from && !use->is_sub && str_is(use->key, key) && use->to != NULL && use_is_no_choice(use) &&
            str_is(use->to->type, type)) {
            return use;
        }
    }
    return NULL;
}

static const PlanNamed *launch_template_of(const PlanTemplate *template, const PlanNamed *group) {
    static const char *const KEYS[] = { "Id", "Name", "LaunchTemplateId", "LaunchTemplateName" };
    const PlanUse *use = NULL;
    for (size_t i = 0; i < COUNT_OF(KEYS) && use == NULL; i++) {
        use = use_of(template, group, KEYS[i], "AWS::EC2::LaunchTemplate");
    }
    return use == NULL ? NULL : use->to;
}

// Whoever is told of a part of the template may change it while the stack is made.
static bool is_told(const PlanUse *use) {
    return use->from != NULL && (str_starts_with(use->from->type, STR("AWS::CloudFormation::")) ||
                                 str_starts_with(use->from->type, STR("Custom::")));
}

// ---- security groups -----------------------------------------------------------------------------------------------

// Adds what a list has; false where a function or another stack gives it.
static bool add_items(const Data *list, uint32_t *count) {
    *count += list == NULL ? 0 : list->count;
    return list == NULL || list->kind == DATA_LIST;
}

static bool count_groups(const Data *launch, uint32_t *count) {
    const Data *interfaces = data_get(launch, "NetworkInterfaces");
    bool is_known = add_items(data_get(launch, "SecurityGroupIds"), count) &&
                    (interfaces == NULL || interfaces->kind == DATA_LIST) && data_get(launch, "SecurityGroups") == NULL;
    for (uint32_t i = 0; is_known && interfaces != NULL && i < interfaces->count; i++) {
        const Data *interface = interfaces->items[i];
        is_known = interface->kind == DATA_MAP && data_get(interface, "Fn::If") == NULL &&
                   add_items(data_get(interface, "Groups"), count);
    }
    return is_known;
}

// The first of the groups, where each is one that the template makes; else NULL.
static const PlanUse *own_groups(const PlanTemplate *template, const PlanNamed *launch) {
    uint32_t count = 0;
    uint32_t found = 0;
    const PlanUse *first = NULL;
    if (!count_groups(data_get(data_get(launch->data, "Properties"), "LaunchTemplateData"), &count)) {
        return NULL;
    }
    for (uint32_t i = 0; i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_group =
            use->from == launch && (str_is(use->key, "SecurityGroupIds") || str_is(use->key, "Groups"));
        if (is_group && use_is_no_choice(use) && use->to != NULL && str_is(use->to->type, "AWS::EC2::SecurityGroup")) {
            first = first == NULL ? use : first;
            found++;
        }
    }
    return found == count ? first : NULL;
}

// Whether nobody but EKS itself decides who reaches the API server: by its security group alone.
static bool is_closed(const PlanTemplate *template, const PlanNamed *cluster) {
    const Data *network = data_get(data_get(cluster->data, "Properties"), "ResourcesVpcConfig");
    const Data *is_private = data_get(network, "EndpointPrivateAccess");
    const bool is_true = is_private != NULL &&
                         ((is_private->kind == DATA_BOOL && is_private->boolean) || str_is(is_private->string, "true"));
    bool is_known = is_true && data_get(network, "SecurityGroupIds") == NULL;
    for (uint32_t i = 0; is_known && i < template->uses.count; i++) {
        const PlanUse *use = template->uses.items[i];
        const bool is_asked = use->to == cluster && str_is(use->attribute, "ClusterSecurityGroupId") &&
                              use->from != NULL && use->from->kind == NAMED_RESOURCE;
        is_known = !is_asked && !(use->to == cluster && is_told(use));
    }
    return is_known;
}

static void check_groups(const Rules *rules, const PlanTemplate *template, const PlanNamed *nodes) {
    const PlanUse *cluster = use_of(template, nodes, "ClusterName", "AWS::EKS::Cluster");
    const PlanNamed *launch = launch_template_of(template, nodes);
    const PlanUse *group = launch == NULL || cluster == NULL ? NULL : own_groups(template, launch);
    if (group == NULL || !is_closed(template, cluster->to)) {
        return;
    }
    Diag *diag = plan_report(rules->session, group->subject, group->span, DIAG(nodes_shut_out), STR_ARG(nodes->name),
                             STR_ARG(cluster->to->name));
    diag_label(rules->session, diag, nodes->span, "starts nodes with these groups alone");
    diag_help(rules->session, diag, "add `!GetAtt %.*s.ClusterSecurityGroupId` to the groups",
              STR_ARG(cluster->to->name));
}

// ---- the key of volumes --------------------------------------------------------------------------------------------

// The account itself, which leaves the rest to policies of IAM. Those of AWS's own roles cannot be changed.
static bool is_account(const Data *principal) {
    const Data *text = data_get(principal, "Fn::Sub") == NULL ? principal : data_get(principal, "Fn::Sub");
    return text->kind == DATA_STRING && str_ends_with(text->string, STR(":root"));
}

// Whether a policy lets in the account alone, and services.
static bool is_of_account(const Data *policy) {
    const Data *statements = data_get(policy, "Statement");
    const Data *statement = NULL;
    bool is = statements != NULL;
    for (uint32_t i = 0; is && (statement = data_item(statements, i)) != NULL; i++) {
        const Data *principal = data_get(statement, "Principal");
        const Data *accounts = data_get(principal, "AWS");
        const Data *account = NULL;
        is = principal != NULL && principal->kind == DATA_MAP && str_is(data_text(statement, "Effect"), "Allow") &&
             (accounts != NULL || data_get(principal, "Service") != NULL);
        for (uint32_t k = 0; is && (account = data_item(accounts, k)) != NULL; k++) {
            is = is_account(account);
        }
    }
    return is && !data_has_text(policy, "autoscaling") && !data_has_text(policy, "AutoScaling");
}

static void check_key(const Rules *rules, const PlanTemplate *template, const PlanNamed *nodes) {
    const PlanNamed *launch = launch_template_of(template, nodes);
    const PlanUse *key = launch == NULL ? NULL : use_of(template, launch, "KmsKeyId", "AWS::KMS::Key");
    if (key == NULL || !is_of_account(data_get(data_get(key->to->data, "Properties"), "KeyPolicy"))) {
        return;
    }
    for (uint32_t i = 0; i < template->uses.count; i++) {
        if (template->uses.items[i]->to == key->to && is_told(template->uses.items[i])) {
            return;
        }
    }
    Diag *diag = plan_report(rules->session, key->subject, key->span, DIAG(key_without_scaling), STR_ARG(key->to->name),
                             STR_ARG(nodes->name));
    diag_label(rules->session, diag, key->to->span, "its policy names the account alone");
    diag_help(rules->session, diag,
              "let `arn:aws:iam::ACCOUNT:role/aws-service-role/autoscaling.amazonaws.com/AWSServiceRoleForAutoScaling` "
              "use the key, and make grants");
}

void rule_template_groups(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    for (uint32_t i = 0; template != NULL && template_is_readable(template) && i < template->named.count; i++) {
        const PlanNamed *named = template->named.items[i];
        const bool is_managed = named->kind == NAMED_RESOURCE && str_is(named->type, "AWS::EKS::Nodegroup");
        if (is_managed) {
            check_groups(rules, template, named);
        }
        if (is_managed ||
            (named->kind == NAMED_RESOURCE && str_is(named->type, "AWS::AutoScaling::AutoScalingGroup"))) {
            check_key(rules, template, named);
        }
    }
}
