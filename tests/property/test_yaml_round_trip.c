// Random documents of strings that YAML readers like to misread are written, then held against three witnesses:
// libfyaml reads back the same texts; no plain scalar of the output that belongs to a string looks like any other type
// of YAML 1.1 or of the core schema of YAML 1.2; and libyaml writes the same bytes. The seed is fixed, so a failure
// repeats.
#include "emitters/doc/doc.h"

#include "compiler/base/pattern.h"
#include "compiler/base/session.h"
#include "compiler/base/yaml_read.h"
#include "tests/support/events.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { DOCUMENTS = 20000, DEPTH_MAX = 4, CHILDREN_MAX = 5, DOCUMENTS_A_SESSION = 100 };

static const Origin ORIGIN = { .kind = ORIGIN_CONSTANT, .name = "test", .text = "because of the test" };

// http://yaml.org/type/ (bool, float, int, merge, null, timestamp, value) as of YAML 1.1, and what 1.2.2 section 10.3
// adds. The words are matched in any case: some readers do.
static const char *const TYPES[] = {
    "(?i)y|yes|n|no|true|false|on|off",
    "(?i)~|null|",
    "<<",
    "=",
    "[-+]?0b[0-1_]+",
    "[-+]?0o?[0-7_]+",
    "[-+]?(0|[1-9][0-9_,]*)",
    "[-+]?[0-9]+",
    "[-+]?0x[0-9a-fA-F_]+",
    "[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+",
    "[-+]?([0-9][0-9_,]*)?\\.[0-9._]*([eE][-+]?[0-9]+)?",
    "[-+]?[0-9][0-9_]*(\\.[0-9_]*)?([eE][-+]?[0-9]+)?",
    "[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\\.[0-9_]*",
    "(?i)[-+]?\\.inf",
    "(?i)\\.nan",
    "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}",
    "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|\\s+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\\.[0-9]*)?(\\s*(Z|[-+][0-9:]{1,5}))?",
};

// Whole strings that mean something to some reader, and pieces that do when they meet others.
static const char *const WORDS[] = {
    "y",
    "Y",
    "n",
    "N",
    "yes",
    "Yes",
    "YES",
    "no",
    "No",
    "NO",
    "on",
    "On",
    "ON",
    "off",
    "Off",
    "OFF",
    "true",
    "True",
    "TRUE",
    "false",
    "False",
    "FALSE",
    "null",
    "Null",
    "NULL",
    "~",
    "",
    "=",
    "<<",
    ".inf",
    "-.Inf",
    "+.INF",
    ".nan",
    ".NaN",
    "1.30",
    "012345678901",
    "22:22",
    "190:20:30.15",
    "2026-11-21",
    "2001-12-14t21:59:43.10-05:00",
    "2001-12-14 21:59:43.10 -5",
    "1_000",
    "0x1F",
    "0b1_0",
    "0o17",
    "017",
    "1e3",
    "6.8523015e+5",
    "685,230.15",
    "+1",
    "-",
    "--",
    "---",
    "...",
    "--- x",
    "? ",
    ": ",
    " #",
    "#",
    "- ",
    "!!str x",
    "&a b",
    "*a",
    "|",
    ">",
    "%YAML 1.1",
    "@x",
    "`x`",
    "'x'",
    "\"x\"",
    "[x]",
    "{x}",
    "x,",
    "a: b",
    "a:",
    "AWS::NoValue",
    "10.0.0.0/16",
    "p4d.24xlarge",
    "${AWS::StackName}",
};
static const char *const PIECES[] = {
    "a",
    "Z",
    "0",
    "7",
    "12",
    "_",
    "-",
    "+",
    ".",
    ":",
    ",",
    "/",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r",
    "\\",
    "\"",
    "'",
    "#",
    "!",
    "&",
    "*",
    "[",
    "]",
    "{",
    "}",
    "|",
    ">",
    "?",
    "%",
    "@",
    "`",
    "=",
    "~",
    "<",
    "$",
    "(",
    ")",
    ";",
    "^",
    "e",
    "x",
    "T",
    "\x01",
    "\x7F",
    "\xC2\x85",
    "\xC2\xA0",
    "\xC3\xA9",
    "\xE2\x80\xA8",
    "\xE2\x80\xA9",
    "\xEF\xBB\xBF",
    "\xEF\xB7\x90",
    "\xF0\x9F\x98\x80",
    "\xEE\x80\x80",
    ": ",
    " #",
    "- ",
    "::",
    "\n ",
    " \n",
    "\n#",
    "\n-",
    "\n\t",
    "\n...\n",
    "\n---\n",
};

typedef struct {
    uint64_t state;
    Session *session;
    Doc *doc;
} Random;

static uint32_t below(Random *random, uint32_t bound) {
    // xorshift64*: good enough, and the same everywhere.
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return (uint32_t)((random->state * 2685821657736338717u) >> 33) % bound;
}

static Str random_text(Random *random) {
    if (below(random, 3) == 0) {
        return str_of(WORDS[below(random, COUNT_OF(WORDS))]);
    }
    StrBuf text = { .arena = random->session->arena };
    const uint32_t pieces = below(random, 9);
    for (uint32_t i = 0; i < pieces; i++) {
        const bool is_word = below(random, 6) == 0;
        strbuf_add(&text,
                   str_of(is_word ? WORDS[below(random, COUNT_OF(WORDS))] : PIECES[below(random, COUNT_OF(PIECES))]));
    }
    return strbuf_str(&text);
}

static DocNode *random_leaf(Random *random) {
    switch (below(random, 8)) {
    case 0:
        return doc_int(random->doc, (int64_t)below(random, 2000) - 1000, &ORIGIN);
    case 1:
        return doc_bool(random->doc, below(random, 2) == 0, &ORIGIN);
    case 2:
        return doc_block(random->doc, random_text(random), &ORIGIN);
    }
    return doc_string(random->doc, random_text(random), &ORIGIN);
}

static DocNode *random_node(Random *random, int depth);

static DocNode *fill_map(Random *random, DocNode *map, int depth) {
    const uint32_t count = below(random, CHILDREN_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const Str key = random_text(random);
        if (doc_get(map, key) == NULL) {
            doc_put(random->doc, map, key, random_node(random, depth + 1));
        }
    }
    return map;
}

static DocNode *random_list(Random *random, int depth) {
    DocNode *list = doc_list(random->doc);
    const uint32_t count = below(random, CHILDREN_MAX);
    const bool are_numbers = below(random, 4) == 0;
    for (uint32_t i = 0; i < count; i++) {
        doc_add(random->doc, list, are_numbers ? doc_int(random->doc, i, &ORIGIN) : random_node(random, depth + 1));
    }
    return list;
}

static DocNode *random_node(Random *random, int depth) {
    DocNode *node;
    const uint32_t kind = depth < DEPTH_MAX ? below(random, 6) : 5;
    if (kind == 0) {
        node = fill_map(random, doc_map(random->doc), depth);
    } else if (kind == 1) {
        node = random_list(random, depth);
    } else {
        node = random_leaf(random);
    }
    if (below(random, 20) == 0) {
        node->comment = "a comment: # of\n- two lines";
    }
    return node;
}

// ---- the first witness: libfyaml reads the same -----------------------------------------------------------------

static void assert_same(const DocNode *node, const Data *data);

static void assert_same_text(Str wanted, const Data *data) {
    assert_int_equal(data->kind, DATA_STRING);
    assert_int_equal(data->string.len, wanted.len);
    if (wanted.len > 0) {
        assert_memory_equal(data->string.data, wanted.data, wanted.len);
    }
}

static void assert_same_children(const DocNode *node, const Data *data) {
    assert_int_equal(data->kind, node->kind == DOC_MAP ? DATA_MAP : DATA_LIST);
    assert_int_equal(data->count, doc_count(node));
    uint32_t i = 0;
    for (const DocNode *child = node->first; child != NULL; child = child->next, i++) {
        if (node->kind == DOC_MAP) {
            assert_true(str_equal(data->entries[i].key, child->key));
            assert_same(child, data->entries[i].value);
        } else {
            assert_same(child, data->items[i]);
        }
    }
}

static void assert_same(const DocNode *node, const Data *data) {
    switch (node->kind) {
    case DOC_BOOL:
        assert_int_equal(data->kind, DATA_BOOL);
        assert_int_equal(data->boolean, node->boolean);
        break;
    case DOC_INT:
        assert_int_equal(data->kind, DATA_INT);
        assert_int_equal(data->integer, node->integer);
        break;
    case DOC_STRING:
    case DOC_BLOCK:
        assert_same_text(node->string, data);
        break;
    case DOC_LIST:
    case DOC_MAP:
        assert_same_children(node, data);
        break;
    case DOC_CALL: // has a tag, which plain data does not have; test_yaml.c covers it
        break;
    }
}

// ---- the second witness: no plain string looks like another type ------------------------------------------------

static void assert_no_type_fits(Session *session, Str plain) {
    for (size_t i = 0; i < COUNT_OF(TYPES); i++) {
        assert_int_equal(pattern_match(session, str_of(TYPES[i]), plain, NULL), PATTERN_NO);
    }
}

// A string was written plain exactly where its span in the text begins with its own first byte and is as long as it is.
static void assert_safe(Session *session, const DocNode *node, const Data *data) {
    if (node->kind == DOC_STRING) {
        const Str written = source_text(session, data->span);
        if (str_equal(written, node->string)) {
            assert_no_type_fits(session, written);
        }
    }
    uint32_t i = 0;
    if (node->kind == DOC_LIST || node->kind == DOC_MAP) {
        for (const DocNode *child = node->first; child != NULL; child = child->next, i++) {
            if (node->kind == DOC_MAP && str_equal(source_text(session, data->entries[i].key_span), child->key)) {
                assert_no_type_fits(session, child->key);
            }
            assert_safe(session, child, node->kind == DOC_MAP ? data->entries[i].value : data->items[i]);
        }
    }
}

// ---- the third witness: libyaml makes the same bytes ------------------------------------------------------------

static bool holds(Str text, Str part) {
    return str_find(text, part, 0) < text.len;
}

// libyaml does not write comments at all. It turns blocks with tabs, blanks before line ends or characters beyond the
// BMP into one line of escapes.
static bool is_beyond_libyaml(const DocNode *node) {
    bool is_found = node->comment != NULL;
    if (node->kind == DOC_BLOCK) {
        is_found = is_found || holds(node->string, STR("\t")) || holds(node->string, STR(" \n")) ||
                   holds(node->string, STR("\xF0"));
    }
    if (node->kind == DOC_LIST || node->kind == DOC_MAP) {
        for (const DocNode *child = node->first; child != NULL; child = child->next) {
            is_found = is_found || is_beyond_libyaml(child);
        }
    }
    return is_found;
}

static void assert_same_bytes(Session *session, Str yaml) {
    Events events = { 0 };
    StrBuf again = { .arena = session->arena };
    events_read(session->arena, yaml, &events);
    events_write(&events, &again);
    // Behind a last block that ends in blank lines libyaml says that the document ends; so does the end of the file.
    if (str_ends_with(strbuf_str(&again), STR("\n...\n"))) {
        again.len -= sizeof("...\n") - 1;
    }
    if (!str_equal(strbuf_str(&again), yaml)) {
        print_error("ours:\n%.*slibyaml's:\n%.*s", STR_ARG(yaml), STR_ARG(strbuf_str(&again)));
    }
    assert_true(str_equal(strbuf_str(&again), yaml));
}

// ---- lines ------------------------------------------------------------------------------------------------------

static void assert_lines(Session *session, const DocLines *lines, const DocNode *node, const Data *data,
                         uint32_t *next) {
    if (doc_is_leaf(node)) {
        assert_true(*next < lines->count);
        const DocLine *line = &lines->items[(*next)++];
        assert_ptr_equal(line->leaf, node);
        const Place place = source_place(session, data->span.source, data->span.start);
        // libfyaml's mark of a literal block is behind its `|`, on the next line.
        const bool is_literal = node->kind == DOC_BLOCK && place.line == line->line + 1;
        assert_true(place.line == line->line || is_literal);
        return;
    }
    uint32_t i = 0;
    for (const DocNode *child = node->first; child != NULL; child = child->next, i++) {
        assert_lines(session, lines, child, node->kind == DOC_MAP ? data->entries[i].value : data->items[i], next);
    }
}

static void test_written_yaml_reads_back_as_it_was(void **state) {
    (void)state;
    Random random = { .state = 20261121 };
    int compared = 0;
    for (int i = 0; i < DOCUMENTS; i++) {
        if (i % DOCUMENTS_A_SESSION == 0) {
            random.session = session_create();
        }
        random.doc = doc_create(random.session, random.session->arena);
        fill_map(&random, doc_root(random.doc), 0);
        DocLines lines = { 0 };

        const Str yaml = yaml_write(random.session->arena, random.doc, STR_NONE, &lines);

        const uint32_t source = source_add(random.session, STR("random.yaml"), yaml);
        const Data *data = yaml_read(random.session, source);
        if (data == NULL) {
            const Diags *diags = &random.session->diags;
            print_error("document %d: %.*s\n%.*s", i, STR_ARG(diags->items.items[0]->message), STR_ARG(yaml));
        }
        assert_non_null(data);
        assert_same(doc_root(random.doc), data);
        assert_safe(random.session, doc_root(random.doc), data);
        if (!is_beyond_libyaml(doc_root(random.doc))) {
            assert_same_bytes(random.session, yaml);
            compared++;
        }
        uint32_t next = 0;
        assert_lines(random.session, &lines, doc_root(random.doc), data, &next);
        assert_int_equal(next, lines.count);
        if (i % DOCUMENTS_A_SESSION == DOCUMENTS_A_SESSION - 1) {
            session_destroy(random.session);
        }
    }
    assert_true(compared > DOCUMENTS / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_yaml_reads_back_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
