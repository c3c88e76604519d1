#include "compiler/plan/model/facts.h"

#include "tests/support/check.h"

static const char STACKS[] = "{ \"Stacks\": [ {\n"
                             "  \"StackName\": \"lab\",\n"
                             "  \"StackId\": \"arn:aws-cn:cloudformation:cn-north-1:123456789012:stack/lab/1\",\n"
                             "  \"StackStatus\": \"UPDATE_COMPLETE\",\n"
                             "  \"Outputs\": [\n"
                             "    { \"OutputKey\": \"Id\", \"OutputValue\": \"vpc-1\", \"ExportName\": \"lab-VPC\" },\n"
                             "    { \"OutputKey\": \"PrivateSubnet\", \"OutputValue\": \"subnet-1,subnet-2\" },\n"
                             "    { \"OutputKey\": \"Other\", \"OutputValue\": \"x\", \"ExportName\": \"labs-VPN\" }\n"
                             "  ] } ] }";

static int make(void **state) {
    *state = session_create();
    return 0;
}

static int drop(void **state) {
    session_destroy(*state);
    return 0;
}

static Facts read(Session *session, const char *text) {
    Facts facts = { 0 };
    facts_read(session, source_add(session, STR("facts.json"), str_of(text)), &facts);
    return facts;
}

static void test_output_is_found_by_its_export(void **state) {
    const Facts facts = read(*state, STACKS);
    assert_text(facts_output(facts_stack(&facts, STR("lab")), STR("VPC"))->value, "vpc-1");
}

static void test_output_without_an_export_is_found_by_its_key(void **state) {
    const Facts facts = read(*state, STACKS);
    assert_text(facts_output(facts_stack(&facts, STR("lab")), STR("PrivateSubnet"))->value, "subnet-1,subnet-2");
}

static void test_export_of_another_stack_is_no_export_of_this_one(void **state) {
    const Facts facts = read(*state, STACKS);
    assert_null(facts_output(facts_stack(&facts, STR("lab")), STR("VPN")));
}

static void test_unknown_stack_has_no_facts(void **state) {
    const Facts facts = read(*state, STACKS);
    assert_null(facts_stack(&facts, STR("shop")));
    assert_null(facts_stack(NULL, STR("lab")));
}

static void test_stack_that_is_being_changed_is_not_good(void **state) {
    const Facts facts =
        read(*state, "{ \"Stacks\": [ { \"StackName\": \"a\", \"StackStatus\": \"UPDATE_IN_PROGRESS\" },"
                     "{ \"StackName\": \"b\", \"StackStatus\": \"UPDATE_COMPLETE\" },"
                     "{ \"StackName\": \"c\" } ] }");
    assert_false(facts_is_good(facts_stack(&facts, STR("a"))));
    assert_true(facts_is_good(facts_stack(&facts, STR("b"))));
    assert_false(facts_is_good(facts_stack(&facts, STR("c"))));
}

static void test_stack_without_outputs_has_none(void **state) {
    const Facts facts = read(*state, "{ \"Stacks\": [ { \"StackName\": \"a\", \"Outputs\": null } ] }");
    assert_null(facts_output(facts_stack(&facts, STR("a")), STR("VPC")));
}

static void test_list_instead_of_a_map_is_reported(void **state) {
    read(*state, "[ 1 ]");
    assert_true(has_errors(*state));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_output_is_found_by_its_export, make, drop),
        cmocka_unit_test_setup_teardown(test_output_without_an_export_is_found_by_its_key, make, drop),
        cmocka_unit_test_setup_teardown(test_export_of_another_stack_is_no_export_of_this_one, make, drop),
        cmocka_unit_test_setup_teardown(test_unknown_stack_has_no_facts, make, drop),
        cmocka_unit_test_setup_teardown(test_stack_that_is_being_changed_is_not_good, make, drop),
        cmocka_unit_test_setup_teardown(test_stack_without_outputs_has_none, make, drop),
        cmocka_unit_test_setup_teardown(test_list_instead_of_a_map_is_reported, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
