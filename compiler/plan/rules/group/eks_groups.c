// Rules about groups of nodes on EKS: what goes with who makes them, eksctl or a stack of ours, and with how they
// start.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/bootstrap.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/maker.h"

static const char *group_word(const Rules *rules, const PlanNodes *nodes) {
    return str_c(rules->session->arena, nodes->eks->group->string);
}

// ---- attributes ------------------------------------------------------------------------------------------------

typedef enum {
    BY_MANAGED = 1u << MAKER_MANAGED | 1u << MAKER_MANAGED_WITH_TEMPLATE,
    BY_EKSCTL = 1u << MAKER_EKSCTL,
    BY_STACK = 1u << MAKER_STACK,
} MakerSet;

typedef struct {
    int attribute;
    unsigned makers; // MakerSet: who takes it
    const char *help;
} GroupAttributeRow;

static const GroupAttributeRow ATTRIBUTE_ROWS[] = {
    { NODES_ADDON_POLICIES, BY_MANAGED | BY_EKSCTL, "write the policies' names into `policies`" },
    { NODES_INSTANCE_PREFIX, BY_MANAGED | BY_EKSCTL, "write `tags = { Name = \"…\" }`" },
    { NODES_LAUNCH_TEMPLATE, BY_MANAGED, "leave `launch_template` out, or write `group = managed`" },
    { NODES_INSTANCE_PROFILE, BY_STACK, "write `policies`, from which the profile is made, or `group = stack`" },
    { NODES_BOOTSTRAP_ARGS, 0, "they are of Amazon Linux 2: nodeadm is told by `labels`, `taints` and `scratch`" },
};

void rule_attributes_of_group(const Rules *rules, const PlanNodes *nodes) {
    for (size_t i = 0; i < COUNT_OF(ATTRIBUTE_ROWS); i++) {
        const GroupAttributeRow *row = &ATTRIBUTE_ROWS[i];
        const PlanPart *part = nodes->head.part;
        if ((row->makers & 1u << nodes->maker) != 0 || subject_value(part->subject, row->attribute) == NULL) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, part->subject, subject_key(part->subject, row->attribute),
                        DIAG(attribute_not_with_group), part_attribute(part, row->attribute), group_word(rules, nodes));
        diag_help(rules->session, diag, "%s", row->help);
    }
}

// It is the stack's groups that it speaks to.
void rule_control_plane_security_group(const Rules *rules, const PlanCluster *cluster) {
    if (cluster->eks->existing != NULL || cluster->eks->control_plane_security_group == NULL) {
        return;
    }
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (plan_is_in_stack(cluster->nodes.items[i])) {
            return;
        }
    }
    const Subject *subject = cluster->head.subject;
    Diag *diag = plan_report(rules->session, subject, subject_key(subject, CLUSTER_CONTROL_PLANE_SECURITY_GROUP),
                             DIAG(attribute_not_with_group), "control_plane_security_group", "managed");
    diag_help(rules->session, diag, "leave it out: eksctl's own groups have the rules already");
}

// ---- how nodes start -------------------------------------------------------------------------------------------

static void report_no_node_config(const Rules *rules, const PlanNodes *nodes, const Value *asks, const char *words,
                                  const char *way_out) {
    const Value *os = nodes->cluster->os;
    if (bootstrap_honours(os->string, BOOTSTRAP_NODE_CONFIG)) {
        return;
    }
    Diag *diag = plan_report_once(rules->session, nodes->head.subject, asks->span, DIAG(no_node_config), words,
                                  STR_ARG(os->string));
    diag_label(rules->session, diag, os->span, "is started in another way");
    diag_help(rules->session, diag, "write `os = al2023`%s", way_out);
}

void rule_system_of_stack(const Rules *rules, const PlanNodes *nodes) {
    if (plan_is_in_stack(nodes)) {
        report_no_node_config(rules, nodes, nodes->eks->group, "group = stack", "");
    }
}

void rule_system_of_scratch(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->scratch != NULL && nodes->scratch->kind == VALUE_WORD) {
        report_no_node_config(rules, nodes, nodes->scratch, "scratch = kubelet", ", or leave `scratch` out");
    }
}

void rule_image_for_template(const Rules *rules, const PlanNodes *nodes) {
    const Value *os = nodes->cluster->os;
    if (!plan_names_own_template(nodes) || nodes->ami.given != NULL ||
        bootstrap_honours(os->string, BOOTSTRAP_TEMPLATE)) {
        return;
    }
    Diag *diag = plan_report_once(rules->session, nodes->head.subject, nodes->head.subject->name_span,
                                  DIAG(template_without_image), STR_ARG(os->string));
    diag_label(rules->session, diag, os->span, "EKS has no images of it");
    diag_help(rules->session, diag, "write `os = al2023`");
}

void rule_setup_of_eks(const Rules *rules, const PlanNodes *nodes) {
    const Value *os = nodes->cluster->os;
    if (nodes->setup.count == 0 || bootstrap_honours(os->string, BOOTSTRAP_HOLD)) {
        return;
    }
    Diag *diag = plan_report_once(rules->session, nodes->head.subject, subject_key(nodes->head.subject, NODES_SETUP),
                                  DIAG(setup_not_held), STR_ARG(os->string));
    diag_label(rules->session, diag, os->span, "is started in another way");
    diag_help(rules->session, diag, "write `os = al2023`, or build the image with what the scripts do");
}

// An image of a template is started by user data of ours, a NodeConfig.
void rule_image_of_eks(const Rules *rules, const PlanNodes *nodes) {
    const Value *os = nodes->cluster->os;
    const BootstrapField field = plan_has_own_template(nodes) ? BOOTSTRAP_NODE_CONFIG : BOOTSTRAP_IMAGE;
    if (nodes->ami.given == NULL) {
        return;
    }
    if (!bootstrap_honours(os->string, field)) {
        Diag *diag = plan_report_once(rules->session, nodes->head.subject, nodes->ami.given->span,
                                      DIAG(image_without_bootstrap), STR_ARG(os->string));
        diag_label(rules->session, diag, os->span, "is started in another way");
        diag_help(rules->session, diag, "write `os = al2023`, and an image that is made from the one of EKS");
    } else if (nodes->ami.given->kind == VALUE_TAG && plan_is_of_eksctl(nodes)) {
        Diag *diag = plan_report(rules->session, nodes->head.subject, nodes->ami.given->span,
                                 DIAG(attribute_not_with_group), "ami = ssm", group_word(rules, nodes));
        diag_help(rules->session, diag, "write the image's id, or `group = managed`");
    }
}

// ---- capacity --------------------------------------------------------------------------------------------------

static bool has_market(const PlanCapacity *capacity) {
    return capacity->kind == CAPACITY_SPOT || capacity->kind == CAPACITY_BLOCK ||
           capacity->kind == CAPACITY_INTERRUPTIBLE;
}

// The launch template takes what the deployment gives. The file of the managed group says what it buys. So a late value
// may not decide between the two.
void rule_capacity_of_template(const Rules *rules, const PlanNodes *nodes) {
    const PlanCapacity *first = nodes->capacity;
    bool is_mixed = false;
    for (const PlanCapacity *link = first; link != NULL; link = link->otherwise) {
        is_mixed = is_mixed || (link != first && (has_market(link) || has_market(first)));
    }
    if (plan_names_own_template(nodes) && is_mixed) {
        const Subject *subject = nodes->head.subject;
        Diag *diag = report(rules->session, subject_key(subject, NODES_CAPACITY), DIAG(late_shape), "capacity");
        diag_help(rules->session, diag, "declare its id as a `param` without `late`, or give it a value with -p");
    }
}

// ---- where the group stands ------------------------------------------------------------------------------------

void rule_stack_of_group(const Rules *rules, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const Subject *subject = nodes->head.subject;
    if (plan_is_in_stack(nodes) && cluster->network == NULL) {
        Diag *diag = plan_report(rules->session, subject, nodes->eks->group->span, DIAG(stack_without_network),
                                 STR_ARG(nodes->head.id));
        if (cluster->eks->zones != NULL) {
            diag_label(rules->session, diag, cluster->eks->zones->span, "eksctl makes the VPC in these");
        }
        diag_help(rules->session, diag, "give the cluster a `network`");
    } else if (plan_is_in_eksctl_file(nodes) && cluster->eks->existing != NULL) {
        Diag *diag = plan_report(rules->session, subject, subject->name_span, DIAG(existing_takes_stacks),
                                 STR_ARG(nodes->head.id), group_word(rules, nodes));
        diag_label(rules->session, diag, cluster->eks->existing->span, "is there already");
        diag_help(rules->session, diag, "write `group = stack`");
    }
}

// The version of a device plugin is the tag of an image. For `fsx` and `efs`, eksctl asks EKS which versions there are.
void rule_addon_versions(const Rules *rules, const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->eks->addons.count; i++) {
        const PlanAddon *addon = cluster->eks->addons.items[i];
        const PluginRow *row = schema_plugin(str_c(rules->session->arena, addon->head.id));
        if (row == NULL || addon->version == NULL || addon->version->string.len == 0) {
            continue;
        }
        const Str version = addon->version->string;
        const bool is_number = !str_is(version, "latest") && !str_is(version, "default");
        if (is_number && (version.data[0] == 'v') == (row->version[0] == 'v')) {
            continue;
        }
        Diag *diag = plan_report(rules->session, addon->head.subject, addon->version->span, DIAG(addon_version_form),
                                 STR_ARG(version), row->title);
        if (is_number) {
            diag_help(rules->session, diag, "write `\"%s%.*s\"`", row->version[0] == 'v' ? "v" : "",
                      STR_ARG(str_slice(version, version.data[0] == 'v' ? 1 : 0, version.len)));
        } else {
            diag_help(rules->session, diag, "write a number such as `\"%s\"`, or leave `version` out", row->version);
        }
    }
}
