// Rules about outputs of blocks, wherever one is named: the block makes it, the name means one thing, and where another
// stack imports it there is an export.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/object.h"

// Values that go into the stack of `stack`, where that is no NULL: what another stack makes is imported there.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    const Block *stack;
} Search;

// ---- one output ------------------------------------------------------------------------------------------------

static void check_made(const Search *search, const PlanNetwork *network, const Value *value) {
    const bool lacks_public =
        str_is(value->late->name, "public") && network->public != NULL && !network->public->boolean;
    const bool lacks_lustre =
        str_is(value->late->name, "lustre_security_group") && network->lustre != NULL && !network->lustre->boolean;
    if (lacks_public || lacks_lustre) {
        Diag *diag = plan_report(search->rules->session, search->subject, value->span, DIAG(output_not_made),
                                 STR_ARG(network->head.id), STR_ARG(value->late->name));
        diag_help(search->rules->session, diag, lacks_public ? "leave `public = none` out" : "write `lustre = true`");
    }
}

static void check_export(const Search *search, const PlanNetwork *network, const Value *value) {
    if (network->mode == NETWORK_IMPORTED || network->export == NULL || network->export->boolean) {
        return;
    }
    Session *session = search->rules->session;
    Diag *diag =
        plan_report(session, search->subject, value->span, DIAG(network_not_exported), STR_ARG(network->head.id));
    diag_label(session, diag, network->export->span, "switched off here");
    diag_note(session, diag, "the stack of `%.*s` needs it", STR_ARG(search->stack->name));
}

// A cluster's queue is that of its only group.
static void check_group(const Search *search, const Value *value) {
    const Block *cluster = value->late->block;
    uint32_t count = 0;
    for (uint32_t i = 0; i < cluster->children.count; i++) {
        count += cluster->children.items[i]->kind == &KIND_ROWS[KIND_NODES];
    }
    if (count > 1) {
        plan_report(search->rules->session, search->subject, value->span, DIAG(queue_ambiguous), STR_ARG(cluster->name),
                    count, STR_ARG(value->late->name));
    }
}

static void check_output(const Search *search, const Value *value) {
    const Plan *plan = search->rules->plan;
    const Block *block = value->late->block;
    const bool is_elsewhere = search->stack != NULL && plan_stack_block(plan, block) != search->stack;
    const PlanNetwork *network = plan_network(plan, block);
    if (network != NULL) {
        check_made(search, network, value);
    }
    if (network != NULL && is_elsewhere) {
        check_export(search, network, value);
    }
    if (search->stack != NULL && block->kind == &KIND_ROWS[KIND_CLUSTER]) {
        check_group(search, value);
    }
    if (is_elsewhere && block->kind == &KIND_ROWS[KIND_JOB]) {
        report(search->rules->session, value->span, DIAG(definition_elsewhere), STR_ARG(block->name));
    }
}

// ---- all of them -----------------------------------------------------------------------------------------------

static void search_value(const Search *search, const Value *value) {
    if (value->kind == VALUE_LATE && value->late->kind == LATE_OUTPUT) {
        check_output(search, value);
    }
    const Value *part;
    for (uint32_t i = 0; (part = value_part(value, i)) != NULL; i++) {
        search_value(search, part);
    }
}

static void search_some(const Search *search, const Value *value) {
    if (value != NULL) {
        search_value(search, value);
    }
}

// ---- of a block ------------------------------------------------------------------------------------------------

static const PlanNodes *group_of(const PlanCluster *cluster, const Block *block) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (cluster->nodes.items[i]->head.block == block) {
            return cluster->nodes.items[i];
        }
    }
    return NULL;
}

// Whether the attributes of the block go into a stack. Files of tools take what the deployment has told.
static bool is_in_stack(const Plan *plan, const Block *block, const Block *root) {
    const PlanNetwork *network = plan_network(plan, root);
    const PlanCluster *cluster = plan_cluster(plan, root);
    if (cluster != NULL && cluster->target == TARGET_EKS) {
        const PlanNodes *nodes = group_of(cluster, block);
        return nodes != NULL && nodes->maker == MAKER_STACK;
    }
    return cluster != NULL ? cluster->target == TARGET_BATCH
                           : root->kind == &KIND_ROWS[KIND_IMAGE] || (network != NULL && network->mode == NETWORK_MADE);
}

static bool is_patch_of_stack(const Block *root, const BlockPatch *patch) {
    return root->target == TARGET_EKS ? str_is(patch->file, "cfn") : root->target != TARGET_PARALLELCLUSTER;
}

void rule_outputs_of_blocks(const Rules *rules, const Block *block) {
    const Block *root = plan_stack_block(rules->plan, block);
    const Search attributes = { .rules = rules,
                                .subject = &block->subject,
                                .stack = is_in_stack(rules->plan, block, root) ? root : NULL };
    for (int i = 0; i < block->kind->attribute_count; i++) {
        search_some(&attributes, block->subject.values[i]);
    }
    const Search stack = { .rules = rules, .subject = &block->subject, .stack = root };
    const Search tool = { .rules = rules, .subject = &block->subject };
    for (uint32_t i = 0; i < block->resources.count; i++) {
        const Resource *resource = block->resources.items[i];
        for (uint32_t k = 0; k < resource->property_count; k++) {
            search_value(plan_is_object(resource) ? &tool : &stack, resource->properties[k].value);
        }
    }
    for (uint32_t i = 0; i < block->outputs.count; i++) {
        search_value(&stack, block->outputs.items[i].value);
    }
    for (uint32_t i = 0; i < block->patches.count; i++) {
        const BlockPatch *patch = &block->patches.items[i];
        search_value(is_patch_of_stack(root, patch) ? &stack : &tool, patch->value);
    }
}

// What the Plan itself takes from a network, for groups whose launch templates dtc writes.
void rule_outputs_of_network(const Rules *rules, const PlanCluster *cluster) {
    const Search search = { .rules = rules, .subject = cluster->head.subject, .stack = cluster->head.block };
    for (uint32_t i = 0; i < cluster->nodes.count && !cluster->head.block->is_used; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (plan_has_own_template(nodes) && cluster->network != NULL) {
            search_some(&search, nodes->subnet_ids);
            search_some(&search, nodes->security_group);
        }
    }
}
