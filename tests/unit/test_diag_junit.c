#include "compiler/driver/render/render.h"

#include "tests/support/check.h"

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

static void test_a_diagnostic_is_a_test_that_failed(void **state) {
    Session *session = *state;
    source_add(session, STR("a&b.yaml"), STR("x\nabc\n"));
    Diag *diag = report(session, (Span){ 1, 3, 5 }, DIAG(bad_yaml), STR_ARG(STR("<&\">\x01")));
    diag_help(session, diag, "write it again");

    assert_text(render_diagnostics(session, DIAGNOSTICS_JUNIT, 0),
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<testsuites tests=\"1\" failures=\"1\" errors=\"0\">\n"
                "  <testsuite name=\"dtc\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">\n"
                "    <testcase name=\"DT0905 at a&#38;b.yaml:2:2\" classname=\"a&#38;b.yaml\">\n"
                "      <failure type=\"error\" message=\"this is not YAML: &#60;&#38;&#34;&#62;\xEF\xBF\xBD\">"
                "a&#38;b.yaml:2:2: error[DT0905]: this is not YAML: &#60;&#38;&#34;&#62;\xEF\xBF\xBD\n"
                "help: write it again\n"
                "</failure>\n"
                "    </testcase>\n"
                "  </testsuite>\n"
                "</testsuites>\n");
}

static void test_a_checked_file_without_any_is_a_test_that_passed(void **state) {
    Session *session = *state;
    source_mark_checked(session, source_add(session, STR("a.yaml"), STR("x\n")));
    source_add(session, STR("other.yaml"), STR("x\n"));

    assert_text(render_diagnostics(session, DIAGNOSTICS_JUNIT, 0),
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<testsuites tests=\"1\" failures=\"0\" errors=\"0\">\n"
                "  <testsuite name=\"dtc\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\">\n"
                "    <testcase name=\"dtc\" classname=\"a.yaml\"/>\n"
                "  </testsuite>\n"
                "</testsuites>\n");
}

static void test_a_warning_fails_where_it_counts_as_an_error(void **state) {
    Session *session = *state;
    source_add(session, STR("a.yaml"), STR("x\n"));
    report(session, (Span){ 1, 0, 1 }, DIAG(example_id), STR_ARG(STR("x")));

    const Str lenient = render_diagnostics(session, DIAGNOSTICS_JUNIT, 0);
    assert_true(str_find(lenient, STR("<skipped message="), 0) < lenient.len);
    assert_true(str_find(lenient, STR("failures=\"0\""), 0) < lenient.len);
    const Str strict = render_diagnostics(session, DIAGNOSTICS_JUNIT, RENDER_STRICT);
    assert_true(str_find(strict, STR("<failure type=\"warning\""), 0) < strict.len);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_diagnostic_is_a_test_that_failed),
        TEST(test_a_checked_file_without_any_is_a_test_that_passed),
        TEST(test_a_warning_fails_where_it_counts_as_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
