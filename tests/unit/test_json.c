#include "compiler/base/json.h"

#include "compiler/base/session.h"
#include "tests/support/check.h"

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

static const Data *read_text(Session *session, Str text) {
    return json_read(session, source_add(session, STR("facts.json"), text));
}

static const Diag *fault_of(Session *session, Str text) {
    assert_null(read_text(session, text));
    assert_int_equal(session->diags.items.count, 1);
    return session->diags.items.items[0];
}

static void test_a_document_is_indented_by_two(void **state) {
    Session *session = *state;
    Arena *arena = session->arena;
    Data *list = data_list(arena);
    data_add(arena, list, data_int(arena, -1));
    data_add(arena, list, data_null(arena));
    Data *map = data_map(arena);
    data_put(arena, map, STR("z"), data_bool(arena, true));
    data_put(arena, map, STR("a"), list);
    data_put(arena, map, STR("none"), data_list(arena));
    data_put(arena, map, STR("empty"), data_map(arena));
    data_put(arena, map, STR("real"), data_real(arena, STR("1.50")));

    assert_text(json_write(arena, map), "{\n"
                                        "  \"z\": true,\n"
                                        "  \"a\": [\n"
                                        "    -1,\n"
                                        "    null\n"
                                        "  ],\n"
                                        "  \"none\": [],\n"
                                        "  \"empty\": {},\n"
                                        "  \"real\": 1.50\n"
                                        "}\n");
}

static void test_strings_are_escaped_where_they_must_be(void **state) {
    Session *session = *state;
    const Data *data = data_string(session->arena, STR("\"\\/\n\t\r\x01\x7F \xC3\xA9\xF0\x9F\x98\x80"));

    assert_text(json_write(session->arena, data),
                "\"\\\"\\\\/\\n\\t\\u000D\\u0001\\u007F \xC3\xA9\xF0\x9F\x98\x80\"\n");
}

static void test_bytes_that_are_not_utf8_are_replaced(void **state) {
    Session *session = *state;

    assert_text(json_write(session->arena, data_string(session->arena, STR("a\xFFz"))), "\"a\xEF\xBF\xBDz\"\n");
}

static void test_reals_that_json_has_no_number_for_are_strings(void **state) {
    Session *session = *state;
    static const char *const texts[] = { ".inf", "1.", ".5", "+1.0", "01.5", "1e", "-" };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const Str expected = str_format(session->arena, "\"%s\"\n", texts[i]);
        const Str written = json_write(session->arena, data_real(session->arena, str_of(texts[i])));
        assert_text(written, str_c(session->arena, expected));
    }
}

static void test_reals_that_json_has_are_numbers(void **state) {
    Session *session = *state;
    static const char *const texts[] = { "0.5", "-1e10", "1E+3", "10.25e-2", "99999999999999999999" };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const Str expected = str_format(session->arena, "%s\n", texts[i]);
        const Str written = json_write(session->arena, data_real(session->arena, str_of(texts[i])));
        assert_text(written, str_c(session->arena, expected));
    }
}

static void test_what_is_read_is_written_the_same(void **state) {
    Session *session = *state;
    const char *text = "{\n  \"Stacks\": [\n    {\n      \"a\": 0.1,\n      \"b\": -7,\n      \"c\": \"\xC3\xA9\",\n"
                       "      \"d\": [\n        true,\n        null\n      ]\n    }\n  ]\n}\n";

    assert_text(json_write(session->arena, read_text(session, str_of(text))), text);
}

static void test_a_real_stays_a_real(void **state) {
    assert_text(read_text(*state, STR("2.0"))->string, "2.0");
    assert_text(read_text(*state, STR("-0e1"))->string, "-0.0");
    assert_text(read_text(*state, STR("1e300"))->string, "1e+300");
    assert_text(read_text(*state, STR("0.1"))->string, "0.1");
    assert_text(read_text(*state, STR("0.30000000000000004"))->string, "0.30000000000000004");
}

static void test_a_scalar_is_a_document(void **state) {
    assert_text(read_text(*state, STR(" \"a\" "))->string, "a");
    assert_int_equal(read_text(*state, STR("9223372036854775807"))->integer, INT64_MAX);
}

static void test_a_fault_is_reported_at_its_place(void **state) {
    const Diag *diag = fault_of(*state, STR("{\"a\": 1,}"));

    assert_int_equal(diag->id, DIAG_bad_json);
    assert_text(diag->message, "this is not JSON: string or '}' expected near '}'");
    assert_int_equal(diag->span.start, 8);
    assert_int_equal(diag->span.end, 9);
}

static void test_a_duplicate_key_is_a_fault(void **state) {
    assert_text(fault_of(*state, STR("{\"a\": 1, \"a\": 2}"))->message,
                "this is not JSON: duplicate object key near '\"a\"'");
}

static void test_an_empty_text_is_a_fault(void **state) {
    assert_int_equal(fault_of(*state, STR_NONE)->id, DIAG_bad_json);
}

static void test_two_documents_are_a_fault(void **state) {
    assert_int_equal(fault_of(*state, STR("{} {}"))->id, DIAG_bad_json);
}

static void test_a_number_beyond_64_bits_is_a_fault(void **state) {
    assert_int_equal(fault_of(*state, STR("9223372036854775808"))->id, DIAG_bad_json);
}

static Str nested(Session *session, size_t depth) {
    StrBuf text = { .arena = session->arena };
    strbuf_add_repeated(&text, '[', depth);
    strbuf_add_repeated(&text, ']', depth);
    return strbuf_str(&text);
}

static void test_the_deepest_nesting_is_read_and_one_more_is_not(void **state) {
    Session *session = *state;

    assert_non_null(read_text(session, nested(session, 60)));
    assert_int_equal(fault_of(session, nested(session, 61))->id, DIAG_yaml_too_deep);
}

static void test_a_hundred_thousand_brackets_end_with_a_message(void **state) {
    assert_int_equal(fault_of(*state, nested(*state, 100000))->id, DIAG_bad_json);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_document_is_indented_by_two),
        TEST(test_strings_are_escaped_where_they_must_be),
        TEST(test_bytes_that_are_not_utf8_are_replaced),
        TEST(test_reals_that_json_has_no_number_for_are_strings),
        TEST(test_reals_that_json_has_are_numbers),
        TEST(test_what_is_read_is_written_the_same),
        TEST(test_a_real_stays_a_real),
        TEST(test_a_scalar_is_a_document),
        TEST(test_a_fault_is_reported_at_its_place),
        TEST(test_a_duplicate_key_is_a_fault),
        TEST(test_an_empty_text_is_a_fault),
        TEST(test_two_documents_are_a_fault),
        TEST(test_a_number_beyond_64_bits_is_a_fault),
        TEST(test_the_deepest_nesting_is_read_and_one_more_is_not),
        TEST(test_a_hundred_thousand_brackets_end_with_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
