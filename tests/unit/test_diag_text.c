#include "compiler/driver/render/render.h"

#include "tests/support/check.h"

// bad_yaml is borrowed as an error whose message is free; what is tested is how it looks.

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

static Str add_text(Session *session, const char *path, const char *text) {
    source_add(session, str_of(path), str_of(text));
    return str_of(text);
}

// The span of the first `part` of a source.
static Span span_of(const Session *session, uint32_t source, const char *part) {
    const size_t start = str_find(source_get(session, source)->text, str_of(part), 0);
    return (Span){ .source = source, .start = (uint32_t)start, .end = (uint32_t)(start + strlen(part)) };
}

static Diag *report_at(Session *session, uint32_t source, const char *part, const char *message) {
    return report(session, span_of(session, source, part), DIAG(bad_yaml), STR_ARG(str_of(message)));
}

static void assert_rendered(Session *session, const char *expected) {
    assert_text(render_diagnostics(session, DIAGNOSTICS_TEXT, 0), expected);
}

static void test_nothing_to_say_is_nothing(void **state) {
    assert_rendered(*state, "");
}

static void test_a_whole_diagnostic_looks_like_the_one_in_the_manual(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    strbuf_add_repeated(&text, '\n', 12);
    strbuf_add(&text, STR("    instance = \"p4d.24xlarge\"\n    efa      = 8\n"));
    source_add(session, STR("infra.dt"), strbuf_str(&text));
    Diag *diag = report_at(session, 1, "8", "p4d.24xlarge has 4 EFA interfaces, not 8");
    diag_primary_label(session, diag, "asks for 8");
    diag_label(session, diag, span_of(session, 1, "\"p4d.24xlarge\""), "4 network cards, 1 EFA each");
    diag_help(session, diag, "write `efa = all`, or leave it out");

    assert_rendered(session, "error[DT0905]: this is not YAML: p4d.24xlarge has 4 EFA interfaces, not 8\n"
                             "  --> infra.dt:14:16\n"
                             "   |\n"
                             "13 |     instance = \"p4d.24xlarge\"\n"
                             "   |                -------------- 4 network cards, 1 EFA each\n"
                             "14 |     efa      = 8\n"
                             "   |                ^ asks for 8\n"
                             "   |\n"
                             "   = help: write `efa = all`, or leave it out\n"
                             "   = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_without_a_place_there_is_header_and_notes(void **state) {
    Session *session = *state;
    Diag *diag = report(session, SPAN_NONE, DIAG(cannot_write), STR_ARG(STR("out")), "permission denied");
    diag_note(session, diag, "the directory belongs to root");
    diag_label(session, diag, SPAN_NONE, "of the build before");

    assert_rendered(session, "error[DT0904]: cannot write `out`: permission denied\n"
                             "  = note: the directory belongs to root\n"
                             "  = note: of the build before\n"
                             "  = note: dtc explain DT0904\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_lines_far_apart_have_dots_between_and_near_ones_the_line(void **state) {
    Session *session = *state;
    add_text(session, "a", "one\ntwo\nthree\n4\n5\n6\n7\n8\nnine\nten\n");
    Diag *diag = report_at(session, 1, "three", "x");
    diag_label(session, diag, span_of(session, 1, "one"), "first");
    diag_label(session, diag, span_of(session, 1, "ten"), "last");

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             "  --> a:3:1\n"
                             "   |\n"
                             "1  | one\n"
                             "   | --- first\n"
                             "2  | two\n"
                             "3  | three\n"
                             "   | ^^^^^\n"
                             "...\n"
                             "10 | ten\n"
                             "   | --- last\n"
                             "   |\n"
                             "   = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_labels_on_one_line_hang_on_bars(void **state) {
    Session *session = *state;
    add_text(session, "a", "efa = count + cards\n");
    Diag *diag = report_at(session, 1, "count", "x");
    diag_primary_label(session, diag, "primary");
    diag_label(session, diag, span_of(session, 1, "efa"), "left");
    diag_label(session, diag, span_of(session, 1, "cards"), "right");

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             " --> a:1:7\n"
                             "  |\n"
                             "1 | efa = count + cards\n"
                             "  | ---   ^^^^^   ----- right\n"
                             "  | |     |\n"
                             "  | |     primary\n"
                             "  | left\n"
                             "  |\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_marks_inside_each_other_are_both_seen(void **state) {
    Session *session = *state;
    add_text(session, "a", "f(x + y)\n");
    Diag *diag = report_at(session, 1, "x", "x");
    diag_primary_label(session, diag, "inner");
    diag_label(session, diag, span_of(session, 1, "f(x + y)"), "outer");

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             " --> a:1:3\n"
                             "  |\n"
                             "1 | f(x + y)\n"
                             "  | --^-----\n"
                             "  | | |\n"
                             "  | | inner\n"
                             "  | outer\n"
                             "  |\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_two_labels_at_one_place_stand_below_each_other(void **state) {
    Session *session = *state;
    add_text(session, "a", "name\n");
    Diag *diag = report_at(session, 1, "name", "x");
    diag_primary_label(session, diag, "this");
    diag_label(session, diag, span_of(session, 1, "name"), "that");

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             " --> a:1:1\n"
                             "  |\n"
                             "1 | name\n"
                             "  | ^^^^ this\n"
                             "  | |\n"
                             "  | that\n"
                             "  |\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_a_label_in_another_file_has_its_own_header(void **state) {
    Session *session = *state;
    add_text(session, "base.dt", "# c\nnetwork lab { }\n");
    add_text(session, "infra.dt", "cluster a like base.lab { }\n");
    Diag *diag = report_at(session, 2, "base.lab", "x");
    diag_label(session, diag, span_of(session, 1, "lab"), "a network");

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             " --> infra.dt:1:16\n"
                             "  |\n"
                             "1 | cluster a like base.lab { }\n"
                             "  |                ^^^^^^^^\n"
                             "  |\n"
                             " ::: base.dt:2:9\n"
                             "  |\n"
                             "2 | network lab { }\n"
                             "  |         --- a network\n"
                             "  |\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_a_span_of_several_lines_is_marked_on_the_first(void **state) {
    Session *session = *state;
    add_text(session, "a", "  head {\n  }\n");
    report_at(session, 1, "head {\n  }", "x");

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             " --> a:1:3\n"
                             "  |\n"
                             "1 |   head {\n"
                             "  |   ^^^^^^\n"
                             "  |\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_an_empty_span_at_the_end_has_a_caret_behind_it(void **state) {
    Session *session = *state;
    const Str text = add_text(session, "a", "a = [1");
    const Span end = { 1, (uint32_t)text.len, (uint32_t)text.len };
    report(session, end, DIAG(bad_yaml), STR_ARG(STR("x")));

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             " --> a:1:7\n"
                             "  |\n"
                             "1 | a = [1\n"
                             "  |       ^\n"
                             "  |\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_an_empty_source_can_be_pointed_at(void **state) {
    Session *session = *state;
    add_text(session, "a", "");
    report(session, (Span){ 1, 0, 0 }, DIAG(bad_yaml), STR_ARG(STR("x")));

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             " --> a:1:1\n"
                             "  |\n"
                             "1 |\n"
                             "  | ^\n"
                             "  |\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_carets_stand_under_wide_and_combined_characters(void **state) {
    Session *session = *state;
    add_text(session, "a", "\t\"\xE6\x97\xA5\xE6\x9C\xAC\" e\xCC\x81 bad\n");
    Diag *diag = report_at(session, 1, "bad", "x");
    diag_label(session, diag, span_of(session, 1, "\xE6\x97\xA5\xE6\x9C\xAC"), "wide");

    assert_rendered(session, "error[DT0905]: this is not YAML: x\n"
                             " --> a:1:10\n"
                             "  |\n"
                             "1 |  \"\xE6\x97\xA5\xE6\x9C\xAC\" e\xCC\x81 bad\n"
                             "  |   ----    ^^^\n"
                             "  |   |\n"
                             "  |   wide\n"
                             "  |\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_a_hostile_file_cannot_write_to_the_terminal(void **state) {
    Session *session = *state;
    add_text(session, "a\x1b[31m",
             "x\x1b]0;t\x07 \xFF\xE2\x80\xAE"
             "bad\xC2\x9B\n");
    Diag *diag = report_at(session, 1, "bad", "found `\x1b[2J\xFE`");
    diag_primary_label(session, diag, "\x08");
    diag_help(session, diag, "first\nsecond\x1b");

    assert_rendered(session, "error[DT0905]: this is not YAML: found `\xEF\xBF\xBD[2J\xEF\xBF\xBD`\n"
                             " --> a\xEF\xBF\xBD[31m:1:11\n"
                             "  |\n"
                             "1 | x\xEF\xBF\xBD]0;t\xEF\xBF\xBD \xEF\xBF\xBD\xEF\xBF\xBD"
                             "bad\xEF\xBF\xBD\n"
                             "  |           ^^^ \xEF\xBF\xBD\n"
                             "  |\n"
                             "  = help: first\n"
                             "          second\xEF\xBF\xBD\n"
                             "  = note: dtc explain DT0905\n"
                             "\n"
                             "dtc: 1 error\n");
}

static void test_a_very_long_line_is_cut_around_the_caret(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    strbuf_add(&text, STR("start"));
    strbuf_add_repeated(&text, 'a', 995);
    strbuf_add(&text, STR("bad"));
    strbuf_add_repeated(&text, 'z', 1000);
    source_add(session, STR("a"), strbuf_str(&text));
    Diag *diag = report_at(session, 1, "bad", "x");
    diag_primary_label(session, diag, "here");
    diag_label(session, diag, span_of(session, 1, "start"), "there");

    StrBuf expected = { .arena = session->arena };
    strbuf_add(&expected, STR("error[DT0905]: this is not YAML: x\n --> a:1:1001\n  |\n1 | …"));
    strbuf_add_repeated(&expected, 'a', 79);
    strbuf_add(&expected, STR("bad"));
    strbuf_add_repeated(&expected, 'z', 116);
    strbuf_add(&expected, STR("…\n  | -"));
    strbuf_add_repeated(&expected, ' ', 79);
    strbuf_add(&expected, STR("^^^ here\n  | |\n  | there\n  |\n  = note: dtc explain DT0905\n\ndtc: 1 error\n"));
    assert_rendered(session, str_c(session->arena, strbuf_str(&expected)));
}

static void test_a_line_of_200_columns_is_whole(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    strbuf_add_repeated(&text, 'a', 197);
    strbuf_add(&text, STR("bad"));
    source_add(session, STR("a"), strbuf_str(&text));
    report_at(session, 1, "bad", "x");

    const Str rendered = render_diagnostics(session, DIAGNOSTICS_TEXT, 0);

    assert_true(str_find(rendered, strbuf_str(&text), 0) < rendered.len);
    assert_int_equal(str_find(rendered, STR("…"), 0), rendered.len);
}

static void test_colour_marks_severity_frame_and_marks(void **state) {
    Session *session = *state;
    add_text(session, "a", "x y\n");
    Diag *diag = report_at(session, 1, "y", "m");
    diag_label(session, diag, span_of(session, 1, "x"), "%s", "");

    assert_text(render_diagnostics(session, DIAGNOSTICS_TEXT, RENDER_COLOR),
                "\x1b[1;31merror[DT0905]\x1b[0m\x1b[1m: this is not YAML: m\x1b[0m\n"
                " \x1b[1;34m-->\x1b[0m a:1:3\n"
                "  \x1b[1;34m|\x1b[0m\n"
                "\x1b[1;34m1 |\x1b[0m x y\n"
                "  \x1b[1;34m|\x1b[0m \x1b[1;34m-\x1b[0m \x1b[1;31m^\x1b[0m\n"
                "  \x1b[1;34m|\x1b[0m\n"
                "  \x1b[1;34m=\x1b[0m \x1b[1mnote\x1b[0m: dtc explain DT0905\n"
                "\n"
                "dtc: 1 error\n");
}

static void test_diagnostics_stand_in_source_order(void **state) {
    Session *session = *state;
    add_text(session, "a", "one two\n");
    add_text(session, "b", "three\n");
    report_at(session, 2, "three", "third");
    report_at(session, 1, "two", "second");
    report_at(session, 1, "one", "first");
    report(session, SPAN_NONE, DIAG(interrupted));

    const Str text = render_diagnostics(session, DIAGNOSTICS_TEXT, 0);

    const size_t interrupted = str_find(text, STR("interrupted"), 0);
    const size_t first = str_find(text, STR("first"), interrupted);
    const size_t second = str_find(text, STR("second"), first);
    const size_t third = str_find(text, STR("third"), second);
    assert_true(third < text.len);
    assert_true(str_ends_with(text, STR("\ndtc: 4 errors\n")));
}

static void test_what_is_allowed_is_not_shown(void **state) {
    Session *session = *state;
    add_text(session, "a", "one\n");
    diag_allow(session, report_at(session, 1, "one", "first"));

    assert_rendered(session, "");
}

static void test_the_summary_counts_warnings_too_and_what_is_left_out(void **state) {
    Session *session = *state;
    session->diags.warning_count = 1;
    assert_rendered(session, "dtc: 1 warning\n");
    session->diags.error_count = 2;
    assert_rendered(session, "dtc: 2 errors, 1 warning\n");
    session->diags.error_count = 1;
    session->diags.warning_count = 2;
    session->diags.dropped_count = 3;
    assert_rendered(session, "dtc: 1 error, 2 warnings (3 not shown)\n");
}

static void test_of_too_many_only_the_limit_is_shown(void **state) {
    Session *session = *state;
    StrBuf text = { .arena = session->arena };
    strbuf_add_repeated(&text, 'x', 2000);
    source_add(session, STR("a"), strbuf_str(&text));
    for (uint32_t i = 0; i < DIAGS_MAX + 2; i++) {
        report(session, (Span){ 1, i, i + 1 }, DIAG(bad_yaml), STR_ARG(STR("x")));
    }

    const Str rendered = render_diagnostics(session, DIAGNOSTICS_TEXT, 0);

    assert_true(str_ends_with(rendered, STR("\n\ndtc: 1002 errors (2 not shown)\n")));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_nothing_to_say_is_nothing),
        TEST(test_a_whole_diagnostic_looks_like_the_one_in_the_manual),
        TEST(test_without_a_place_there_is_header_and_notes),
        TEST(test_lines_far_apart_have_dots_between_and_near_ones_the_line),
        TEST(test_labels_on_one_line_hang_on_bars),
        TEST(test_marks_inside_each_other_are_both_seen),
        TEST(test_two_labels_at_one_place_stand_below_each_other),
        TEST(test_a_label_in_another_file_has_its_own_header),
        TEST(test_a_span_of_several_lines_is_marked_on_the_first),
        TEST(test_an_empty_span_at_the_end_has_a_caret_behind_it),
        TEST(test_an_empty_source_can_be_pointed_at),
        TEST(test_carets_stand_under_wide_and_combined_characters),
        TEST(test_a_hostile_file_cannot_write_to_the_terminal),
        TEST(test_a_very_long_line_is_cut_around_the_caret),
        TEST(test_a_line_of_200_columns_is_whole),
        TEST(test_colour_marks_severity_frame_and_marks),
        TEST(test_diagnostics_stand_in_source_order),
        TEST(test_what_is_allowed_is_not_shown),
        TEST(test_the_summary_counts_warnings_too_and_what_is_left_out),
        TEST(test_of_too_many_only_the_limit_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
