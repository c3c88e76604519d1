// Turns the events of libfyaml into Data with spans. It reads events, not the library's documents, because only events
// tell where a list or a map stands. So it checks by itself what document mode would check: nesting, duplicate keys,
// aliases. Each read_… function begins on the event of its node and ends on the last event of that node.
#include "compiler/base/yaml_read.h"

#include "compiler/base/die.h"

#include "compiler/base/json_stream.h"
#include "compiler/base/session.h"
#include "compiler/base/yaml_block.h"
#include "compiler/base/yaml_check.h"
#include "compiler/base/yaml_scalar.h"

#include <libfyaml.h>

enum { ANCHORS_MAX = 1000 }; // they are searched one by one

typedef struct {
    Str name;
    Data *value;
    int height;     // levels of nesting below it, itself included
    uint32_t nodes; // values in it, aliases expanded
    size_t bytes;   // of the texts in it, likewise
} Anchor;

typedef struct {
    Session *session;
    uint32_t source;
    Str text;    // what is read: all of the source, or one object of a stream
    size_t base; // where that begins in the source
    Str given;   // `text`, as the library has it
    struct fy_diag *messages;
    struct fy_parser *parser;
    struct fy_event *event; // NULL after a fault
    Span place;             // of the last event that had one: what is empty has none
    VEC(Anchor) anchors;
    uint32_t nodes;
    size_t bytes;
    int deepest;     // level reached since it was last set
    bool keeps_tags; // of a foreign file
    YamlBlocks blocks;
    bool has_failed; // something was reported
} Reader;

static Data *read_node(Reader *reader, int depth);

static Span span_at(const Reader *reader, size_t start, size_t end) {
    return (Span){ .source = reader->source, .start = (uint32_t)start, .end = (uint32_t)end };
}

// The library counts from the start of what it was given.
static Span span_between(const Reader *reader, const struct fy_mark *start, const struct fy_mark *end) {
    if (start == NULL || end == NULL || end->input_pos < start->input_pos) {
        return SPAN_NONE;
    }
    return span_at(reader, reader->base + start->input_pos, reader->base + end->input_pos);
}

static Span token_span(const Reader *reader, struct fy_token *token) {
    return token == NULL ? SPAN_NONE : span_between(reader, fy_token_start_mark(token), fy_token_end_mark(token));
}

// Where a value would stand and none does, libfyaml 0.8 gives an empty token with a place behind the key. 0.7 gives none.
static bool is_absent(struct fy_token *token) {
    return token == NULL || (fy_token_scalar_style(token) == FYSS_PLAIN &&
                             fy_token_start_mark(token)->input_pos == fy_token_end_mark(token)->input_pos);
}

// What the library did not have to unfold stands in the text that it was given, and that stays.
static Str token_text(const Reader *reader, struct fy_token *token) {
    size_t length = 0;
    const char *text = token == NULL ? NULL : fy_token_get_text(token, &length);
    if (text == NULL) {
        return STR_NONE;
    }
    const Str found = { .data = text, .len = length };
    const bool is_inside = text >= reader->given.data && text < reader->given.data + reader->given.len;
    return is_inside ? found : str_copy(reader->session->arena, found);
}

// `!Base64 !Sub |`: where the second stands, the first; else empty.
static Str tag_before(const Reader *reader, size_t at) {
    const Str text = source_get(reader->session, reader->source)->text;
    size_t end = at;
    while (end > 0 && text.data[end - 1] == ' ') {
        end--;
    }
    size_t start = end;
    while (start > 0 && strchr(" \n[{,:", text.data[start - 1]) == NULL) {
        start--;
    }
    const bool is_pair = reader->keeps_tags && str_at(text, at) == '!' && end < at && str_at(text, start) == '!';
    return is_pair ? str_slice(text, start + 1, end) : STR_NONE;
}

// The library keeps its complaints instead of printing them; the first is the cause of the others.
static void report_fault(Reader *reader) {
    reader->has_failed = true;
    void *position = NULL;
    const struct fy_diag_error *fault = fy_diag_errors_iterate(reader->messages, &position);
    const size_t end = reader->base + reader->text.len;
    Span span = span_at(reader, end, end);
    Str message = STR("it ends in the middle");
    if (fault != NULL) {
        const Span place = token_span(reader, fault->fyt);
        span = span_is_none(place) ? span : place;
        message = str_of(fault->msg);
    }
    const Str tag = tag_before(reader, span.start);
    if (tag.len > 0) {
        Diag *diag = report(reader->session, span, DIAG(bad_yaml), STR_ARG(STR("a second tag for one value")));
        diag_help(reader->session, diag, "write the first as a key: `Fn::%.*s: %.*s`", STR_ARG(tag),
                  STR_ARG(source_text(reader->session, span)));
        return;
    }
    report(reader->session, span, DIAG(bad_yaml), STR_ARG(message));
}

static Span event_span(const Reader *reader) {
    if (reader->event->type == FYET_SCALAR && is_absent(reader->event->scalar.value)) {
        return SPAN_NONE;
    }
    return span_between(reader, fy_event_start_mark(reader->event), fy_event_end_mark(reader->event));
}

// The next event, or false after a fault.
static bool advance(Reader *reader) {
    fy_parser_event_free(reader->parser, reader->event);
    reader->event = fy_parser_parse(reader->parser);
    if (reader->event == NULL) {
        if (!reader->has_failed) {
            report_fault(reader);
        }
        return false;
    }
    const Span place = event_span(reader);
    reader->place = span_is_none(place) ? reader->place : place;
    return true;
}

// Counts values, and reports that there are too many.
static bool count_nodes(Reader *reader, uint32_t more) {
    if (more <= YAML_NODES_MAX - reader->nodes) {
        reader->nodes += more;
        return true;
    }
    reader->has_failed = true;
    report(reader->session, reader->place, DIAG(yaml_too_large), YAML_NODES_MAX, "values");
    return false;
}

// The text of an alias takes no memory, and each rule reads it again.
static bool count_alias(Reader *reader, const Anchor *anchor) {
    const size_t most = (size_t)YAML_ALIAS_MIB_MAX * 1024 * 1024;
    reader->bytes += anchor->bytes;
    if (reader->bytes > most && anchor->bytes > 0) {
        reader->has_failed = true;
        report(reader->session, reader->place, DIAG(yaml_too_large), YAML_ALIAS_MIB_MAX,
               "MiB of text, aliases written out");
        return false;
    }
    return count_nodes(reader, anchor->nodes);
}

static bool check_depth(Reader *reader, Span span, int depth) {
    if (depth <= YAML_DEPTH_MAX) {
        reader->deepest = depth > reader->deepest ? depth : reader->deepest;
        return true;
    }
    reader->has_failed = true;
    report(reader->session, span, DIAG(yaml_too_deep), YAML_DEPTH_MAX);
    return false;
}

// A tag that says what the value is anyway is no loss; any other is, unless whoever asked knows what to do with it. The
// value is read on, for its own mistakes.
static Str read_tag(Reader *reader, struct fy_token *token) {
    static const char *const known[] = { "!", "tag:yaml.org,2002:str", "tag:yaml.org,2002:map",
                                         "tag:yaml.org,2002:seq" };
    if (token == NULL) {
        return STR_NONE;
    }
    const Str tag = token_text(reader, token);
    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (str_is(tag, known[i])) {
            return STR_NONE;
        }
    }
    if (reader->keeps_tags && str_starts_with(tag, STR("!"))) {
        return tag;
    }
    reader->has_failed = true;
    const Span span = token_span(reader, token);
    report(reader->session, span, DIAG(yaml_tag), STR_ARG(source_text(reader->session, span)));
    return STR_NONE;
}

// Marks of quoted texts and of aliases leave out the quotes and the `*`; people see them as part of it.
static Span widened(const Reader *reader, Span span, uint32_t before, uint32_t after) {
    const size_t length = source_get(reader->session, reader->source)->text.len;
    if (span_is_none(span) || span.start < before || span.end + after > length) {
        return span;
    }
    return span_at(reader, span.start - before, span.end + after);
}

typedef struct {
    const char *tag;
    DataKind kind;
    DataKind other; // that it takes, too
} ScalarTag;

// `!!int "5"` is the number 5. A word that is none of its kind is no value: NULL, and the tag is at fault.
// source: YAML 1.2.2, Core Schema, read 2026-11
static Data *read_tagged(Reader *reader, Str text) {
    static const ScalarTag TAGS[] = {
        { "tag:yaml.org,2002:int", DATA_INT, DATA_INT },
        { "tag:yaml.org,2002:float", DATA_REAL, DATA_INT },
        { "tag:yaml.org,2002:bool", DATA_BOOL, DATA_BOOL },
        { "tag:yaml.org,2002:null", DATA_NULL, DATA_NULL },
    };
    struct fy_token *token = reader->event->scalar.tag;
    const Str tag = token == NULL ? STR_NONE : token_text(reader, token);
    for (size_t i = 0; i < COUNT_OF(TAGS); i++) {
        if (str_is(tag, TAGS[i].tag)) {
            Data *value = yaml_scalar(reader->session->arena, text);
            return value->kind == TAGS[i].kind || value->kind == TAGS[i].other ? value : NULL;
        }
    }
    return NULL;
}

static Data *read_scalar(Reader *reader) {
    struct fy_token *token = reader->event->scalar.value;
    Data *tagged = read_tagged(reader, token_text(reader, token));
    const Str tag = tagged != NULL ? STR_NONE : read_tag(reader, reader->event->scalar.tag);
    const enum fy_scalar_style style = fy_token_scalar_style(token);
    const bool is_quoted = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
    const bool is_plain = style == FYSS_PLAIN && reader->event->scalar.tag == NULL;
    const Str text = token_text(reader, token);

    Arena *arena = reader->session->arena;
    Data *value = tagged != NULL ? tagged : is_plain ? yaml_scalar(arena, text) : data_string(arena, text);
    const Span span = is_absent(token) ? SPAN_NONE : token_span(reader, token);
    Str empty = STR_NONE;
    if (style == FYSS_PLAIN && yaml_empty_block(&reader->blocks, span.start, &empty)) {
        value = data_string(arena, empty);
    }
    value->span = is_quoted ? widened(reader, span, 1, 1) : span;
    value->tag = tag;
    if (style == FYSS_LITERAL || style == FYSS_FOLDED) {
        value->tag = tag.len > 0 ? tag : yaml_block_tag(&reader->blocks, span.start);
    }
    reader->bytes += value->string.len;
    return count_nodes(reader, 1) ? value : NULL;
}

static Data *read_alias(Reader *reader, int depth) {
    struct fy_token *token = reader->event->alias.anchor;
    const Str name = token_text(reader, token);
    const Span span = widened(reader, token_span(reader, token), 1, 0);
    for (uint32_t i = reader->anchors.count; i > 0; i--) {
        const Anchor *anchor = &reader->anchors.items[i - 1];
        if (str_equal(anchor->name, name)) {
            reader->place = span;
            const bool fits = count_alias(reader, anchor) && check_depth(reader, span, depth + anchor->height - 1);
            return fits ? anchor->value : NULL;
        }
    }
    reader->has_failed = true;
    const Str message = str_format(reader->session->arena, "no anchor `&%.*s` stands before this alias", STR_ARG(name));
    report(reader->session, span, DIAG(bad_yaml), STR_ARG(message));
    return data_null(reader->session->arena);
}

// From `{` or `[` to its partner; without brackets, from the first thing in it to the last.
static Span collection_span(const Reader *reader, Span open, Span close, Span first, Span last) {
    const Str text = source_get(reader->session, reader->source)->text;
    const bool is_flow = !span_is_none(open) && open.end > open.start && open.start < text.len &&
                         (text.data[open.start] == '{' || text.data[open.start] == '[');
    return is_flow ? span_join(open, close) : span_join(first, last);
}

static Data *read_list(Reader *reader, int depth) {
    Arena *arena = reader->session->arena;
    const Span open = event_span(reader);
    Data *list = data_list(arena);
    list->tag = read_tag(reader, reader->event->sequence_start.tag);
    if (!count_nodes(reader, 1) || !advance(reader)) {
        return NULL;
    }
    Span first = SPAN_NONE;
    Span last = open;
    while (reader->event->type != FYET_SEQUENCE_END) {
        Data *item = read_node(reader, depth + 1);
        if (item == NULL || !advance(reader)) {
            return NULL;
        }
        if (span_is_none(item->span)) {
            item->span = span_at(reader, last.end, last.end); // `-` with nothing behind it
        }
        first = span_is_none(first) ? item->span : first;
        last = item->span;
        data_add(arena, list, item);
    }
    list->span = collection_span(reader, open, event_span(reader), first, last);
    return list;
}

static int compare_entries(const void *a, const void *b) {
    const DataEntry *left = *(const DataEntry *const *)a;
    const DataEntry *right = *(const DataEntry *const *)b;
    const int order = str_compare(left->key, right->key);
    return order != 0 ? order : (left > right) - (left < right);
}

// Whether two values say the same: whichever a reader takes, it has the same.
static bool is_same(const Data *a, const Data *b, int depth) {
    enum { DEPTH_MAX = 60 };
    const bool is_list = a->kind == DATA_LIST;
    const bool has_parts = is_list || a->kind == DATA_MAP;
    bool is = a->kind == b->kind && a->count == b->count && str_equal(a->tag, b->tag) && depth < DEPTH_MAX &&
              (has_parts || str_equal(a->string, b->string));
    for (uint32_t i = 0; is && has_parts && i < a->count; i++) {
        is = (is_list || str_equal(a->entries[i].key, b->entries[i].key)) &&
             is_same(is_list ? a->items[i] : a->entries[i].value, is_list ? b->items[i] : b->entries[i].value,
                     depth + 1);
    }
    return is;
}

static void drop_entries(Data *map, const bool *is_dropped) {
    uint32_t kept = 0;
    for (uint32_t i = 0; is_dropped != NULL && i < map->count; i++) {
        if (!is_dropped[i]) {
            map->entries[kept++] = map->entries[i];
        }
    }
    map->count = is_dropped == NULL ? map->count : kept;
}

// A map may take over several others: yaml.v2 of Go and PyYAML take `<<` for no key, and look for none that is there twice
// (kubernetes/kubernetes vendor/gopkg.in/yaml.v2/decode.go, decoder.mapping; yaml/pyyaml lib/yaml/constructor.py,
// flatten_mapping; 2026-11).
//
// Of two keys the later one stays, as in most readers: what is wrong elsewhere in the file is found as well.
static void check_duplicate_keys(Reader *reader, Data *map) {
    if (map->count < 2) {
        return;
    }
    const DataEntry **sorted = arena_new_array(reader->session->arena, const DataEntry *, map->count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < map->count; i++) {
        if (!data_is_merge(&map->entries[i])) {
            sorted[count++] = &map->entries[i];
        }
    }
    qsort(sorted, count, sizeof(sorted[0]), compare_entries);
    const DataEntry *first = sorted[0];
    bool *is_dropped = NULL; // by their places in the map; NULL: no key is there twice
    for (uint32_t i = 1; i < count; i++) {
        if (!str_equal(sorted[i]->key, first->key)) {
            first = sorted[i];
            continue;
        }
        Diag *diag = report(reader->session, sorted[i]->key_span, DIAG(yaml_duplicate_key), STR_ARG(first->key));
        diag_label(reader->session, diag, first->key_span, "here first");
        diag->label = is_same(sorted[i]->value, first->value, 0) ? STR("with the same value") : STR_NONE;
        is_dropped = is_dropped == NULL ? arena_new_array(reader->session->arena, bool, map->count) : is_dropped;
        is_dropped[sorted[i - 1] - map->entries] = true;
    }
    drop_entries(map, is_dropped);
}

// The text of a key; false after a fault that nothing can be read behind. `before` is what stands before it.
static bool read_key(Reader *reader, int depth, Span before, DataEntry *entry) {
    const Data *key = read_node(reader, depth + 1);
    if (key == NULL) {
        return false;
    }
    entry->key_span = span_is_none(key->span) ? span_at(reader, before.end, before.end) : key->span;
    if (key->kind == DATA_LIST || key->kind == DATA_MAP) {
        reader->has_failed = true;
        report(reader->session, entry->key_span, DIAG(yaml_key), key->kind == DATA_LIST ? "a list" : "a map");
        return true;
    }
    entry->key = key->string;
    return true;
}

static Data *read_map(Reader *reader, int depth) {
    Arena *arena = reader->session->arena;
    const Span open = event_span(reader);
    Data *map = data_map(arena);
    map->tag = read_tag(reader, reader->event->mapping_start.tag);
    if (!count_nodes(reader, 1) || !advance(reader)) {
        return NULL;
    }
    Span last = open;
    while (reader->event->type != FYET_MAPPING_END) {
        DataEntry entry = { 0 };
        if (!read_key(reader, depth, last, &entry) || !advance(reader)) {
            return NULL;
        }
        entry.value = read_node(reader, depth + 1);
        if (entry.value == NULL || !advance(reader)) {
            return NULL;
        }
        if (span_is_none(entry.value->span)) {
            entry.value->span = entry.key_span; // `key:` with nothing behind it
        }
        last = entry.value->span;
        data_put(arena, map, entry.key, entry.value);
        map->entries[map->count - 1].key_span = entry.key_span;
    }
    const Span first = map->count == 0 ? open : map->entries[0].key_span;
    map->span = collection_span(reader, open, event_span(reader), first, last);
    check_duplicate_keys(reader, map);
    return map;
}

static Data *read_content(Reader *reader, int depth) {
    switch (reader->event->type) {
    case FYET_SCALAR:
        return read_scalar(reader);
    case FYET_ALIAS:
        return read_alias(reader, depth);
    case FYET_SEQUENCE_START:
        return read_list(reader, depth);
    case FYET_MAPPING_START:
        return read_map(reader, depth);
    case FYET_NONE:
    case FYET_STREAM_START:
    case FYET_STREAM_END:
    case FYET_DOCUMENT_START:
    case FYET_DOCUMENT_END:
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END:
        break;
    }
    report_fault(reader); // no event of a node: the library promises that this cannot be
    return NULL;
}

// A value and all in it. NULL after a fault that nothing can be read behind; other faults are reported and passed.
static Data *read_node(Reader *reader, int depth) {
    const bool is_collection = reader->event->type == FYET_SEQUENCE_START || reader->event->type == FYET_MAPPING_START;
    const Str anchor = token_text(reader, fy_event_get_anchor_token(reader->event));
    const bool is_anchored = anchor.len > 0 && reader->event->type != FYET_ALIAS;
    const Span span = event_span(reader);
    const uint32_t nodes_before = reader->nodes;
    const size_t bytes_before = reader->bytes;
    const int deepest_before = reader->deepest;

    reader->deepest = depth - 1;
    if (is_collection && !check_depth(reader, span, depth)) {
        return NULL;
    }
    Data *value = read_content(reader, depth);
    const int height = reader->deepest - depth + 1;
    reader->deepest = deepest_before > reader->deepest ? deepest_before : reader->deepest;

    if (value == NULL || !is_anchored) {
        return value;
    }
    if (reader->anchors.count >= ANCHORS_MAX) {
        reader->has_failed = true;
        report(reader->session, span, DIAG(yaml_too_large), ANCHORS_MAX, "anchors");
        return NULL;
    }
    vec_push(reader->session->arena, &reader->anchors,
             (Anchor){ .name = anchor,
                       .value = value,
                       .height = height,
                       .nodes = reader->nodes - nodes_before,
                       .bytes = reader->bytes - bytes_before });
    return value;
}

// The library takes a character that it does not know for the end of the text.
static void check_read_to_the_end(Reader *reader) {
    const Span end = event_span(reader);
    if (!span_is_none(end) && end.end < reader->base + reader->text.len) {
        reader->has_failed = true;
        report(reader->session, span_at(reader, end.end, end.end + 1), DIAG(bad_yaml),
               STR_ARG(STR("a character that no YAML text may hold")));
    }
}

static void report_empty(Reader *reader) {
    reader->has_failed = true;
    report(reader->session, span_at(reader, 0, 0), DIAG(bad_yaml), STR_ARG(STR("there is nothing in it")));
}

// From the start of a document to its end. NULL after a fault that nothing can be read behind.
static Data *read_document(Reader *reader) {
    if (!advance(reader)) {
        return NULL;
    }
    reader->anchors.count = 0;
    Data *value = read_node(reader, 1);
    if (value == NULL || !advance(reader) || !advance(reader)) { // the document's end, then what follows it
        return NULL;
    }
    if (span_is_none(value->span)) {
        value->span = span_at(reader, 0, 0);
    }
    return value;
}

static const Data *read_only_document(Reader *reader) {
    if (!advance(reader) || !advance(reader)) { // the stream's start, then the document's
        return NULL;
    }
    if (reader->event->type == FYET_STREAM_END) {
        check_read_to_the_end(reader);
        if (!reader->has_failed) {
            report_empty(reader);
        }
        return NULL;
    }
    Data *value = read_document(reader);
    if (value == NULL) {
        return NULL;
    }
    if (reader->event->type == FYET_STREAM_END) {
        check_read_to_the_end(reader);
        return value;
    }
    reader->has_failed = true;
    report(reader->session, event_span(reader), DIAG(bad_yaml), STR_ARG(STR("a second document; one is read")));
    return NULL;
}

static void read_documents(Reader *reader, YamlDocuments *documents) {
    if (!advance(reader) || !advance(reader)) {
        return;
    }
    while (reader->event->type == FYET_DOCUMENT_START) {
        Data *value = read_document(reader);
        if (value == NULL) {
            return;
        }
        if (value->kind != DATA_NULL) {
            vec_push(reader->session->arena, documents, value);
        }
    }
    check_read_to_the_end(reader);
}

// What the library says beside its collected messages goes nowhere: never to standard error.
static void drop_output(struct fy_diag *messages, void *user, const char *text, size_t length) {
    (void)messages;
    (void)user;
    (void)text;
    (void)length;
}

static void open_reader(Reader *reader) {
    Session *session = reader->session;
    struct fy_diag_cfg messages_config;
    fy_diag_cfg_default(&messages_config);
    messages_config.fp = NULL;
    messages_config.output_fn = drop_output;
    messages_config.level = FYET_ERROR;
    reader->messages = fy_diag_create(&messages_config);
    if (reader->messages == NULL) {
        die("out of memory");
    }
    fy_diag_set_collect_errors(reader->messages, true);

    const struct fy_parse_cfg config = {
        .flags = FYPCF_QUIET | FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE | FYPCF_SLOPPY_FLOW_INDENTATION,
        .diag = reader->messages,
    };
    reader->given = reader->keeps_tags ? yaml_hide_blocks(session->arena, reader->text, &reader->blocks) : reader->text;
    const Str given = reader->given;
    reader->parser = fy_parser_create(&config);
    if (reader->parser == NULL ||
        fy_parser_set_string(reader->parser, given.len == 0 ? "" : given.data, given.len) != 0) {
        die("out of memory");
    }
}

static void close_reader(Reader *reader) {
    fy_parser_event_free(reader->parser, reader->event);
    fy_parser_destroy(reader->parser);
    fy_diag_destroy(reader->messages);
    reader->event = NULL;
}

const Data *yaml_read(Session *session, uint32_t source) {
    Reader reader = { .session = session, .source = source, .text = source_get(session, source)->text };
    if (!yaml_check(session, source, reader.text)) {
        return NULL;
    }
    open_reader(&reader);
    const Data *value = read_only_document(&reader);
    close_reader(&reader);
    return reader.has_failed ? NULL : value;
}

bool yaml_read_documents(Session *session, uint32_t source, YamlDocuments *documents) {
    return yaml_read_part(session, source, source_get(session, source)->text, documents);
}

bool yaml_read_part(Session *session, uint32_t source, Str text, YamlDocuments *documents) {
    Reader reader = { .session = session, .source = source, .text = text, .keeps_tags = true };
    if (!yaml_check(session, source, text)) {
        return false;
    }
    open_reader(&reader);
    read_documents(&reader, documents);
    close_reader(&reader);
    return !reader.has_failed;
}

bool yaml_read_stream(Session *session, uint32_t source, YamlDocuments *documents) {
    const Str text = source_get(session, source)->text;
    Reader reader = { .session = session, .source = source };
    if (!yaml_check(session, source, text)) {
        return false;
    }
    size_t end = 0;
    while (!reader.has_failed && json_stream_next(text, &end, &reader.text)) {
        reader.base = end - reader.text.len;
        open_reader(&reader);
        read_documents(&reader, documents);
        close_reader(&reader);
    }
    return !reader.has_failed;
}
