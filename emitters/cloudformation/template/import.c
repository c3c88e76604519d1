// Finds the stack that makes an output and writes the way to it. A network that another stack makes (`stack = …`) may
// have a late name; all others have known ones and become needs of the step.
#include "emitters/cloudformation/template/import.h"

#include "compiler/plan/model/allow.h"
#include "emitters/cloudformation/template/late_node.h"
#include "emitters/cloudformation/template/network_output.h"
#include "emitters/cloudformation/template/template_node.h"
#include "emitters/cloudformation/template/sub.h"

// The block whose stack holds what `block` makes: a group's and a job's is the cluster, an image's may be.
static const Block *stack_block(const Stack *stack, const Block *block) {
    while (block->parent != NULL) {
        block = block->parent;
    }
    const PlanImage *image = plan_image(stack->plan, block);
    if (image != NULL && image->maker->owner != NULL) {
        return image->maker->owner->head.block;
    }
    return block->on != NULL ? block->on : block;
}

// The cluster's group: its outputs are the cluster's where it is the only one.
static const Block *only_group(Stack *stack, const Value *value) {
    const Block *cluster = value->late->block;
    const Block *group = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < cluster->children.count; i++) {
        if (cluster->children.items[i]->kind == &KIND_ROWS[KIND_NODES]) {
            group = group == NULL ? cluster->children.items[i] : group;
            count++;
        }
    }
    if (count > 1) {
        plan_report(stack->session, stack->head->subject, value->span, DIAG(queue_ambiguous), STR_ARG(cluster->name),
                    count, STR_ARG(value->late->name));
    }
    return group;
}

// What an output is called in its stack, behind the stack's name in exports: "PrivateSubnet". `*id` is the resource
// whose Ref it is in that stack; a network's may be several, and is left empty.
static Str output_key(Stack *stack, const Value *value, Str *id) {
    const Late *late = value->late;
    const Block *block = late->block;
    *id = STR_NONE;
    const OutputRow *row = schema_output(block->kind, late->name);
    if (row != NULL && row->export_key != NULL) {
        return str_of(row->export_key);
    }
    const char *role = str_is(late->name, "queue")                 ? "JobQueue"
                       : str_is(late->name, "compute_environment") ? "ComputeEnvironment"
                                                                   : NULL;
    const Block *group = NULL;
    if (role != NULL) {
        group = block->kind == &KIND_ROWS[KIND_CLUSTER] ? only_group(stack, value) : block;
    }
    if (group != NULL) {
        *id = stack_id(stack, group->parent->name, group->name, role);
        return stack_id(stack, group->name, STR_NONE, role);
    }
    if (str_is(late->name, "definition") && block->kind == &KIND_ROWS[KIND_JOB]) {
        *id = stack_id(stack, block->name, STR_NONE, "JobDefinition");
        if (stack_block(stack, block) != stack->head->block) {
            report(stack->session, value->span, DIAG(definition_elsewhere), STR_ARG(block->name));
        }
        return *id;
    }
    assert(false && "an output that no emitter makes");
    return STR_NONE;
}

// What a stack is called where it is deployed. Blocks of used files are not in the plan.
static const Value *stack_name(Stack *stack, const Block *block) {
    const Plan *plan = stack->plan;
    const PlanNetwork *network = plan_network(plan, block);
    if (network != NULL) {
        return network->head.name;
    }
    const PlanCluster *cluster = plan_cluster(plan, block);
    if (cluster != NULL) {
        return cluster->head.name;
    }
    int attribute = schema_attribute(block->kind, STR("name"));
    const Value *given = attribute < 0 ? NULL : block_value(block, attribute);
    if (given != NULL && given->kind == VALUE_STRING) {
        return given;
    }
    Value *name = arena_new(stack->arena, Value);
    *name = (Value){
        .kind = VALUE_STRING, .span = block->subject.name_span, .origin = block->origin, .string = block->name
    };
    return name;
}

// Whether the network makes what is spoken of at all.
static void check_made(Stack *stack, const PlanNetwork *network, const Value *value) {
    bool lacks_public = str_is(value->late->name, "public") && network->public != NULL && !network->public->boolean;
    bool lacks_lustre =
        str_is(value->late->name, "lustre_security_group") && network->lustre != NULL && !network->lustre->boolean;
    if (lacks_public || lacks_lustre) {
        Diag *diag = plan_report(stack->session, stack->head->subject, value->span, DIAG(output_not_made),
                                 STR_ARG(network->head.id), STR_ARG(value->late->name));
        diag_help(stack->session, diag, lacks_public ? "leave `public = none` out" : "write `lustre = true`");
    }
}

static void check_export(Stack *stack, const PlanNetwork *network, const Value *value) {
    check_made(stack, network, value);
    if (network->export != NULL && !network->export->boolean) {
        Diag *diag = plan_report(stack->session, stack->head->subject, value->span, DIAG(network_not_exported),
                                 STR_ARG(network->head.id));
        diag_label(stack->session, diag, network->export->span, "switched off here");
        diag_note(stack->session, diag, "the stack of `%.*s` needs it", STR_ARG(stack->head->id));
    }
}

static DocNode *import(Stack *stack, const Value *value, Str key) {
    const Late *late = value->late;
    const PlanNetwork *network = plan_network(stack->plan, late->block);
    SubText name = { .stack = stack };
    if (network != NULL && network->mode == NETWORK_IMPORTED) {
        sub_add_value(&name, network->stack);
    } else {
        const Value *known = stack_name(stack, stack_block(stack, late->block));
        if (network != NULL) {
            check_export(stack, network, value);
        }
        stack_need(stack, known->string);
        sub_add(&name, known->string, known->origin);
    }
    sub_add(&name, str_format(stack->arena, "-%.*s", STR_ARG(key)), why(WHY_IMPORT));
    return doc_call(stack->doc, CALL_IMPORT_VALUE, sub_node(&name));
}

// ---- images

// Whether this very stack makes the repository that an image is in.
static bool is_made_here(const Stack *stack, const PlanImage *image) {
    const PlanImage *maker = image->maker;
    if (maker->is_existing || maker->head.block->is_used) {
        return false;
    }
    return stack->head == (maker->owner == NULL ? &maker->head : &maker->owner->head);
}

Str import_repository_id(const Stack *stack, const PlanImage *image) {
    return stack_id(stack, image->head.id, STR_NONE, "Repository");
}

DocNode *import_image(Stack *stack, const PlanImage *image) {
    SubText text = { .stack = stack };
    if (is_made_here(stack, image)) {
        Str uri = str_format(stack->arena, "%.*s.RepositoryUri", STR_ARG(import_repository_id(stack, image->maker)));
        sub_add_reference(&text, uri, image->head.origin);
    } else {
        sub_add_reference(&text, STR("AWS::AccountId"), why(WHY_BATCH_JOB_IMAGE));
        sub_add(&text, STR(".dkr.ecr."), why(WHY_BATCH_JOB_IMAGE));
        sub_add_reference(&text, STR("AWS::Region"), why(WHY_BATCH_JOB_IMAGE));
        sub_add(&text, STR("."), why(WHY_BATCH_JOB_IMAGE));
        sub_add_reference(&text, STR("AWS::URLSuffix"), why(WHY_BATCH_JOB_IMAGE));
        sub_add(&text, STR("/"), why(WHY_BATCH_JOB_IMAGE));
        sub_add_value(&text, image->repository);
    }
    sub_add(&text, STR(":"), why(WHY_BATCH_JOB_IMAGE));
    sub_add_value(&text, image->tag);
    return sub_node(&text);
}

// ---- outputs

// `is_text`: lists are joined with commas.
static DocNode *resolve(Stack *stack, const Value *value, bool is_text) {
    const Late *late = value->late;
    const PlanImage *image = plan_image(stack->plan, late->block);
    if (image != NULL && str_is(late->name, "uri")) {
        return import_image(stack, image);
    }
    if (image != NULL && str_is(late->name, "repository")) {
        return late_node(stack, image->repository);
    }
    Str id = STR_NONE;
    Str key = output_key(stack, value, &id);
    if (stack_block(stack, late->block) != stack->head->block) {
        bool is_list = late->type != NULL && late->type->kind == TYPE_LIST;
        DocNode *imported = import(stack, value, key);
        return is_list && !is_text ? node_split(stack, imported) : imported;
    }
    const PlanNetwork *network = plan_network(stack->plan, late->block);
    const NetworkOutputRow *row = network_output_row(late->name);
    if (network != NULL) {
        check_made(stack, network, value);
    }
    if (network != NULL && row != NULL) {
        return is_text ? network_output_text(stack, network, row) : network_output_node(stack, network, row);
    }
    return node_ref(stack, id);
}

DocNode *import_text(Stack *stack, const Value *value) {
    doc_because(stack->doc, value->origin);
    DocNode *node = resolve(stack, value, true);
    doc_unbecause(stack->doc);
    return node;
}

DocNode *import_node(Stack *stack, const Value *value) {
    doc_because(stack->doc, value->origin);
    DocNode *node = resolve(stack, value, false);
    doc_unbecause(stack->doc);
    return node;
}
