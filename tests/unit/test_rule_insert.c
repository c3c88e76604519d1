#include "compiler/plan/rules/rule_insert.h"

#include "compiler/base/edit.h"
#include "compiler/base/yaml_read.h"
#include "compiler/readers/foreign_merge.h"
#include "tests/support/check.h"

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

typedef void Insert(const Rules *rules, Diag *diag, Span place, Str key, Str value);

// A text with an entry put in at the place of `at`, or nothing where there is no fix.
static Str with_entry(Session *session, Insert *insert, const char *text, const char *at, const char *key,
                      const char *value) {
    const uint32_t source = source_add(session, STR("file.yaml"), str_of(text));
    source_mark_checked(session, source);
    YamlDocuments documents = { 0 };
    assert_true(yaml_read_documents(session, source, &documents));
    PlanFile file = { .tool = STR("kubernetes") };
    for (uint32_t i = 0; i < documents.count; i++) {
        foreign_merge(session->arena, documents.items[i]);
        vec_push(session->arena, &file.pieces, (PlanPiece){ .data = documents.items[i] });
    }
    Plan plan = { .file = &file };
    const Plan *plans[] = { &plan };
    const uint32_t start = (uint32_t)str_find(str_of(text), str_of(at), 0);
    const Span place = { .source = source, .start = start, .end = start + (uint32_t)strlen(at) };
    Diag *diag = report(session, place, DIAG(yaml_tag), STR_ARG(str_of(key)));

    insert(&(Rules){ session, &plan }, diag, place, str_of(key), str_of(value));
    insertions_settle(session, plans, 1);

    Edits edits = { 0 };
    for (uint32_t i = 0; i < diag->fixes.count; i++) {
        const DiagFix *fix = &diag->fixes.items[i];
        assert_true(
            edits_add(session->arena, &edits,
                      (Edit){ .start = fix->span.start, .end = fix->span.end, .replacement = fix->replacement }));
    }
    return diag->fixes.count == 0 ? STR_NONE : edits_apply(session->arena, str_of(text), &edits);
}

static void assert_beside(void **state, const char *text, const char *at, const char *expected) {
    assert_text(with_entry(*state, rule_insert_beside, text, at, "Key", "word"), expected);
}

static void assert_into(void **state, const char *text, const char *at, const char *expected) {
    assert_text(with_entry(*state, rule_insert_into, text, at, "Key", "word"), expected);
}

static void test_a_line_goes_below_its_neighbour(void **state) {
    assert_beside(state, "a:\n  b: 1\n  c: 2\n", "b", "a:\n  b: 1\n  Key: word\n  c: 2\n");
    assert_beside(state, "a:\n  b: one # why\n  # of c\n  c: 2\n", "one",
                  "a:\n  b: one # why\n  Key: word\n  # of c\n  c: 2\n");
    assert_beside(state, "- b: 1\n  c: 2\n", "b", "- b: 1\n  Key: word\n  c: 2\n");
    assert_beside(state, "- - b: 1\n", "b", "- - b: 1\n    Key: word\n");
}

static void test_it_goes_behind_all_that_its_neighbour_has(void **state) {
    assert_beside(state, "a:\n  b:\n    x: [1,\n        2] # two\n  c: 2\n", "b",
                  "a:\n  b:\n    x: [1,\n        2] # two\n  Key: word\n  c: 2\n");
    assert_beside(state, "b:\n- 1\n- 2\nc: 3\n", "b", "b:\n- 1\n- 2\nKey: word\nc: 3\n");
    assert_beside(state, "b: one\n   two\nc: 3\n", "b", "b: one\n   two\nKey: word\nc: 3\n");
}

static void test_it_goes_before_a_text_of_several_lines(void **state) {
    assert_beside(state, "a:\n  b: |\n    x\n\n  c: 2\n", "b", "a:\n  Key: word\n  b: |\n    x\n\n  c: 2\n");
    assert_beside(state, "- b: >-\n    x", "b", "- Key: word\n  b: >-\n    x");
    assert_beside(state, "b:\n  - |+\n    x\n\n", "b", "Key: word\nb:\n  - |+\n    x\n\n");
}

static void test_the_last_line_may_have_no_end(void **state) {
    assert_beside(state, "a:\n  b: 1", "b", "a:\n  b: 1\n  Key: word");
    assert_beside(state, "a:\n  b: 1 # x", "b", "a:\n  b: 1 # x\n  Key: word");
}

static void test_line_ends_are_those_of_the_file(void **state) {
    assert_beside(state, "a:\r\n  b: 1\r\n  c: 2\r\n", "b", "a:\r\n  b: 1\r\n  Key: word\r\n  c: 2\r\n");
    assert_beside(state, "a:\r\n  b: |\r\n    1\r\n", "b", "a:\r\n  Key: word\r\n  b: |\r\n    1\r\n");
}

static void test_quotes_are_those_of_the_neighbour(void **state) {
    assert_beside(state, "'b': 'one'\n", "b", "'b': 'one'\n'Key': 'word'\n");
    assert_beside(state, "b: \"one\"\n", "b", "b: \"one\"\nKey: \"word\"\n");
    assert_beside(state, "b: \"two words\"\n", "b", "b: \"two words\"\nKey: word\n");
    assert_beside(state, "b: \"1\"\n", "b", "b: \"1\"\nKey: word\n");
    assert_text(with_entry(*state, rule_insert_beside, "b: \"x\"\n", "b", "Key", "true"), "b: \"x\"\nKey: true\n");
    assert_text(with_entry(*state, rule_insert_beside, "b: \"x\"\n", "b", "Key", "\"1\""), "b: \"x\"\nKey: \"1\"\n");
}

static void test_brackets_of_one_line(void **state) {
    assert_beside(state, "a: { b: 1, c: 2 }\n", "b", "a: { b: 1, Key: word, c: 2 }\n");
    assert_beside(state, "a: {b: 1}\n", "b", "a: {b: 1, Key: word}\n");
    assert_beside(state, "- {b: [1, 2], c: 3}\n", "b", "- {b: [1, 2], Key: word, c: 3}\n");
}

static void test_json(void **state) {
    assert_beside(state, "{\"a\":{\"b\":1,\"c\":2}}", "b", "{\"a\":{\"b\":1,\"Key\":\"word\",\"c\":2}}");
    assert_beside(state, "{\n  \"b\": \"x\"\n}\n", "b", "{\n  \"b\": \"x\",\n  \"Key\": \"word\"\n}\n");
    assert_beside(state, "{\n\t\"b\": 1,\n\t\"c\": 2\n}\n", "c",
                  "{\n\t\"b\": 1,\n\t\"c\": 2,\n\t\"Key\": \"word\"\n}\n");
    assert_text(with_entry(*state, rule_insert_beside, "{\"b\": 1}", "b", "Key", "3"), "{\"b\": 1, \"Key\": 3}");
    assert_text(with_entry(*state, rule_insert_beside, "{\"b\": 1}", "b", "Key", "[\"x\"]"),
                "{\"b\": 1, \"Key\": [\"x\"]}");
}

static void test_the_end_of_a_map(void **state) {
    assert_into(state, "a:\n  b: 1\n  c: 2\nd: 3\n", "a", "a:\n  b: 1\n  c: 2\n  Key: word\nd: 3\n");
    assert_into(state, "a:\n  b: 1\n  c:\n    d: 2\n", "b: 1\n  c:\n    d: 2",
                "a:\n  b: 1\n  c:\n    d: 2\n  Key: word\n");
    assert_into(state, "a: { b: 1 }\n", "{ b: 1 }", "a: { b: 1, Key: word }\n");
    assert_into(state, "a:\n  - { b: 1 }\n", "{ b: 1 }", "a:\n  - { b: 1, Key: word }\n");
}

static void test_an_empty_map(void **state) {
    assert_into(state, "a: {}\n", "a", "a: { Key: word }\n");
    assert_into(state, "{\"a\": {  }}", "\"a\"", "{\"a\": { \"Key\": \"word\" }}");
    assert_into(state, "a: { # none\n  }\n", "a", "");
}

static void test_maps_on_the_way_are_made(void **state) {
    assert_text(with_entry(*state, rule_insert_beside, "a:\n    b: 1\n", "b", "M|Key", "word"),
                "a:\n    b: 1\n    M:\n        Key: word\n");
    assert_text(with_entry(*state, rule_insert_beside, "a:\n  b: 1\n  M:\n    c: 1\n", "b", "M|Key", "word"),
                "a:\n  b: 1\n  M:\n    c: 1\n    Key: word\n");
    assert_text(with_entry(*state, rule_insert_beside, "{\"b\": 1}", "b", "M|Key", "word"),
                "{\"b\": 1, \"M\": { \"Key\": \"word\" }}");
    assert_text(with_entry(*state, rule_insert_beside, "{\"b\":1,\"M\":{}}", "b", "M|Key", "word"),
                "{\"b\":1,\"M\":{ \"Key\": \"word\" }}");
}

static void test_a_tab_is_no_indent(void **state) {
    assert_beside(state, "a:\n  -\tb: 1\n", "b", "");
}

static void test_what_stands_in_several_places_stays(void **state) {
    assert_beside(state, "a: &x\n  b: 1\nc: *x\n", "b", "");
    assert_beside(state, "a: &x\n  b: 1\nc:\n  <<: *x\n  d: 2\n", "b", "");
    assert_beside(state, "a: &x\n  b: 1\nc:\n  <<: *x\n  d: 2\n", "d", "");
    assert_into(state, "a: &x {}\nc: *x\n", "a", "");
    assert_into(state, "a: &x {b: 1}\nc: *x\n", "c", "");
}

static void test_an_anchor_that_nothing_names_is_no_hindrance(void **state) {
    assert_beside(state, "a: &x\n  b: &y one\n  c: 2\n", "b", "a: &x\n  b: &y one\n  Key: word\n  c: 2\n");
}

static void test_a_function_decides_alone(void **state) {
    assert_beside(state, "a:\n  Fn::If:\n    - c\n    - { b: 1 }\n    - { d: 1 }\n", "b", "");
    assert_beside(state, "a: !If [c, { b: 1 }, { d: 1 }]\n", "b", "");
    assert_beside(state, "a:\n  b: 1\n  Fn::Transform: { Name: x }\n", "b", "");
    assert_into(state, "a: { Ref: x }\n", "a", "");
    assert_text(with_entry(*state, rule_insert_beside, "b: 1\nM: !Ref x\n", "b", "M|Key", "word"), "");
}

static void test_what_is_there_stays(void **state) {
    assert_beside(state, "b: 1\nKey: other\n", "b", "");
    assert_beside(state, "b: 1\nKey:\n", "b", "");
    assert_text(with_entry(*state, rule_insert_beside, "b: 1\nM:\n", "b", "M|Key", "word"), "");
}

static void insert_item(const Rules *rules, Diag *diag, Span place, Str key, Str value) {
    (void)key;
    rule_insert_item(rules, diag, place, value);
}

static void assert_item(void **state, const char *text, const char *at, const char *expected) {
    assert_text(with_entry(*state, insert_item, text, at, "Key", "c:d"), expected);
}

static void test_an_item_goes_behind_its_neighbour(void **state) {
    assert_item(state, "a:\n  - b # why\n  - x\n", "b", "a:\n  - b # why\n  - c:d\n  - x\n");
    assert_item(state, "a:\n- b\r\n- x", "x", "a:\n- b\r\n- x\n- c:d");
    assert_item(state, "a: [b, x]\n", "b", "a: [b, c:d, x]\n");
    assert_item(state, "{\"a\":[\"b\"]}", "\"b\"", "{\"a\":[\"b\", \"c:d\"]}");
}

static void test_a_single_value_becomes_a_list(void **state) {
    assert_item(state, "a: b # why\n", "b", "a: [b, c:d] # why\n");
    assert_item(state, "{\"a\": \"b\"}", "\"b\"", "{\"a\": [\"b\", \"c:d\"]}");
    assert_item(state, "a: b${x}\n", "b${x}", "");
}

static void test_an_item_of_several_places_stays(void **state) {
    assert_item(state, "a: &x [b]\nc: *x\n", "b", "");
    assert_item(state, "a: {Fn::If: [c, [b], []]}\n", "b", "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_line_goes_below_its_neighbour, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_it_goes_behind_all_that_its_neighbour_has, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_it_goes_before_a_text_of_several_lines, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_the_last_line_may_have_no_end, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_line_ends_are_those_of_the_file, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_quotes_are_those_of_the_neighbour, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_brackets_of_one_line, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_json, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_the_end_of_a_map, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_an_empty_map, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_maps_on_the_way_are_made, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_tab_is_no_indent, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_what_stands_in_several_places_stays, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_an_anchor_that_nothing_names_is_no_hindrance, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_function_decides_alone, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_what_is_there_stays, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_an_item_goes_behind_its_neighbour, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_single_value_becomes_a_list, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_an_item_of_several_places_stays, make_session, drop_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
