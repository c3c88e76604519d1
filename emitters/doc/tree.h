// Short functions that build a document. A literal of dtc's own is made with the constant that explains it. Keys are C
// strings, because every key of dtc's own is a literal.
#pragma once

#include "emitters/doc/constants.h"
#include "emitters/doc/doc.h"

DocNode *tree_text(Doc *doc, Why reason, const char *text);
DocNode *tree_string(Doc *doc, Why reason, Str text);
DocNode *tree_number(Doc *doc, Why reason, int64_t number);
DocNode *tree_bool(Doc *doc, Why reason, bool value);

// Adds to a map; a node of NULL adds nothing. tree_put_map() and tree_put_list() add an empty one and return it.
void tree_put(Doc *doc, DocNode *map, const char *key, DocNode *node);
void tree_put_text(Doc *doc, DocNode *map, const char *key, Why reason, const char *text);
DocNode *tree_put_map(Doc *doc, DocNode *map, const char *key);
DocNode *tree_put_list(Doc *doc, DocNode *map, const char *key);

// Adds an empty map to a list and returns it.
DocNode *tree_add_map(Doc *doc, DocNode *list);

// A list of one.
DocNode *tree_list_of(Doc *doc, DocNode *item);

// Whether one item of a list of texts is `text`.
bool tree_has_text(const DocNode *list, Str text);
