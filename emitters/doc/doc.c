// Makes the tree that emitters fill in. Children are a linked list with a tail. So a document takes one allocation for
// each node, however its maps grow. A node is in one place only, and a leaf's origin is complete when it is made.
#include "emitters/doc/doc.h"

_Static_assert(sizeof(void *) > 8 || sizeof(DocNode) <= 64, "a node fills one cache line at most");

struct Doc {
    Session *session;
    Arena *arena;
    DocNode *root;
    const Origin *in_force;    // all reasons between doc_because() and doc_unbecause(), joined; NULL without one
    VEC(const Origin *) outer; // what was in force before each of them
    // Emitters make many leaves in a row with one origin, a constant's mostly: the last join is kept.
    const Origin *last_origin;
    const Origin *last_joined;
};

static const DocCallRow CALL_ROWS[] = {
    [CALL_REF] = { "!Ref", "Ref" },
    [CALL_SUB] = { "!Sub", "Fn::Sub" },
    [CALL_GET_ATT] = { "!GetAtt", "Fn::GetAtt" },
    [CALL_IF] = { "!If", "Fn::If" },
    [CALL_EQUALS] = { "!Equals", "Fn::Equals" },
    [CALL_NOT] = { "!Not", "Fn::Not" },
    [CALL_AND] = { "!And", "Fn::And" },
    [CALL_OR] = { "!Or", "Fn::Or" },
    [CALL_CONDITION] = { "!Condition", "Condition" },
    [CALL_SELECT] = { "!Select", "Fn::Select" },
    [CALL_SPLIT] = { "!Split", "Fn::Split" },
    [CALL_JOIN] = { "!Join", "Fn::Join" },
    [CALL_CIDR] = { "!Cidr", "Fn::Cidr" },
    [CALL_BASE64] = { "!Base64", "Fn::Base64" },
    [CALL_IMPORT_VALUE] = { "!ImportValue", "Fn::ImportValue" },
};

_Static_assert(COUNT_OF(CALL_ROWS) == CALL_COUNT, "one row for each intrinsic");

const DocCallRow *doc_call_row(DocCall call) {
    assert(call < CALL_COUNT);
    return &CALL_ROWS[call];
}

Doc *doc_create(Session *session, Arena *arena) {
    Doc *doc = arena_new(arena, Doc);
    *doc = (Doc){ .session = session, .arena = arena };
    doc->root = doc_map(doc);
    return doc;
}

Arena *doc_arena(const Doc *doc) {
    return doc->arena;
}

Session *doc_session(const Doc *doc) {
    return doc->session;
}

DocNode *doc_root(const Doc *doc) {
    return doc->root;
}

static void put_in_force(Doc *doc, const Origin *reason) {
    doc->in_force = reason;
    doc->last_origin = NULL;
    doc->last_joined = NULL;
}

void doc_because(Doc *doc, const Origin *reason) {
    // The nearest reason comes first: it explains most.
    const Origin *joined = origin_join(doc->arena, reason, doc->in_force);
    vec_push(doc->arena, &doc->outer, doc->in_force);
    put_in_force(doc, joined);
}

void doc_unbecause(Doc *doc) {
    assert(doc->outer.count > 0);
    doc->outer.count--;
    put_in_force(doc, doc->outer.items[doc->outer.count]);
}

bool doc_is_balanced(const Doc *doc) {
    return doc->outer.count == 0;
}

static const Origin *leaf_origin(Doc *doc, const Origin *origin) {
    assert(origin != NULL || doc->in_force != NULL);
    if (doc->in_force == NULL) {
        return origin;
    }
    if (doc->last_joined == NULL || doc->last_origin != origin) {
        doc->last_origin = origin;
        doc->last_joined = origin_join(doc->arena, origin, doc->in_force);
    }
    return doc->last_joined;
}

static DocNode *node_new(Doc *doc, DocKind kind) {
    DocNode *node = arena_new(doc->arena, DocNode);
    node->kind = kind;
    return node;
}

static DocNode *leaf_new(Doc *doc, DocKind kind, const Origin *origin) {
    DocNode *node = node_new(doc, kind);
    node->origin = leaf_origin(doc, origin);
    return node;
}

DocNode *doc_bool(Doc *doc, bool value, const Origin *origin) {
    DocNode *node = leaf_new(doc, DOC_BOOL, origin);
    node->boolean = value;
    return node;
}

DocNode *doc_int(Doc *doc, int64_t value, const Origin *origin) {
    DocNode *node = leaf_new(doc, DOC_INT, origin);
    node->integer = value;
    return node;
}

DocNode *doc_string(Doc *doc, Str value, const Origin *origin) {
    DocNode *node = leaf_new(doc, DOC_STRING, origin);
    node->string = value;
    return node;
}

DocNode *doc_block(Doc *doc, Str text, const Origin *origin) {
    DocNode *node = leaf_new(doc, DOC_BLOCK, origin);
    node->string = text;
    return node;
}

DocNode *doc_list(Doc *doc) {
    return node_new(doc, DOC_LIST);
}

DocNode *doc_map(Doc *doc) {
    return node_new(doc, DOC_MAP);
}

DocNode *doc_call(Doc *doc, DocCall call, DocNode *child) {
    assert(child != NULL && child->next == NULL);
    DocNode *node = node_new(doc, DOC_CALL);
    node->call = call;
    node->first = child;
    node->last = child;
    return node;
}

static void append(DocNode *parent, DocNode *child) {
    assert(child != NULL && child->next == NULL && child != parent->last);
    if (parent->first == NULL) {
        parent->first = child;
    } else {
        parent->last->next = child;
    }
    parent->last = child;
    parent->count++;
}

DocNode *doc_put(Doc *doc, DocNode *map, Str key, DocNode *value) {
    (void)doc;
    // Beyond this a map comes from a loop over names that were checked; looking would make the loop quadratic.
    enum { CHECKED_KEYS_MAX = 64 };
    assert(map->kind == DOC_MAP);
    assert(map->count >= CHECKED_KEYS_MAX || doc_get(map, key) == NULL);
    value->key = key;
    append(map, value);
    return value;
}

DocNode *doc_add(Doc *doc, DocNode *list, DocNode *value) {
    (void)doc;
    assert(list->kind == DOC_LIST);
    append(list, value);
    return value;
}

DocNode *doc_get(const DocNode *map, Str key) {
    assert(map->kind == DOC_MAP);
    for (DocNode *child = map->first; child != NULL; child = child->next) {
        if (str_equal(child->key, key)) {
            return child;
        }
    }
    return NULL;
}

uint32_t doc_count(const DocNode *collection) {
    assert(collection->kind == DOC_LIST || collection->kind == DOC_MAP);
    return collection->count;
}

bool doc_is_leaf(const DocNode *node) {
    switch (node->kind) {
    case DOC_BOOL:
    case DOC_INT:
    case DOC_STRING:
    case DOC_BLOCK:
        return true;
    case DOC_LIST:
    case DOC_MAP:
    case DOC_CALL:
        break;
    }
    return false;
}
