// The generator on a small schema with one table: the dates of its sources.
#include "tests/support/schemagen_world.h"

#define QUOTAS "quotas:\n  - { code: L-1, market: spot, name: All T, letters: [t] }\n"
#define WANTED "a source ends with its date and with the month it was read in: `…, 2026-08-21, read 2026-11`\n"

static void assert_listed(void **state, const char *path, const char *text, const char *expected) {
    Folder *folder = *state;
    Str listed = STR_NONE;
    write_schema(folder, path, text);

    assert_int_equal(generate(folder, "out"), 0);

    assert_text(printed(folder), "");
    const Str file = str_format(folder->arena, "%s/out/sources.tsv", folder->path);
    assert_null(file_read(folder->arena, file, TEXT_MAX, &listed));
    assert_text(listed, expected);
}

static void test_a_source_has_two_dates(void **state) {
    assert_listed(state, "quotas.yaml", "sources: { spot: \"EC2 guide, Quotas, 2026-08-21, read 2026-11\" }\n" QUOTAS,
                  "quotas.yaml\tspot\t2026-08-21\t2026-11\tchanges\tEC2 guide, Quotas\n");
}

static void test_a_source_may_be_final(void **state) {
    assert_listed(state, "quotas.yaml", "sources: { spot: \"RFC 1, 2005-01, read 2026-11, final\" }\n" QUOTAS,
                  "quotas.yaml\tspot\t2005-01\t2026-11\tfinal\tRFC 1\n");
}

static void test_a_row_may_have_its_own_source(void **state) {
    assert_listed(state, "constants.yaml",
                  "least: { value: 1, unit: x, doc: d, source: \"a guide, 2026-11, read 2026-11\" }\n",
                  "constants.yaml\tleast\t2026-11\t2026-11\tchanges\ta guide\n");
}

static void test_a_table_in_c_has_comments(void **state) {
    assert_listed(state, "names.def", "// Names.\n// source: a guide, 2026-11, read 2026-11\nNAME(a)\n",
                  "names.def\ttable\t2026-11\t2026-11\tchanges\ta guide\n");
}

static void test_a_source_without_dates_is_refused(void **state) {
    assert_refused(state, "quotas.yaml", "sources: { spot: a guide }\n" QUOTAS, "schema/quotas.yaml:1:18: " WANTED);
}

static void test_a_source_without_its_own_date_is_refused(void **state) {
    assert_refused(state, "quotas.yaml", "sources: { spot: \"a guide, read 2026-11\" }\n" QUOTAS,
                   "schema/quotas.yaml:1:18: " WANTED);
}

static void test_a_month_that_is_none_is_refused(void **state) {
    assert_refused(state, "quotas.yaml", "sources: { spot: \"a guide, 2026-13, read 2026-11\" }\n" QUOTAS,
                   "schema/quotas.yaml:1:18: " WANTED);
}

static void test_a_source_from_after_its_reading_is_refused(void **state) {
    assert_refused(state, "quotas.yaml", "sources: { spot: \"a guide, 2026-12-01, read 2026-11\" }\n" QUOTAS,
                   "schema/quotas.yaml:1:18: the source is younger than the month it was read in\n");
}

static void test_a_table_without_a_source_is_refused(void **state) {
    assert_refused(state, "names.def", "// Names.\nNAME(a)\n", "schema/names.def:1:1: a table names its source\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_source_has_two_dates, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_a_source_may_be_final, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_a_row_may_have_its_own_source, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_a_table_in_c_has_comments, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_a_source_without_dates_is_refused, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_a_source_without_its_own_date_is_refused, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_a_month_that_is_none_is_refused, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_a_source_from_after_its_reading_is_refused, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(test_a_table_without_a_source_is_refused, make_folder, drop_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
