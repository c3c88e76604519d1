// Rules about outputs, wherever one is named: the part makes it, the name means one thing, and where another
// stack imports it there is an export.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/region.h"

// Values that go into the stack of `stack`, where that is no NULL: what another stack makes is imported there.
typedef struct {
    const Rules *rules;
    const Subject *subject;
    const PlanPart *stack;
} Search;

// ---- one output ------------------------------------------------------------------------------------------------

static void check_made(const Search *search, const PlanNetwork *network, const Value *value) {
    const bool lacks_public =
        str_is(value->late->name, "public") && network->made.public != NULL && !network->made.public->boolean;
    const bool lacks_lustre = str_is(value->late->name, "lustre_security_group") && network->made.lustre != NULL &&
                              !network->made.lustre->boolean;
    if (lacks_public || lacks_lustre) {
        Diag *diag = plan_report(search->rules->session, search->subject, value->span, DIAG(output_not_made),
                                 STR_ARG(network->head.id), STR_ARG(value->late->name));
        diag_help(search->rules->session, diag, lacks_public ? "leave `public = none` out" : "write `lustre = true`");
    }
}

static void check_export(const Search *search, const PlanNetwork *network, const Value *value) {
    if (network->mode == NETWORK_IMPORTED || network->made.export == NULL || network->made.export->boolean) {
        return;
    }
    Session *session = search->rules->session;
    Diag *diag =
        plan_report(session, search->subject, value->span, DIAG(network_not_exported), STR_ARG(network->head.id));
    diag_label(session, diag, network->made.export->span, "switched off here");
    diag_note(session, diag, "the stack of `%.*s` needs it", STR_ARG(search->stack->name));
}

// Where the stack is deployed; empty if the deployment decides it.
static Str region_of(const PlanPart *stack) {
    return stack->network != NULL   ? plan_network_region(stack->network)
           : stack->cluster != NULL ? stack->cluster->region
                                    : STR_NONE;
}

// CloudFormation keeps exports in each region.
static void check_region(const Search *search, const PlanPart *part, const Value *value) {
    const Str here = region_of(search->stack);
    const Str other = region_of(part->stack);
    const bool is_given = part->network != NULL && part->network->mode == NETWORK_GIVEN;
    if (is_given || here.len == 0 || other.len == 0 || str_equal(here, other)) {
        return;
    }
    Session *session = search->rules->session;
    Diag *diag = report(session, value->span, DIAG(import_from_elsewhere), STR_ARG(search->stack->name), STR_ARG(here),
                        STR_ARG(part->stack->name), STR_ARG(other));
    diag_label(session, diag, search->stack->subject->name_span, "in %.*s", STR_ARG(here));
}

// A cluster's queue is that of its only group.
static void check_group(const Search *search, const PlanPart *cluster, const Value *value) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < cluster->inner.count; i++) {
        count += part_is(cluster->inner.items[i], KIND_NODES);
    }
    if (count > 1) {
        plan_report(search->rules->session, search->subject, value->span, DIAG(queue_ambiguous), STR_ARG(cluster->name),
                    count, STR_ARG(value->late->name));
    }
}

static void check_output(const Search *search, const Value *value) {
    const PlanPart *part = plan_part(search->rules->plan, value->late->block);
    const bool is_elsewhere = search->stack != NULL && part->stack != search->stack;
    const PlanNetwork *network = part->network;
    if (network != NULL) {
        check_made(search, network, value);
    }
    if (network != NULL && is_elsewhere) {
        check_export(search, network, value);
    }
    if (is_elsewhere && part->image == NULL) {
        check_region(search, part, value);
    }
    if (search->stack != NULL && part_is(part, KIND_CLUSTER)) {
        check_group(search, part, value);
    }
    if (is_elsewhere && part_is(part, KIND_JOB)) {
        report(search->rules->session, value->span, DIAG(definition_elsewhere), STR_ARG(part->name));
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

// ---- of a part -------------------------------------------------------------------------------------------------

static const PlanNodes *group_of(const PlanCluster *cluster, const PlanPart *part) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        if (cluster->nodes.items[i]->head.part == part) {
            return cluster->nodes.items[i];
        }
    }
    return NULL;
}

// Whether the attributes of the part go into a stack. Files of tools take what the deployment has told.
static bool is_in_stack(const PlanPart *part) {
    const PlanNetwork *network = part->stack->network;
    const PlanCluster *cluster = part->stack->cluster;
    if (cluster != NULL && cluster->target == TARGET_EKS) {
        const PlanNodes *nodes = group_of(cluster, part);
        return nodes != NULL && plan_is_in_stack(nodes);
    }
    return cluster != NULL ? cluster->target == TARGET_BATCH || cluster->target == TARGET_PCS
                           : part_is(part->stack, KIND_IMAGE) || (network != NULL && network->mode == NETWORK_MADE);
}

static bool is_patch_of_stack(const PlanPart *stack, const BlockPatch *patch) {
    return stack->target == TARGET_EKS ? str_is(patch->file, "cfn") : stack->target != TARGET_PARALLELCLUSTER;
}

void rule_outputs_that_are_named(const Rules *rules, const PlanPart *part) {
    const Search attributes = { .rules = rules,
                                .subject = part->subject,
                                .stack = is_in_stack(part) ? part->stack : NULL };
    for (int i = 0; i < part->kind->attribute_count; i++) {
        search_some(&attributes, part->subject->values[i]);
    }
    const Search stack = { .rules = rules, .subject = part->subject, .stack = part->stack };
    const Search tool = { .rules = rules, .subject = part->subject };
    for (uint32_t i = 0; i < part->resources.count; i++) {
        const Resource *resource = part->resources.items[i];
        for (uint32_t k = 0; k < resource->property_count; k++) {
            search_value(plan_is_object(part, resource) ? &tool : &stack, resource->properties[k].value);
        }
    }
    for (uint32_t i = 0; i < part->outputs.count; i++) {
        search_value(&stack, part->outputs.items[i].value);
    }
    for (uint32_t i = 0; i < part->patches.count; i++) {
        const BlockPatch *patch = &part->patches.items[i];
        search_value(is_patch_of_stack(part->stack, patch) ? &stack : &tool, patch->value);
    }
}

// What the Plan itself takes from a network, for groups whose launch templates dtc writes.
void rule_outputs_of_network(const Rules *rules, const PlanCluster *cluster) {
    const Search search = { .rules = rules, .subject = cluster->head.subject, .stack = cluster->head.part };
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        if (plan_has_own_template(nodes) && cluster->network != NULL) {
            search_some(&search, nodes->subnets.ids);
            search_some(&search, nodes->security_group);
        }
    }
}
