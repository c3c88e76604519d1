// Rules about outputs, wherever one is named: the part makes it, the name means one thing, and where another
// stack imports it there is an export.
#include "compiler/plan/rules/rules.h"

#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/identity.h"
#include "compiler/plan/model/maker.h"
#include "compiler/plan/model/object.h"
#include "compiler/plan/model/region.h"
#include "compiler/plan/model/resource_attribute.h"
#include "compiler/plan/model/shared.h"

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
    if (search->stack != NULL) {
        diag_note(session, diag, "the stack of `%.*s` needs it", STR_ARG(search->stack->name));
    }
}

// Where the stack is deployed; empty if the deployment decides it.
static Str region_of(const PlanPart *stack) {
    return stack->network != NULL   ? plan_network_region(stack->network)
           : stack->cluster != NULL ? stack->cluster->region
           : stack->bucket != NULL  ? stack->bucket->region
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
    if (search->stack != NULL && part_is(part, KIND_STORAGE)) {
        Diag *diag = plan_report(search->rules->session, search->subject, value->span, DIAG(claim_in_stack),
                                 STR_ARG(part->name));
        diag_label(search->rules->session, diag, search->stack->subject->name_span, "has a stack");
    }
    if (search->stack != NULL && part_is(part, KIND_CLUSTER)) {
        check_group(search, part, value);
    }
    if (is_elsewhere && part_is(part, KIND_JOB)) {
        report(search->rules->session, value->span, DIAG(definition_elsewhere), STR_ARG(part->name));
    }
}

// ---- what an author wrote into a stack ---------------------------------------------------------------------------

static void check_elsewhere(const Search *search, const PlanPart *maker, const Value *value) {
    if (maker->stack->network != NULL) {
        check_export(search, maker->stack->network, value);
    }
    if (search->stack != NULL) {
        check_region(search, maker, value);
    }
}

// The stack of a used file is there: what it exports is decided.
static void check_used(const Search *search, const Resource *resource, const Value *value) {
    Session *session = search->rules->session;
    Diag *diag = plan_report(session, search->subject, value->span, DIAG(resource_not_exported),
                             STR_ARG(resource->name), STR_ARG(source_get(session, resource->span.source)->path));
    diag_label(session, diag, resource->span, "this resource");
    diag_help(session, diag, "write an `output` beside the resource, deploy that stack, and refer to the output");
}

// What may not be there cannot be exported always, and an import of what is not exported fails.
static void check_condition(const Search *search, const Resource *resource, const Value *value) {
    for (uint32_t i = 0; i < resource->property_count; i++) {
        const ValueEntry *entry = &resource->properties[i];
        if (plan_resource_attribute(resource, entry->key) != RESOURCE_CONDITION) {
            continue;
        }
        Session *session = search->rules->session;
        Diag *diag =
            plan_report(session, search->subject, value->span, DIAG(import_of_conditional), STR_ARG(resource->name));
        diag_label(session, diag, entry->key_span, "the condition");
        diag_help(session, diag, "name it in its own stack alone, or decide with a `param` and an `if` around both");
    }
}

static void check_resource(const Search *search, const Resource *resource, const Value *value) {
    const PlanPart *maker = plan_part(search->rules->plan, resource->block);
    if (maker->is_used) {
        check_used(search, resource, value);
    } else if (maker->stack != search->stack) {
        check_elsewhere(search, maker, value);
        check_condition(search, resource, value);
    }
}

static void check_written(const Search *search, const Value *value) {
    const PlanPart *maker = plan_part(search->rules->plan, value->late->block);
    if (maker->stack != search->stack) {
        check_elsewhere(search, maker, value);
    }
}

// ---- all of them -----------------------------------------------------------------------------------------------

static void search_value(const Search *search, const Value *value) {
    Str attribute;
    const Resource *resource = plan_shared_resource(value, &attribute);
    if (value->kind == VALUE_LATE && value->late->kind == LATE_OUTPUT) {
        check_output(search, value);
    } else if (value->kind == VALUE_LATE && value->late->kind == LATE_WRITTEN_OUTPUT) {
        check_written(search, value);
        return; // its value is checked where it is written
    } else if (resource != NULL) {
        check_resource(search, resource, value);
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

void rule_outputs_that_are_named(const Rules *rules, const PlanPart *part) {
    const Search stack = { .rules = rules, .subject = part->subject, .stack = part->stack };
    const Search tool = { .rules = rules, .subject = part->subject };
    for (int i = 0; i < part->kind->attribute_count; i++) {
        search_some(plan_writes_stack(part) || plan_is_of_identity(part, i) ? &stack : &tool, part->subject->values[i]);
    }
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
        search_value(plan_is_patch_of_stack(part->stack, patch) ? &stack : &tool, patch->value);
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

// A bucket that a job names is known by its name, which its stack tells where it is not written.
static void search_places(const Search *search, const PlanAddresses *places) {
    for (uint32_t i = 0; i < places->count; i++) {
        if (places->items[i].value->kind == VALUE_BLOCK) {
            search_value(search, places->items[i].bucket);
        }
    }
}

void rule_buckets_of_job(const Rules *rules, const PlanJob *job) {
    const PlanPart *part = job->head.part;
    const Search search = { .rules = rules,
                            .subject = job->head.subject,
                            .stack = plan_writes_stack(part) || job->eks != NULL ? part->stack : NULL };
    search_places(&search, &job->access->reads);
    search_places(&search, &job->access->writes);
}
