#include "compiler/plan/model/role.h"

#include "tests/support/check.h"

static const RoleNeed REGISTERS = { .policy = "AWSPCSComputeNodePolicy",
                                    .marks = { "AWSPCSComputeNodePolicy" },
                                    .actions = { "pcs:Register", "pcs:*" } };

static PlanRole trusting(Arena *arena, const char *service, bool lets_tag) {
    PlanRole role = { .is_trust_known = true };
    PlanTrust trust = { .lets_take = true, .lets_tag = lets_tag };
    vec_push(arena, &trust.services, str_of(service));
    vec_push(arena, &role.trusts, trust);
    return role;
}

static void test_service_is_trusted_in_any_domain(void **state) {
    (void)state;
    Arena *arena = arena_create();

    const PlanRole role = trusting(arena, "ec2.amazonaws.com.cn", false);

    assert_int_equal(role_trusts(&role, "ec2"), ANSWER_YES);
    assert_int_equal(role_trusts(&role, "ec"), ANSWER_NO);
    assert_int_equal(role_lets_tag(&role, "ec2"), ANSWER_NO);
    arena_destroy(arena);
}

static void test_unknown_statement_may_trust_anybody(void **state) {
    (void)state;
    Arena *arena = arena_create();

    PlanRole role = trusting(arena, "batch.amazonaws.com", true);
    role.is_trust_known = false;

    assert_int_equal(role_trusts(&role, "ec2"), ANSWER_MAYBE);
    assert_int_equal(role_lets_tag(&role, "batch"), ANSWER_YES);
    arena_destroy(arena);
}

static void test_policy_goes_by_its_name(void **state) {
    (void)state;
    Arena *arena = arena_create();

    PlanRole role = { 0 };
    vec_push(arena, &role.policies, STR("arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess"));
    assert_int_equal(role_gives(&role, &REGISTERS), ANSWER_NO);
    vec_push(arena, &role.policies, STR("arn:aws:iam::aws:policy/AWSPCSComputeNodePolicy"));

    assert_int_equal(role_gives(&role, &REGISTERS), ANSWER_YES);
    arena_destroy(arena);
}

static void test_policy_of_an_account_may_give_anything(void **state) {
    (void)state;
    Arena *arena = arena_create();

    PlanRole role = { 0 };
    vec_push(arena, &role.policies, STR("arn:aws:iam::418272778901:policy/nodes"));

    assert_int_equal(role_gives(&role, &REGISTERS), ANSWER_YES);
    arena_destroy(arena);
}

static void test_wider_action_gives_the_same(void **state) {
    (void)state;
    Arena *arena = arena_create();

    PlanRole role = { 0 };
    vec_push(arena, &role.actions, STR("pcs:Get*"));
    assert_int_equal(role_gives(&role, &REGISTERS), ANSWER_NO);
    vec_push(arena, &role.actions, STR("pcs:Reg*"));

    assert_int_equal(role_gives(&role, &REGISTERS), ANSWER_YES);
    arena_destroy(arena);
}

static void test_name_or_path_is_one_of_the_service(void **state) {
    (void)state;
    const RoleUse *use = role_use(STR("AWS::PCS::ComputeNodeGroup"), STR("IamInstanceProfileArn"));
    PlanRole role = { .given_name = field_known("RoleName", SPAN_NONE, STR("nodes")) };

    assert_int_equal(role_has_name_for(&role, use), ANSWER_NO);
    role.path = field_known("Path", SPAN_NONE, STR("/aws-pcs/"));
    assert_int_equal(role_has_name_for(&role, use), ANSWER_YES);
    role = (PlanRole){ .given_name = field_known("RoleName", SPAN_NONE, STR("AWSPCS-nodes")) };
    assert_int_equal(role_has_name_for(&role, use), ANSWER_YES);
    assert_int_equal(role_has_name_for(&(PlanRole){ 0 }, use), ANSWER_MAYBE);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_service_is_trusted_in_any_domain),
        cmocka_unit_test(test_unknown_statement_may_trust_anybody),
        cmocka_unit_test(test_policy_goes_by_its_name),
        cmocka_unit_test(test_policy_of_an_account_may_give_anything),
        cmocka_unit_test(test_wider_action_gives_the_same),
        cmocka_unit_test(test_name_or_path_is_one_of_the_service),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
