#include "compiler/base/diag/prose.h"
#include "compiler/base/session.h"

#include "tests/support/check.h"

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

static Diag *report_key(Session *session, uint32_t start, const char *key) {
    const Span span = { 1, start, start + 1 };
    return report(session, span, DIAG(yaml_duplicate_key), STR_ARG(str_of(key)));
}

static void test_a_report_is_kept_with_its_message(void **state) {
    Session *session = *state;

    const Diag *diag = report_key(session, 4, "efa");

    assert_text(diag->message, "the key `efa` is there twice");
    assert_int_equal(diag->severity, SEVERITY_ERROR);
    assert_int_equal(diag->span.start, 4);
    assert_int_equal(session->diags.items.count, 1);
    assert_int_equal(session->diags.error_count, 1);
    assert_true(has_errors(session));
}

static void test_a_new_session_has_no_errors(void **state) {
    assert_false(has_errors(*state));
}

static void test_the_same_message_at_the_same_place_is_kept_once(void **state) {
    Session *session = *state;

    report_key(session, 4, "efa");
    Diag *again = report_key(session, 4, "efa");
    diag_help(session, again, "may be added to, without effect");

    assert_int_equal(session->diags.items.count, 1);
    assert_int_equal(session->diags.error_count, 1);
    assert_int_equal(session->diags.items.items[0]->helps.count, 0);
}

static void test_another_place_or_text_is_another_message(void **state) {
    Session *session = *state;

    report_key(session, 4, "efa");
    report_key(session, 5, "efa");
    report_key(session, 4, "key");

    assert_int_equal(session->diags.items.count, 3);
}

static void test_a_fix_of_a_foreign_text_keeps_its_quotes(void **state) {
    Session *session = *state;
    const Str text = STR("{\"kind\": 'Job', \"on\": \"false\"}");
    const uint32_t source = source_add(session, STR("a.json"), text);
    Diag *diag = report_key(session, 0, "a");

    diag_fix(session, diag, (Span){ source, 1, 7 }, STR("Kind"));
    source_mark_checked(session, source);
    diag_fix(session, diag, (Span){ source, 1, 7 }, STR("Kind"));
    diag_fix(session, diag, (Span){ source, 9, 14 }, STR("Pod"));
    diag_fix(session, diag, (Span){ source, 22, 29 }, STR("true"));

    const char *const expected[] = { "Kind", "\"Kind\"", "'Pod'", "true" };
    assert_int_equal(diag->fixes.count, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_true(str_is(diag->fixes.items[i].replacement, expected[i]));
    }
}

static void test_labels_helps_notes_and_fixes_are_kept_in_order(void **state) {
    Session *session = *state;
    source_add(session, STR("a.dt"), STR("a = 4"));
    Diag *diag = report_key(session, 0, "a");

    diag_primary_label(session, diag, "asks for %d", 8);
    diag_label(session, diag, (Span){ 1, 2, 3 }, "has %d", 4);
    diag_help(session, diag, "first");
    diag_help(session, diag, "second");
    diag_note(session, diag, "known since %d", 2023);
    diag_fix(session, diag, (Span){ 1, 0, 1 }, STR("all"));

    assert_text(diag->label, "asks for 8");
    assert_text(diag->labels.items[0].text, "has 4");
    assert_text(diag->helps.items[0], "first");
    assert_text(diag->helps.items[1], "second");
    assert_text(diag->notes.items[0], "known since 2023");
    assert_text(diag->fixes.items[0].replacement, "all");
}

static void test_a_message_without_a_way_out_gets_that_of_its_row(void **state) {
    Session *session = *state;
    report_key(session, 4, "efa");
    diag_help(session, report_key(session, 9, "efa"), "its own");

    diags_complete(session);
    diags_complete(session);

    assert_int_equal(session->diags.items.items[0]->helps.count, 1);
    assert_text(session->diags.items.items[0]->helps.items[0], "remove one of the two");
    assert_int_equal(session->diags.items.items[1]->helps.count, 1);
    assert_text(session->diags.items.items[1]->helps.items[0], "its own");
}

static void test_what_is_allowed_does_not_count(void **state) {
    Session *session = *state;
    Diag *diag = report_key(session, 0, "a");

    diag_allow(session, diag);
    diag_allow(session, diag);

    assert_true(diag->is_allowed);
    assert_int_equal(session->diags.error_count, 0);
    assert_false(has_errors(session));
}

static void test_reports_beyond_the_limit_are_counted_only(void **state) {
    Session *session = *state;
    source_add(session, STR("a.yaml"), STR_NONE);

    for (uint32_t i = 0; i < DIAGS_MAX; i++) {
        report_key(session, i, "a");
    }
    assert_false(session->diags.is_full);
    Diag *dropped = report_key(session, DIAGS_MAX, "a");
    diag_help(session, dropped, "may be added to, without effect");

    assert_true(session->diags.is_full);
    assert_int_equal(session->diags.items.count, DIAGS_MAX);
    assert_int_equal(session->diags.error_count, DIAGS_MAX + 1);
    assert_int_equal(session->diags.dropped_count, 1);
    assert_int_equal(source_get(session, 1)->errors_left_out, 1);
}

static void test_what_an_allow_silences_is_not_left_out(void **state) {
    Session *session = *state;
    source_add(session, STR("a.yaml"), STR_NONE);
    for (uint32_t i = 0; i < DIAGS_MAX; i++) {
        report_key(session, i, "a");
    }

    diag_allow(session, report_key(session, DIAGS_MAX, "a"));

    assert_int_equal(session->diags.error_count, DIAGS_MAX);
    assert_int_equal(session->diags.dropped_count, 0);
    assert_int_equal(source_get(session, 1)->errors_left_out, 0);
    assert_int_equal(session->diags.silenced[SILENCED_BY_ALLOW], 1);
}

static void test_what_a_project_silences_is_counted_once_for_a_place(void **state) {
    Session *session = *state;
    DiagLevel levels[DIAG_COUNT] = { [DIAG_yaml_duplicate_key] = LEVEL_OFF };
    session->levels = levels;

    report_key(session, 1, "a");
    report_key(session, 1, "b");
    report_key(session, 2, "a");
    levels[DIAG_yaml_duplicate_key] = LEVEL_SKIPPED;
    report_key(session, 3, "a");
    levels[DIAG_yaml_duplicate_key] = LEVEL_NOTE;
    report_key(session, 4, "a");

    assert_int_equal(session->diags.silenced[SILENCED_BY_PROJECT], 2);
    assert_int_equal(session->diags.silenced[LOWERED_BY_PROJECT], 1);
    assert_int_equal(session->diags.items.count, 1);
}

static void test_an_error_drives_a_warning_out_of_a_full_list(void **state) {
    Session *session = *state;
    source_add(session, STR("a.yaml"), STR_NONE);
    for (uint32_t i = 0; i < DIAGS_MAX + 5; i++) {
        report(session, (Span){ 1, i, i + 1 }, DIAG(unknown_zone), STR_ARG(STR("us-east-9z")));
    }

    report_key(session, 0, "a");

    assert_int_equal(session->diags.items.count, DIAGS_MAX);
    assert_int_equal(session->diags.items.items[DIAGS_MAX - 1]->severity, SEVERITY_ERROR);
    assert_int_equal(session->diags.items.items[DIAGS_MAX - 2]->severity, SEVERITY_WARNING);
    assert_int_equal(session->diags.dropped_count, 6);
    assert_int_equal(session->diags.warning_count, DIAGS_MAX + 5);
    assert_int_equal(source_get(session, 1)->warnings_left_out, 6);
    assert_true(has_errors(session));
}

// Another session with one source and `count` errors in it.
static Session *other_with(const char *path, int count) {
    Session *other = session_create();
    const uint32_t source = source_add(other, str_of(path), STR("key: 1\n"));
    source_mark_checked(other, source);
    for (int i = 0; i < count; i++) {
        Diag *diag = report(other, (Span){ source, 0, 3 }, DIAG(yaml_duplicate_key), 1, &"0123456789"[i % 10]);
        diag_label(other, diag, (Span){ source, 5, 6 }, "here first");
    }
    return other;
}

static void test_what_another_session_says_outlives_it(void **state) {
    Session *session = *state;
    Session *other = other_with("a.yaml", 1);

    diags_take(session, other);
    session_destroy(other);

    const Diag *diag = session->diags.items.items[0];
    assert_text(diag->message, "the key `0` is there twice");
    assert_text(source_text(session, diag->span), "key");
    assert_text(source_text(session, diag->labels.items[0].span), "1");
    assert_text(source_get(session, diag->span.source)->path, "a.yaml");
    assert_int_equal(session->diags.error_count, 1);
    assert_int_equal(session->sources.count, 2);
}

static void test_of_a_source_without_a_mistake_the_path_is_taken(void **state) {
    Session *session = *state;
    Session *other = other_with("a.yaml", 0);

    diags_take(session, other);
    session_destroy(other);

    assert_int_equal(session->sources.count, 2);
    assert_text(source_get(session, 1)->path, "a.yaml");
    assert_int_equal(source_get(session, 1)->text.len, 0);
    assert_true(source_get(session, 1)->is_checked);
}

static void test_what_was_allowed_is_not_taken(void **state) {
    Session *session = *state;
    Session *other = other_with("a.yaml", 1);
    diag_allow(other, other->diags.items.items[0]);

    diags_take(session, other);
    session_destroy(other);

    assert_int_equal(session->diags.items.count, 0);
    assert_int_equal(session->diags.error_count, 0);
}

static void test_diagnostics_alone_keep_sources_numbers_and_allows(void **state) {
    (void)state;
    Session *other = other_with("a.yaml", 2);
    diag_allow(other, other->diags.items.items[0]);

    Session *alone = diags_alone(other);

    const Diags *diags = &alone->diags;
    assert_int_equal(diags->items.count, 2);
    assert_true(diags->items.items[0]->is_allowed);
    assert_false(diags->items.items[1]->is_allowed);
    assert_int_equal(diags->error_count, 1);
    assert_text(source_text(alone, diags->items.items[1]->labels.items[0].span), "1");
    assert_text(source_get(alone, 1)->path, "a.yaml");
    session_destroy(alone);
}

static void test_what_is_beyond_the_limit_of_two_sessions_is_counted(void **state) {
    Session *session = *state;
    source_add(session, STR("b.yaml"), STR_NONE);
    for (uint32_t i = 0; i < DIAGS_MAX - 1; i++) {
        report_key(session, i, "efa");
    }
    Session *other = other_with("a.yaml", 3);

    diags_take(session, other);
    session_destroy(other);

    assert_int_equal(session->diags.items.count, DIAGS_MAX);
    assert_int_equal(session->diags.error_count, DIAGS_MAX + 2);
    assert_int_equal(session->diags.dropped_count, 2);
    assert_text(source_get(session, 2)->path, "a.yaml");
    assert_int_equal(source_get(session, 2)->errors_left_out, 2);
}

static void test_every_row_has_a_code_of_its_own(void **state) {
    (void)state;
    for (int id = 0; id < DIAG_COUNT; id++) {
        const DiagRow *row = diag_row((DiagId)id);
        assert_ptr_equal(diag_find(str_of(row->code)), row);
        assert_int_equal(strlen(row->code), strlen("DT0000"));
        assert_true(strlen(diag_explanation((DiagId)id)) > strlen("What it means."));
    }
}

static void test_rows_stand_in_the_order_of_their_codes(void **state) {
    (void)state;
    for (int id = 1; id < DIAG_COUNT; id++) {
        assert_true(strcmp(diag_row((DiagId)(id - 1))->code, diag_row((DiagId)id)->code) < 0);
    }
}

static void test_a_retired_code_has_no_row(void **state) {
    (void)state;
    for (int id = 0; id < DIAG_COUNT; id++) {
        assert_null(diag_find_retired(str_of(diag_row((DiagId)id)->code)));
    }
    assert_non_null(diag_find_retired(STR("DT0560")));
    assert_null(diag_find(STR("DT0560")));
}

static void test_only_rules_limits_and_the_bootstrap_are_judgements(void **state) {
    (void)state;
    assert_int_equal(diag_find(STR("DT0305"))->nature, JUDGEMENT);
    assert_int_equal(diag_find(STR("DT0520"))->nature, JUDGEMENT);
    assert_int_equal(diag_find(STR("DT0701"))->nature, JUDGEMENT);
    assert_int_equal(diag_find(STR("DT1301"))->nature, JUDGEMENT);
    assert_int_equal(diag_find(STR("DT0401"))->nature, FAULT);
    assert_int_equal(diag_find(STR("DT0930"))->nature, FAULT);
}

static void test_a_code_without_a_row_is_not_found(void **state) {
    (void)state;
    assert_null(diag_find(STR("DT0000")));
    assert_null(diag_find(STR("")));
    assert_non_null(diag_find(STR("DT0901")));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_report_is_kept_with_its_message, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_new_session_has_no_errors, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_what_an_allow_silences_is_not_left_out, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_what_a_project_silences_is_counted_once_for_a_place, make_session,
                                        drop_session),
        cmocka_unit_test_setup_teardown(test_the_same_message_at_the_same_place_is_kept_once, make_session,
                                        drop_session),
        cmocka_unit_test_setup_teardown(test_another_place_or_text_is_another_message, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_a_fix_of_a_foreign_text_keeps_its_quotes, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_labels_helps_notes_and_fixes_are_kept_in_order, make_session,
                                        drop_session),
        cmocka_unit_test_setup_teardown(test_a_message_without_a_way_out_gets_that_of_its_row, make_session,
                                        drop_session),
        cmocka_unit_test_setup_teardown(test_what_is_allowed_does_not_count, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_reports_beyond_the_limit_are_counted_only, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_an_error_drives_a_warning_out_of_a_full_list, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_what_another_session_says_outlives_it, make_session, drop_session),
        cmocka_unit_test_setup_teardown(test_of_a_source_without_a_mistake_the_path_is_taken, make_session,
                                        drop_session),
        cmocka_unit_test_setup_teardown(test_what_was_allowed_is_not_taken, make_session, drop_session),
        cmocka_unit_test(test_diagnostics_alone_keep_sources_numbers_and_allows),
        cmocka_unit_test_setup_teardown(test_what_is_beyond_the_limit_of_two_sessions_is_counted, make_session,
                                        drop_session),
        cmocka_unit_test(test_every_row_has_a_code_of_its_own),
        cmocka_unit_test(test_rows_stand_in_the_order_of_their_codes),
        cmocka_unit_test(test_a_retired_code_has_no_row),
        cmocka_unit_test(test_only_rules_limits_and_the_bootstrap_are_judgements),
        cmocka_unit_test(test_a_code_without_a_row_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
