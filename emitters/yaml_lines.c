// Finds where in a written text each node of its document stands, and puts the comments there. The tree is walked in
// the order of the text, side by side with the nodes that a reader met in it; a call is no node of its own unless it
// was written in its long form, as a map.
#include "emitters/yaml_lines.h"

#include "emitters/doc_path.h"

// A comment and the line above which it goes.
typedef struct {
    uint32_t line;
    Str text;
} CommentAt;

typedef struct {
    const YamlNodes *nodes;
    uint32_t next; // of the nodes
    Arena *arena;  // of the lines
    DocLines *lines;
    StrBuf path;
    VEC(CommentAt) comments;
    Arena *scratch;
} Walk;

// The line of the next node, which can only be of this kind: the text was written from the tree.
static uint32_t enter(Walk *walk, DocKind kind) {
    assert(walk->next < walk->nodes->count && walk->nodes->items[walk->next].kind == kind);
    (void)kind;
    return walk->nodes->items[walk->next++].line;
}

static uint32_t walk_node(Walk *walk, const DocNode *node, uint32_t entry_line);

static uint32_t walk_leaf(Walk *walk, const DocNode *leaf) {
    const uint32_t line = enter(walk, DOC_STRING);
    if (walk->lines != NULL) {
        const Str path = str_copy(walk->arena, strbuf_str(&walk->path));
        vec_push(walk->arena, walk->lines, (DocLine){ .line = line, .path = path, .leaf = leaf });
    }
    return line;
}

static uint32_t walk_list(Walk *walk, const DocNode *list) {
    const size_t path_len = walk->path.len;
    const uint32_t line = enter(walk, DOC_LIST);
    uint32_t index = 0;
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        doc_path_add_index(&walk->path, index++);
        walk_node(walk, item, 0);
        walk->path.len = path_len;
    }
    return line;
}

static uint32_t walk_map(Walk *walk, const DocNode *map) {
    const size_t path_len = walk->path.len;
    const uint32_t line = enter(walk, DOC_MAP);
    for (const DocNode *child = map->first; child != NULL; child = child->next) {
        const uint32_t key_line = enter(walk, DOC_STRING);
        doc_path_add_key(&walk->path, child->key);
        walk_node(walk, child, key_line);
        walk->path.len = path_len;
    }
    return line;
}

static uint32_t walk_call(Walk *walk, const DocNode *call) {
    const size_t path_len = walk->path.len;
    doc_path_add_key(&walk->path, str_of(doc_call_row(call->call)->key));
    uint32_t line;
    if (call->first->kind == DOC_CALL) {
        line = enter(walk, DOC_MAP);
        const uint32_t key_line = enter(walk, DOC_STRING);
        walk_node(walk, call->first, key_line);
    } else {
        line = walk_node(walk, call->first, 0);
    }
    walk->path.len = path_len;
    return line;
}

static uint32_t walk_value(Walk *walk, const DocNode *node) {
    switch (node->kind) {
    case DOC_NULL:
    case DOC_BOOL:
    case DOC_INT:
    case DOC_STRING:
    case DOC_BLOCK:
        break;
    case DOC_LIST:
        return walk_list(walk, node);
    case DOC_MAP:
        return walk_map(walk, node);
    case DOC_CALL:
        return walk_call(walk, node);
    }
    return walk_leaf(walk, node);
}

// Returns the line on which the node begins; its entry, with key or dash, begins on `entry_line`, or on the same line
// where that is 0.
static uint32_t walk_node(Walk *walk, const DocNode *node, uint32_t entry_line) {
    // The comment's place is taken before those of the children, its line is known behind them.
    const uint32_t comment = walk->comments.count;
    if (node->comment != NULL) {
        vec_push(walk->scratch, &walk->comments, (CommentAt){ .text = str_of(node->comment) });
    }
    const uint32_t line = walk_value(walk, node);
    if (node->comment != NULL) {
        walk->comments.items[comment].line = entry_line != 0 ? entry_line : line;
    }
    return line;
}

void yaml_add_comment(StrBuf *out, Str text, size_t column) {
    size_t start = 0;
    while (start < text.len) {
        const size_t end = str_find(text, STR("\n"), start);
        const Str line = str_slice(text, start, end);
        strbuf_add_repeated(out, ' ', column);
        strbuf_add(out, line.len == 0 ? STR("#") : STR("# "));
        strbuf_add(out, line);
        strbuf_add_char(out, '\n');
        start = end + 1;
    }
}

static size_t blanks_before(Str line) {
    size_t count = 0;
    while (count < line.len && line.data[count] == ' ') {
        count++;
    }
    return count;
}

// Puts the comments above their lines and moves the leaves from `first_leaf` on down by as much. Comments and leaves
// are in the order of the text.
static Str insert_comments(Walk *walk, Str text, uint32_t first_leaf) {
    StrBuf out = { .arena = walk->scratch };
    uint32_t comment = 0;
    uint32_t leaf = first_leaf;
    uint32_t line = 0;
    uint32_t inserted = 0;
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR("\n"), start) + 1;
        const Str whole = str_slice(text, start, end);
        line++;
        for (; comment < walk->comments.count && walk->comments.items[comment].line == line; comment++) {
            const size_t before = out.len;
            yaml_add_comment(&out, walk->comments.items[comment].text, blanks_before(whole));
            for (size_t i = before; i < out.len; i++) {
                inserted += out.data[i] == '\n';
            }
        }
        for (; walk->lines != NULL && leaf < walk->lines->count && walk->lines->items[leaf].line == line; leaf++) {
            walk->lines->items[leaf].line += inserted;
        }
        strbuf_add(&out, whole);
        start = end;
    }
    assert(comment == walk->comments.count);
    return strbuf_str(&out);
}

Str yaml_place(Arena *scratch, Arena *arena, const Doc *doc, Str text, const YamlNodes *nodes, DocLines *lines) {
    Walk walk = {
        .nodes = nodes,
        .arena = arena,
        .lines = lines,
        .path = { .arena = scratch },
        .scratch = scratch,
    };
    const uint32_t first_leaf = lines != NULL ? lines->count : 0;
    walk_node(&walk, doc_root(doc), 0);
    assert(walk.next == nodes->count);
    return walk.comments.count > 0 ? insert_comments(&walk, text, first_leaf) : text;
}
