#include "compiler/base/json_stream.h"

#include "tests/support/check.h"

static void test_objects_in_a_row_are_a_stream(void **state) {
    (void)state;

    assert_true(json_stream_is(STR("{} {}")));
    assert_true(json_stream_is(STR("\n{\"a\": {}}{\"b\": 1}")));
}

static void test_one_object_is_no_stream(void **state) {
    (void)state;

    assert_false(json_stream_is(STR("")));
    assert_false(json_stream_is(STR("{}\n")));
    assert_false(json_stream_is(STR("{\"a\": {} ")));
    assert_false(json_stream_is(STR("{}, {}")));
    assert_false(json_stream_is(STR("[{} {}]")));
    assert_false(json_stream_is(STR("{}\n---\n{}")));
}

static void test_brackets_in_strings_close_nothing(void **state) {
    (void)state;
    size_t end = 0;
    Str object;

    assert_true(json_stream_next(STR("{\"a\": \"}{\\\"}\"} {\"b\": 1}"), &end, &object));
    assert_text(object, "{\"a\": \"}{\\\"}\"}");
    assert_true(json_stream_next(STR("{\"a\": \"}{\\\"}\"} {\"b\": 1}"), &end, &object));
    assert_text(object, "{\"b\": 1}");
    assert_false(json_stream_next(STR("{\"a\": \"}{\\\"}\"} {\"b\": 1}"), &end, &object));
}

static void test_what_is_no_object_is_the_last(void **state) {
    (void)state;
    size_t end = 0;
    Str object;

    assert_true(json_stream_next(STR("{} , {} {\"a\\"), &end, &object));
    assert_true(json_stream_next(STR("{} , {} {\"a\\"), &end, &object));
    assert_text(object, ", {} {\"a\\");
    assert_false(json_stream_next(STR("{} , {} {\"a\\"), &end, &object));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_objects_in_a_row_are_a_stream),
        cmocka_unit_test(test_one_object_is_no_stream),
        cmocka_unit_test(test_brackets_in_strings_close_nothing),
        cmocka_unit_test(test_what_is_no_object_is_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
