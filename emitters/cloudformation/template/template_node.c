// Makes the nodes of a template: the tree's short functions, under the stack's name, and intrinsics.
#include "emitters/cloudformation/template/template_node.h"

#include "emitters/doc/tree.h"

DocNode *node_text(Stack *stack, Why reason, const char *text) {
    return tree_text(stack->doc, reason, text);
}

DocNode *node_string(Stack *stack, Why reason, Str text) {
    return tree_string(stack->doc, reason, text);
}

DocNode *node_number(Stack *stack, Why reason, int64_t number) {
    return tree_number(stack->doc, reason, number);
}

DocNode *node_bool(Stack *stack, Why reason, bool value) {
    return tree_bool(stack->doc, reason, value);
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
    tree_put(stack->doc, map, key, node);
}

void node_put_text(Stack *stack, DocNode *map, const char *key, Why reason, const char *text) {
    node_put(stack, map, key, node_text(stack, reason, text));
}

DocNode *node_put_map(Stack *stack, DocNode *map, const char *key) {
    return tree_put_map(stack->doc, map, key);
}

DocNode *node_put_list(Stack *stack, DocNode *map, const char *key) {
    return tree_put_list(stack->doc, map, key);
}

DocNode *node_add_map(Stack *stack, DocNode *list) {
    return tree_add_map(stack->doc, list);
}

DocNode *node_list_of(Stack *stack, DocNode *item) {
    return tree_list_of(stack->doc, item);
}
