#include "compiler/driver/render/render.h"

#include "tests/support/check.h"

static void test_no_diagnostics_is_a_whole_document(void **state) {
    (void)state;
    Session *session = session_create();

    assert_text(render_diagnostics(session, DIAGNOSTICS_JSON, 0), "{\n  \"version\": 1,\n  \"diagnostics\": []\n}\n");
    session_destroy(session);
}

static void test_a_diagnostic_has_all_its_fields(void **state) {
    (void)state;
    Session *session = session_create();
    source_add(session, STR("a.yaml"), STR("\xC3\xA9: 1\n\xC3\xA9: 2\n"));
    Diag *diag = report(session, (Span){ 1, 6, 8 }, DIAG(yaml_duplicate_key), STR_ARG(STR("\xC3\xA9")));
    diag_primary_label(session, diag, "again");
    diag_label(session, diag, (Span){ 1, 0, 2 }, "here first");
    diag_help(session, diag, "remove one");
    diag_note(session, diag, "readers differ");
    diag_fix(session, diag, (Span){ 1, 6, 12 }, STR(""));

    assert_text(render_diagnostics(session, DIAGNOSTICS_JSON, 0),
                "{\n"
                "  \"version\": 1,\n"
                "  \"diagnostics\": [\n"
                "    {\n"
                "      \"code\": \"DT0906\",\n"
                "      \"severity\": \"error\",\n"
                "      \"message\": \"the key `\xC3\xA9` is there twice\",\n"
                "      \"file\": \"a.yaml\",\n"
                "      \"line\": 2,\n"
                "      \"column\": 1,\n"
                "      \"end_line\": 2,\n"
                "      \"end_column\": 2,\n"
                "      \"notes\": [\n"
                "        \"remove one\",\n"
                "        \"readers differ\",\n"
                "        \"a.yaml:2:1: again\",\n"
                "        \"a.yaml:1:1: here first\"\n"
                "      ],\n"
                "      \"fixes\": [\n"
                "        {\n"
                "          \"file\": \"a.yaml\",\n"
                "          \"line\": 2,\n"
                "          \"column\": 1,\n"
                "          \"end_line\": 3,\n"
                "          \"end_column\": 1,\n"
                "          \"replacement\": \"\"\n"
                "        }\n"
                "      ]\n"
                "    }\n"
                "  ]\n"
                "}\n");
    session_destroy(session);
}

static void test_without_a_place_its_fields_are_null(void **state) {
    (void)state;
    Session *session = session_create();
    report(session, SPAN_NONE, DIAG(interrupted));

    assert_text(render_diagnostics(session, DIAGNOSTICS_JSON, 0),
                "{\n"
                "  \"version\": 1,\n"
                "  \"diagnostics\": [\n"
                "    {\n"
                "      \"code\": \"DT0910\",\n"
                "      \"severity\": \"error\",\n"
                "      \"message\": \"interrupted: nothing was written\",\n"
                "      \"file\": null,\n"
                "      \"line\": null,\n"
                "      \"column\": null,\n"
                "      \"end_line\": null,\n"
                "      \"end_column\": null,\n"
                "      \"notes\": [],\n"
                "      \"fixes\": []\n"
                "    }\n"
                "  ]\n"
                "}\n");
    session_destroy(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_diagnostics_is_a_whole_document),
        cmocka_unit_test(test_a_diagnostic_has_all_its_fields),
        cmocka_unit_test(test_without_a_place_its_fields_are_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
