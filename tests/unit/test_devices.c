#include "compiler/plan/model/devices.h"

#include "tests/support/check.h"

static const InstanceRow B200 = { .name = "p6-b200.48xlarge", .family = "p6-b200" };
static const InstanceRow H100 = { .name = "p5.48xlarge", .family = "p5" };

static void test_nvlink_types_need_a_plugin_that_tells_them_apart(void **state) {
    (void)state;
    assert_false(device_counts_efa(STR("v0.5.9"), &B200));
    assert_false(device_counts_efa(STR("v0.4.12"), &B200));
    assert_true(device_counts_efa(STR("v0.5.10"), &B200));
    assert_true(device_counts_efa(STR("v0.5.22-eksbuild.1"), &B200));
    assert_true(device_counts_efa(STR("v1.0.0"), &B200));
}

static void test_other_types_take_any_plugin(void **state) {
    (void)state;
    assert_true(device_counts_efa(STR("v0.5.4"), &H100));
}

static void test_version_that_is_none_is_taken_for_new(void **state) {
    (void)state;
    assert_true(device_counts_efa(STR("latest"), &B200));
    assert_true(device_counts_efa(STR("v"), &B200));
    assert_true(device_counts_efa(STR("v0.x"), &B200));
}

static void test_registry_is_that_of_the_region(void **state) {
    (void)state;
    assert_string_equal(schema_registry(STR("us-east-1")), "602401143452");
    assert_string_equal(schema_registry(STR("ap-east-1")), "800184023465");
    assert_string_equal(schema_registry(STR("cn-north-1")), "918309763551");
    assert_string_equal(schema_registry(STR("us-iso-east-1")), "725322719131");
}

// A plugin of dtc's own that was as old as eksctl's could not help.
static void test_own_efa_plugin_tells_devices_apart(void **state) {
    (void)state;
    assert_true(device_counts_efa(str_of(device_row(DEVICE_EFA)->version), &B200));
    assert_false(device_counts_efa(str_of(device_row(DEVICE_EFA)->eksctl_version), &B200));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nvlink_types_need_a_plugin_that_tells_them_apart),
        cmocka_unit_test(test_other_types_take_any_plugin),
        cmocka_unit_test(test_version_that_is_none_is_taken_for_new),
        cmocka_unit_test(test_registry_is_that_of_the_region),
        cmocka_unit_test(test_own_efa_plugin_tells_devices_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
