// Fields of ARNs, and texts that have none.
#include "compiler/base/arn.h"

#include "tests/support/check.h"

static void test_fields_stand_between_colons(void **state) {
    (void)state;
    const Str arn = STR("arn:aws-cn:fsx:cn-north-1:123456789012:file-system/fs-1");
    assert_text(arn_field(arn, ARN_PARTITION), "aws-cn");
    assert_text(arn_field(arn, ARN_REGION), "cn-north-1");
    assert_text(arn_field(arn, ARN_ACCOUNT), "123456789012");
}

static void test_a_field_may_be_empty_or_the_last(void **state) {
    (void)state;
    assert_text(arn_field(STR("arn:aws:iam::123456789012"), ARN_REGION), "");
    assert_text(arn_field(STR("arn:aws:iam::123456789012"), ARN_ACCOUNT), "123456789012");
}

static void test_other_texts_have_no_fields(void **state) {
    (void)state;
    assert_text(arn_field(STR("arn:aws"), ARN_ACCOUNT), "");
    assert_text(arn_field(STR("arn:"), ARN_PARTITION), "");
    assert_text(arn_field(STR("a:b:c:d:e"), ARN_REGION), "");
    assert_text(arn_field(STR_NONE, ARN_REGION), "");
}

static void test_a_variable_is_one_field(void **state) {
    (void)state;
    const Str arn = STR("arn:${AWS::Partition}:logs:${AWS::Region}:1:log-group:/a:*");
    assert_text(arn_field(arn, ARN_PARTITION), "${AWS::Partition}");
    assert_text(arn_field(arn, ARN_SERVICE), "logs");
    assert_text(arn_field(arn, ARN_ACCOUNT), "1");
}

static void test_a_resource_may_have_colons(void **state) {
    (void)state;
    assert_text(arn_resource(STR("arn:aws:logs:::log-group:/a:*")), "log-group:/a:*");
    assert_text(arn_resource(STR("arn:aws:s3:::bucket/*")), "bucket/*");
    assert_text(arn_resource(STR("arn:aws:iam::1")), "");
    assert_text(arn_resource(STR("a:b:c:d:e:f")), "");
}

static void test_an_arn_reaches_its_account(void **state) {
    (void)state;
    assert_true(arn_is(STR("arn:aws:s3:::bucket")));
    assert_true(arn_is(STR("arn:aws:iam::")));
    assert_false(arn_is(STR("arn:aws:iam:")));
    assert_false(arn_is(STR("barn:aws:iam::1")));
    assert_false(arn_is(STR_NONE));
}

static void test_a_bucket_ends_at_the_first_slash(void **state) {
    (void)state;
    assert_text(s3_bucket(STR("s3://data/a/b")), "data");
    assert_text(s3_bucket(STR("s3://data")), "data");
    assert_text(s3_bucket(STR("s3:/data")), "");
    assert_text(s3_bucket(STR_NONE), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fields_stand_between_colons),
        cmocka_unit_test(test_a_field_may_be_empty_or_the_last),
        cmocka_unit_test(test_an_arn_reaches_its_account),
        cmocka_unit_test(test_a_variable_is_one_field),
        cmocka_unit_test(test_a_resource_may_have_colons),
        cmocka_unit_test(test_other_texts_have_no_fields),
        cmocka_unit_test(test_a_bucket_ends_at_the_first_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
