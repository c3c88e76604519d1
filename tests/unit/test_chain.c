#include "compiler/driver/chain.h"

#include "tests/support/check.h"

static const char TEXT[] = "dt 1\n\nnetwork lab {\n    zones = [\"eu-west-1a\"]\n}\n";

static Build build_until(Session *session, BuildGoal goal) {
    Overlay *overlay = arena_new(session->arena, Overlay);
    const StandIn stand_in = { .path = STR("/none/main.dt"), .text = str_of(TEXT) };
    vec_push(session->arena, overlay, stand_in);
    session->overlay = overlay;
    const BuildRequest request = { .goal = goal, .path = STR("/none/main.dt") };
    return build(session, &request);
}

static void test_a_build_of_the_plan_ends_with_it(void **state) {
    (void)state;
    Session *session = session_create();

    const Build done = build_until(session, BUILD_PLAN);

    assert_false(has_errors(session));
    assert_int_equal(done.plan->networks.count, 1);
    assert_int_equal(done.output.artifacts.count, 0);
    session_destroy(session);
}

static void test_a_build_of_all_has_the_files(void **state) {
    (void)state;
    Session *session = session_create();

    const Build done = build_until(session, BUILD_ALL);

    assert_false(has_errors(session));
    assert_int_equal(done.output.artifacts.count, 1);
    session_destroy(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_build_of_the_plan_ends_with_it),
        cmocka_unit_test(test_a_build_of_all_has_the_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
