#include "compiler/driver/fix/fix.h"

#include "tests/support/check.h"

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

// The fixes of a text that is in no file.
static const Fixes *find(Session *session, const char *text, const BuildRequest *wanted) {
    Overlay *overlay = arena_new(session->arena, Overlay);
    const StandIn stand_in = { .path = STR("/none/main.dt"), .text = str_of(text) };
    vec_push(session->arena, overlay, stand_in);
    session->overlay = overlay;
    BuildRequest request = wanted == NULL ? (BuildRequest){ 0 } : *wanted;
    request.path = STR("/none/main.dt");
    return fixes_find(session, &request);
}

static Str fixed(Session *session, const char *text) {
    const Fixes *fixes = find(session, text, NULL);
    assert_int_equal(fixes->files.count, 1);
    return fixes->files.items[0].text;
}

static void test_a_sound_text_stays(void **state) {
    const Fixes *fixes = find(*state, "dt 1\n\nlet a = 1\n", NULL);

    assert_int_equal(fixes->applied.count, 0);
    assert_int_equal(fixes->refused.count, 0);
    assert_text(fixes->files.items[0].text, "dt 1\n\nlet a = 1\n");
}

static void test_all_fixes_that_do_not_clash_are_made(void **state) {
    assert_text(fixed(*state, "dt 1\nlet a: 'x'\nlet b = 5 GiB;\n"), "dt 1\nlet a = \"x\"\nlet b = 5GiB\n");
}

static void test_what_one_mistake_hid_is_fixed_as_well(void **state) {
    assert_text(fixed(*state, "dt 1\nnetworks lab { zone = \"us-east-1a\" }\n"),
                "dt 1\nnetwork lab { zones = [\"us-east-1a\"] }\n");
}

static void test_one_bad_fix_does_not_keep_the_others_back(void **state) {
    const char *text = "dt 1\n"
                       "let n = 3\n"
                       "network lab {\n"
                       "  zones = \"us-east-1a\"\n"
                       "  nat = \"one\"\n"
                       "  tags = { A = n, B = \"${n + 1}\" }\n"
                       "}\n";

    const Fixes *fixes = find(*state, text, NULL);

    assert_text(fixes->files.items[0].text, "dt 1\n"
                                            "let n = 3\n"
                                            "network lab {\n"
                                            "  zones = [\"us-east-1a\"]\n"
                                            "  nat = one\n"
                                            "  tags = { A = n, B = \"${n + 1}\" }\n"
                                            "}\n");
    assert_int_equal(fixes->applied.count, 2);
    assert_int_equal(fixes->refused.count, 1);
    assert_text(fixes->refused.items[0].reason, "DT0209 would come up at /none/main.dt:6:28");
}

static void test_a_fix_that_only_moves_the_mistake_is_refused(void **state) {
    const Fixes *fixes = find(*state, "dt 1\nlet racks = [\"a\"]\nassert rack != \"c\", \"no rack c\"\n", NULL);

    assert_int_equal(fixes->applied.count, 0);
    assert_int_equal(fixes->refused.count, 1);
}

static void test_places_are_those_of_the_text_with_all_fixes(void **state) {
    const Fixes *fixes = find(*state, "network lab { zone = \"us-east-1a\" }\n", NULL);

    const Str text = fixes->files.items[0].text;
    assert_text(text, "dt 1\n\nnetwork lab { zones = [\"us-east-1a\"] }\n");
    for (uint32_t i = 0; i < fixes->applied.count; i++) {
        const AppliedFix *applied = &fixes->applied.items[i];
        assert_true(str_starts_with(str_slice(text, applied->start, text.len), applied->after));
    }
    assert_int_equal(fixes->applied.count, 3);
}

static void test_the_edits_of_one_line_are_shown_as_one(void **state) {
    const Fixes *fixes = find(*state, "dt 1\nlet a = 'x'\n", NULL);

    assert_int_equal(fixes->applied.count, 1);
    assert_text(fixes->applied.items[0].before, "'x'");
    assert_text(fixes->applied.items[0].after, "\"x\"");
    assert_int_equal(fixes->applied.items[0].more_count, 0);
}

static void test_edits_of_other_lines_are_counted(void **state) {
    const Fixes *fixes = find(*state, "dt 1\nlet a = {\n\tb = 1\n\tc = 2\n}\n", NULL);

    assert_int_equal(fixes->applied.count, 1);
    assert_int_equal(fixes->applied.items[0].more_count, 1);
}

static void test_what_is_given_outside_is_not_changed(void **state) {
    const ParamArgument argument = { .name = STR("floor"), .value = STR("3") };
    const BuildRequest request = { .inputs = { .arguments = &argument, .argument_count = 1 } };

    const Fixes *fixes = find(
        *state, "dt 1\nparam floor : int\nnetwork lab {\n  zones = [\"us-east-1a\"]\n  tags = { Floor = floor }\n}\n",
        &request);

    assert_int_equal(fixes->applied.count, 0);
}

static void test_warnings_count_where_they_are_errors(void **state) {
    // With `zones` right, the zone turns out to be in no region that is known, which is a warning.
    const char *text = "dt 1\nnetwork lab { zone = [\"xx-east-9a\"] }\n";
    const BuildRequest strict = { .is_strict = true };

    const Fixes *fixes = find(*state, text, NULL);
    const Fixes *strict_fixes = find(*state, text, &strict);

    assert_int_equal(fixes->applied.count, 1);
    assert_int_equal(strict_fixes->applied.count, 1); // a later pass found it: the fix has not made it
}

static void test_the_fixed_texts_can_be_built(void **state) {
    Session *session = *state;
    const Fixes *fixes = find(session, "dt 1\nlet a = 'x'\n", NULL);
    const BuildRequest request = { .path = STR("/none/main.dt") };

    fixes_lay_over(session, fixes);
    build(session, &request);

    assert_int_equal(session->diags.items.count, 0);
}

static void test_what_was_refused_is_explained(void **state) {
    Session *session = *state;
    const Fixes *fixes = find(session, "dt 1\nlet racks = [\"a\"]\nassert rack != \"c\", \"no\"\n", NULL);
    const BuildRequest request = { .path = STR("/none/main.dt") };
    fixes_lay_over(session, fixes);
    build(session, &request);

    fixes_explain(session, fixes);

    const Diag *diag = session->diags.items.items[0];
    assert_int_equal(diag->id, DIAG_unknown_name);
    assert_text(diag->notes.items[diag->notes.count - 1],
                "`--fix` leaves this as it is: DT0209 would come up at /none/main.dt:3:14");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_sound_text_stays),
        TEST(test_all_fixes_that_do_not_clash_are_made),
        TEST(test_what_one_mistake_hid_is_fixed_as_well),
        TEST(test_one_bad_fix_does_not_keep_the_others_back),
        TEST(test_a_fix_that_only_moves_the_mistake_is_refused),
        TEST(test_places_are_those_of_the_text_with_all_fixes),
        TEST(test_the_edits_of_one_line_are_shown_as_one),
        TEST(test_edits_of_other_lines_are_counted),
        TEST(test_what_is_given_outside_is_not_changed),
        TEST(test_warnings_count_where_they_are_errors),
        TEST(test_the_fixed_texts_can_be_built),
        TEST(test_what_was_refused_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
