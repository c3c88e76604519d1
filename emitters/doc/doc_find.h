// Looks into a finished document.
#pragma once

#include "emitters/doc/doc.h"

// What stands at a path of a patch; NULL where it leads nowhere, or to several.
const DocNode *doc_find(const Doc *doc, Str path);

// The child of a map, or of an intrinsic, which is a map of one key. NULL where it is absent, or where there are no keys.
DocNode *doc_child(const DocNode *node, Str key);

// Whether an item of a list is a map in which `key` is `wanted`, a string or the digits of a number.
bool doc_item_matches(const DocNode *item, Str key, Str wanted);

// Whether both are written alike; the order of keys says nothing.
bool doc_equal(const DocNode *a, const DocNode *b);
