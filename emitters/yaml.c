// Writes a document as YAML, through libyaml's emitter; its only user. Three things libyaml cannot do are added here.
// It quotes whatever holds a colon inside `[ ]` (`!Ref 'AWS::NoValue'`): a short list is therefore handed to it as one
// plain scalar that begins with YAML_MARK, and the mark is taken out of what libyaml writes. It turns a text with a tab,
// or with a blank before a line end, into one line of escapes, which no script should become: it is given a literal
// block of YAML_BLOCK_MARK, and the text takes the place of the mark. And it has neither comments nor, since it writes
// some events later than it is given them, a line for each event: where these are asked for, the text is read back with
// libyaml's parser (see yaml_lines.c).
#include "emitters/doc.h"

#include "compiler/base/diag.h"
#include "emitters/yaml_lines.h"
#include "emitters/yaml_text.h"

#include <limits.h>
#include <yaml.h>

// U+FDD0 and U+FDD1, which Unicode keeps free for a program's own use. A document that holds one of them is written
// without flow style and without literal blocks of our own.
#define YAML_MARK "\xEF\xB7\x90"
#define YAML_BLOCK_MARK "\xEF\xB7\x91"

enum { FLOW_COLUMN_MAX = 100 }; // a list that would reach further is written in block style

typedef struct {
    yaml_emitter_t emitter;
    StrBuf out;
    StrBuf flow; // one short list, while it is tried
    bool may_mark;
    size_t marks;    // given to libyaml and not yet seen in its output
    bool has_mark;   // a text of the document holds one of the marks
    VEC(Str) blocks; // texts that YAML_BLOCK_MARK stands for, in the order of the document
    bool has_comments;
} Writer;

// Where a value stands: the column of its first byte, and the columns at which entries of a map and dashes of a list
// begin if it is one. Only to know how long a line gets.
typedef struct {
    size_t column;
    size_t map_column;
    size_t list_column;
} Position;

// ---- libyaml -------------------------------------------------------------------------------------------------------

static void must(int is_done, const char *problem) {
    if (is_done == 0) {
        die("cannot write YAML: %s", problem != NULL ? problem : "out of memory, or a text is not UTF-8");
    }
}

static int take_output(void *data, unsigned char *bytes, size_t size) {
    Writer *writer = data;
    Str rest = { .data = (const char *)bytes, .len = size };
    // libyaml never cuts a character in two, so a mark is whole or absent.
    while (writer->marks > 0) {
        const size_t mark = str_find(rest, STR(YAML_MARK), 0);
        if (mark == rest.len) {
            break;
        }
        strbuf_add(&writer->out, str_slice(rest, 0, mark));
        rest = str_slice(rest, mark + sizeof(YAML_MARK) - 1, rest.len);
        writer->marks--;
    }
    strbuf_add(&writer->out, rest);
    return 1;
}

// `is_made` is what the event's own initialisation returned.
static void emit(Writer *writer, yaml_event_t *event, int is_made) {
    must(is_made, NULL);
    must(yaml_emitter_emit(&writer->emitter, event), writer->emitter.problem);
}

static const yaml_char_t *tag_bytes(const char *tag) {
    return (const yaml_char_t *)tag;
}

static void emit_scalar(Writer *writer, const char *tag, Str text, yaml_scalar_style_t style) {
    if (text.len > INT_MAX) {
        die("cannot write YAML: a text of %zu bytes", text.len);
    }
    yaml_event_t event;
    const int is_implicit = tag == NULL;
    const yaml_char_t *bytes = (const yaml_char_t *)(text.len == 0 ? "" : text.data);
    emit(writer, &event,
         yaml_scalar_event_initialize(&event, NULL, tag_bytes(tag), bytes, (int)text.len, is_implicit, is_implicit,
                                      style));
}

static void emit_map_start(Writer *writer, const char *tag) {
    yaml_event_t event;
    emit(writer, &event,
         yaml_mapping_start_event_initialize(&event, NULL, tag_bytes(tag), tag == NULL, YAML_BLOCK_MAPPING_STYLE));
}

static void emit_map_end(Writer *writer) {
    yaml_event_t event;
    emit(writer, &event, yaml_mapping_end_event_initialize(&event));
}

static void emit_list_start(Writer *writer, const char *tag) {
    yaml_event_t event;
    emit(writer, &event,
         yaml_sequence_start_event_initialize(&event, NULL, tag_bytes(tag), tag == NULL, YAML_BLOCK_SEQUENCE_STYLE));
}

static void emit_list_end(Writer *writer) {
    yaml_event_t event;
    emit(writer, &event, yaml_sequence_end_event_initialize(&event));
}

// ---- scalars -------------------------------------------------------------------------------------------------------

static bool holds_mark(Str text) {
    return str_find(text, STR(YAML_MARK), 0) < text.len || str_find(text, STR(YAML_BLOCK_MARK), 0) < text.len;
}

static void emit_string(Writer *writer, const char *tag, Str text) {
    const YamlText form = yaml_text(text);
    if (form.has_rare && holds_mark(text)) {
        writer->has_mark = true;
    }
    const yaml_scalar_style_t quoted =
        form.prefers_single ? YAML_SINGLE_QUOTED_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    emit_scalar(writer, tag, text, form.is_plain ? YAML_PLAIN_SCALAR_STYLE : quoted);
}

// A text without the line ends at its end.
static Str body_of(Str text) {
    size_t end = text.len;
    while (end > 0 && text.data[end - 1] == '\n') {
        end--;
    }
    return str_slice(text, 0, end);
}

static void emit_block(Writer *writer, const char *tag, Str text) {
    writer->has_mark = writer->has_mark || holds_mark(text);
    if (yaml_is_literal(text)) {
        emit_scalar(writer, tag, text, YAML_LITERAL_SCALAR_STYLE);
    } else if (writer->may_mark && yaml_is_own_literal(text)) {
        // The mark with the line ends of the text: libyaml finds the head and the indentation of the block for it.
        StrBuf mark = { .arena = writer->out.arena };
        strbuf_add(&mark, STR(YAML_BLOCK_MARK));
        strbuf_add_repeated(&mark, '\n', text.len - body_of(text).len);
        vec_push(writer->out.arena, &writer->blocks, body_of(text));
        emit_scalar(writer, tag, strbuf_str(&mark), YAML_LITERAL_SCALAR_STYLE);
    } else {
        emit_string(writer, tag, text);
    }
}

// The lines of a text, all but the first indented as that one is, unless they are empty.
static void add_lines(StrBuf *out, Str text, size_t indentation) {
    for (size_t start = 0; start < text.len;) {
        const size_t end = str_find(text, STR("\n"), start);
        if (start > 0) {
            strbuf_add_char(out, '\n');
            strbuf_add_repeated(out, ' ', end > start ? indentation : 0);
        }
        strbuf_add(out, str_slice(text, start, end));
        start = end + 1;
    }
}

// Puts the texts where their marks are; the first is not before `from`.
static void place_blocks(Writer *writer, size_t from) {
    const Str text = strbuf_str(&writer->out);
    StrBuf placed = { .arena = writer->out.arena };
    size_t start = 0;
    for (uint32_t i = 0; i < writer->blocks.count; i++) {
        const size_t mark = str_find(text, STR(YAML_BLOCK_MARK), i == 0 ? from : start);
        size_t line = mark;
        while (line > start && text.data[line - 1] == ' ') {
            line--;
        }
        strbuf_add(&placed, str_slice(text, start, mark));
        add_lines(&placed, writer->blocks.items[i], mark - line);
        start = mark + sizeof(YAML_BLOCK_MARK) - 1;
    }
    strbuf_add(&placed, str_slice(text, start, text.len));
    writer->out = placed;
}

static void emit_int(Writer *writer, const char *tag, int64_t value) {
    YamlDigits digits;
    emit_scalar(writer, tag, yaml_digits(value, &digits), YAML_PLAIN_SCALAR_STYLE);
}

// ---- collections ---------------------------------------------------------------------------------------------------

static void emit_node(Writer *writer, const DocNode *node, const char *tag, Position place);

static bool holds_numbers_only(const DocNode *list) {
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        if (item->kind != DOC_INT) {
            return false;
        }
    }
    return list->first != NULL;
}

// Arguments of an intrinsic and lists of numbers go on one line where they fit; other lists never do.
static bool emit_flow(Writer *writer, const DocNode *node, size_t column) {
    const bool is_candidate = node->kind == DOC_CALL ? node->first->kind == DOC_LIST && node->first->first != NULL
                                                     : node->kind == DOC_LIST && holds_numbers_only(node);
    if (!is_candidate || !writer->may_mark || column >= FLOW_COLUMN_MAX) {
        return false;
    }
    writer->flow.len = 0;
    strbuf_add(&writer->flow, STR(YAML_MARK));
    if (!yaml_flow(&writer->flow, node, FLOW_COLUMN_MAX - column + sizeof(YAML_MARK) - 1)) {
        return false;
    }
    writer->marks++;
    emit_scalar(writer, NULL, strbuf_str(&writer->flow), YAML_PLAIN_SCALAR_STYLE);
    return true;
}

static void emit_map(Writer *writer, const DocNode *map, const char *tag, size_t column) {
    emit_map_start(writer, tag);
    for (const DocNode *child = map->first; child != NULL; child = child->next) {
        emit_string(writer, NULL, child->key);
        const Position place = {
            .column = column + child->key.len + 2,
            .map_column = column + 2,
            .list_column = column, // libyaml 0.2.5 does not indent a list inside a map
        };
        emit_node(writer, child, NULL, place);
    }
    emit_map_end(writer);
}

static void emit_list(Writer *writer, const DocNode *list, const char *tag, size_t column) {
    emit_list_start(writer, tag);
    const Position place = { .column = column + 2, .map_column = column + 2, .list_column = column + 2 };
    for (const DocNode *item = list->first; item != NULL; item = item->next) {
        emit_node(writer, item, NULL, place);
    }
    emit_list_end(writer);
}

static void emit_call(Writer *writer, const DocNode *call, Position place) {
    const DocCallRow *row = doc_call_row(call->call);
    writer->has_comments = writer->has_comments || call->first->comment != NULL;
    if (call->first->kind != DOC_CALL) {
        emit_node(writer, call->first, row->tag, place);
        return;
    }
    // YAML has no tag on a tag: the outer intrinsic takes its long form, the inner one stays short.
    const Str key = str_of(row->key);
    const Position inner = {
        .column = place.map_column + key.len + 2,
        .map_column = place.map_column + 2,
        .list_column = place.map_column,
    };
    emit_map_start(writer, NULL);
    emit_scalar(writer, NULL, key, YAML_PLAIN_SCALAR_STYLE);
    emit_node(writer, call->first, NULL, inner);
    emit_map_end(writer);
}

static void emit_node(Writer *writer, const DocNode *node, const char *tag, Position place) {
    writer->has_comments = writer->has_comments || node->comment != NULL;
    if (tag == NULL && emit_flow(writer, node, place.column)) {
        return;
    }
    switch (node->kind) {
    case DOC_NULL:
        emit_scalar(writer, tag, STR("null"), YAML_PLAIN_SCALAR_STYLE);
        break;
    case DOC_BOOL:
        emit_scalar(writer, tag, node->boolean ? STR("true") : STR("false"), YAML_PLAIN_SCALAR_STYLE);
        break;
    case DOC_INT:
        emit_int(writer, tag, node->integer);
        break;
    case DOC_STRING:
        emit_string(writer, tag, node->string);
        break;
    case DOC_BLOCK:
        emit_block(writer, tag, node->string);
        break;
    case DOC_LIST:
        emit_list(writer, node, tag, place.list_column);
        break;
    case DOC_MAP:
        emit_map(writer, node, tag, place.map_column);
        break;
    case DOC_CALL:
        emit_call(writer, node, place);
        break;
    }
}

static void emit_document(Writer *writer, const Doc *doc) {
    yaml_emitter_t *emitter = &writer->emitter;
    must(yaml_emitter_initialize(emitter), NULL);
    yaml_emitter_set_output(emitter, take_output, writer);
    yaml_emitter_set_encoding(emitter, YAML_UTF8_ENCODING);
    yaml_emitter_set_unicode(emitter, 1);
    yaml_emitter_set_width(emitter, -1);
    yaml_emitter_set_indent(emitter, 2);
    yaml_emitter_set_break(emitter, YAML_LN_BREAK);

    yaml_event_t event;
    emit(writer, &event, yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING));
    emit(writer, &event, yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1));
    emit_node(writer, doc_root(doc), NULL, (Position){ 0 });
    emit(writer, &event, yaml_document_end_event_initialize(&event, 1));
    emit(writer, &event, yaml_stream_end_event_initialize(&event));
    must(yaml_emitter_flush(emitter), emitter->problem);
    yaml_emitter_delete(emitter);

    // Behind a last block that ends in blank lines libyaml says that the document ends; so does the end of the file.
    // Nothing else of ours begins in the first column with dots.
    if (str_ends_with(strbuf_str(&writer->out), STR("\n...\n"))) {
        writer->out.len -= sizeof("...\n") - 1;
    }
}

// ---- reading back --------------------------------------------------------------------------------------------------

// Takes one event; false at the end of the stream.
static bool read_event(yaml_parser_t *parser, Arena *arena, YamlNodes *nodes) {
    yaml_event_t event;
    if (yaml_parser_parse(parser, &event) == 0) {
        die("cannot read back the YAML that was written: %s",
            parser->problem != NULL ? parser->problem : "out of memory");
    }
    const uint32_t line = (uint32_t)event.start_mark.line + 1;
    const yaml_event_type_t type = event.type;
    yaml_event_delete(&event);
    if (type == YAML_SCALAR_EVENT) {
        vec_push(arena, nodes, (YamlNode){ .line = line, .kind = DOC_STRING });
    } else if (type == YAML_SEQUENCE_START_EVENT) {
        vec_push(arena, nodes, (YamlNode){ .line = line, .kind = DOC_LIST });
    } else if (type == YAML_MAPPING_START_EVENT) {
        vec_push(arena, nodes, (YamlNode){ .line = line, .kind = DOC_MAP });
    }
    return type != YAML_STREAM_END_EVENT;
}

static YamlNodes read_back(Arena *arena, Str text) {
    YamlNodes nodes = { 0 };
    yaml_parser_t parser;
    must(yaml_parser_initialize(&parser), NULL);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.data, text.len);
    while (read_event(&parser, arena, &nodes)) {}
    yaml_parser_delete(&parser);
    return nodes;
}

Str yaml_write(Arena *arena, const Doc *doc, Str header, DocLines *lines) {
    // Buffers that were outgrown go with an arena of their own: only the text itself stays.
    Arena *scratch = arena_create();
    Writer writer = { .out = { .arena = scratch }, .flow = { .arena = scratch }, .may_mark = true };
    yaml_add_comment(&writer.out, header, 0);
    const size_t header_len = writer.out.len;
    emit_document(&writer, doc);
    if (writer.has_mark) {
        writer.out.len = header_len;
        writer.may_mark = false;
        writer.marks = 0;
        writer.blocks.count = 0;
        emit_document(&writer, doc);
    }
    if (writer.blocks.count > 0) {
        place_blocks(&writer, header_len);
    }
    Str text = strbuf_str(&writer.out);
    if (lines != NULL || writer.has_comments) {
        const YamlNodes nodes = read_back(scratch, text);
        text = yaml_place(scratch, arena, doc, text, &nodes, lines);
    }
    text = str_copy(arena, text);
    arena_destroy(scratch);
    return text;
}
