#include "schema/names.h"

#include "tests/support/check.h"

static void test_a_domain_has_what_is_behind_a_dot_alone(void **state) {
    (void)state;

    assert_true(names_have_domain(NAMES_DOMAINS_OF_KUBERNETES, STR("kubernetes.io")));
    assert_true(names_have_domain(NAMES_DOMAINS_OF_KUBERNETES, STR("node.k8s.io")));
    assert_false(names_have_domain(NAMES_DOMAINS_OF_KUBERNETES, STR("notkubernetes.io")));
    assert_false(names_have_domain(NAMES_DOMAINS_OF_KUBERNETES, STR("kubernetes.io.example.com")));
}

static void test_case_counts_where_it_is_asked_for(void **state) {
    (void)state;

    assert_true(names_have_in_any_case(NAMES_SLURM_WRITTEN_BY_CLUSTER, STR("TaskPlugin")));
    assert_false(names_have(NAMES_SLURM_WRITTEN_BY_CLUSTER, STR("TaskPlugin")));
    assert_true(names_have(NAMES_SLURM_WRITTEN_BY_CLUSTER, STR("treewidth")));
}

static void test_the_beginning_and_the_end_that_are_kept_are_named(void **state) {
    (void)state;

    assert_string_equal(names_beginning(NAMES_BUCKET_BEGINNINGS, STR("sthree-mine")), "sthree-");
    assert_null(names_beginning(NAMES_BUCKET_BEGINNINGS, STR("my-sthree-")));
    assert_string_equal(names_end(NAMES_BUCKET_ENDS, STR("mine.mrap")), ".mrap");
    assert_null(names_end(NAMES_BUCKET_ENDS, STR(".mrap.mine")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_domain_has_what_is_behind_a_dot_alone),
        cmocka_unit_test(test_case_counts_where_it_is_asked_for),
        cmocka_unit_test(test_the_beginning_and_the_end_that_are_kept_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
