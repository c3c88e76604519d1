// Sizes of the controllers of AWS PCS.
#include "compiler/plan/model/pcs.h"

#include "tests/support/check.h"

static void test_size_has_room_for_its_last_node(void **state) {
    (void)state;

    assert_int_equal(plan_pcs_least_size(32), PCS_SMALL);
    assert_int_equal(plan_pcs_least_size(33), PCS_MEDIUM);
    assert_int_equal(plan_pcs_least_size(512), PCS_MEDIUM);
    assert_int_equal(plan_pcs_least_size(513), PCS_LARGE);
    assert_int_equal(plan_pcs_least_size(2049), PCS_LARGE);
}

static void test_size_is_that_of_its_word(void **state) {
    (void)state;

    for (int size = PCS_SMALL; size <= PCS_LARGE; size++) {
        assert_int_equal(plan_pcs_size_of(str_of(plan_pcs_size((PcsSize)size)->word)), size);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size_has_room_for_its_last_node),
        cmocka_unit_test(test_size_is_that_of_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
