// Finds the stack that makes an output, and writes the reference to it. A network that another stack makes (`stack =
// …`) may have a late name. All other stacks have known names, and become needs of the step.
#include "emitters/cloudformation/template/import.h"

#include "compiler/plan/model/queue.h"
#include "compiler/plan/model/shared.h"
#include "emitters/cloudformation/template/template_value.h"
#include "emitters/cloudformation/template/network_output.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/sub.h"

// The cluster's group: its outputs are the cluster's where it is the only one.
static const PlanPart *only_group(const PlanPart *cluster) {
    for (uint32_t i = 0; i < cluster->inner.count; i++) {
        if (part_is(cluster->inner.items[i], KIND_NODES)) {
            return cluster->inner.items[i];
        }
    }
    return NULL;
}

Str import_bucket_id(const Stack *stack, const PlanPart *bucket) {
    return stack_id(stack, bucket->name, STR_NONE, "Bucket");
}

// What an output is called in its stack, behind the stack's name in exports: "PrivateSubnet". `*id` is the resource
// whose Ref it is in that stack; a network's may be several, and is left empty.
static Str output_key(Stack *stack, const Value *value, Str *id) {
    const Late *late = value->late;
    const PlanPart *part = plan_part(stack->plan, late->block);
    *id = STR_NONE;
    const OutputRow *row = schema_output(part->kind, late->name);
    if (row != NULL && row->export_key != NULL) {
        *id = part_is(part, KIND_BUCKET) ? import_bucket_id(stack, part) : STR_NONE;
        return str_of(row->export_key);
    }
    const char *role = str_is(late->name, "queue")                 ? "JobQueue"
                       : str_is(late->name, "compute_environment") ? "ComputeEnvironment"
                                                                   : NULL;
    const PlanPart *group = NULL;
    if (role != NULL) {
        group = part_is(part, KIND_CLUSTER) ? only_group(part) : part;
    }
    if (group != NULL) {
        const bool is_queued = part_is(group, KIND_NODES) && group->cluster != NULL && role[0] == 'J';
        const PlanQueue *queue = is_queued ? plan_queue_of(group->cluster, group->name) : NULL;
        *id = stack_id(stack, group->outer->name, queue == NULL ? group->name : queue->head.id, role);
        return stack_id(stack, group->name, STR_NONE, role);
    }
    if (str_is(late->name, "definition") && part_is(part, KIND_JOB)) {
        *id = stack_id(stack, part->name, STR_NONE, "JobDefinition");
        return *id;
    }
    assert(false && "an output that no emitter makes");
    return STR_NONE;
}

// What dtc itself refers to, such as the network of a cluster, has the place of that block.
static void note_reference(Stack *stack, const PlanPart *part, const Value *value, Str name) {
    if (!span_equal(value->span, part->subject->name_span)) {
        vec_push(stack->session->arena, &stack->step.references,
                 ((StackReference){ .stack = name, .at = value->span }));
    }
}

// The text by which another stack imports what a part's stack exports under the key.
static DocNode *import(Stack *stack, const Value *value, const PlanPart *part, Str key) {
    SubText name = { .stack = stack };
    const Value *known = plan_stack_name(stack->arena, part->stack);
    if (known == NULL) {
        sub_add_value(&name, part->stack->network->stack);
    } else {
        stack_need(stack, known->string);
        note_reference(stack, part, value, known->string);
        sub_add(&name, known->string, known->origin);
    }
    sub_add(&name, str_format(stack->arena, "-%.*s", STR_ARG(key)), why(WHY_IMPORT));
    return doc_call(stack->doc, CALL_IMPORT_VALUE, sub_node(&name));
}

bool import_is_elsewhere(const Stack *stack, const Block *block) {
    return plan_part(stack->plan, block)->stack != stack->head->part;
}

DocNode *import_resource(Stack *stack, const Value *value) {
    Str attribute;
    const Resource *resource = plan_shared_resource(value, &attribute);
    const Str key = plan_export_key(stack->arena, stack->plan, resource, attribute);
    doc_because(stack->doc, value->origin);
    DocNode *node = import(stack, value, plan_part(stack->plan, resource->block), key);
    doc_unbecause(stack->doc);
    return node;
}

DocNode *import_written(Stack *stack, const Value *value, ImportForm form) {
    const Late *late = value->late;
    const PlanPart *part = plan_part(stack->plan, late->block);
    doc_because(stack->doc, value->origin);
    DocNode *node = import(stack, value, part, stack_pascal(stack, late->name));
    doc_unbecause(stack->doc);
    return value_is_list(value) && form == IMPORT_LIST ? intrinsic_split(stack, node) : node;
}

// ---- images

// Whether this very stack makes the repository that an image is in.
static bool is_made_here(const Stack *stack, const PlanImage *image) {
    const PlanImage *maker = image->maker;
    if (maker->is_existing || maker->head.part->is_used) {
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
        return template_value(stack, image->repository);
    }
    Str id = STR_NONE;
    Str key = output_key(stack, value, &id);
    if (plan_part(stack->plan, late->block)->stack != stack->head->part) {
        bool is_list = late->type != NULL && late->type->kind == TYPE_LIST;
        DocNode *imported = import(stack, value, plan_part(stack->plan, late->block), key);
        return is_list && !is_text ? intrinsic_split(stack, imported) : imported;
    }
    const PlanNetwork *network = plan_network(stack->plan, late->block);
    const NetworkOutputRow *row = network_output_row(late->name);
    if (network != NULL && row != NULL) {
        return is_text ? network_output_text(stack, network, row) : network_output_node(stack, network, row);
    }
    return intrinsic_ref(stack, id);
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
