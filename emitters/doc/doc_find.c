// Looks a path up in a document without a word about what is not there, and compares what stands there.
#include "emitters/doc/doc_find.h"

#include "compiler/base/doc_path.h"

bool doc_equal(const DocNode *a, const DocNode *b) {
    if (a->kind != b->kind) {
        return false;
    }
    switch (a->kind) {
    case DOC_BOOL:
        return a->boolean == b->boolean;
    case DOC_INT:
        return a->integer == b->integer;
    case DOC_STRING:
    case DOC_BLOCK:
        return str_equal(a->string, b->string);
    case DOC_CALL:
        return a->call == b->call && doc_equal(a->first, b->first);
    case DOC_LIST:
    case DOC_MAP:
        break;
    }
    if (a->count != b->count) {
        return false;
    }
    const DocNode *other = b->first;
    for (const DocNode *child = a->first; child != NULL; child = child->next) {
        const DocNode *same = a->kind == DOC_MAP ? doc_get(b, child->key) : other;
        if (same == NULL || !doc_equal(child, same)) {
            return false;
        }
        other = other->next;
    }
    return true;
}

bool doc_item_matches(const DocNode *item, Str key, Str wanted) {
    const DocNode *value = item->kind == DOC_MAP ? doc_get(item, key) : NULL;
    if (value == NULL) {
        return false;
    }
    if (value->kind == DOC_INT) {
        char digits[24];
        const int length = snprintf(digits, sizeof(digits), "%" PRId64, value->integer);
        return str_equal(wanted, (Str){ .data = digits, .len = (size_t)length });
    }
    return value->kind == DOC_STRING && str_equal(value->string, wanted);
}

DocNode *doc_child(const DocNode *node, Str key) {
    if (node->kind == DOC_CALL) {
        return str_is(key, doc_call_row(node->call)->key) ? node->first : NULL;
    }
    return node->kind == DOC_MAP ? doc_get(node, key) : NULL;
}

static const DocNode *item_of(const DocNode *list, const DocStep *step) {
    if (list->kind != DOC_LIST || step->kind == STEP_APPEND) {
        return NULL;
    }
    const DocNode *found = NULL;
    uint32_t index = 0;
    for (const DocNode *item = list->first; item != NULL; item = item->next, index++) {
        const bool is_wanted =
            step->kind == STEP_INDEX ? index == step->index : doc_item_matches(item, step->key, step->value);
        if (is_wanted && found != NULL) {
            return NULL; // several match
        }
        found = is_wanted ? item : found;
    }
    return found;
}

const DocNode *doc_find(const Doc *doc, Str path) {
    DocPath steps = { .arena = doc_arena(doc), .text = path };
    DocStep step;
    const DocNode *node = doc_root(doc);
    while (node != NULL && doc_path_next(&steps, &step)) {
        node = step.kind == STEP_KEY ? doc_child(node, step.key) : item_of(node, &step);
    }
    return steps.fault == NULL ? node : NULL;
}
