// Writes a document as JSON, by way of plain data: intrinsics in their long form, literal blocks as strings. The lines
// of the leaves are counted over the same tree. They follow from the layout that json_write() promises: one entry a
// line, and empty collections on the line of their key.
#include "emitters/doc/doc.h"

#include <assert.h>

#include "compiler/base/json.h"
#include "compiler/base/doc_path.h"

static Data *data_of(Arena *arena, const DocNode *node);

// CloudFormation takes "Name.Attribute" as a string in YAML only. The attribute may hold dots, the name may not.
static bool is_split_attribute(const DocNode *call) {
    return call->call == CALL_GET_ATT && call->first->kind == DOC_STRING &&
           str_find(call->first->string, STR("."), 0) < call->first->string.len;
}

static Data *attribute_data(Arena *arena, Str text) {
    const size_t dot = str_find(text, STR("."), 0);
    Data *list = data_list(arena);
    data_add(arena, list, data_string(arena, str_slice(text, 0, dot)));
    data_add(arena, list, data_string(arena, str_slice(text, dot + 1, text.len)));
    return list;
}

static Data *call_data(Arena *arena, const DocNode *call) {
    Data *map = data_map(arena);
    Data *child = is_split_attribute(call) ? attribute_data(arena, call->first->string) : data_of(arena, call->first);
    data_put(arena, map, str_of(doc_call_row(call->call)->key), child);
    return map;
}

static Data *list_data(Arena *arena, const DocNode *node) {
    Data *list = data_list(arena);
    for (const DocNode *item = node->first; item != NULL; item = item->next) {
        data_add(arena, list, data_of(arena, item));
    }
    return list;
}

static Data *map_data(Arena *arena, const DocNode *node) {
    Data *map = data_map(arena);
    for (const DocNode *child = node->first; child != NULL; child = child->next) {
        data_put(arena, map, child->key, data_of(arena, child));
    }
    return map;
}

static Data *data_of(Arena *arena, const DocNode *node) {
    switch (node->kind) {
    case DOC_BOOL:
        return data_bool(arena, node->boolean);
    case DOC_INT:
        return data_int(arena, node->integer);
    case DOC_STRING:
    case DOC_BLOCK:
        return data_string(arena, node->string);
    case DOC_LIST:
        return list_data(arena, node);
    case DOC_MAP:
        return map_data(arena, node);
    case DOC_CALL:
        break;
    }
    return call_data(arena, node);
}

typedef struct {
    Arena *arena;
    DocLines *lines;
    StrBuf path;
} Counter;

static uint32_t count_call(Counter *counter, const DocNode *call, uint32_t line);

// Takes the line on which a node begins and returns the one on which it ends.
static uint32_t count_node(Counter *counter, const DocNode *node, uint32_t line) {
    if (doc_is_leaf(node)) {
        const Str path = str_copy(counter->arena, strbuf_str(&counter->path));
        vec_push(counter->arena, counter->lines, (DocLine){ .line = line, .path = path, .leaf = node });
        return line;
    }
    if (node->kind == DOC_CALL) {
        return count_call(counter, node, line);
    }
    const size_t path_len = counter->path.len;
    uint32_t index = 0;
    for (const DocNode *child = node->first; child != NULL; child = child->next) {
        if (node->kind == DOC_MAP) {
            doc_path_add_key(&counter->path, child->key);
        } else {
            doc_path_add_index(&counter->path, index++);
        }
        line = count_node(counter, child, line + 1);
        counter->path.len = path_len;
    }
    return node->first == NULL ? line : line + 1;
}

static uint32_t count_call(Counter *counter, const DocNode *call, uint32_t line) {
    const size_t path_len = counter->path.len;
    doc_path_add_key(&counter->path, str_of(doc_call_row(call->call)->key));
    // `{`, the key with what follows it, `}`; a split attribute is a list of two on four lines.
    const bool is_split = is_split_attribute(call);
    line = count_node(counter, call->first, line + (is_split ? 2 : 1));
    counter->path.len = path_len;
    return line + (is_split ? 3 : 1);
}

Str doc_json_write(Arena *arena, const Doc *doc, DocLines *lines) {
    assert(doc_is_balanced(doc));
    Arena *scratch = arena_create_beside(arena);
    const Str text = json_write(arena, data_of(scratch, doc_root(doc)));
    if (lines != NULL) {
        Counter counter = { .arena = arena, .lines = lines, .path = { .arena = scratch } };
        count_node(&counter, doc_root(doc), 1);
    }
    arena_destroy(scratch);
    return text;
}

Str doc_json_write_line(Arena *arena, const Doc *doc, DocLines *lines) {
    Arena *scratch = arena_create_beside(arena);
    const Str text = json_write_line(arena, data_of(scratch, doc_root(doc)));
    for (uint32_t i = 0; lines != NULL && i < lines->count; i++) {
        lines->items[i].line = 1;
    }
    arena_destroy(scratch);
    return text;
}
