#include "emitters/cloudformation/template/stack_step.h"
#include "emitters/deployment/order.h"
#include "emitters/deployment/variable.h"

#include "tests/support/cloudformation_plan.h"

static void test_plain_stack_needs_no_options(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    stack->step.file = STR("lab.cfn.yaml");

    step_fill(stack, 1000);

    assert_text(stack->step.apply, "aws cloudformation deploy --template-file lab.cfn.yaml --stack-name lab");
    assert_text(stack->step.remove, "aws cloudformation delete-stack --stack-name lab"
                                    " && aws cloudformation wait stack-delete-complete --stack-name lab");
    arena_destroy(stack->arena);
}

static void test_roles_want_consent_and_parameters_come_from_the_environment(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    stack->step.file = STR("lab.cfn.yaml");
    stack->region = STR("us-east-1");
    stack->has_roles = true;
    vec_push(session->arena, &stack->step.parameters, STR("BlockId"));
    vec_push(session->arena, &stack->step.parameters, STR("Zone"));

    step_fill(stack, 1000);

    assert_text(stack->step.apply,
                "aws cloudformation deploy --template-file lab.cfn.yaml --stack-name lab --region us-east-1 "
                "--capabilities CAPABILITY_IAM --parameter-overrides BlockId=\"${BLOCK_ID:?}\" Zone=\"${ZONE:?}\"");
    assert_text(stack->step.remove,
                "aws cloudformation delete-stack --stack-name lab --region us-east-1"
                " && aws cloudformation wait stack-delete-complete --stack-name lab --region us-east-1");
    arena_destroy(stack->arena);
}

static void test_a_variable_that_the_shell_sets_is_not_taken_for_the_parameter(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };

    variable_add(&text, STR("Path"));
    strbuf_add_char(&text, ' ');
    variable_add(&text, STR("AwsRegion"));
    strbuf_add_char(&text, ' ');
    variable_add(&text, STR("Paths"));

    assert_text(strbuf_str(&text), "PATH_ AWS_REGION_ PATHS");
}

static void test_large_template_goes_through_a_bucket(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    stack->step.file = STR("lab.cfn.yaml");

    step_fill(stack, 51201);

    assert_text(stack->step.apply, "aws cloudformation deploy --template-file lab.cfn.yaml --stack-name lab "
                                   "--s3-bucket \"${S3_BUCKET:?}\"");
    arena_destroy(stack->arena);
}

static void test_largest_body_goes_without_a_bucket(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    stack->step.file = STR("lab.cfn.yaml");

    step_fill(stack, 51200);

    assert_text(stack->step.apply, "aws cloudformation deploy --template-file lab.cfn.yaml --stack-name lab");
    arena_destroy(stack->arena);
}

static void test_wave_is_one_more_than_that_of_what_is_needed(void **state) {
    Session *session = *state;
    Output output = { 0 };
    Artifact lab = { .step = { .name = STR("lab") } };
    Artifact llm = { .step = { .name = STR("llm") } };
    Artifact elsewhere = { .step = { .name = STR("other") } };
    vec_push(session->arena, &llm.step.needs, STR("lab"));
    vec_push(session->arena, &elsewhere.step.needs, STR("not-of-this-build"));
    vec_push(session->arena, &output.artifacts, lab);
    vec_push(session->arena, &output.artifacts, llm);
    vec_push(session->arena, &output.artifacts, elsewhere);

    order_set_waves(session, &output);

    assert_int_equal(output.artifacts.items[0].step.wave, 0);
    assert_int_equal(output.artifacts.items[1].step.wave, 1);
    assert_int_equal(output.artifacts.items[2].step.wave, 0);
}

static void test_a_stack_may_need_a_later_one(void **state) {
    Session *session = *state;
    Output output = { 0 };
    Artifact client = { .step = { .name = STR("client") } };
    Artifact server = { .step = { .name = STR("server") } };
    Artifact lab = { .step = { .name = STR("lab") } };
    vec_push(session->arena, &client.step.needs, STR("server"));
    vec_push(session->arena, &server.step.needs, STR("lab"));
    vec_push(session->arena, &output.artifacts, client);
    vec_push(session->arena, &output.artifacts, server);
    vec_push(session->arena, &output.artifacts, lab);

    order_set_waves(session, &output);

    assert_int_equal(output.artifacts.items[0].step.wave, 2);
    assert_int_equal(output.artifacts.items[1].step.wave, 1);
    assert_int_equal(output.artifacts.items[2].step.wave, 0);
}

// Each needs the two before it, so that there are more ways through them than can be walked.
static void test_what_needs_a_file_that_waits_must_wait_too(void **state) {
    enum { STACKS = 80, WAITS = 3 };
    Session *session = *state;
    Output output = { 0 };
    for (int i = 0; i < STACKS; i++) {
        Artifact artifact = { .step = { .name = str_format(session->arena, "lab-%d", i) } };
        for (int k = 1; k <= 2 && k <= i; k++) {
            vec_push(session->arena, &artifact.step.needs, str_format(session->arena, "lab-%d", i - k));
        }
        if (i == WAITS) {
            vec_push(session->arena, &artifact.missing, ((MissingFact){ .stack = STR("elsewhere") }));
        }
        vec_push(session->arena, &output.artifacts, artifact);
    }

    order_set_waves(session, &output);

    for (int i = 0; i < STACKS; i++) {
        assert_int_equal(output.artifacts.items[i].step.wave, i);
        assert_int_equal(output.artifacts.items[i].step.must_wait, i > WAITS);
    }
    assert_true(order_can_ask(session->arena, &output, STR("lab-2")));
    assert_false(order_can_ask(session->arena, &output, STR("lab-3")));
    assert_false(order_can_ask(session->arena, &output, STR("lab-79")));
}

static void test_ssh_key_is_made_by_a_step_that_needs_the_stack(void **state) {
    Session *session = *state;
    Stack *stack = a_stack(session, a_plan(session));
    stack->region = STR("us-east-1");
    Output output = { 0 };

    step_add_ssh_key(stack, STR("LabSshKey"), &output);

    assert_int_equal(output.steps.count, 1);
    const DeploymentStep *step = &output.steps.items[0];
    assert_text(step->kind, "secret");
    assert_text(step->needs.items[0], "lab");
    assert_int_equal(step->file.len, 0);
    assert_int_equal(step->remove.len, 0);
    assert_text(
        step->apply,
        "(umask 077 && dir=$(mktemp -d) && trap 'rm -rf \"$dir\"' EXIT && ssh-keygen -q -t ed25519 -N '' -C lab "
        "-f \"$dir/key\" && id=$(aws cloudformation describe-stack-resource --stack-name lab --region us-east-1 "
        "--logical-resource-id LabSshKey --query StackResourceDetail.PhysicalResourceId --output text) && aws "
        "secretsmanager put-secret-value --secret-id \"$id\" --region us-east-1 --secret-string "
        "\"file://$dir/key\")");
    arena_destroy(stack->arena);
}

static void test_step_without_a_file_comes_behind_its_stack(void **state) {
    Session *session = *state;
    Output output = { 0 };
    Artifact lab = { .step = { .name = STR("lab") } };
    DeploymentStep key = { .kind = STR("secret") };
    vec_push(session->arena, &key.needs, STR("lab"));
    vec_push(session->arena, &output.artifacts, lab);
    vec_push(session->arena, &output.steps, key);

    order_set_waves(session, &output);

    assert_int_equal(output.steps.items[0].wave, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_plain_stack_needs_no_options),
        session_test(test_roles_want_consent_and_parameters_come_from_the_environment),
        session_test(test_a_variable_that_the_shell_sets_is_not_taken_for_the_parameter),
        session_test(test_large_template_goes_through_a_bucket),
        session_test(test_largest_body_goes_without_a_bucket),
        session_test(test_wave_is_one_more_than_that_of_what_is_needed),
        session_test(test_a_stack_may_need_a_later_one),
        session_test(test_what_needs_a_file_that_waits_must_wait_too),
        session_test(test_ssh_key_is_made_by_a_step_that_needs_the_stack),
        session_test(test_step_without_a_file_comes_behind_its_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
