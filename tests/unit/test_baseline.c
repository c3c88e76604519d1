#include "compiler/driver/lint/baseline.h"

#include "compiler/driver/lint/twins.h"

#include "tests/support/check.h"

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

// Says something of a file that holds `text`: of all that stands there.
static Diag *say(Session *session, const char *path, const char *text) {
    const uint32_t source = source_add(session, str_of(path), str_of(text));
    return report(session, (Span){ source, 0, (uint32_t)strlen(text) }, DIAG(example_id), STR_ARG(STR("x")));
}

static Str table_of(Session *session, const Baseline *old, const FilePaths *paths, uint32_t *count) {
    const DiagLevel levels[DIAG_COUNT] = { LEVEL_AS_IT_IS };
    const BaselineScope scope = { .paths = paths, .levels = levels };
    return baseline_text(session, old, &scope, count);
}

static void test_what_is_written_accepts_the_same(void **state) {
    Session *session = *state;
    say(session, "a.yaml", "  id: x");
    say(session, "b\tc.yaml", "id: x");
    uint32_t count = 0;
    const Str text = table_of(session, baseline_empty(session, STR("base.tsv")), &(FilePaths){ 0 }, &count);

    uint32_t bad_line = 1;
    Baseline *read = baseline_read(session, STR("base.tsv"), text, &bad_line);

    assert_int_equal(count, 2);
    assert_int_equal(bad_line, 0);
    assert_int_equal(baseline_apply(session, read), 2);
    assert_false(has_errors(session) || session->diags.warning_count > 0);
    assert_true(str_has(text, "b%09c.yaml\tDT1615\t"));
}

static void test_of_equal_lines_it_accepts_as_many_as_it_counted(void **state) {
    Session *session = *state;
    say(session, "a.yaml", "id: x");
    uint32_t count = 0;
    uint32_t bad_line = 0;
    const Str text = table_of(session, baseline_empty(session, STR("base.tsv")), &(FilePaths){ 0 }, &count);
    say(session, "./a.yaml", " id: x");

    assert_int_equal(baseline_apply(session, baseline_read(session, STR("base.tsv"), text, &bad_line)), 1);
    assert_int_equal(session->diags.warning_count, 1);
}

static void test_what_no_file_can_be_read_as_is_not_accepted(void **state) {
    Session *session = *state;
    const uint32_t source = source_add(session, STR("a.yaml"), STR("a: ["));
    report(session, (Span){ source, 3, 4 }, DIAG(bad_yaml), STR_ARG(STR("open")));
    report(session, SPAN_NONE, DIAG(example_id), STR_ARG(STR("x")));
    uint32_t count = 1;

    table_of(session, baseline_empty(session, STR("base.tsv")), &(FilePaths){ 0 }, &count);

    assert_int_equal(count, 0);
}

static void test_a_line_that_is_no_row_is_named(void **state) {
    static const char *const lines[] = { "a",
                                         "a\tDT1615\t00\t1",
                                         "a\tDT1615\t00\t\tx",
                                         "a\tDT1615\t00\t1234567\tx",
                                         "a\tDT1615\t00\t-1\tx",
                                         "\tDT1615\t00\t1\tx",
                                         "a\tX\t00\t1\tx",
                                         "<<<<<<< ours",
                                         "a\tDT1615\t\t1\tx" };
    Session *session = *state;
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        const Str text = str_format(session->arena, "# ours\n\n%s\n", lines[i]);
        uint32_t bad_line = 0;

        baseline_read(session, STR("base.tsv"), text, &bad_line);

        assert_int_equal(bad_line, 3);
    }
}

static void test_a_row_of_a_file_that_is_gone_is_stale(void **state) {
    Session *session = *state;
    const DiagLevel levels[DIAG_COUNT] = { LEVEL_AS_IT_IS };
    const BaselineScope scope = { .paths = &(FilePaths){ 0 }, .levels = levels };
    uint32_t bad_line = 0;
    uint32_t count = 0;
    const Baseline *read =
        baseline_read(session, STR("base.tsv"), STR("no-such-file.yaml\tDT1615\t00\t2\tid: x\r\n"), &bad_line);

    const Str stale = baseline_stale(session, read, &scope, &count);

    assert_int_equal(bad_line, 0);
    assert_int_equal(count, 2);
    assert_text(stale, "  no-such-file.yaml: DT1615 at `id: x`, 2 times\n");
}

static void test_a_twin_is_said_once(void **state) {
    Session *session = *state;
    say(session, "t/nodes.yaml", "id: x");
    const Diag *json = say(session, "t/nodes.json", "{\"id\": \"x\"}");

    assert_text(twins_hide(session), "; 1 finding of t/nodes.json is said of t/nodes.yaml");
    assert_true(json->is_allowed);
}

static void test_two_files_of_one_form_are_no_twins(void **state) {
    Session *session = *state;
    say(session, "t/nodes.yaml", "id: x");
    say(session, "t/nodes.yml", "id: x");
    say(session, "u/nodes.json", "{\"id\": \"x\"}");

    assert_text(twins_hide(session), "");
    assert_int_equal(session->diags.warning_count, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_written_accepts_the_same, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_of_equal_lines_it_accepts_as_many_as_it_counted, make_session,
                                        drop_session),
        cmocka_unit_test_setup_teardown(test_what_no_file_can_be_read_as_is_not_accepted, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_line_that_is_no_row_is_named, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_row_of_a_file_that_is_gone_is_stale, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_twin_is_said_once, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_two_files_of_one_form_are_no_twins, make_session, drop_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
