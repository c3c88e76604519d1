#include "schema/schema.h"

#include "tests/support/check.h"

#define ECS "/aws/service/ecs/optimized-ami/"
#define DLAMI "/aws/service/deeplearning/ami/"

static void assert_meant(const char *path, const char *expected) {
    Arena *arena = arena_create();
    Str meant = STR_NONE;

    assert_true(schema_parameter_meant(arena, str_of(path), &meant));

    assert_text(meant, expected);
    arena_destroy(arena);
}

static void assert_fine(const char *path) {
    Arena *arena = arena_create();
    Str meant = STR_NONE;

    assert_false(schema_parameter_meant(arena, str_of(path), &meant));

    arena_destroy(arena);
}

static void test_every_path_of_the_schema_is_found_and_fine(void **state) {
    (void)state;
    ParameterRow row = { 0 };

    for (int i = 0; i < IMAGE_ROW_COUNT; i++) {
        assert_true(schema_parameter(str_of(IMAGE_ROWS[i].parameter), &row));
        assert_int_equal(row.architecture, IMAGE_ROWS[i].architecture);
        assert_int_equal(row.drivers, IMAGE_ROWS[i].accelerator);
        assert_fine(IMAGE_ROWS[i].parameter);
    }
}

static void test_special_row_goes_before_the_general_one(void **state) {
    (void)state;
    ParameterRow row = { 0 };

    assert_true(schema_parameter(STR(DLAMI "x86_64/base-oss-nvidia-driver-gpu-ubuntu-24.04/latest/ami-id"), &row));
    assert_int_equal(row.drivers, ACCELERATOR_NVIDIA);
    assert_true(schema_parameter(STR(DLAMI "x86_64/base-with-single-cuda-amazon-linux-2023/latest/ami-id"), &row));
    assert_int_equal(row.drivers, UNKNOWN);
}

static void test_ones_own_parameter_is_unknown(void **state) {
    (void)state;
    ParameterRow row = { 0 };

    assert_false(schema_parameter(STR("/team/images/gpu"), &row));
    assert_false(schema_parameter(STR(""), &row));
    assert_false(schema_parameter(STR("/"), &row));
    assert_fine("/team/images/gpu/image_id");
    assert_fine("");
}

static void test_last_step_of_another_family_is_replaced(void **state) {
    (void)state;

    assert_meant(ECS "amazon-linux-2023/gpu/recommended/ami-id", ECS "amazon-linux-2023/gpu/recommended/image_id");
    assert_meant(DLAMI "arm64/base-with-single-cuda-amazon-linux-2023/latest/image_id",
                 DLAMI "arm64/base-with-single-cuda-amazon-linux-2023/latest/ami-id");
    assert_meant("/aws/service/neuron/dlami/base/ubuntu-24.04/latest/ami-id",
                 "/aws/service/neuron/dlami/base/ubuntu-24.04/latest/image_id");
}

static void test_missing_last_step_is_added_and_one_too_many_taken(void **state) {
    (void)state;

    assert_meant(ECS "amazon-linux-2023/recommended", ECS "amazon-linux-2023/recommended/image_id");
    assert_meant("/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/nvidia/recommended/image_id/id",
                 "/aws/service/eks/optimized-ami/1.36/amazon-linux-2023/x86_64/nvidia/recommended/image_id");
}

static void test_neuron_has_another_name_on_each_amazon_linux(void **state) {
    (void)state;

    assert_meant(ECS "amazon-linux-2023/inf/recommended/image_id", ECS "amazon-linux-2023/neuron/recommended/image_id");
    assert_meant(ECS "amazon-linux-2/neuron/recommended/image_id", ECS "amazon-linux-2/inf/recommended/image_id");
}

static void test_what_was_written_for_a_star_is_kept(void **state) {
    (void)state;

    assert_meant("/aws/service/canonical/ubuntu/eks/22.04/1.31/stable/current/arm64/hvm/ebs-gp3/ami-id",
                 "/aws/service/canonical/ubuntu/eks/22.04/1.31/stable/current/arm64/hvm/ebs-gp2/ami-id");
}

static void test_name_where_no_leaf_is_known_is_no_mistake(void **state) {
    (void)state;

    assert_fine("/aws/service/ami-amazon-linux-latest/amzn2-ami-hvm-x86_64-gp2");
    assert_fine(ECS "amazon-linux-2/amzn2-ami-ecs-hvm-2.0.20260101-x86_64-ebs/image_id");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_path_of_the_schema_is_found_and_fine),
        cmocka_unit_test(test_special_row_goes_before_the_general_one),
        cmocka_unit_test(test_ones_own_parameter_is_unknown),
        cmocka_unit_test(test_last_step_of_another_family_is_replaced),
        cmocka_unit_test(test_missing_last_step_is_added_and_one_too_many_taken),
        cmocka_unit_test(test_neuron_has_another_name_on_each_amazon_linux),
        cmocka_unit_test(test_what_was_written_for_a_star_is_kept),
        cmocka_unit_test(test_name_where_no_leaf_is_known_is_no_mistake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
