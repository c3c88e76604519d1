#include "schema/properties.h"

#include "tests/support/check.h"

static Property property_of(const char *path, const char *name) {
    const Str properties = schema_properties(str_of(path));
    Property property;
    for (size_t at = 0; schema_next_property(properties, &at, &property);) {
        if (str_is(property.name, name)) {
            return property;
        }
    }
    fail_msg("%s has no %s", path, name);
    return (Property){ 0 };
}

static void test_rows_stand_in_the_order_of_their_bytes(void **state) {
    (void)state;

    static const char *const PATHS[] = {
#define PROPERTIES(path, names) path,
#include "schema/properties.def"
    };
    for (size_t i = 0; i < COUNT_OF(PATHS); i++) {
        assert_true(i == 0 || str_compare(str_of(PATHS[i - 1]), str_of(PATHS[i])) < 0);
        assert_true(schema_properties(str_of(PATHS[i])).len > 0);
    }
}

static void test_a_property_has_a_form(void **state) {
    (void)state;

    assert_int_equal(property_of("AWS::EC2::Subnet", "CidrBlock").form, PROPERTY_TEXT);
    assert_int_equal(property_of("AWS::EKS::Nodegroup/ScalingConfig", "MaxSize").form, PROPERTY_NUMBER);
    assert_int_equal(property_of("AWS::EKS::Nodegroup", "Subnets").form, PROPERTY_LIST);
    assert_int_equal(property_of("AWS::EKS::Nodegroup", "ScalingConfig").form, PROPERTY_MAP);
    assert_int_equal(property_of("AWS::PCS::Cluster", "Tags").form, PROPERTY_ANY);
}

static void test_a_property_may_be_required(void **state) {
    (void)state;

    assert_true(property_of("AWS::EC2::Subnet", "VpcId").is_required);
    assert_false(property_of("AWS::EC2::Subnet", "Tags").is_required);
}

static void test_of_an_unknown_map_there_is_nothing(void **state) {
    (void)state;

    assert_int_equal(schema_properties(STR("AWS::Nothing::AtAll")).len, 0);
    assert_int_equal(schema_properties(STR("AWS::EKS::Nodegroup/Labels")).len, 0);
}

static void test_a_request_has_members_that_a_resource_lacks(void **state) {
    (void)state;

    assert_int_equal(property_of("aws-cli AWS::EC2::LaunchTemplate", "DryRun").form, PROPERTY_BOOL);
    assert_true(property_of("aws-cli AWS::PCS::ComputeNodeGroup/CustomLaunchTemplate", "TemplateId").is_required);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_stand_in_the_order_of_their_bytes),
        cmocka_unit_test(test_a_property_has_a_form),
        cmocka_unit_test(test_a_property_may_be_required),
        cmocka_unit_test(test_of_an_unknown_map_there_is_nothing),
        cmocka_unit_test(test_a_request_has_members_that_a_resource_lacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
