#include "emitters/cloudformation/template/intrinsic.h"

DocNode *intrinsic_ref(Stack *stack, Str id) {
    return doc_call(stack->doc, CALL_REF, tree_string(stack->doc, WHY_REFERENCE, id));
}

DocNode *intrinsic_pseudo(Stack *stack, Why reason, const char *name) {
    return doc_call(stack->doc, CALL_REF, tree_text(stack->doc, reason, name));
}

DocNode *intrinsic_no_value(Stack *stack) {
    return intrinsic_pseudo(stack, WHY_NO_VALUE, "AWS::NoValue");
}

DocNode *intrinsic_get_att(Stack *stack, Str id, const char *attribute) {
    Str path = str_format(stack->arena, "%.*s.%s", STR_ARG(id), attribute);
    return doc_call(stack->doc, CALL_GET_ATT, tree_string(stack->doc, WHY_REFERENCE, path));
}

DocNode *intrinsic_sub(Stack *stack, Why reason, Str text) {
    return doc_call(stack->doc, CALL_SUB, tree_string(stack->doc, reason, text));
}

DocNode *intrinsic_call(Stack *stack, DocCall call, DocNode *first, DocNode *second) {
    DocNode *list = doc_list(stack->doc);
    doc_add(stack->doc, list, first);
    doc_add(stack->doc, list, second);
    return doc_call(stack->doc, call, list);
}

DocNode *intrinsic_join(Stack *stack, DocNode *list) {
    return intrinsic_call(stack, CALL_JOIN, tree_text(stack->doc, WHY_IMPORT, ","), list);
}

DocNode *intrinsic_split(Stack *stack, DocNode *text) {
    return intrinsic_call(stack, CALL_SPLIT, tree_text(stack->doc, WHY_IMPORT, ","), text);
}
