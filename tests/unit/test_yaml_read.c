#include "compiler/base/yaml_read.h"

#include "compiler/base/json.h"
#include "compiler/base/session.h"
#include "tests/support/check.h"

#include <unistd.h>

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

static const Data *read_text(Session *session, Str text) {
    return yaml_read(session, source_add(session, STR("params.yaml"), text));
}

static Str text_at(const Session *session, Span span) {
    return source_text(session, span);
}

// Reads a text that is wrong and returns the one thing that is said about it.
static const Diag *fault_of(Session *session, Str text) {
    assert_null(read_text(session, text));
    assert_int_equal(session->diags.items.count, 1);
    return session->diags.items.items[0];
}

static void assert_fault(Session *session, Str text, DiagId id, uint32_t start, uint32_t end, const char *message) {
    const Diag *diag = fault_of(session, text);
    assert_text(diag->message, message);
    assert_int_equal(diag->id, id);
    assert_int_equal(diag->span.start, start);
    assert_int_equal(diag->span.end, end);
}

// ---- values ----------------------------------------------------------------------------------------------------

static void test_blocks_and_flows_are_read_alike(void **state) {
    Session *session = *state;

    const Data *data = read_text(session, STR("a: 1\nb:\n  - x\n  - {c: [true, ~], d: 1.50}\ne:\n"));

    assert_text(json_write(session->arena, data), "{\n"
                                                  "  \"a\": 1,\n"
                                                  "  \"b\": [\n"
                                                  "    \"x\",\n"
                                                  "    {\n"
                                                  "      \"c\": [\n"
                                                  "        true,\n"
                                                  "        null\n"
                                                  "      ],\n"
                                                  "      \"d\": 1.50\n"
                                                  "    }\n"
                                                  "  ],\n"
                                                  "  \"e\": null\n"
                                                  "}\n");
}

static void test_json_is_yaml(void **state) {
    Session *session = *state;

    const Data *data = read_text(session, STR("{\n\t\"a\": [\n\t1, \"\\u00e9\\n\"\n\t]\n}\n"));

    assert_text(data_get(data, "a")->items[1]->string, "\xC3\xA9\n");
}

static void test_quoted_scalars_are_strings(void **state) {
    const Data *data = read_text(*state, STR("a: '1'\nb: \"true\"\nc: |\n  2\nd: ''\ne: !!str 5\nf: ! 6\n"));

    for (uint32_t i = 0; i < data->count; i++) {
        assert_int_equal(data->entries[i].value->kind, DATA_STRING);
    }
    assert_text(data_get(data, "c")->string, "2\n");
    assert_text(data_get(data, "e")->string, "5");
}

static void test_an_integer_keeps_its_digits(void **state) {
    const Data *data = read_text(*state, STR("account: 012345678901\n"));

    assert_int_equal(data_get(data, "account")->kind, DATA_INT);
    assert_text(data_get(data, "account")->string, "012345678901");
}

static void test_a_single_scalar_is_a_document(void **state) {
    assert_int_equal(read_text(*state, STR("--- 5\n...\n"))->integer, 5);
    assert_int_equal(read_text(*state, STR("---\n"))->kind, DATA_NULL);
}

static void test_comments_at_the_end_are_read_over(void **state) {
    assert_non_null(read_text(*state, STR("a: 1 # one\n# two\n\n")));
    assert_false(has_errors(*state));
}

// ---- spans -----------------------------------------------------------------------------------------------------

static void test_spans_are_what_people_see(void **state) {
    Session *session = *state;

    const Data *data = read_text(session, STR("\xC3\xA9: x\nlist: [1, 'two']\nblock:\n  - a\n  - b: c\n"
                                              "quoted: \"x y\"\nempty:\nmap: { }\n"));

    assert_text(text_at(session, data->entries[0].key_span), "\xC3\xA9");
    assert_text(text_at(session, data->entries[0].value->span), "x");
    assert_text(text_at(session, data_get(data, "list")->span), "[1, 'two']");
    assert_text(text_at(session, data_get(data, "list")->items[1]->span), "'two'");
    assert_text(text_at(session, data_get(data, "block")->span), "a\n  - b: c");
    assert_text(text_at(session, data_get(data, "block")->items[1]->span), "b: c");
    assert_text(text_at(session, data_get(data, "quoted")->span), "\"x y\"");
    assert_text(text_at(session, data_get(data, "empty")->span), "empty");
    assert_text(text_at(session, data_get(data, "map")->span), "{ }");
    assert_int_equal(data->span.start, 0);
}

static void test_what_is_empty_has_a_place_too(void **state) {
    Session *session = *state;

    const Data *map = read_text(session, STR(": \n"));
    const Data *list = read_text(session, STR("- a\n-\n"));

    assert_int_equal(map->entries[0].key_span.source, 1);
    assert_int_equal(map->entries[0].value->span.source, 1);
    assert_true(span_equal(list->items[1]->span, (Span){ 2, 3, 3 }));
    assert_int_equal(read_text(session, STR("---\n"))->span.source, 3);
}

// ---- aliases ---------------------------------------------------------------------------------------------------

static void test_an_alias_is_the_value_of_its_anchor(void **state) {
    const Data *data = read_text(*state, STR("a: &x [1, 2]\nb: *x\nc: &x 3\nd: *x\n"));

    assert_int_equal(data_get(data, "b")->items[1]->integer, 2);
    assert_int_equal(data_get(data, "d")->integer, 3);
}

static void test_an_alias_without_an_anchor_is_a_fault(void **state) {
    assert_fault(*state, STR("a: *x\n"), DIAG_bad_yaml, 3, 5,
                 "this is not YAML: no anchor `&x` stands before this alias");
}

static void test_an_alias_inside_its_own_anchor_is_a_fault(void **state) {
    assert_fault(*state, STR("&x [*x]\n"), DIAG_bad_yaml, 4, 6,
                 "this is not YAML: no anchor `&x` stands before this alias");
}

static void test_aliases_count_as_what_they_stand_for(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    strbuf_add(&text, STR("a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"));
    for (int i = 1; i < 20; i++) {
        strbuf_add_format(&text, "a%d: &a%d [*a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1);
    }

    const Diag *diag = fault_of(session, strbuf_str(&text));

    assert_int_equal(diag->id, DIAG_yaml_too_large);
    assert_text(diag->message, "there are more than 200000 values");
}

static void test_aliases_nest_as_deep_as_what_they_stand_for(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    strbuf_add(&text, STR("a0: &a0 []\n"));
    for (int i = 1; i < 70; i++) {
        strbuf_add_format(&text, "a%d: &a%d [*a%d]\n", i, i, i - 1);
    }

    assert_int_equal(fault_of(session, strbuf_str(&text))->id, DIAG_yaml_too_deep);
}

static void test_a_thousand_anchors_and_no_more(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    for (int i = 0; i < 1000; i++) {
        strbuf_add_format(&text, "- &a%d x\n", i);
    }

    assert_int_equal(read_text(session, strbuf_str(&text))->count, 1000);
    strbuf_add(&text, STR("- &more x\n"));
    assert_text(fault_of(session, strbuf_str(&text))->message, "there are more than 1000 anchors");
}

// ---- faults ----------------------------------------------------------------------------------------------------

static Str nested(Session *session, size_t depth) {
    StrBuf text = { .arena = session->arena };
    strbuf_add_repeated(&text, '[', depth);
    strbuf_add_repeated(&text, ']', depth);
    return strbuf_str(&text);
}

static void test_the_deepest_nesting_is_read_and_one_more_is_not(void **state) {
    Session *session = *state;

    assert_non_null(read_text(session, nested(session, YAML_DEPTH_MAX)));
    assert_fault(session, nested(session, YAML_DEPTH_MAX + 1), DIAG_yaml_too_deep, YAML_DEPTH_MAX, YAML_DEPTH_MAX + 1,
                 "lists and maps are nested more than 60 deep");
}

static void test_as_many_brackets_as_may_be_open_end_with_a_message(void **state) {
    assert_int_equal(fault_of(*state, nested(*state, YAML_BRACKETS_MAX))->id, DIAG_yaml_too_deep);
}

static void test_more_brackets_are_not_given_to_the_library(void **state) {
    assert_int_equal(fault_of(*state, nested(*state, 100000))->id, DIAG_yaml_open_brackets);
}

static void test_a_duplicate_key_is_reported_with_the_first(void **state) {
    Session *session = *state;

    assert_non_null(read_text(session, STR("a: 1\nb: 2\n'a': 3\n")));

    assert_int_equal(session->diags.items.count, 1);
    const Diag *diag = session->diags.items.items[0];
    assert_int_equal(diag->id, DIAG_yaml_duplicate_key);
    assert_int_equal(diag->span.start, 10);
    assert_int_equal(diag->span.end, 13);
    assert_int_equal(diag->labels.items[0].span.start, 0);
}

static void test_every_duplicate_is_reported(void **state) {
    Session *session = *state;

    assert_non_null(read_text(session, STR("a: {x: 1, x: 2}\na: 3\na: 4\n")));

    assert_int_equal(session->diags.items.count, 3);
}

static void test_a_broken_text_is_reported_at_its_place(void **state) {
    assert_fault(*state, STR("a: b: c\n"), DIAG_bad_yaml, 4, 4,
                 "this is not YAML: invalid nested block mapping on the same line");
}

static void test_an_open_bracket_is_reported_at_the_end(void **state) {
    assert_fault(*state, STR("a: [1, 2\n"), DIAG_bad_yaml, 9, 9,
                 "this is not YAML: flow sequence without a closing bracket");
}

static void test_an_empty_text_is_a_fault(void **state) {
    assert_fault(*state, STR_NONE, DIAG_bad_yaml, 0, 0, "this is not YAML: there is nothing in it");
}

static void test_a_text_of_comments_is_a_fault(void **state) {
    assert_fault(*state, STR("# nothing\n"), DIAG_bad_yaml, 0, 0, "this is not YAML: there is nothing in it");
}

static void test_a_second_document_is_a_fault(void **state) {
    assert_fault(*state, STR("a: 1\n---\nb: 2\n"), DIAG_bad_yaml, 5, 8,
                 "this is not YAML: a second document; one is read");
}

static void test_a_foreign_tag_is_a_fault(void **state) {
    assert_fault(*state, STR("a: !Ref x\n"), DIAG_yaml_tag, 3, 7, "the tag `!Ref` means nothing here");
}

static void test_a_list_as_key_is_a_fault(void **state) {
    assert_fault(*state, STR("? [a]\n: b\n"), DIAG_yaml_key, 2, 5, "a key must be a plain text, not a list");
}

static void test_a_wrong_byte_is_a_fault(void **state) {
    assert_fault(*state, STR("a: \xFF\n"), DIAG_not_utf8, 3, 4,
                 "`params.yaml` is not UTF-8: the byte at offset 3 is wrong");
}

static void test_a_control_character_is_a_fault(void **state) {
    assert_fault(*state, STR("a: x\x01y\nb: 2\n"), DIAG_bad_yaml, 4, 5,
                 "this is not YAML: it holds the control character U+0001");
}

static void test_faults_are_never_printed_by_the_library(void **state) {
    static const char *const texts[] = { "a: [1", "a: b: c", "\"\\q\"",   "*x",  "%YAML 9.9\n---\na", "a:\n\t- b", "}",
                                         "&",     "!<",      "? :\n - :", "\x01" };
    FILE *capture = tmpfile();
    const int saved = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(capture), STDERR_FILENO);

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        read_text(*state, str_of(texts[i]));
    }
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    close(saved);
    fseek(capture, 0, SEEK_END);
    const long length = ftell(capture);
    fclose(capture);

    assert_int_equal(length, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_blocks_and_flows_are_read_alike),
        TEST(test_json_is_yaml),
        TEST(test_quoted_scalars_are_strings),
        TEST(test_an_integer_keeps_its_digits),
        TEST(test_a_single_scalar_is_a_document),
        TEST(test_comments_at_the_end_are_read_over),
        TEST(test_spans_are_what_people_see),
        TEST(test_what_is_empty_has_a_place_too),
        TEST(test_an_alias_is_the_value_of_its_anchor),
        TEST(test_an_alias_without_an_anchor_is_a_fault),
        TEST(test_an_alias_inside_its_own_anchor_is_a_fault),
        TEST(test_aliases_count_as_what_they_stand_for),
        TEST(test_aliases_nest_as_deep_as_what_they_stand_for),
        TEST(test_a_thousand_anchors_and_no_more),
        TEST(test_the_deepest_nesting_is_read_and_one_more_is_not),
        TEST(test_as_many_brackets_as_may_be_open_end_with_a_message),
        TEST(test_more_brackets_are_not_given_to_the_library),
        TEST(test_a_duplicate_key_is_reported_with_the_first),
        TEST(test_every_duplicate_is_reported),
        TEST(test_a_broken_text_is_reported_at_its_place),
        TEST(test_an_open_bracket_is_reported_at_the_end),
        TEST(test_an_empty_text_is_a_fault),
        TEST(test_a_text_of_comments_is_a_fault),
        TEST(test_a_second_document_is_a_fault),
        TEST(test_a_foreign_tag_is_a_fault),
        TEST(test_a_list_as_key_is_a_fault),
        TEST(test_a_wrong_byte_is_a_fault),
        TEST(test_a_control_character_is_a_fault),
        TEST(test_faults_are_never_printed_by_the_library),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
