#include "emitters/cloudformation/template/parameters.h"

#include "tests/support/cloudformation_plan.h"

static const PatternRow PLAIN_PATTERN = {
    .name = "capacity_reservation",
    .pattern = "^cr-[0-9a-f]{17}$",
    .example = "cr-0123456789abcdef0",
    .cfn_type = "String",
    .cfn_list_type = "CommaDelimitedList",
};
static const PatternRow AWS_PATTERN = {
    .name = "subnet_id",
    .pattern = "^subnet-[0-9a-f]{17}$",
    .example = "subnet-0123456789abcdef0",
    .cfn_type = "AWS::EC2::Subnet::Id",
    .cfn_list_type = "List<AWS::EC2::Subnet::Id>",
};
static const Type PLAIN_TYPE = { .kind = TYPE_PATTERN, .name = "capacity_reservation", .pattern = &PLAIN_PATTERN };
static const Type AWS_TYPE = { .kind = TYPE_PATTERN, .name = "subnet_id", .pattern = &AWS_PATTERN };
static const Type AWS_LIST_TYPE = { .kind = TYPE_LIST, .name = "list(subnet_id)", .element = &AWS_TYPE };
static const Type INT_TYPE = { .kind = TYPE_INT, .name = "int" };
static const Type INT_LIST_TYPE = { .kind = TYPE_LIST, .name = "list(int)", .element = &INT_TYPE };

// The `Parameters` section of a template that uses one param.
static Str written(Session *session, const Param *param) {
    Plan *plan = a_plan(session);
    declare(session, plan, param);
    Stack *stack = a_stack(session, plan);
    stack_param(stack, param);
    doc_put(stack->doc, doc_root(stack->doc), STR("Parameters"), parameters_make(stack));
    Str text = stack_text(stack);
    arena_destroy(stack->arena);
    return text;
}

static void test_doc_is_the_description(void **state) {
    Session *session = *state;
    Param *param = a_param(session, "vpc_name", &TEST_STRING_TYPE, false);
    param->doc = STR("Name tag\nof the VPC");
    param->initial = a_string(session, "ML VPC");

    assert_text(written(session, param), "Parameters:\n"
                                         "  VpcName:\n"
                                         "    Type: String\n"
                                         "    Description: Name tag of the VPC\n"
                                         "    Default: ML VPC\n");
}

static void test_pattern_without_an_aws_type_is_checked_by_the_template(void **state) {
    Session *session = *state;

    assert_text(written(session, a_param(session, "odcr", &PLAIN_TYPE, false)),
                "Parameters:\n"
                "  Odcr:\n"
                "    Type: String\n"
                "    AllowedPattern: ^cr-[0-9a-f]{17}$\n"
                "    ConstraintDescription: such as cr-0123456789abcdef0\n");
}

static void test_aws_type_is_checked_by_aws(void **state) {
    Session *session = *state;

    assert_text(written(session, a_param(session, "subnet", &AWS_TYPE, false)), "Parameters:\n"
                                                                                "  Subnet:\n"
                                                                                "    Type: AWS::EC2::Subnet::Id\n");
}

static void test_optional_admits_the_empty_text(void **state) {
    Session *session = *state;

    assert_text(written(session, a_param(session, "subnet", &AWS_TYPE, true)),
                "Parameters:\n"
                "  Subnet:\n"
                "    Type: String\n"
                "    Default: \"\"\n"
                "    AllowedPattern: ^(?:subnet-[0-9a-f]{17})?$\n"
                "    ConstraintDescription: such as subnet-0123456789abcdef0, or nothing\n");
}

static void test_bool_is_one_of_two_texts(void **state) {
    Session *session = *state;
    Param *param = a_param(session, "debug", &TEST_BOOL_TYPE, false);
    param->initial = a_bool(session, false);

    assert_text(written(session, param), "Parameters:\n"
                                         "  Debug:\n"
                                         "    Type: String\n"
                                         "    Default: \"false\"\n"
                                         "    AllowedValues:\n"
                                         "    - \"true\"\n"
                                         "    - \"false\"\n");
}

static void test_int_is_a_number(void **state) {
    Session *session = *state;
    Param *param = a_param(session, "count", &INT_TYPE, false);
    param->initial = an_int(session, 3);

    assert_text(written(session, param), "Parameters:\n"
                                         "  Count:\n"
                                         "    Type: Number\n"
                                         "    Default: 3\n");
}

static void test_optional_int_is_text_of_digits(void **state) {
    Session *session = *state;

    assert_text(written(session, a_param(session, "count", &INT_TYPE, true)),
                "Parameters:\n"
                "  Count:\n"
                "    Type: String\n"
                "    Default: \"\"\n"
                "    AllowedPattern: ^(?:-?[0-9]+)?$\n"
                "    ConstraintDescription: a whole number, or nothing\n");
}

static void test_lists_have_the_type_of_their_items(void **state) {
    Session *session = *state;

    assert_text(written(session, a_param(session, "ids", &AWS_LIST_TYPE, false)),
                "Parameters:\n  Ids:\n    Type: List<AWS::EC2::Subnet::Id>\n");
    assert_text(written(session, a_param(session, "ids", &INT_LIST_TYPE, false)),
                "Parameters:\n  Ids:\n    Type: List<Number>\n");
    assert_text(written(session, a_param(session, "ids", &TEST_LIST_TYPE, false)),
                "Parameters:\n  Ids:\n    Type: CommaDelimitedList\n");
}

static void test_default_of_a_list_is_one_text(void **state) {
    Session *session = *state;
    Param *param = a_param(session, "names", &TEST_LIST_TYPE, false);
    param->initial = a_list(session, 2, (const Value *[]){ a_string(session, "a"), a_string(session, "b") });

    assert_text(written(session, param), "Parameters:\n"
                                         "  Names:\n"
                                         "    Type: CommaDelimitedList\n"
                                         "    Default: a,b\n");
}

static void test_what_must_be_given_comes_first_in_the_console(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    Param *optional = a_param(session, "key_name", &TEST_STRING_TYPE, true);
    Param *required = a_param(session, "zone", &TEST_STRING_TYPE, false);
    declare(session, plan, optional);
    declare(session, plan, required);
    Stack *stack = a_stack(session, plan);
    stack_param(stack, optional);
    stack_param(stack, required);

    parameters_make(stack);

    assert_int_equal(stack->step.parameters.count, 1);
    assert_text(stack->step.parameters.items[0], "Zone");
    doc_put(stack->doc, doc_root(stack->doc), STR("Metadata"), stack->metadata);
    assert_text(stack_text(stack), "Metadata:\n"
                                   "  AWS::CloudFormation::Interface:\n"
                                   "    ParameterGroups:\n"
                                   "    - Label:\n"
                                   "        default: Required\n"
                                   "      Parameters:\n"
                                   "      - Zone\n"
                                   "    - Label:\n"
                                   "        default: Optional\n"
                                   "      Parameters:\n"
                                   "      - KeyName\n"
                                   "    ParameterLabels:\n"
                                   "      KeyName:\n"
                                   "        default: Key name\n"
                                   "      Zone:\n"
                                   "        default: Zone\n");
    arena_destroy(stack->arena);
}

static void test_image_is_read_from_ssm(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    stack_image(stack, STR("/aws/service/a"), &TEST_ORIGIN);
    stack_image(stack, STR("/aws/service/b"), &TEST_ORIGIN);
    assert_text(stack_image(stack, STR("/aws/service/a"), &TEST_ORIGIN), "LabImage");

    doc_put(stack->doc, doc_root(stack->doc), STR("Parameters"), parameters_make(stack));

    assert_text(stack_text(stack), "Parameters:\n"
                                   "  LabImage:\n"
                                   "    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>\n"
                                   "    Description: SSM parameter that holds the id of the image\n"
                                   "    Default: /aws/service/a\n"
                                   "  LabImage2:\n"
                                   "    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>\n"
                                   "    Description: SSM parameter that holds the id of the image\n"
                                   "    Default: /aws/service/b\n");
    arena_destroy(stack->arena);
}

static void test_params_of_one_name_in_camel_case_coincide(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));

    stack_param(stack, a_param(session, "gpu-a", &TEST_STRING_TYPE, false));
    stack_param(stack, a_param(session, "gpu_a", &TEST_STRING_TYPE, false));

    assert_int_equal(session->diags.items.count, 1);
    assert_int_equal(session->diags.items.items[0]->id, DIAG_logical_ids_coincide);
    arena_destroy(stack->arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_doc_is_the_description),
        session_test(test_pattern_without_an_aws_type_is_checked_by_the_template),
        session_test(test_aws_type_is_checked_by_aws),
        session_test(test_optional_admits_the_empty_text),
        session_test(test_bool_is_one_of_two_texts),
        session_test(test_int_is_a_number),
        session_test(test_optional_int_is_text_of_digits),
        session_test(test_lists_have_the_type_of_their_items),
        session_test(test_default_of_a_list_is_one_text),
        session_test(test_what_must_be_given_comes_first_in_the_console),
        session_test(test_image_is_read_from_ssm),
        session_test(test_params_of_one_name_in_camel_case_coincide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
