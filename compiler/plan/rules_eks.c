// Rules about groups of nodes on EKS: what goes with who makes them, eksctl or a stack of ours, and with how they start.
#include "compiler/plan/rules.h"

static const char *group_word(const Rules *rules, const PlanNodes *nodes) {
    return str_c(rules->session->arena, nodes->group->string);
}

// ---- attributes ------------------------------------------------------------------------------------------------

typedef struct {
    int attribute;
    bool is_of_stack; // who takes it: a stack's group, else eksctl's
    const char *help;
} GroupAttributeRow;

static const GroupAttributeRow ATTRIBUTE_ROWS[] = {
    { NODES_AMI, true, "leave `ami` out, or write `group = stack`" },
    { NODES_ADDON_POLICIES, false, "write the policies' names into `policies`" },
    { NODES_PREFIX, false, "write `tags = { Name = \"…\" }`" },
};

static void check_attributes(const Rules *rules, const PlanNodes *nodes) {
    for (size_t i = 0; i < COUNT_OF(ATTRIBUTE_ROWS); i++) {
        const GroupAttributeRow *row = &ATTRIBUTE_ROWS[i];
        const Block *block = nodes->head.block;
        if (row->is_of_stack == nodes->is_stack || read_value(block, row->attribute) == NULL) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, block, block->attribute_spans[row->attribute], DIAG(attribute_not_with_group),
                        block->kind->attributes[row->attribute].name, group_word(rules, nodes));
        diag_help(rules->session, diag, "%s", row->help);
    }
}

// ---- how nodes start -------------------------------------------------------------------------------------------

// Who reads what at a node's start, by operating system.
typedef struct {
    const char *os;
    bool has_node_config; // nodeadm reads a NodeConfig
} StartRow;

// eksctl@99984adb, pkg/nodebootstrap and v1alpha5/validation.go: a NodeConfig is nodeadm's, of Amazon Linux 2023; others
// run overrideBootstrapCommand as a script (al2, ubuntu) or refuse it (bottlerocket). 2026-08.
static const StartRow START_ROWS[] = {
    { "al2023", true },      { "al2", false },        { "ubuntu2004", false },
    { "ubuntu2204", false }, { "ubuntu2404", false }, { "bottlerocket", false },
};

static bool has_node_config(Str os) {
    for (size_t i = 0; i < COUNT_OF(START_ROWS); i++) {
        if (str_is(os, START_ROWS[i].os)) {
            return START_ROWS[i].has_node_config;
        }
    }
    return true; // not on EKS at all, which is said elsewhere
}

static void check_start(const Rules *rules, const PlanNodes *nodes) {
    const Value *os = nodes->cluster->os;
    const bool is_local = nodes->scratch != NULL && nodes->scratch->kind == VALUE_WORD;
    if (has_node_config(os->string) || (!nodes->is_stack && !is_local)) {
        return;
    }
    const Value *asks = nodes->is_stack ? nodes->group : nodes->scratch;
    Diag *diag = plan_report(rules->session, nodes->head.block, asks->span, DIAG(no_node_config),
                             nodes->is_stack ? "group = stack" : "scratch = kubelet", STR_ARG(os->string));
    diag_label(rules->session, diag, os->span, "is started in another way");
    diag_help(rules->session, diag, "write `os = al2023`%s", nodes->is_stack ? "" : ", or leave `scratch` out");
}

// ---- where the group stands ------------------------------------------------------------------------------------

static void check_cluster(const Rules *rules, const PlanNodes *nodes) {
    const PlanCluster *cluster = nodes->cluster;
    const Block *block = nodes->head.block;
    if (nodes->is_stack && cluster->network == NULL) {
        Diag *diag = plan_report(rules->session, block, nodes->group->span, DIAG(stack_without_network),
                                 STR_ARG(nodes->head.id));
        if (cluster->eks.zones != NULL) {
            diag_label(rules->session, diag, cluster->eks.zones->span, "eksctl makes the VPC in these");
        }
        diag_help(rules->session, diag, "give the cluster a `network`");
    } else if (!nodes->is_stack && cluster->eks.existing != NULL) {
        Diag *diag = plan_report(rules->session, block, block->name_span, DIAG(existing_takes_stacks),
                                 STR_ARG(nodes->head.id), group_word(rules, nodes));
        diag_label(rules->session, diag, cluster->eks.existing->span, "is there already");
        diag_help(rules->session, diag, "write `group = stack`");
    }
}

void rule_eks_group(const Rules *rules, const PlanNodes *nodes) {
    if (nodes->cluster->target != TARGET_EKS) {
        return;
    }
    check_cluster(rules, nodes);
    check_attributes(rules, nodes);
    check_start(rules, nodes);
}
