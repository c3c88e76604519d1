// Turns values into nodes. Where a value is optional, what stands in for it is handed down as a chain, so that
// `a ?? b ?? c` becomes nested `!If`s with AWS::NoValue at the end.
#include "emitters/cloudformation/template/template_value.h"

#include "compiler/plan/model/shared.h"
#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/import.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/sub.h"

// What to take where a value turns out to be null; NULL: nothing, AWS::NoValue.
typedef struct Fallback {
    const Value *value;
    const struct Fallback *next;
} Fallback;

// The end of a chain whose value is known to be there: the caller asks for it under a condition of its own.
static const Fallback GIVEN = { 0 };

typedef struct {
    const char *name;
    const char *spelling;
} PseudoRow;

static const PseudoRow PSEUDO_ROWS[] = {
    { "region", "AWS::Region" },        { "account", "AWS::AccountId" },    { "partition", "AWS::Partition" },
    { "url_suffix", "AWS::URLSuffix" }, { "stack_name", "AWS::StackName" }, { "stack_id", "AWS::StackId" },
};

Str template_pseudo(const Late *late) {
    for (size_t i = 0; i < COUNT_OF(PSEUDO_ROWS); i++) {
        if (str_is(late->name, PSEUDO_ROWS[i].name)) {
            return str_of(PSEUDO_ROWS[i].spelling);
        }
    }
    assert(false && "a fact of the stack that the language does not have");
    return STR_NONE;
}

Str template_resource_id(const Stack *stack, const Resource *resource) {
    return plan_resource_id(stack->arena, plan_part(stack->plan, resource->block), resource);
}

static DocNode *node_or(Stack *stack, const Value *value, const Fallback *fallback);

static DocNode *fall_back(Stack *stack, const Fallback *fallback) {
    bool is_end = fallback == NULL || fallback == &GIVEN;
    return is_end ? intrinsic_no_value(stack) : node_or(stack, fallback->value, fallback->next);
}

static DocNode *reference(Stack *stack, Str id, const Origin *origin) {
    return doc_call(stack->doc, CALL_REF, doc_string(stack->doc, id, origin));
}

static DocNode *param_node(Stack *stack, const Value *value, const Fallback *fallback) {
    const Param *param = value->late->param;
    DocNode *node = reference(stack, stack_param(stack, param), value->origin);
    if (!param->is_optional || fallback == &GIVEN) {
        return node;
    }
    const Condition *given = condition_given(stack, value);
    condition_name(stack, given);
    return condition_if(stack, given, node, fall_back(stack, fallback));
}

static DocNode *choice_node(Stack *stack, const Late *late, const Fallback *fallback) {
    const Condition *condition = condition_of(stack, late->parts[0]);
    if (condition->kind == CONDITION_TRUE || condition->kind == CONDITION_FALSE) {
        return node_or(stack, late->parts[condition->kind == CONDITION_TRUE ? 1 : 2], fallback);
    }
    condition_name(stack, condition); // before those in its arms
    DocNode *then = node_or(stack, late->parts[1], fallback);
    return condition_if(stack, condition, then, node_or(stack, late->parts[2], fallback));
}

static DocNode *item_node(Stack *stack, const Value *value) {
    doc_because(stack->doc, value->origin);
    DocNode *index = tree_number(stack->doc, WHY_REFERENCE, value->late->index);
    DocNode *node = intrinsic_call(stack, CALL_SELECT, index, template_list(stack, value->late->parts[0]));
    doc_unbecause(stack->doc);
    return node;
}

static DocNode *resource_node(Stack *stack, const Value *value) {
    Str attribute;
    const Resource *resource = plan_shared_resource(value, &attribute);
    if (import_is_elsewhere(stack, resource->block)) {
        return import_resource(stack, value);
    }
    const Str id = template_resource_id(stack, resource);
    if (attribute.len == 0) {
        return reference(stack, id, value->origin);
    }
    const Str path = str_format(stack->arena, "%.*s.%.*s", STR_ARG(id), STR_ARG(attribute));
    return doc_call(stack->doc, CALL_GET_ATT, doc_string(stack->doc, path, value->origin));
}

static DocNode *late_or(Stack *stack, const Value *value, const Fallback *fallback) {
    const Late *late = value->late;
    switch (late->kind) {
    case LATE_PARAM:
        return param_node(stack, value, fallback);
    case LATE_PSEUDO:
        return reference(stack, template_pseudo(late), value->origin);
    case LATE_REF:
    case LATE_ATTRIBUTE:
        return resource_node(stack, value);
    case LATE_WRITTEN_OUTPUT:
        return import_is_elsewhere(stack, late->block) ? import_written(stack, value, IMPORT_LIST)
                                                       : node_or(stack, late->parts[0], fallback);
    case LATE_OUTPUT:
        return import_node(stack, value);
    case LATE_TEXT: {
        SubText text = { .stack = stack };
        sub_add_value(&text, value);
        return sub_node(&text);
    }
    case LATE_IF:
        return choice_node(stack, late, fallback);
    case LATE_DEFAULT:
        return node_or(stack, late->parts[0], &(Fallback){ .value = late->parts[1], .next = fallback });
    case LATE_ITEM:
        return item_node(stack, value);
    }
    assert(false && "a kind of late value that is none");
    return NULL;
}

// What an author's own Fn::Sub is given: its text stays as it is, with what stands for itself and what does not.
static DocNode *substituted(Stack *stack, const Value *value) {
    if (value->kind == VALUE_STRING) {
        return doc_string(stack->doc, value->string, value->origin);
    }
    if (value->kind != VALUE_LIST) {
        return template_value(stack, value);
    }
    DocNode *list = doc_list(stack->doc);
    for (uint32_t i = 0; i < value->list.count; i++) {
        const Value *item = value->list.items[i];
        DocNode *node = i == 0 ? substituted(stack, item) : template_value(stack, item);
        if (node != NULL) {
            doc_add(stack->doc, list, node);
        }
    }
    return list;
}

static DocNode *map_node(Stack *stack, const Value *value) {
    DocNode *map = doc_map(stack->doc);
    for (uint32_t i = 0; i < value->map.count; i++) {
        const ValueEntry *entry = &value->map.entries[i];
        const bool is_sub = value->map.count == 1 && str_is(entry->key, doc_call_row(CALL_SUB)->key);
        DocNode *node = is_sub ? substituted(stack, entry->value) : template_value(stack, entry->value);
        if (node != NULL) {
            doc_put(stack->doc, map, entry->key, node);
        }
    }
    return map;
}

static DocNode *list_node(Stack *stack, const Value *value) {
    DocNode *list = doc_list(stack->doc);
    for (uint32_t i = 0; i < value->list.count; i++) {
        DocNode *node = template_value(stack, value->list.items[i]);
        if (node != NULL) {
            doc_add(stack->doc, list, node);
        }
    }
    return list;
}

static DocNode *text_node(Stack *stack, const Value *value) {
    if (str_find(value->string, STR("\n"), 0) < value->string.len) {
        return doc_block(stack->doc, value->string, value->origin);
    }
    SubText text = { .stack = stack };
    sub_add(&text, value->string, value->origin);
    return sub_node(&text);
}

static DocNode *node_or(Stack *stack, const Value *value, const Fallback *fallback) {
    switch (value->kind) {
    case VALUE_NULL:
        return fall_back(stack, fallback);
    case VALUE_BOOL:
        return doc_bool(stack->doc, value->boolean, value->origin);
    case VALUE_INT:
        return doc_int(stack->doc, value->integer, value->origin);
    case VALUE_STRING:
        return text_node(stack, value);
    case VALUE_WORD:
        return doc_string(stack->doc, value->string, value->origin);
    case VALUE_LIST:
        return list_node(stack, value);
    case VALUE_MAP:
        return map_node(stack, value);
    case VALUE_RESOURCE:
        return resource_node(stack, value);
    case VALUE_LATE:
        return late_or(stack, value, fallback);
    case VALUE_TAG:
        if (str_is(value->tag.name, "ssm")) {
            return reference(stack, stack_image(stack, value->tag.arguments[0]->string, value->origin), value->origin);
        }
        break;
    case VALUE_SIZE:
    case VALUE_RATE:
    case VALUE_DURATION:
    case VALUE_RANGE:
    case VALUE_BLOCK:
    case VALUE_MODULE:
    case VALUE_ERROR:
    case VALUE_KIND_COUNT:
        break;
    }
    report(stack->session, value->span, DIAG(no_property_value), value_describe(value));
    return doc_string(stack->doc, STR_NONE, value->origin);
}

DocNode *template_value(Stack *stack, const Value *value) {
    return value == NULL || value->kind == VALUE_NULL ? NULL : node_or(stack, value, NULL);
}

DocNode *template_given_value(Stack *stack, const Value *value) {
    return node_or(stack, value, &GIVEN);
}

DocNode *template_text(Stack *stack, const Value *value) {
    if (!value_is_list(value)) {
        return template_value(stack, value);
    }
    if (value->kind == VALUE_LATE && value->late->kind == LATE_OUTPUT) {
        return import_text(stack, value); // what is exported is one text already
    }
    if (value->kind == VALUE_LATE && value->late->kind == LATE_WRITTEN_OUTPUT) {
        return import_is_elsewhere(stack, value->late->block) ? import_written(stack, value, IMPORT_TEXT)
                                                              : template_text(stack, value->late->parts[0]);
    }
    return intrinsic_join(stack, template_list(stack, value));
}

DocNode *template_list(Stack *stack, const Value *value) {
    if (value->kind == VALUE_NULL) {
        return NULL;
    }
    if (value->kind != VALUE_LIST) {
        DocNode *node = template_value(stack, value);
        return value_is_list(value) ? node : tree_list_of(stack->doc, node);
    }
    if (value->list.count == 1 && value_is_list(value->list.items[0])) {
        return template_list(stack, value->list.items[0]);
    }
    bool has_lists = false;
    for (uint32_t i = 0; i < value->list.count; i++) {
        has_lists = has_lists || value_is_list(value->list.items[i]);
    }
    if (!has_lists) {
        return list_node(stack, value);
    }
    // CloudFormation lays no list into another: as one text they join, and that is split again.
    DocNode *texts = doc_list(stack->doc);
    for (uint32_t i = 0; i < value->list.count; i++) {
        doc_add(stack->doc, texts, template_text(stack, value->list.items[i]));
    }
    return intrinsic_split(stack, intrinsic_join(stack, texts));
}
