// The parts of a Plan: their order, and what is planned of them.
#include "tests/support/build_text.h"

static const char LAB[] = "dt 1\n"
                          "network lab { zones = [\"us-east-1a\"] }\n"
                          "image app { repository = \"app\", tag = \"1\" }\n"
                          "cluster llm on batch {\n"
                          "  network = lab\n"
                          "  nodes gpu { instance = \"g6.xlarge\", count = 0..1 }\n"
                          "}\n"
                          "job train on llm { image = app, command = [\"true\"] }\n";

// The part of a name; the test fails without one.
static const PlanPart *part_called(const Plan *plan, const char *name) {
    for (uint32_t i = 0; i < plan->parts.count; i++) {
        if (str_is(plan->parts.items[i]->name, name)) {
            return plan->parts.items[i];
        }
    }
    fail_msg("no part is called %s", name);
    return NULL;
}

static void test_a_part_stands_before_those_in_it(void **state) {
    (void)state;
    const BuiltText built = build_text(str_of(LAB));

    assert_int_equal(built.plan->parts.count, 5);
    for (uint32_t i = 0; i < built.plan->parts.count; i++) {
        const PlanPart *part = built.plan->parts.items[i];
        assert_true(part->outer == NULL || part->outer == built.plan->parts.items[i - 1]);
    }
    session_destroy(built.session);
}

static void test_groups_and_jobs_are_parts_of_a_cluster(void **state) {
    (void)state;
    const BuiltText built = build_text(str_of(LAB));
    const PlanCluster *llm = built.plan->clusters.items[0];

    assert_ptr_equal(part_called(built.plan, "llm")->cluster, llm);
    assert_ptr_equal(part_called(built.plan, "gpu")->cluster, llm);
    assert_ptr_equal(part_called(built.plan, "train")->cluster, llm);
    assert_null(part_called(built.plan, "app")->cluster);
    assert_null(part_called(built.plan, "lab")->cluster);
    session_destroy(built.session);
}

static void test_the_stack_of_the_only_user_makes_a_repository(void **state) {
    (void)state;
    const BuiltText built = build_text(str_of(LAB));
    const PlanPart *llm = part_called(built.plan, "llm");

    assert_ptr_equal(part_called(built.plan, "gpu")->stack, llm);
    assert_ptr_equal(part_called(built.plan, "train")->stack, llm);
    assert_ptr_equal(part_called(built.plan, "app")->stack, llm);
    assert_ptr_equal(part_called(built.plan, "lab")->stack, part_called(built.plan, "lab"));
    session_destroy(built.session);
}

// The policies that the group's own role has do not count for a role that somebody writes beside it.
static void test_a_raw_role_has_its_own_policies_alone(void **state) {
    (void)state;
    const BuiltText built =
        build_text(STR("dt 1\n"
                       "network lab { zones = [\"us-east-1a\"] }\n"
                       "cluster llm on batch {\n"
                       "  network = lab\n"
                       "  nodes gpu {\n"
                       "    instance = \"g6.xlarge\"\n"
                       "    count = 0..1\n"
                       "    resource \"AWS::IAM::Role\" \"reader\" {\n"
                       "      AssumeRolePolicyDocument = { Version = \"2012-10-17\", Statement = [] }\n"
                       "      ManagedPolicyArns = [\n"
                       "        \"arn:aws:iam::123456789012:policy/a\", \"arn:aws:iam::123456789012:policy/b\",\n"
                       "        \"arn:aws:iam::123456789012:policy/c\", \"arn:aws:iam::123456789012:policy/d\",\n"
                       "        \"arn:aws:iam::123456789012:policy/e\", \"arn:aws:iam::123456789012:policy/f\",\n"
                       "        \"arn:aws:iam::123456789012:policy/g\", \"arn:aws:iam::123456789012:policy/h\",\n"
                       "        \"arn:aws:iam::123456789012:policy/i\", \"arn:aws:iam::123456789012:policy/j\"\n"
                       "      ]\n"
                       "    }\n"
                       "  }\n"
                       "}\n"));

    assert_non_null(built.plan);
    assert_text(codes_of(built.session, SEVERITY_WARNING), "");
    session_destroy(built.session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_part_stands_before_those_in_it),
        cmocka_unit_test(test_groups_and_jobs_are_parts_of_a_cluster),
        cmocka_unit_test(test_the_stack_of_the_only_user_makes_a_repository),
        cmocka_unit_test(test_a_raw_role_has_its_own_policies_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
