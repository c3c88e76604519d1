#include "compiler/base/session.h"

#include "compiler/base/pattern.h"
#include "tests/support/check.h"

static void test_sessions_know_nothing_of_each_other(void **state) {
    (void)state;
    Session *one = session_create();
    Session *other = session_create();

    report(one, SPAN_NONE, DIAG(interrupted));
    source_add(one, STR("a.dt"), STR("a"));

    assert_false(has_errors(other));
    assert_int_equal(other->sources.count, 1);
    session_destroy(one);
    session_destroy(other);
}

static void test_a_session_may_be_made_again_and_again(void **state) {
    (void)state;
    for (int i = 0; i < 1000; i++) {
        Session *session = session_create();
        pattern_match(session, STR("a+"), STR("aaa"), NULL);
        session_destroy(session);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sessions_know_nothing_of_each_other),
        cmocka_unit_test(test_a_session_may_be_made_again_and_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
