#include "emitters/cloudformation/template/condition.h"

#include "tests/support/cloudformation_plan.h"

// The whole section, after a condition was named.
static Str written(Stack *stack, const Condition *condition) {
    condition_name(stack, condition);
    doc_put(stack->doc, doc_root(stack->doc), STR("Conditions"), stack->conditions);
    Str text = stack_text(stack);
    arena_destroy(stack->arena);
    return text;
}

static void test_known_values_are_constant(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));

    assert_int_equal(condition_of(stack, a_bool(session, true))->kind, CONDITION_TRUE);
    assert_int_equal(condition_of(stack, a_bool(session, false))->kind, CONDITION_FALSE);
    assert_int_equal(condition_given(stack, a_string(session, "x"))->kind, CONDITION_TRUE);
    assert_int_equal(condition_given(stack, a_null(session))->kind, CONDITION_FALSE);

    arena_destroy(stack->arena);
}

static void test_required_param_is_always_given(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Value *value = a_late_param(session, a_param(session, "a", &TEST_STRING_TYPE, false));

    assert_int_equal(condition_given(stack, value)->kind, CONDITION_TRUE);

    arena_destroy(stack->arena);
}

static void test_default_with_a_known_end_is_always_given(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Value *a = a_late_param(session, a_param(session, "a", &TEST_STRING_TYPE, true));
    const Value *value = a_late_of(session, LATE_DEFAULT, 2, (const Value *[]){ a, a_string(session, "b") });

    assert_int_equal(condition_given(stack, value)->kind, CONDITION_TRUE);

    arena_destroy(stack->arena);
}

static void test_parts_of_a_formula_come_before_it(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Value *a = a_late_param(session, a_param(session, "a", &TEST_STRING_TYPE, true));
    const Value *b = a_late_param(session, a_param(session, "b", &TEST_STRING_TYPE, true));
    const Value *either = a_late_of(session, LATE_DEFAULT, 2, (const Value *[]){ a, b });

    Str text = written(stack, condition_given(stack, either));

    assert_text(text, "Conditions:\n"
                      "  HasA: !Not [!Equals [!Ref A, \"\"]]\n"
                      "  HasB: !Not [!Equals [!Ref B, \"\"]]\n"
                      "  HasAOrHasB: !Or [!Condition HasA, !Condition HasB]\n");
}

static void test_equal_formulas_are_one_condition(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Value *a = a_late_param(session, a_param(session, "a", &TEST_STRING_TYPE, true));
    const Str before = condition_name(stack, condition_not(stack, condition_given(stack, a)));

    const Str after = condition_name(stack, condition_not(stack, condition_given(stack, a)));

    assert_text(after, "NoA");
    assert_true(str_equal(before, after));
    assert_int_equal(doc_count(stack->conditions), 2);
    arena_destroy(stack->arena);
}

static void test_optional_bool_with_a_default_is_true_where_it_is_not_given(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Value *a = a_late_param(session, a_param(session, "a", &TEST_BOOL_TYPE, true));
    const Value *value = a_late_of(session, LATE_DEFAULT, 2, (const Value *[]){ a, a_bool(session, true) });

    Str text = written(stack, condition_of(stack, value));

    assert_text(text, "Conditions:\n"
                      "  HasA: !Not [!Equals [!Ref A, \"\"]]\n"
                      "  AIsTrue: !Equals [!Ref A, \"true\"]\n"
                      "  HasAAndAIsTrue: !And [!Condition HasA, !Condition AIsTrue]\n"
                      "  NoA: !Not [!Condition HasA]\n"
                      "  HasAAndAIsTrueOrNoA: !Or [!Condition HasAAndAIsTrue, !Condition NoA]\n");
}

static void test_double_negation_is_none(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Condition *given =
        condition_given(stack, a_late_param(session, a_param(session, "a", &TEST_STRING_TYPE, true)));

    assert_ptr_equal(condition_not(stack, condition_not(stack, given)), given);

    arena_destroy(stack->arena);
}

static void test_constants_fold_away(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    const Condition *given =
        condition_given(stack, a_late_param(session, a_param(session, "a", &TEST_STRING_TYPE, true)));
    const Condition *yes = condition_of(stack, a_bool(session, true));
    const Condition *no = condition_of(stack, a_bool(session, false));

    assert_ptr_equal(condition_and(stack, yes, given), given);
    assert_ptr_equal(condition_and(stack, given, yes), given);
    assert_int_equal(condition_and(stack, given, no)->kind, CONDITION_FALSE);
    assert_int_equal(condition_and(stack, no, given)->kind, CONDITION_FALSE);

    arena_destroy(stack->arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_known_values_are_constant),
        session_test(test_required_param_is_always_given),
        session_test(test_default_with_a_known_end_is_always_given),
        session_test(test_parts_of_a_formula_come_before_it),
        session_test(test_equal_formulas_are_one_condition),
        session_test(test_optional_bool_with_a_default_is_true_where_it_is_not_given),
        session_test(test_double_negation_is_none),
        session_test(test_constants_fold_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
