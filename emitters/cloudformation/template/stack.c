// Keeps what a template collects while it is built. It does not decide what a stack holds: network_stack.c, batch.c and
// repository.c do.
#include "emitters/cloudformation/template/stack.h"

#include "compiler/plan/model/names.h"
#include "emitters/cloudformation/template/intrinsic.h"

Stack *stack_open(Session *session, const Plan *plan, const PlanHead *head, Str region) {
    Arena *arena = arena_create_beside(session->arena);
    Stack *stack = arena_new(arena, Stack);
    Doc *doc = doc_create(session, arena);
    *stack = (Stack){
        .session = session,
        .plan = plan,
        .head = head,
        .span = head->subject->name_span,
        .region = region,
        .errors_before = session->diags.error_count,
        .arena = arena,
        .doc = doc,
        .metadata = doc_map(doc),
        .conditions = doc_map(doc),
        .resources = doc_map(doc),
        .outputs = doc_map(doc),
        .ids = { .arena = arena },
        .output_keys = { .arena = arena },
        .named_conditions = { .arena = arena },
    };
    // Nothing of a template is there without its block.
    doc_because(doc, head->origin);
    return stack;
}

Str stack_id(const Stack *stack, Str block, Str group, const char *role) {
    return plan_logical_id(stack->arena, block, group, role);
}

Str stack_group_id(const Stack *stack, const PlanNodes *nodes, const char *role) {
    return stack_id(stack, nodes->cluster->head.id, nodes->head.id, role);
}

Str stack_numbered_id(const Stack *stack, Str block, const char *role, uint32_t number) {
    Str id = plan_logical_id(stack->arena, block, STR_NONE, role);
    return number == 0 ? id : str_format(stack->arena, "%.*s%" PRIu32, STR_ARG(id), number);
}

Str stack_pascal(const Stack *stack, Str name) {
    return plan_logical_id(stack->arena, name, STR_NONE, "");
}

Span stack_span(Stack *stack, Span span) {
    Span before = stack->span;
    stack->span = span;
    return before;
}

Span stack_enter(Stack *stack, const PlanHead *head) {
    doc_because(stack->doc, head->origin);
    return stack_span(stack, head->subject->name_span);
}

void stack_leave(Stack *stack, Span before) {
    doc_unbecause(stack->doc);
    stack_span(stack, before);
}

// A group whose name gives the ids of another's collides with each of its resources: that is one mistake.
static void report_taken(Stack *stack, Str id, Span other) {
    for (uint32_t i = 0; i < stack->collided.count; i++) {
        if (span_equal(stack->collided.items[i], stack->span)) {
            return;
        }
    }
    vec_push(stack->arena, &stack->collided, stack->span);
    Diag *diag = report(stack->session, stack->span, DIAG(logical_ids_coincide), STR_ARG(id));
    diag_note(stack->session, diag, "in the stack of `%.*s`", STR_ARG(stack->head->id));
    if (!span_is_none(other) && !span_equal(other, stack->span)) {
        diag_label(stack->session, diag, other, "`%.*s` comes from here too", STR_ARG(id));
    }
}

// Takes a logical id for a parameter or a resource: both are of one namespace. False where it is taken; reported.
static bool claim(Stack *stack, Str id) {
    Span *span = arena_new(stack->arena, Span);
    *span = stack->span;
    const Span *other = str_map_add(&stack->ids, id, span);
    if (other != NULL) {
        report_taken(stack, id, *other);
    }
    return other == NULL;
}

DocNode *stack_resource(Stack *stack, StackResource resource) {
    DocNode *entry = doc_map(stack->doc);
    if (claim(stack, resource.id)) {
        doc_put(stack->doc, stack->resources, resource.id, entry);
    }
    doc_because(stack->doc, resource.origin);
    tree_put_text(stack->doc, entry, "Type", WHY_RESOURCE_TYPE, resource.type);
    if (resource.condition.len > 0) {
        tree_put(stack->doc, entry, "Condition",
                 resource.condition_origin == NULL
                     ? tree_string(stack->doc, WHY_CONDITION, resource.condition)
                     : doc_string(stack->doc, resource.condition, resource.condition_origin));
    }
    if (resource.is_kept) {
        tree_put_text(stack->doc, entry, "DeletionPolicy", WHY_KEPT, "RetainExceptOnCreate");
        tree_put_text(stack->doc, entry, "UpdateReplacePolicy", WHY_KEPT, "Retain");
    }
    if (resource.also_depends_on.count > 0) {
        DocNode *list = tree_put_list(stack->doc, entry, "DependsOn");
        for (uint32_t i = 0; i < resource.also_depends_on.count; i++) {
            doc_add(stack->doc, list, tree_string(stack->doc, WHY_DEPENDS_ON, resource.also_depends_on.items[i]));
        }
    }
    if (resource.depends_on.len > 0) {
        tree_put(stack->doc, entry, "DependsOn", tree_string(stack->doc, WHY_DEPENDS_ON, resource.depends_on));
    }
    for (uint32_t i = 0; i < resource.attributes.count; i++) {
        doc_put(stack->doc, entry, resource.attributes.items[i].key, resource.attributes.items[i].node);
    }
    doc_unbecause(stack->doc);
    return resource.is_bare ? NULL : doc_put(stack->doc, entry, STR("Properties"), doc_map(stack->doc));
}

void stack_output(Stack *stack, Str key, const char *description, DocNode *value, bool is_exported) {
    DocNode *entry = doc_map(stack->doc);
    if (str_map_add(&stack->output_keys, key, entry) != NULL) {
        report_taken(stack, key, SPAN_NONE);
        return;
    }
    doc_put(stack->doc, stack->outputs, key, entry);
    if (description != NULL) {
        tree_put_text(stack->doc, entry, "Description", WHY_OUTPUT, description);
    }
    tree_put(stack->doc, entry, "Value", value);
    if (is_exported) {
        DocNode *export = doc_put(stack->doc, entry, STR("Export"), doc_map(stack->doc));
        Str name = str_format(stack->arena, "${AWS::StackName}-%.*s", STR_ARG(key));
        tree_put(stack->doc, export, "Name", intrinsic_sub(stack, WHY_EXPORT, name));
        Arena *arena = stack->session->arena;
        vec_push(arena, &stack->step.provides,
                 str_format(arena, "%.*s-%.*s", STR_ARG(stack->head->name->string), STR_ARG(key)));
    }
}

Str stack_param(Stack *stack, const Param *param) {
    Str id = stack_pascal(stack, param->name);
    for (uint32_t i = 0; i < stack->params.count; i++) {
        if (stack->params.items[i] == param) {
            return id;
        }
    }
    const Span before = stack_span(stack, param->span);
    if (claim(stack, id)) {
        vec_push(stack->arena, &stack->params, param);
    }
    stack_span(stack, before);
    return id;
}

Str stack_image(Stack *stack, Str path, const Origin *origin) {
    for (uint32_t i = 0; i < stack->images.count; i++) {
        if (str_equal(stack->images.items[i].path, path)) {
            return stack->images.items[i].id;
        }
    }
    uint32_t number = stack->images.count == 0 ? 0 : stack->images.count + 1;
    Str id = stack_numbered_id(stack, stack->head->id, "Image", number);
    if (claim(stack, id)) {
        vec_push(stack->arena, &stack->images, (StackImage){ .id = id, .path = path, .origin = origin });
    }
    return id;
}

Str stack_answer(Stack *stack, StackAnswer answer) {
    if (claim(stack, str_of(answer.id))) {
        vec_push(stack->arena, &stack->answers, answer);
    }
    return str_of(answer.id);
}

void stack_need(Stack *stack, Str name) {
    Arena *arena = stack->session->arena;
    if (!emitter_needs(&stack->step, name)) {
        vec_push(arena, &stack->step.needs, str_copy(arena, name));
    }
}
