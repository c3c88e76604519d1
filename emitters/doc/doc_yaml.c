// Writes a document as YAML: block style, two blanks a level, lists inside maps not indented, intrinsics as tags, short
// argument lists on one line. The bytes are those of libyaml 0.2.5 wherever libyaml can write the same. So people find
// here what they know from other tools. It takes only a tenth of a build's time. Besides, it knows the line of each
// leaf, and where a comment goes, while it writes.
#include "emitters/doc/doc.h"

#include <assert.h>

#include "compiler/base/format.h"
#include "compiler/base/doc_path.h"
#include "emitters/doc/yaml_text.h"

enum {
    INDENT = 2,
    FLOW_COLUMN_MAX = 100, // a list that would reach further is written in block style
    KEY_LEN_MAX = 128,     // a longer key stands on a line of its own, behind `? `
};

typedef struct {
    StrBuf out;
    StrBuf flow; // one short list, while it is tried
    size_t line_start;
    uint32_t line;
    int indent;            // of the collection at hand
    bool is_blank;         // a blank or a line end was written last
    bool is_indented_only; // on this line there are only blanks, dashes, and `?` or `:` of a long key
    Arena *arena;          // of the lines
    DocLines *lines;       // may be NULL
    StrBuf path;           // of the node at hand, where there are lines
} Writer;

// Where a value stands: the column of its first byte. For a map or a list, also the columns at which entries or dashes
// begin. Only to know how long a line gets.
typedef struct {
    size_t column;
    size_t map_column;
    size_t list_column;
    bool is_in_map; // as the value of a key
} Position;

// ---- lines ---------------------------------------------------------------------------------------------------------

static void end_line(Writer *writer) {
    strbuf_add_char(&writer->out, '\n');
    writer->line_start = writer->out.len;
    writer->line++;
}

// To where an entry begins: on a new line, or behind the dash of the list whose item the collection is.
static void begin_entry(Writer *writer) {
    const int column = (int)(writer->out.len - writer->line_start);
    if (!writer->is_indented_only || column > writer->indent || (column == writer->indent && !writer->is_blank)) {
        end_line(writer);
    }
    const size_t start = writer->out.len - writer->line_start;
    strbuf_add_repeated(&writer->out, ' ', (size_t)writer->indent - start);
    writer->is_blank = true;
    writer->is_indented_only = true;
}

// `-`, `?`, or the `:` of a long key: more entries may begin behind it on the same line.
static void add_dash(Writer *writer, char dash) {
    if (!writer->is_blank) {
        strbuf_add_char(&writer->out, ' ');
    }
    strbuf_add_char(&writer->out, dash);
    writer->is_blank = false;
}

// What is no line end, a blank away from what stands before it.
static void add_word(Writer *writer, Str word) {
    if (!writer->is_blank) {
        strbuf_add_char(&writer->out, ' ');
    }
    strbuf_add(&writer->out, word);
    writer->is_blank = false;
    writer->is_indented_only = false;
}

static void add_tag(Writer *writer, const char *tag) {
    if (tag != NULL) {
        add_word(writer, str_of(tag));
    }
}

static void add_comment(StrBuf *out, Str text, size_t column) {
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

// Above the line that is being written, as far to the right as that begins.
static void insert_comment(Writer *writer, const DocNode *node) {
    if (node->comment == NULL) {
        return;
    }
    const Str line = str_slice(strbuf_str(&writer->out), writer->line_start, writer->out.len);
    const Str begun = str_copy(writer->flow.arena, line);
    size_t column = 0;
    while (column < begun.len && begun.data[column] == ' ') {
        column++;
    }
    writer->out.len = writer->line_start;
    add_comment(&writer->out, str_of(node->comment), column);
    for (size_t i = writer->line_start; i < writer->out.len; i++) {
        writer->line += writer->out.data[i] == '\n';
    }
    writer->line_start = writer->out.len;
    strbuf_add(&writer->out, begun);
}

// ---- leaves --------------------------------------------------------------------------------------------------------

static void record_leaf(Writer *writer, const DocNode *leaf) {
    if (writer->lines != NULL) {
        const Str path = str_copy(writer->arena, strbuf_str(&writer->path));
        vec_push(writer->arena, writer->lines, (DocLine){ .line = writer->line, .path = path, .leaf = leaf });
    }
}

// Each returns how long the path was, for leave().
static size_t enter_key(Writer *writer, Str key) {
    const size_t len = writer->path.len;
    if (writer->lines != NULL) {
        doc_path_add_key(&writer->path, key);
    }
    return len;
}

static size_t enter_index(Writer *writer, uint32_t index) {
    const size_t len = writer->path.len;
    if (writer->lines != NULL) {
        doc_path_add_index(&writer->path, index);
    }
    return len;
}

static void leave(Writer *writer, size_t path_len) {
    writer->path.len = path_len;
}

// The leaves of what was written in flow style, all on this line.
static void record_flow(Writer *writer, const DocNode *node) {
    size_t path_len;
    uint32_t index = 0;
    switch (node->kind) {
    case DOC_BOOL:
    case DOC_INT:
    case DOC_STRING:
    case DOC_BLOCK:
        record_leaf(writer, node);
        break;
    case DOC_CALL:
        path_len = enter_key(writer, str_of(doc_call_row(node->call)->key));
        record_flow(writer, node->first);
        leave(writer, path_len);
        break;
    case DOC_LIST:
    case DOC_MAP: // never in flow style
        for (const DocNode *item = node->first; item != NULL; item = item->next) {
            path_len = enter_index(writer, index++);
            record_flow(writer, item);
            leave(writer, path_len);
        }
        break;
    }
}

// ---- scalars -------------------------------------------------------------------------------------------------------

static void write_text(Writer *writer, Str text, YamlText form) {
    if (form.is_plain) {
        add_word(writer, text);
        return;
    }
    add_word(writer, STR_NONE);
    yaml_add_quoted(&writer->out, text, form);
}

static void write_string(Writer *writer, Str text) {
    write_text(writer, text, yaml_text(text));
}

static void write_literal(Writer *writer, Str text) {
    const char last = text.data[text.len - 1];
    const bool is_kept = last == '\n' && text.len > 1 && text.data[text.len - 2] == '\n';
    add_word(writer, STR("|"));
    if (text.data[0] == ' ' || text.data[0] == '\n') {
        strbuf_add_char(&writer->out, '0' + INDENT); // which a reader would take from the first line
    }
    if (last != '\n' || is_kept) {
        strbuf_add_char(&writer->out, is_kept ? '+' : '-');
    }
    end_line(writer);
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR("\n"), start);
        if (end > start) {
            strbuf_add_repeated(&writer->out, ' ', (size_t)writer->indent + INDENT);
            strbuf_add(&writer->out, str_slice(text, start, end));
        }
        if (end < text.len) {
            end_line(writer);
        }
        start = end + 1;
    }
    writer->is_blank = true;
    writer->is_indented_only = last == '\n';
}

static void write_leaf(Writer *writer, const DocNode *leaf) {
    Digits digits;
    record_leaf(writer, leaf);
    switch (leaf->kind) {
    case DOC_BOOL:
        add_word(writer, leaf->boolean ? STR("true") : STR("false"));
        break;
    case DOC_INT:
        add_word(writer, format_digits(leaf->integer, &digits));
        break;
    case DOC_BLOCK:
        if (yaml_is_literal(leaf->string)) {
            write_literal(writer, leaf->string);
            break;
        }
        write_string(writer, leaf->string);
        break;
    case DOC_STRING:
        write_string(writer, leaf->string);
        break;
    case DOC_LIST:
    case DOC_MAP:
    case DOC_CALL:
        assert(false && "no leaf");
        break;
    }
}

// ---- collections ---------------------------------------------------------------------------------------------------

static void write_node(Writer *writer, const DocNode *node, const char *tag, Position place);

static bool holds_numbers_only(const DocNode *list) {
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        if (item->kind != DOC_INT) {
            return false;
        }
    }
    return list->first != NULL;
}

// Arguments of an intrinsic and lists of numbers go on one line where they fit; other lists never do.
static bool write_flow(Writer *writer, const DocNode *node, size_t column) {
    const bool is_candidate = node->kind == DOC_CALL ? node->first->kind == DOC_LIST && node->first->first != NULL
                                                     : node->kind == DOC_LIST && holds_numbers_only(node);
    if (!is_candidate || column >= FLOW_COLUMN_MAX) {
        return false;
    }
    writer->flow.len = 0;
    if (!yaml_flow(&writer->flow, node, FLOW_COLUMN_MAX - column)) {
        return false;
    }
    add_word(writer, strbuf_str(&writer->flow));
    if (writer->lines != NULL) {
        record_flow(writer, node);
    }
    return true;
}

// A key must be short and of one line, or it takes one itself and its value the next.
static void write_key(Writer *writer, Str key) {
    const YamlText form = yaml_text(key);
    if (key.len <= KEY_LEN_MAX && (form.is_ascii || !yaml_has_break(key))) {
        write_text(writer, key, form);
        strbuf_add_char(&writer->out, ':');
        return;
    }
    add_dash(writer, '?');
    write_text(writer, key, form);
    begin_entry(writer);
    add_dash(writer, ':');
}

static void write_map(Writer *writer, const DocNode *map, size_t column) {
    if (map->first == NULL) {
        add_word(writer, STR("{}"));
        return;
    }
    writer->indent += INDENT;
    for (const DocNode *child = map->first; child != NULL; child = child->next) {
        const size_t path_len = enter_key(writer, child->key);
        begin_entry(writer);
        insert_comment(writer, child);
        write_key(writer, child->key);
        const Position place = {
            .column = column + child->key.len + 2,
            .map_column = column + INDENT,
            .list_column = column,
            .is_in_map = true,
        };
        write_node(writer, child, NULL, place);
        leave(writer, path_len);
    }
    writer->indent -= INDENT;
}

static void write_list(Writer *writer, const DocNode *list, Position where) {
    if (list->first == NULL) {
        add_word(writer, STR("[]"));
        return;
    }
    // Not inside a map; but behind the `: ` of a long key there is no other place.
    const int indent = where.is_in_map && !writer->is_indented_only ? 0 : INDENT;
    writer->indent += indent;
    const size_t column = where.list_column + INDENT;
    const Position place = { .column = column, .map_column = column, .list_column = column };
    uint32_t index = 0;
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        const size_t path_len = enter_index(writer, index++);
        begin_entry(writer);
        insert_comment(writer, item);
        add_dash(writer, '-');
        write_node(writer, item, NULL, place);
        leave(writer, path_len);
    }
    writer->indent -= indent;
}

static void write_call(Writer *writer, const DocNode *call, Position place) {
    const DocCallRow *row = doc_call_row(call->call);
    const Str key = str_of(row->key);
    const size_t path_len = enter_key(writer, key);
    if (call->first->kind != DOC_CALL) {
        insert_comment(writer, call->first);
        write_node(writer, call->first, row->tag, place);
        leave(writer, path_len);
        return;
    }
    // YAML has no tag on a tag: the outer intrinsic takes its long form, the inner one stays short.
    const Position inner = {
        .column = place.map_column + key.len + 2,
        .map_column = place.map_column + INDENT,
        .list_column = place.map_column,
        .is_in_map = true,
    };
    writer->indent += INDENT;
    begin_entry(writer);
    insert_comment(writer, call->first);
    add_word(writer, key);
    strbuf_add_char(&writer->out, ':');
    write_node(writer, call->first, NULL, inner);
    writer->indent -= INDENT;
    leave(writer, path_len);
}

// The comment of the node itself stands already.
static void write_node(Writer *writer, const DocNode *node, const char *tag, Position place) {
    if (tag == NULL && write_flow(writer, node, place.column)) {
        return;
    }
    add_tag(writer, tag);
    switch (node->kind) {
    case DOC_BOOL:
    case DOC_INT:
    case DOC_STRING:
    case DOC_BLOCK:
        write_leaf(writer, node);
        break;
    case DOC_LIST:
        write_list(writer, node, place);
        break;
    case DOC_MAP:
        write_map(writer, node, place.map_column);
        break;
    case DOC_CALL:
        write_call(writer, node, place);
        break;
    }
}

// On lines of its own, at the beginning of a line.
static void write_comment(Writer *writer, Str text) {
    const size_t start = writer->out.len;
    add_comment(&writer->out, text, 0);
    for (size_t i = start; i < writer->out.len; i++) {
        writer->line += writer->out.data[i] == '\n';
    }
    writer->line_start = writer->out.len;
}

static void end_document(Writer *writer) {
    if (writer->out.len > writer->line_start) {
        end_line(writer);
    }
    writer->is_blank = true;
    writer->is_indented_only = true;
}

static void write_documents(Writer *writer, const DocNode *root) {
    for (const DocNode *child = root->first; child != NULL; child = child->next) {
        if (child != root->first) {
            strbuf_add(&writer->out, STR("---"));
            end_document(writer);
        }
        const size_t path_len = enter_key(writer, child->key);
        if (child->comment != NULL) {
            write_comment(writer, str_of(child->comment));
        }
        write_node(writer, child, NULL, (Position){ 0 });
        end_document(writer);
        leave(writer, path_len);
    }
}

typedef enum { ONE_DOCUMENT, MANY_DOCUMENTS } DocumentCount;

static Str write_whole(Arena *arena, const Doc *doc, Str header, DocLines *lines, DocumentCount count) {
    assert(doc_is_balanced(doc));
    // All else goes with an arena of its own, so that the text grows where it is.
    Arena *scratch = arena_create_beside(arena);
    Writer writer = {
        .out = { .arena = arena },
        .flow = { .arena = scratch },
        .line = 1,
        .indent = -INDENT, // the document itself is not indented
        .is_blank = true,
        .is_indented_only = true,
        .arena = arena,
        .lines = lines,
        .path = { .arena = scratch },
    };
    write_comment(&writer, header);
    if (count == MANY_DOCUMENTS) {
        write_documents(&writer, doc_root(doc));
    } else {
        write_node(&writer, doc_root(doc), NULL, (Position){ 0 });
        end_document(&writer);
    }
    arena_destroy(scratch);
    return strbuf_end(&writer.out);
}

Str yaml_write(Arena *arena, const Doc *doc, Str header, DocLines *lines) {
    return write_whole(arena, doc, header, lines, ONE_DOCUMENT);
}

Str yaml_write_documents(Arena *arena, const Doc *doc, Str header, DocLines *lines) {
    return write_whole(arena, doc, header, lines, MANY_DOCUMENTS);
}
