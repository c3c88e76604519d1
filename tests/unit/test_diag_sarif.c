#include "compiler/base/diag/prose.h"
#include "compiler/base/version.h"
#include "compiler/driver/render/fingerprint.h"
#include "compiler/driver/render/render.h"

#include "tests/support/check.h"

static void test_a_run_without_results_is_a_whole_document(void **state) {
    (void)state;
    Session *session = session_create();

    assert_text(render_diagnostics(session, DIAGNOSTICS_SARIF, 0),
                "{\n"
                "  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                "  \"version\": \"2.1.0\",\n"
                "  \"runs\": [\n"
                "    {\n"
                "      \"tool\": {\n"
                "        \"driver\": {\n"
                "          \"name\": \"dtc\",\n"
                "          \"version\": \"" DTC_VERSION "\",\n"
                "          \"semanticVersion\": \"" DTC_VERSION "\",\n"
                "          \"rules\": []\n"
                "        }\n"
                "      },\n"
                "      \"columnKind\": \"unicodeCodePoints\",\n"
                "      \"results\": []\n"
                "    }\n"
                "  ]\n"
                "}\n");
    session_destroy(session);
}

static void test_a_result_has_rule_place_reason_and_fix(void **state) {
    (void)state;
    Session *session = session_create();
    source_add(session, STR("my params.yaml"), STR("a: 1\na: 2\n"));
    Diag *diag = report(session, (Span){ 1, 5, 6 }, DIAG(yaml_duplicate_key), STR_ARG(STR("a")));
    diag_label(session, diag, (Span){ 1, 0, 1 }, "here first");
    diag_help(session, diag, "remove one");
    diag_fix(session, diag, (Span){ 1, 5, 10 }, STR_NONE);
    report(session, SPAN_NONE, DIAG(interrupted));

    const Str sum = fingerprint_of(session->arena, STR("my params.yaml"), "DT0906", STR("a: 2"));
    const Str expected =
        str_format(session->arena,
                   "{\n"
                   "  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                   "  \"version\": \"2.1.0\",\n"
                   "  \"runs\": [\n"
                   "    {\n"
                   "      \"tool\": {\n"
                   "        \"driver\": {\n"
                   "          \"name\": \"dtc\",\n"
                   "          \"version\": \"" DTC_VERSION "\",\n"
                   "          \"semanticVersion\": \"" DTC_VERSION "\",\n"
                   "          \"rules\": [\n"
                   "            {\n"
                   "              \"id\": \"DT0906\",\n"
                   "              \"name\": \"yaml_duplicate_key\",\n"
                   "              \"shortDescription\": {\n"
                   "                \"text\": \"yaml duplicate key\"\n"
                   "              },\n"
                   "              \"fullDescription\": {\n"
                   "                \"text\": \"%s\"\n"
                   "              },\n"
                   "              \"help\": {\n"
                   "                \"text\": \"%s\\n\\ndtc explain DT0906\"\n"
                   "              },\n"
                   "              \"defaultConfiguration\": {\n"
                   "                \"level\": \"error\"\n"
                   "              }\n"
                   "            },\n"
                   "            {\n"
                   "              \"id\": \"DT0910\",\n"
                   "              \"name\": \"interrupted\",\n"
                   "              \"shortDescription\": {\n"
                   "                \"text\": \"interrupted\"\n"
                   "              },\n"
                   "              \"fullDescription\": {\n"
                   "                \"text\": \"%s\"\n"
                   "              },\n"
                   "              \"help\": {\n"
                   "                \"text\": \"%s\\n\\ndtc explain DT0910\"\n"
                   "              },\n"
                   "              \"defaultConfiguration\": {\n"
                   "                \"level\": \"error\"\n"
                   "              }\n"
                   "            }\n"
                   "          ]\n"
                   "        }\n"
                   "      },\n"
                   "      \"columnKind\": \"unicodeCodePoints\",\n"
                   "      \"results\": [\n"
                   "        {\n"
                   "          \"ruleId\": \"DT0910\",\n"
                   "          \"ruleIndex\": 1,\n"
                   "          \"level\": \"error\",\n"
                   "          \"message\": {\n"
                   "            \"text\": \"interrupted: nothing was written\"\n"
                   "          }\n"
                   "        },\n"
                   "        {\n"
                   "          \"ruleId\": \"DT0906\",\n"
                   "          \"ruleIndex\": 0,\n"
                   "          \"level\": \"error\",\n"
                   "          \"message\": {\n"
                   "            \"text\": \"the key `a` is there twice\\nhelp: remove one\"\n"
                   "          },\n"
                   "          \"locations\": [\n"
                   "            {\n"
                   "              \"physicalLocation\": {\n"
                   "                \"artifactLocation\": {\n"
                   "                  \"uri\": \"my%%20params.yaml\"\n"
                   "                },\n"
                   "                \"region\": {\n"
                   "                  \"startLine\": 2,\n"
                   "                  \"startColumn\": 1,\n"
                   "                  \"endLine\": 2,\n"
                   "                  \"endColumn\": 2\n"
                   "                }\n"
                   "              }\n"
                   "            }\n"
                   "          ],\n"
                   "          \"partialFingerprints\": {\n"
                   "            \"dtcLine/v1\": \"%.*s:1\"\n"
                   "          },\n"
                   "          \"relatedLocations\": [\n"
                   "            {\n"
                   "              \"physicalLocation\": {\n"
                   "                \"artifactLocation\": {\n"
                   "                  \"uri\": \"my%%20params.yaml\"\n"
                   "                },\n"
                   "                \"region\": {\n"
                   "                  \"startLine\": 1,\n"
                   "                  \"startColumn\": 1,\n"
                   "                  \"endLine\": 1,\n"
                   "                  \"endColumn\": 2\n"
                   "                }\n"
                   "              },\n"
                   "              \"message\": {\n"
                   "                \"text\": \"here first\"\n"
                   "              }\n"
                   "            }\n"
                   "          ],\n"
                   "          \"fixes\": [\n"
                   "            {\n"
                   "              \"artifactChanges\": [\n"
                   "                {\n"
                   "                  \"artifactLocation\": {\n"
                   "                    \"uri\": \"my%%20params.yaml\"\n"
                   "                  },\n"
                   "                  \"replacements\": [\n"
                   "                    {\n"
                   "                      \"deletedRegion\": {\n"
                   "                        \"startLine\": 2,\n"
                   "                        \"startColumn\": 1,\n"
                   "                        \"endLine\": 3,\n"
                   "                        \"endColumn\": 1\n"
                   "                      },\n"
                   "                      \"insertedContent\": {\n"
                   "                        \"text\": \"\"\n"
                   "                      }\n"
                   "                    }\n"
                   "                  ]\n"
                   "                }\n"
                   "              ]\n"
                   "            }\n"
                   "          ]\n"
                   "        }\n"
                   "      ]\n"
                   "    }\n"
                   "  ]\n"
                   "}\n",
                   diag_explanation(DIAG_yaml_duplicate_key), diag_explanation(DIAG_yaml_duplicate_key),
                   diag_explanation(DIAG_interrupted), diag_explanation(DIAG_interrupted), STR_ARG(sum));
    assert_text(render_diagnostics(session, DIAGNOSTICS_SARIF, 0), str_c(session->arena, expected));
    session_destroy(session);
}

static void test_an_absolute_path_is_a_file_uri(void **state) {
    (void)state;
    Session *session = session_create();
    source_add(session, STR("/tmp/a.dt"), STR("x"));
    report(session, (Span){ 1, 0, 1 }, DIAG(bad_yaml), STR_ARG(STR("m")));

    const Str text = render_diagnostics(session, DIAGNOSTICS_SARIF, 0);

    assert_true(str_find(text, STR("\"uri\": \"file:///tmp/a.dt\""), 0) < text.len);
    session_destroy(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_run_without_results_is_a_whole_document),
        cmocka_unit_test(test_a_result_has_rule_place_reason_and_fix),
        cmocka_unit_test(test_an_absolute_path_is_a_file_uri),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
