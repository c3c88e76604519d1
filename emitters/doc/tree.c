// Makes leaves, with their constant as origin, and puts each container in its place as soon as it is made.
#include "emitters/doc/tree.h"

DocNode *tree_text(Doc *doc, Why reason, const char *text) {
    return doc_string(doc, str_of(text), why(reason));
}

DocNode *tree_string(Doc *doc, Why reason, Str text) {
    return doc_string(doc, text, why(reason));
}

DocNode *tree_number(Doc *doc, Why reason, int64_t number) {
    return doc_int(doc, number, why(reason));
}

DocNode *tree_bool(Doc *doc, Why reason, bool value) {
    return doc_bool(doc, value, why(reason));
}

void tree_put(Doc *doc, DocNode *map, const char *key, DocNode *node) {
    if (node != NULL) {
        doc_put(doc, map, str_of(key), node);
    }
}

void tree_put_text(Doc *doc, DocNode *map, const char *key, Why reason, const char *text) {
    tree_put(doc, map, key, tree_text(doc, reason, text));
}

DocNode *tree_put_map(Doc *doc, DocNode *map, const char *key) {
    return doc_put(doc, map, str_of(key), doc_map(doc));
}

DocNode *tree_put_list(Doc *doc, DocNode *map, const char *key) {
    return doc_put(doc, map, str_of(key), doc_list(doc));
}

DocNode *tree_add_map(Doc *doc, DocNode *list) {
    return doc_add(doc, list, doc_map(doc));
}

DocNode *tree_list_of(Doc *doc, DocNode *item) {
    DocNode *list = doc_list(doc);
    doc_add(doc, list, item);
    return list;
}

bool tree_has_text(const DocNode *list, Str text) {
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        if (str_equal(item->string, text)) {
            return true;
        }
    }
    return false;
}
