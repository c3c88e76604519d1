#include "emitters/cloudformation/template/limits.h"

#include "emitters/cloudformation/template/intrinsic.h"
#include "tests/support/cloudformation_plan.h"

// A stack with so many entries in a section.
static Stack *a_stack_with(Session *session, const char *section, uint32_t count) {
    Stack *stack = a_stack(session, a_plan(session));
    stack->step.file = STR("lab.cfn.yaml");
    DocNode *map = tree_put_map(stack->doc, doc_root(stack->doc), section);
    for (uint32_t i = 0; i < count; i++) {
        doc_put(stack->doc, map, str_format(stack->arena, "A%" PRIu32, i), doc_map(stack->doc));
    }
    return stack;
}

static Str text_of(Session *session, size_t size) {
    return (Str){ .data = arena_alloc(session->arena, size), .len = size };
}

static uint32_t diag_count(const Session *session, DiagId id) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        count += session->diags.items.items[i]->id == id;
    }
    return count;
}

static void test_last_resource_that_fits(void **state) {
    Session *session = *state;
    Stack *stack = a_stack_with(session, "Resources", 500);

    limits_check(stack, STR("x"));

    assert_int_equal(session->diags.items.count, 0);
    arena_destroy(stack->arena);
}

static void test_first_resource_too_many(void **state) {
    Session *session = *state;
    Stack *stack = a_stack_with(session, "Resources", 501);

    limits_check(stack, STR("x"));

    assert_int_equal(diag_count(session, DIAG_template_too_many), 1);
    assert_text(session->diags.items.items[0]->message,
                "the stack of `lab` has 501 resources, and CloudFormation takes 500");
    arena_destroy(stack->arena);
}

static void test_first_parameter_and_output_too_many(void **state) {
    Session *session = *state;
    Stack *parameters = a_stack_with(session, "Parameters", 201);
    Stack *outputs = a_stack_with(session, "Outputs", 201);

    limits_check(parameters, STR("x"));
    limits_check(outputs, STR("x"));

    assert_int_equal(diag_count(session, DIAG_template_too_many), 2);
    arena_destroy(parameters->arena);
    arena_destroy(outputs->arena);
}

static void test_largest_body_is_silent(void **state) {
    Session *session = *state;
    Stack *stack = a_stack_with(session, "Resources", 1);

    limits_check(stack, text_of(session, 51200));

    assert_int_equal(session->diags.items.count, 0);
    arena_destroy(stack->arena);
}

static void test_larger_body_is_a_warning(void **state) {
    Session *session = *state;
    Stack *stack = a_stack_with(session, "Resources", 1);

    limits_check(stack, text_of(session, 51201));

    assert_int_equal(diag_count(session, DIAG_template_needs_bucket), 1);
    assert_false(has_errors(session));
    arena_destroy(stack->arena);
}

static void test_body_above_what_a_bucket_takes_is_an_error(void **state) {
    Session *session = *state;
    Stack *stack = a_stack_with(session, "Resources", 1);

    limits_check(stack, text_of(session, 1000001));

    assert_int_equal(diag_count(session, DIAG_template_too_large), 1);
    assert_true(has_errors(session));
    arena_destroy(stack->arena);
}

static void test_description_has_a_limit(void **state) {
    Session *session = *state;
    Stack *stack = a_stack_with(session, "Resources", 1);
    tree_put(stack->doc, doc_root(stack->doc), "Description",
             tree_string(stack->doc, WHY_DESCRIPTION, text_of(session, 1025)));

    limits_check(stack, STR("x"));

    assert_int_equal(diag_count(session, DIAG_template_too_many), 1);
    arena_destroy(stack->arena);
}

// A job whose definition is one property with a text of so many bytes. As compact JSON it has nine bytes more:
// {"A":"…"}, with a line end in it, which takes two.
static uint32_t too_large_with(Session *session, size_t size) {
    Stack *stack = a_stack(session, a_plan(session));
    char *text = arena_alloc(session->arena, size);
    memset(text, 'x', size);
    text[0] = '\n';
    const Subject subject = { .outer = NULL };
    const PlanPart part = { .subject = &subject, .kind = &KIND_ROWS[KIND_JOB], .name = STR("train") };
    const PlanJob job = { .head = { .subject = &subject, .part = &part, .id = STR("train") } };
    DocNode *properties = doc_map(stack->doc);
    doc_put(stack->doc, properties, STR("A"), doc_string(stack->doc, (Str){ .data = text, .len = size }, &TEST_ORIGIN));

    limits_check_definition(stack, &job, properties);

    arena_destroy(stack->arena);
    return diag_count(session, DIAG_definition_too_large);
}

static void test_largest_definition_is_silent(void **state) {
    assert_int_equal(too_large_with(*state, 24576 - 9), 0);
}

static void test_larger_definition_is_an_error(void **state) {
    assert_int_equal(too_large_with(*state, 24576 - 8), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_last_resource_that_fits),
        session_test(test_first_resource_too_many),
        session_test(test_first_parameter_and_output_too_many),
        session_test(test_largest_body_is_silent),
        session_test(test_larger_body_is_a_warning),
        session_test(test_body_above_what_a_bucket_takes_is_an_error),
        session_test(test_description_has_a_limit),
        session_test(test_largest_definition_is_silent),
        session_test(test_larger_definition_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
