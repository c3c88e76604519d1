// Rules about groups of nodes on EKS: what goes with who makes them, eksctl or a stack of ours, and with how they start.
#include "compiler/plan/rules.h"

static const char *group_word(const Rules *rules, const PlanNodes *nodes) {
    return str_c(rules->session->arena, nodes->group->string);
}

// ---- attributes ------------------------------------------------------------------------------------------------

typedef enum { GROUP_MANAGED = 1, GROUP_EKSCTL = 2, GROUP_STACK = 4 } GroupSet;

typedef struct {
    int attribute;
    unsigned groups; // GroupSet: who takes it
    const char *help;
} GroupAttributeRow;

static const GroupAttributeRow ATTRIBUTE_ROWS[] = {
    { NODES_AMI, GROUP_STACK, "leave `ami` out, or write `group = stack`" },
    { NODES_ADDON_POLICIES, GROUP_MANAGED | GROUP_EKSCTL, "write the policies' names into `policies`" },
    { NODES_PREFIX, GROUP_MANAGED | GROUP_EKSCTL, "write `tags = { Name = \"…\" }`" },
    { NODES_LAUNCH_TEMPLATE, GROUP_MANAGED, "leave `launch_template` out, or write `group = managed`" },
};

static GroupSet group_of(const PlanNodes *nodes) {
    return nodes->is_stack ? GROUP_STACK : str_is(nodes->group->string, "eksctl") ? GROUP_EKSCTL : GROUP_MANAGED;
}

static void check_attributes(const Rules *rules, const PlanNodes *nodes) {
    for (size_t i = 0; i < COUNT_OF(ATTRIBUTE_ROWS); i++) {
        const GroupAttributeRow *row = &ATTRIBUTE_ROWS[i];
        const Block *block = nodes->head.block;
        if ((row->groups & group_of(nodes)) != 0 || read_value(block, row->attribute) == NULL) {
            continue;
        }
        Diag *diag =
            plan_report(rules->session, block, block->attribute_spans[row->attribute], DIAG(attribute_not_with_group),
                        block->kind->attributes[row->attribute].name, group_word(rules, nodes));
        diag_help(rules->session, diag, "%s", row->help);
    }
}

// eksctl's own groups have no `spot` (eksctl@99984adb, assets/schema.json, NodeGroup, 2026-08): it stops at the word.
static void check_spot(const Rules *rules, const PlanNodes *nodes) {
    if (str_is(nodes->group->string, "eksctl") && capacity_has(nodes->capacity, CAPACITY_SPOT)) {
        const Block *block = nodes->head.block;
        Diag *diag = plan_report(rules->session, block, block->attribute_spans[NODES_CAPACITY],
                                 DIAG(attribute_not_with_group), "capacity = spot", group_word(rules, nodes));
        diag_help(rules->session, diag, "write `group = managed`");
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

// ---- capacity --------------------------------------------------------------------------------------------------

static bool has_market(const PlanCapacity *capacity) {
    return capacity->kind == CAPACITY_SPOT || capacity->kind == CAPACITY_BLOCK;
}

// The launch template takes what the deployment gives, the managed group is told in a file what it buys: what is late may
// not decide between the two.
static void check_capacity(const Rules *rules, const PlanNodes *nodes) {
    const PlanCapacity *first = nodes->capacity;
    bool is_mixed = false;
    for (const PlanCapacity *link = first; link != NULL; link = link->otherwise) {
        is_mixed = is_mixed || (link != first && (has_market(link) || has_market(first)));
    }
    if (nodes->is_template && is_mixed) {
        const Block *block = nodes->head.block;
        Diag *diag = report(rules->session, block->attribute_spans[NODES_CAPACITY], DIAG(late_shape), "capacity");
        diag_help(rules->session, diag, "declare its id as a `param` without `late`, or give it a value with -p");
    }
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
    check_spot(rules, nodes);
    check_start(rules, nodes);
    check_capacity(rules, nodes);
}
