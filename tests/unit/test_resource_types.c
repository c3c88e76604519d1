#include "schema/resource_types.h"

#include "tests/support/check.h"

static void test_a_resource_gives_what_its_row_says(void **state) {
    (void)state;

    assert_true(str_is(resource_ref(STR("AWS::EC2::EIP")), "a public address"));
    assert_true(str_is(resource_attribute(STR("AWS::EC2::EIP"), STR("AllocationId")), "an allocation id"));
    assert_true(str_is(resource_attribute_of(STR("AWS::IAM::Role"), STR("a role ARN")), "Arn"));
    assert_int_equal(resource_attribute(STR("AWS::EC2::VPC"), STR("CidrBlock")).len, 0);
}

static void test_of_an_unknown_type_nothing_is_said(void **state) {
    (void)state;

    assert_int_equal(resource_ref(STR("AWS::Nothing::AtAll")).len, 0);
    assert_true(resource_has_attribute(STR("AWS::Nothing::AtAll"), STR("Arn")));
    assert_null(resource_takes(STR("AWS::Nothing::AtAll"), STR_NONE, STR("SubnetId")));
}

static void test_parts_of_an_attribute_count_as_the_attribute(void **state) {
    (void)state;

    assert_true(resource_has_attribute(STR("AWS::S3::Bucket"), STR("MetadataConfiguration.Destination")));
    assert_false(resource_has_attribute(STR("AWS::S3::Bucket"), STR("Name")));
    assert_true(resource_has_attribute(STR("AWS::RDS::DBSubnetGroup"), STR("Anything")));
}

static void test_a_property_inside_of_another_is_told_by_both(void **state) {
    (void)state;

    const ResourceTakes *name = resource_takes(STR("AWS::EC2::LaunchTemplate"), STR("IamInstanceProfile"), STR("Name"));
    assert_non_null(name);
    assert_true(resource_takes_kind(name, STR("an instance profile name")));
    assert_false(resource_takes_kind(name, STR("an instance profile ARN")));
    assert_null(resource_takes(STR("AWS::EC2::LaunchTemplate"), STR("Other"), STR("Name")));
}

static void test_an_id_tells_what_is_strange_in_it(void **state) {
    (void)state;

    ResourceId id;
    assert_true(str_is(resource_literal(STR("ami-0c4f8a1be72d936zZ"), &id), "a machine image id"));
    assert_int_equal(id.length, 17);
    assert_int_equal(id.strays, 2);
    assert_int_equal(id.first_stray, 'z');
    assert_true(str_is(resource_literal(STR("arn:aws:iam::418272778901:role/nodes"), &id), "a role ARN"));
    assert_int_equal(id.length, 0);
    assert_int_equal(resource_literal(STR("ami-of-the-team"), &id).len, 0);
    assert_int_equal(resource_literal(STR("ami-"), &id).len, 0);
}

static void test_a_file_system_of_either_service_fits(void **state) {
    (void)state;

    const ResourceTakes *target = resource_takes(STR("AWS::EFS::MountTarget"), STR_NONE, STR("FileSystemId"));
    assert_true(resource_takes_kind(target, STR("a file system id")));
    assert_false(resource_takes_kind(target, STR("an FSx file system id")));
    assert_true(resource_has_takes(STR("karpenter.k8s.aws/v1/EC2NodeClass")));
    assert_false(resource_has_takes(STR("v1/Pod")));
}

// A kind that is spelled in two ways would never fit. Of those that an author alone writes there is nothing to refer to.
static void test_what_a_property_takes_something_gives(void **state) {
    static const char *const written[] = { "a launch template name",  "an id of IAM Identity Center",
                                           "a PCS cluster name",      "a PCS compute node group name",
                                           "a VPN gateway id",        "a secret name",
                                           "a task definition family" };
    static const char *const types[] = {
#define RESOURCE(type, ref, ...) type,
#define TAKES(type, key, ...)
#define LITERAL(kind, ...)
#include "schema/resource_types.def"
#undef RESOURCE
#undef TAKES
#undef LITERAL
    };
    static const char *const kinds[] = {
#define RESOURCE(type, ref, ...)
#define TAKES(type, key, ...) __VA_ARGS__,
#define LITERAL(kind, ...)
#include "schema/resource_types.def"
#undef RESOURCE
#undef TAKES
#undef LITERAL
    };
    static const char *const literals[] = {
#define RESOURCE(type, ref, ...)
#define TAKES(type, key, ...)
#define LITERAL(kind, ...) kind,
#include "schema/resource_types.def"
#undef RESOURCE
#undef TAKES
#undef LITERAL
    };
    (void)state;

    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        bool is_given = str_is(str_of("a name of a subnet"), kinds[i]); // which a ClusterConfig gives itself
        for (size_t k = 0; k < COUNT_OF(literals); k++) {
            is_given = is_given || str_is(str_of(literals[k]), kinds[i]);
        }
        for (size_t k = 0; k < COUNT_OF(written); k++) {
            is_given = is_given || str_is(str_of(written[k]), kinds[i]);
        }
        for (size_t k = 0; k < COUNT_OF(types); k++) {
            is_given = is_given || str_is(resource_ref(str_of(types[k])), kinds[i]) ||
                       resource_attribute_of(str_of(types[k]), str_of(kinds[i])).len > 0;
        }
        assert_true(is_given);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_resource_gives_what_its_row_says),
        cmocka_unit_test(test_of_an_unknown_type_nothing_is_said),
        cmocka_unit_test(test_parts_of_an_attribute_count_as_the_attribute),
        cmocka_unit_test(test_a_property_inside_of_another_is_told_by_both),
        cmocka_unit_test(test_an_id_tells_what_is_strange_in_it),
        cmocka_unit_test(test_a_file_system_of_either_service_fits),
        cmocka_unit_test(test_what_a_property_takes_something_gives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
