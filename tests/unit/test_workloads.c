// Claims about the rows of workloads.def, and how pods are found and counted by them.
#include "schema/workloads.h"

#include "tests/support/check.h"

static void test_each_kind_has_pods_and_the_reverse(void **state) {
    (void)state;
    for (size_t i = 0; i < PODS_ROW_COUNT; i++) {
        assert_non_null(schema_workload(str_of(PODS_ROWS[i].type)));
    }
    static const char *const TYPES[] = { "v1/Pod", "batch/v1/Job", "ray.io/v1/RayCluster",
                                         "sagemaker.amazonaws.com/v1/HyperPodPyTorchJob" };
    for (size_t i = 0; i < COUNT_OF(TYPES); i++) {
        assert_non_null(schema_workload(str_of(TYPES[i])));
        assert_non_null(schema_pods(str_of(TYPES[i])));
    }
    assert_text(str_of(schema_workload(STR("ray.io/v1alpha1/RayService"))->type), "ray.io/v1/RayService");
    assert_null(schema_workload(STR("v1/Service")));
    assert_null(schema_pods(STR("v1/Service")));
}

// Who ends pods, or lets a number of them be placed together, says what rules ask next.
static void test_rows_say_what_their_traits_need(void **state) {
    (void)state;
    for (size_t i = 0; i < PODS_ROW_COUNT; i++) {
        const WorkloadKind *kind = schema_workload(str_of(PODS_ROWS[i].type));
        assert_true((kind->traits & PODS_END) == 0 || kind->restart != NULL);
        assert_false((kind->traits & PODS_END) != 0 && (kind->traits & PODS_RESTART) != 0);
        assert_true((kind->traits & INDEXES) == 0 || (kind->traits & IS_INDEXED) != 0);
        assert_non_null(kind->variables);
        assert_true(kind->least == NULL || str_has(str_of(PODS_ROWS[i].path), "*"));
        assert_true((kind->traits & IS_COUNTED) == 0 || PODS_ROWS[i].count != NULL);
    }
}

static void test_words_of_a_row(void **state) {
    (void)state;
    assert_true(workload_has("ssh-auth|mpi-job-config", STR("mpi-job-config")));
    assert_false(workload_has("ssh-auth|mpi-job-config", STR("mpi-job")));
    assert_true(workload_has("*-svc|*-ssh", STR("train-ssh")));
    assert_false(workload_has("*-svc|*-ssh", STR("train")));
    assert_false(workload_has(NULL, STR("train")));
    assert_false(workload_has("A|*", STR("B")));
    size_t at = 0;
    assert_text(workload_next("A|B", &at), "A");
    assert_text(workload_next("A|B", &at), "B");
    assert_true(workload_next("A|B", &at).len == 0);
    at = 0;
    assert_true(workload_next("", &at).len == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_kind_has_pods_and_the_reverse),
        cmocka_unit_test(test_rows_say_what_their_traits_need),
        cmocka_unit_test(test_words_of_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
