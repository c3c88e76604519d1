// Nodes with the origin that their constant is. Keys are C strings here, as every key of ours is a literal.
#include "emitters/cloudformation/node.h"

DocNode *node_text(Stack *stack, Why reason, const char *text) {
    return doc_string(stack->doc, str_of(text), why(reason));
}

DocNode *node_string(Stack *stack, Why reason, Str text) {
    return doc_string(stack->doc, text, why(reason));
}

DocNode *node_number(Stack *stack, Why reason, int64_t number) {
    return doc_int(stack->doc, number, why(reason));
}

DocNode *node_bool(Stack *stack, Why reason, bool value) {
    return doc_bool(stack->doc, value, why(reason));
}

DocNode *node_ref(Stack *stack, Str id) {
    return doc_call(stack->doc, CALL_REF, node_string(stack, WHY_REFERENCE, id));
}

DocNode *node_pseudo(Stack *stack, Why reason, const char *name) {
    return doc_call(stack->doc, CALL_REF, node_text(stack, reason, name));
}

DocNode *node_no_value(Stack *stack) {
    return node_pseudo(stack, WHY_NO_VALUE, "AWS::NoValue");
}

DocNode *node_attribute(Stack *stack, Str id, const char *attribute) {
    Str path = str_format(stack->arena, "%.*s.%s", STR_ARG(id), attribute);
    return doc_call(stack->doc, CALL_GET_ATT, node_string(stack, WHY_REFERENCE, path));
}

DocNode *node_sub(Stack *stack, Why reason, Str text) {
    return doc_call(stack->doc, CALL_SUB, node_string(stack, reason, text));
}

DocNode *node_call(Stack *stack, DocCall call, DocNode *first, DocNode *second) {
    DocNode *list = doc_list(stack->doc);
    doc_add(stack->doc, list, first);
    doc_add(stack->doc, list, second);
    return doc_call(stack->doc, call, list);
}

DocNode *node_join(Stack *stack, DocNode *list) {
    return node_call(stack, CALL_JOIN, node_text(stack, WHY_IMPORT, ","), list);
}

DocNode *node_split(Stack *stack, DocNode *text) {
    return node_call(stack, CALL_SPLIT, node_text(stack, WHY_IMPORT, ","), text);
}

void node_put(Stack *stack, DocNode *map, const char *key, DocNode *node) {
    if (node != NULL) {
        doc_put(stack->doc, map, str_of(key), node);
    }
}

void node_put_text(Stack *stack, DocNode *map, const char *key, Why reason, const char *text) {
    node_put(stack, map, key, node_text(stack, reason, text));
}

DocNode *node_put_map(Stack *stack, DocNode *map, const char *key) {
    return doc_put(stack->doc, map, str_of(key), doc_map(stack->doc));
}

DocNode *node_put_list(Stack *stack, DocNode *map, const char *key) {
    return doc_put(stack->doc, map, str_of(key), doc_list(stack->doc));
}

DocNode *node_add_map(Stack *stack, DocNode *list) {
    return doc_add(stack->doc, list, doc_map(stack->doc));
}

DocNode *node_list_of(Stack *stack, DocNode *item) {
    DocNode *list = doc_list(stack->doc);
    doc_add(stack->doc, list, item);
    return list;
}
