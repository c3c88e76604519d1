#include "schema/updates.h"

#include "tests/support/check.h"

static void test_what_cannot_be_changed_replaces(void **state) {
    (void)state;

    assert_int_equal(update_of(STR("AWS::RDS::DBInstance"), STR("StorageEncrypted")), UPDATE_REPLACES);
    assert_int_equal(update_of(STR("AWS::EFS::FileSystem"), STR("Encrypted")), UPDATE_REPLACES);
    assert_int_equal(update_of(STR("AWS::EC2::Volume"), STR("Encrypted")), UPDATE_REFUSED);
    assert_int_equal(update_of(STR("AWS::EFS::FileSystem"), STR("ThroughputMode")), UPDATE_IN_PLACE);
    assert_int_equal(update_of(STR("AWS::PCS::ComputeNodeGroup"), STR("AmiId")), UPDATE_KEEPS);
}

static void test_the_longest_path_counts(void **state) {
    (void)state;
    const Str owner = STR("AWS::Batch::ComputeEnvironment");

    assert_int_equal(update_of(owner, STR("ComputeResources.MaxvCpus")), UPDATE_IN_PLACE);
    assert_int_equal(update_of(owner, STR("ComputeResources.LaunchTemplate.Version")), UPDATE_INTERRUPTS);
    assert_int_equal(update_of(owner, STR("ComputeResources.SpotIamFleetRole")), UPDATE_REPLACES);
    assert_int_equal(update_of(owner, STR("ComputeResources.InstanceTypes")), UPDATE_CONDITIONAL);
}

static void test_a_path_ends_at_a_word(void **state) {
    (void)state;

    assert_int_equal(update_of(STR("apps/v1/Deployment"), STR("spec.template.spec.containers")), UPDATE_INTERRUPTS);
    assert_int_equal(update_of(STR("apps/v1/Deployment"), STR("spec.templates")), UPDATE_UNKNOWN);
}

static void test_without_a_row_nothing_is_safe(void **state) {
    (void)state;

    assert_int_equal(update_of(STR("AWS::Nothing::AtAll"), STR("Name")), UPDATE_UNKNOWN);
    assert_false(update_is_safe(UPDATE_UNKNOWN));
    assert_true(update_price(STR("AWS::Nothing::AtAll"), STR("Name"), UPDATE_UNKNOWN).len > 0);
}

static void test_each_update_that_is_not_safe_has_a_price(void **state) {
    (void)state;

    for (int update = UPDATE_UNKNOWN; update <= UPDATE_REFUSED; update++) {
        assert_true(update_price(STR("AWS::EC2::VPC"), STR("CidrBlock"), (Update)update).len > 0);
    }
    assert_int_equal(update_price(STR("AWS::EC2::VPC"), STR("Tags"), UPDATE_IN_PLACE).len, 0);
}

static void test_a_price_of_the_owner_comes_first(void **state) {
    (void)state;
    const Str general = update_price(STR("AWS::EC2::VPC"), STR("CidrBlock"), UPDATE_REPLACES);
    const Str own = update_price(STR("AWS::RDS::DBInstance"), STR("StorageEncrypted"), UPDATE_REPLACES);
    const Str shared = update_price(STR("parallelcluster"), STR("SharedStorage.EfsSettings.Encrypted"), UPDATE_REFUSED);

    assert_false(str_equal(general, own));
    assert_false(str_equal(shared, update_price(STR("parallelcluster"), STR("Imds"), UPDATE_REFUSED)));
}

static void test_a_price_of_another_path_is_none_of_this_one(void **state) {
    (void)state;
    const Str general = update_price(STR("AWS::EC2::VPC"), STR("CidrBlock"), UPDATE_CONDITIONAL);
    const Str parameter = STR("AWS::SSM::Parameter");

    assert_false(str_equal(update_price(parameter, STR("Value"), UPDATE_CONDITIONAL), general));
    assert_true(str_equal(update_price(parameter, STR("Tier"), UPDATE_CONDITIONAL), general));
}

static void test_a_new_version_moves_what_follows_it(void **state) {
    (void)state;

    assert_true(update_moves(STR("AWS::EC2::LaunchTemplate"), STR("LatestVersionNumber")));
    assert_false(update_moves(STR("AWS::EC2::LaunchTemplate"), STR("LaunchTemplateId")));
}

static void test_what_is_handed_on_is_not_followed(void **state) {
    (void)state;

    assert_true(update_hands_on(STR("AWS::SSM::Parameter"), STR("Value")));
    assert_true(update_hands_on(STR("AWS::CloudFormation::Stack"), STR("Parameters.Version")));
    assert_false(update_hands_on(STR("AWS::SSM::Parameter"), STR("Name")));
    assert_false(update_hands_on(STR("AWS::EKS::Nodegroup"), STR("LaunchTemplate.Version")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_cannot_be_changed_replaces),
        cmocka_unit_test(test_the_longest_path_counts),
        cmocka_unit_test(test_a_path_ends_at_a_word),
        cmocka_unit_test(test_without_a_row_nothing_is_safe),
        cmocka_unit_test(test_each_update_that_is_not_safe_has_a_price),
        cmocka_unit_test(test_a_price_of_the_owner_comes_first),
        cmocka_unit_test(test_a_price_of_another_path_is_none_of_this_one),
        cmocka_unit_test(test_a_new_version_moves_what_follows_it),
        cmocka_unit_test(test_what_is_handed_on_is_not_followed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
