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

static void test_a_diagnostic_is_one_line(void **state) {
    Session *session = *state;
    source_add(session, STR("a.dt"), STR("x\nabc\n"));
    Diag *diag = report(session, (Span){ 1, 3, 5 }, DIAG(bad_yaml), STR_ARG(STR("50% of it\nis: wrong,\r too")));
    diag_help(session, diag, "write it again");
    diag_note(session, diag, "there is more");

    assert_text(render_diagnostics(session, DIAGNOSTICS_GITHUB, 0),
                "::error file=a.dt,line=2,endLine=2,col=2,endColumn=4,title=DT0905::"
                "this is not YAML: 50%25 of it%0Ais: wrong,%0D too%0Ahelp: write it again%0Anote: there is more\n");
}

static void test_a_path_is_escaped_as_a_property(void **state) {
    Session *session = *state;
    source_add(session, STR("a,b:%.dt"), STR("x\n"));
    report(session, (Span){ 1, 0, 1 }, DIAG(bad_yaml), STR_ARG(STR("m")));

    assert_text(render_diagnostics(session, DIAGNOSTICS_GITHUB, 0),
                "::error file=a%2Cb%3A%25.dt,line=1,endLine=1,col=1,endColumn=2,title=DT0905::this is not YAML: m\n");
}

static void test_a_span_of_several_lines_has_no_columns(void **state) {
    Session *session = *state;
    source_add(session, STR("a.dt"), STR("x\ny\n"));
    report(session, (Span){ 1, 0, 3 }, DIAG(bad_yaml), STR_ARG(STR("m")));

    assert_text(render_diagnostics(session, DIAGNOSTICS_GITHUB, 0),
                "::error file=a.dt,line=1,endLine=2,title=DT0905::this is not YAML: m\n");
}

static void test_without_a_place_there_is_the_title_only(void **state) {
    report(*state, SPAN_NONE, DIAG(interrupted));

    assert_text(render_diagnostics(*state, DIAGNOSTICS_GITHUB, 0),
                "::error title=DT0910::interrupted: nothing was written\n");
}

static void test_long_quoted_texts_are_cut_here_and_whole_in_json(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    strbuf_add_repeated(&text, 'a', 5000);
    Diag *diag = report(session, SPAN_NONE, DIAG(cannot_write), STR_ARG(strbuf_str(&text)), "x");
    diag_help(session, diag, "take `%.*s`", STR_ARG(strbuf_str(&text)));

    assert_true(render_diagnostics(session, DIAGNOSTICS_GITHUB, 0).len < 1000);
    assert_true(render_diagnostics(session, DIAGNOSTICS_TEXT, 0).len < 1000);
    assert_true(render_diagnostics(session, DIAGNOSTICS_JSON, 0).len > 10000);
    assert_true(render_diagnostics(session, DIAGNOSTICS_SARIF, 0).len > 10000);
}

static void test_nothing_to_say_is_nothing(void **state) {
    assert_text(render_diagnostics(*state, DIAGNOSTICS_GITHUB, 0), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_diagnostic_is_one_line),
        TEST(test_a_path_is_escaped_as_a_property),
        TEST(test_a_span_of_several_lines_has_no_columns),
        TEST(test_without_a_place_there_is_the_title_only),
        TEST(test_long_quoted_texts_are_cut_here_and_whole_in_json),
        TEST(test_nothing_to_say_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
