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

static void assert_place(Session *session, uint32_t source, uint32_t offset, uint32_t line, uint32_t column) {
    const Place place = source_place(session, source, offset);
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void test_numbers_count_from_one_and_zero_is_no_source(void **state) {
    assert_text(source_get(*state, 0)->text, "");
    assert_int_equal(source_add(*state, STR("a.dt"), STR("a")), 1);
    assert_int_equal(source_add(*state, STR("b.dt"), STR("b")), 2);
    assert_text(source_get(*state, 2)->path, "b.dt");
}

static void test_places_count_lines_and_code_points(void **state) {
    const uint32_t source = source_add(*state, STR("x"), STR("ab\n\n\xC3\xA9\xE2\x82\xAC z\nend"));

    assert_place(*state, source, 0, 1, 1);
    assert_place(*state, source, 2, 1, 3);
    assert_place(*state, source, 3, 2, 1);
    assert_place(*state, source, 4, 3, 1);
    assert_place(*state, source, 6, 3, 2);
    assert_place(*state, source, 9, 3, 3);
    assert_place(*state, source, 12, 4, 1);
    assert_place(*state, source, 15, 4, 4);
}

static void test_a_place_behind_the_end_is_the_end(void **state) {
    const uint32_t source = source_add(*state, STR("x"), STR("ab\n"));
    const uint32_t empty = source_add(*state, STR("x"), STR_NONE);

    assert_place(*state, source, 3, 2, 1);
    assert_place(*state, source, 999, 2, 1);
    assert_place(*state, empty, 0, 1, 1);
    assert_place(*state, empty, 5, 1, 1);
}

static void test_lines_come_without_their_ends(void **state) {
    const uint32_t source = source_add(*state, STR("x"), STR("one\r\ntwo\n\nlast"));

    assert_text(source_line(*state, source, 1), "one");
    assert_text(source_line(*state, source, 2), "two");
    assert_text(source_line(*state, source, 3), "");
    assert_text(source_line(*state, source, 4), "last");
    assert_text(source_line(*state, source, 5), "");
    assert_text(source_line(*state, source, 0), "");
}

static void test_text_of_a_span(void **state) {
    const uint32_t source = source_add(*state, STR("x"), STR("network lab"));

    assert_text(source_text(*state, (Span){ source, 8, 11 }), "lab");
    assert_text(source_text(*state, (Span){ source, 8, 99 }), "lab");
    assert_text(source_text(*state, SPAN_NONE), "");
}

static void test_spans_join_from_end_to_end(void **state) {
    (void)state;
    const Span first = { 1, 3, 5 };
    const Span last = { 1, 8, 9 };
    const Span elsewhere = { 2, 0, 1 };

    assert_true(span_equal(span_join(first, last), (Span){ 1, 3, 9 }));
    assert_true(span_equal(span_join(last, first), (Span){ 1, 3, 9 }));
    assert_true(span_equal(span_join(SPAN_NONE, last), last));
    assert_true(span_equal(span_join(first, SPAN_NONE), first));
    assert_true(span_equal(span_join(first, elsewhere), first));
    assert_true(span_is_none(span_join(SPAN_NONE, SPAN_NONE)));
    assert_false(span_is_none(first));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_numbers_count_from_one_and_zero_is_no_source, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_places_count_lines_and_code_points, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_place_behind_the_end_is_the_end, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_lines_come_without_their_ends, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_text_of_a_span, make_session, drop_session),
        cmocka_unit_test(test_spans_join_from_end_to_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
