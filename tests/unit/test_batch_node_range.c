#include "compiler/plan/rules/node_range.h"

#include "tests/support/check.h"

static void test_ranges_are_read(void **state) {
    (void)state;
    static const struct {
        const char *text;
        NodeRange range;
    } rows[] = {
        { "0:3", { 0, 3 } }, { ":3", { 0, 3 } }, { "2:", { 2, 7 } }, { ":", { 0, 7 } }, { "5", { 5, 5 } },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        NodeRange range = { 0 };
        assert_true(node_range_read(str_of(rows[i].text), 7, &range));
        assert_int_equal(range.first, rows[i].range.first);
        assert_int_equal(range.last, rows[i].range.last);
    }
}

static void test_other_texts_are_none(void **state) {
    (void)state;
    static const char *const texts[] = { "", "all", "0:x", "-1:2", "1:2:3" };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        NodeRange range = { 0 };
        assert_false(node_range_read(str_of(texts[i]), 7, &range));
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_are_read),
        cmocka_unit_test(test_other_texts_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
