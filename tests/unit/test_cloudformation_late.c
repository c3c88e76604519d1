#include "emitters/cloudformation/template/template_value.h"

#include "emitters/cloudformation/template/condition.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "tests/support/cloudformation_plan.h"

// The node of a value as YAML, under the key `X`, with the conditions that it brought.
static Str written(Stack *stack, DocNode *node) {
    DocNode *root = doc_root(stack->doc);
    if (doc_count(stack->conditions) > 0) {
        tree_put(stack->doc, root, "Conditions", stack->conditions);
    }
    tree_put(stack->doc, root, "X", node);
    Str text = stack_text(stack);
    arena_destroy(stack->arena);
    return text;
}

static Str written_value(Session *session, const Value *value) {
    Stack *stack = a_stack(session, a_plan(session));
    return written(stack, template_value(stack, value));
}

static void test_known_text_with_sub_syntax_stays_plain(void **state) {
    Session *session = *state;

    Str text = written_value(session, a_string(session, "a ${b}"));

    assert_text(text, "X: a ${b}\n");
}

static void test_text_of_several_lines_is_a_block(void **state) {
    Session *session = *state;

    Str text = written_value(session, a_string(session, "a\nb\n"));

    assert_text(text, "X: |\n  a\n  b\n");
}

static void test_null_is_no_node(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));

    assert_null(template_value(stack, a_null(session)));

    arena_destroy(stack->arena);
}

static void test_param_is_a_reference(void **state) {
    Session *session = *state;

    Str text = written_value(session, a_late_param(session, a_param(session, "vpc_name", &TEST_STRING_TYPE, false)));

    assert_text(text, "X: !Ref VpcName\n");
}

static void test_optional_param_takes_the_property_away(void **state) {
    Session *session = *state;

    Str text = written_value(session, a_late_param(session, a_param(session, "key", &TEST_STRING_TYPE, true)));

    assert_text(text, "Conditions:\n"
                      "  HasKey: !Not [!Equals [!Ref Key, \"\"]]\n"
                      "X: !If [HasKey, !Ref Key, !Ref AWS::NoValue]\n");
}

static void test_defaults_nest_and_end_in_the_known_value(void **state) {
    Session *session = *state;
    const Value *a = a_late_param(session, a_param(session, "a", &TEST_STRING_TYPE, true));
    const Value *b = a_late_param(session, a_param(session, "b", &TEST_STRING_TYPE, true));
    const Value *inner = a_late_of(session, LATE_DEFAULT, 2, (const Value *[]){ b, a_string(session, "c") });

    Str text = written_value(session, a_late_of(session, LATE_DEFAULT, 2, (const Value *[]){ a, inner }));

    assert_text(text, "Conditions:\n"
                      "  HasA: !Not [!Equals [!Ref A, \"\"]]\n"
                      "  HasB: !Not [!Equals [!Ref B, \"\"]]\n"
                      "X: !If [HasA, !Ref A, !If [HasB, !Ref B, c]]\n");
}

static void test_default_on_the_left_falls_through_to_the_right(void **state) {
    Session *session = *state;
    const Value *a = a_late_param(session, a_param(session, "a", &TEST_STRING_TYPE, true));
    const Value *b = a_late_param(session, a_param(session, "b", &TEST_STRING_TYPE, true));
    const Value *left = a_late_of(session, LATE_DEFAULT, 2, (const Value *[]){ a, b });

    Str text =
        written_value(session, a_late_of(session, LATE_DEFAULT, 2, (const Value *[]){ left, a_string(session, "c") }));

    assert_text(text, "Conditions:\n"
                      "  HasA: !Not [!Equals [!Ref A, \"\"]]\n"
                      "  HasB: !Not [!Equals [!Ref B, \"\"]]\n"
                      "X: !If [HasA, !Ref A, !If [HasB, !Ref B, c]]\n");
}

static void test_bool_param_chooses_between_values(void **state) {
    Session *session = *state;
    const Value *debug = a_late_param(session, a_param(session, "debug", &TEST_BOOL_TYPE, false));

    Str text = written_value(
        session, a_late_of(session, LATE_IF, 3, (const Value *[]){ debug, an_int(session, 1), a_null(session) }));

    assert_text(text, "Conditions:\n"
                      "  DebugIsTrue: !Equals [!Ref Debug, \"true\"]\n"
                      "X: !If [DebugIsTrue, 1, !Ref AWS::NoValue]\n");
}

static void test_given_value_needs_no_condition_of_its_own(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Value *key = a_late_param(session, a_param(session, "key", &TEST_STRING_TYPE, true));

    Str text = written(stack, template_given_value(stack, key));

    assert_text(text, "X: !Ref Key\n");
}

static void test_literal_sub_syntax_is_escaped_in_late_text(void **state) {
    Session *session = *state;
    const Value *region = a_late(session, (Late){ .kind = LATE_PSEUDO, .name = STR("region") });
    const Value *parts[] = { a_string(session, "${a} $${b} $ {c} "), region };

    Str text = written_value(session, a_late_of(session, LATE_TEXT, 2, parts));

    assert_text(text, "X: !Sub ${!a} $${!b} $ {c} ${AWS::Region}\n");
}

static void test_text_of_one_reference_is_that_reference(void **state) {
    Session *session = *state;
    const Value *region = a_late(session, (Late){ .kind = LATE_PSEUDO, .name = STR("account") });
    const Value *parts[] = { a_string(session, ""), region, a_string(session, "") };

    Str text = written_value(session, a_late_of(session, LATE_TEXT, 3, parts));

    assert_text(text, "X: !Ref AWS::AccountId\n");
}

static void test_choice_in_a_text_goes_into_the_second_argument(void **state) {
    Session *session = *state;
    const Value *debug = a_late_param(session, a_param(session, "debug", &TEST_BOOL_TYPE, false));
    const Value *choice_parts[] = { debug, a_string(session, "a"), a_string(session, "b") };
    const Value *choice = a_late_of(session, LATE_IF, 3, choice_parts);
    const Value *parts[] = { choice, a_string(session, "-"), choice };

    Str text = written_value(session, a_late_of(session, LATE_TEXT, 3, parts));

    assert_text(text, "Conditions:\n"
                      "  DebugIsTrue: !Equals [!Ref Debug, \"true\"]\n"
                      "X: !Sub\n"
                      "- ${value}-${value2}\n"
                      "- value: !If [DebugIsTrue, a, b]\n"
                      "  value2: !If [DebugIsTrue, a, b]\n");
}

static void test_list_in_a_text_is_joined(void **state) {
    Session *session = *state;
    const Value *zones = a_late_param(session, a_param(session, "zones", &TEST_LIST_TYPE, false));
    const Value *parts[] = { a_string(session, "in "), zones };

    Str text = written_value(session, a_late_of(session, LATE_TEXT, 2, parts));

    assert_text(text, "X: !Sub\n"
                      "- in ${zones}\n"
                      "- zones: !Join [\",\", !Ref Zones]\n");
}

static void test_optional_list_is_compared_as_text(void **state) {
    Session *session = *state;

    Str text = written_value(session, a_late_param(session, a_param(session, "keys", &TEST_LIST_TYPE, true)));

    assert_text(text, "Conditions:\n"
                      "  HasKeys: !Not [!Equals [!Join [\"\", !Ref Keys], \"\"]]\n"
                      "X: !If [HasKeys, !Ref Keys, !Ref AWS::NoValue]\n");
}

static void test_list_holding_a_late_list_is_split_again(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Value *more = a_late_param(session, a_param(session, "more", &TEST_LIST_TYPE, false));
    const Value *items[] = { a_string(session, "a"), more };

    Str text = written(stack, template_list(stack, a_list(session, 2, items)));

    assert_text(text, "X: !Split [\",\", !Join [\",\", [a, !Join [\",\", !Ref More]]]]\n");
}

static void test_list_of_one_late_list_is_that_list(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Value *subnets = a_late_param(session, a_param(session, "subnets", &TEST_LIST_TYPE, false));

    Str text = written(stack, template_list(stack, a_list(session, 1, (const Value *[]){ subnets })));

    assert_text(text, "X: !Ref Subnets\n");
}

static void test_raw_resource_is_referred_to_by_the_id_of_its_block(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    const PlanHead head = a_head(session, "lab", &KIND_ROWS[KIND_NETWORK]);
    declare_part(session, plan, &head);
    Stack *stack = a_stack(session, plan);
    stack->head = &head;
    Resource *bucket = arena_new(session->arena, Resource);
    *bucket = (Resource){ .type = STR("AWS::S3::Bucket"), .name = STR("data-set"), .block = head.block };
    const Value *arn = a_late(session, (Late){ .kind = LATE_ATTRIBUTE, .resource = bucket, .name = STR("Arn") });

    Str text = written(stack, template_value(stack, arn));

    assert_text(text, "X: !GetAtt LabDataSet.Arn\n");
}

static void test_quantity_is_no_property_value(void **state) {
    Session *session = *state;

    written_value(session, a_quantity(session, VALUE_SIZE, 1024));

    assert_int_equal(session->diags.error_count, 1);
    assert_int_equal(session->diags.items.items[0]->id, DIAG_no_property_value);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_known_text_with_sub_syntax_stays_plain),
        session_test(test_text_of_several_lines_is_a_block),
        session_test(test_null_is_no_node),
        session_test(test_param_is_a_reference),
        session_test(test_optional_param_takes_the_property_away),
        session_test(test_defaults_nest_and_end_in_the_known_value),
        session_test(test_default_on_the_left_falls_through_to_the_right),
        session_test(test_bool_param_chooses_between_values),
        session_test(test_given_value_needs_no_condition_of_its_own),
        session_test(test_literal_sub_syntax_is_escaped_in_late_text),
        session_test(test_text_of_one_reference_is_that_reference),
        session_test(test_choice_in_a_text_goes_into_the_second_argument),
        session_test(test_list_in_a_text_is_joined),
        session_test(test_optional_list_is_compared_as_text),
        session_test(test_list_holding_a_late_list_is_split_again),
        session_test(test_list_of_one_late_list_is_that_list),
        session_test(test_raw_resource_is_referred_to_by_the_id_of_its_block),
        session_test(test_quantity_is_no_property_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
