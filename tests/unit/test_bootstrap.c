#include "compiler/plan/model/bootstrap.h"

#include "tests/support/check.h"

#include "compiler/base/file.h"

enum { FILE_MAX = 1024 * 1024 };

static const char *const COLUMNS[] = { "al2023", "al2", "ubuntu2204", "bottlerocket" };

static void test_every_cell_has_a_source_with_its_month(void **state) {
    (void)state;
    for (size_t i = 0; i < BOOTSTRAP_CELL_COUNT; i++) {
        const Str source = str_of(BOOTSTRAP_CELLS[i].source);

        assert_true(source.len > 7);
        assert_int_equal(source.data[source.len - 3], '-');
        assert_true(str_starts_with(str_slice(source, source.len - 7, source.len), STR("20")));
    }
}

static void test_every_system_has_a_cell_for_each_field(void **state) {
    (void)state;
    for (size_t i = 0; i < BOOTSTRAP_CELL_COUNT; i++) {
        for (BootstrapField field = 0; field < BOOTSTRAP_FIELD_COUNT; field++) {
            assert_non_null(bootstrap_cell(str_of(BOOTSTRAP_CELLS[i].os), field));
        }
    }
}

static void test_a_node_config_is_of_al2023_alone(void **state) {
    (void)state;
    for (size_t i = 0; i < BOOTSTRAP_CELL_COUNT; i++) {
        const Str os = str_of(BOOTSTRAP_CELLS[i].os);

        assert_int_equal(bootstrap_honours(os, BOOTSTRAP_NODE_CONFIG), str_is(os, "al2023"));
    }
}

static void test_a_system_that_eks_lacks_is_reported_elsewhere(void **state) {
    (void)state;

    assert_null(bootstrap_cell(STR("rhel9"), BOOTSTRAP_COMMANDS));
    assert_true(bootstrap_honours(STR("rhel9"), BOOTSTRAP_COMMANDS));
}

static void test_all_releases_of_ubuntu_start_alike(void **state) {
    (void)state;
    static const char *const OTHERS[] = { "ubuntu2004", "ubuntu2404" };
    for (size_t i = 0; i < COUNT_OF(OTHERS); i++) {
        for (BootstrapField field = 0; field < BOOTSTRAP_FIELD_COUNT; field++) {
            const BootstrapCell *cell = bootstrap_cell(str_of(OTHERS[i]), field);

            assert_string_equal(cell->how, bootstrap_cell(STR("ubuntu2204"), field)->how);
        }
    }
}

static void test_manual_has_the_table(void **state) {
    (void)state;
    Arena *arena = arena_create();
    Str manual;
    assert_null(file_read(arena, STR("man/dt.5"), FILE_MAX, &manual));

    for (BootstrapField field = 0; field < BOOTSTRAP_FIELD_COUNT; field++) {
        StrBuf line = { .arena = arena };
        strbuf_add_format(&line, "\n.It %s", bootstrap_field_name(field));
        for (size_t i = 0; i < COUNT_OF(COLUMNS); i++) {
            const BootstrapCell *cell = bootstrap_cell(str_of(COLUMNS[i]), field);
            strbuf_add_format(&line, " Ta %s", cell->how);
            if (cell->since != NULL) { // "eksctl 0.198.0": stands behind the table
                assert_true(str_find(manual, str_of(strrchr(cell->since, ' ')), 0) < manual.len);
            }
        }
        strbuf_add_char(&line, '\n');
        if (str_find(manual, strbuf_str(&line), 0) == manual.len) {
            fail_msg("dt(5) lacks the row `%.*s`", STR_ARG(str_trim(strbuf_str(&line))));
        }
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cell_has_a_source_with_its_month),
        cmocka_unit_test(test_every_system_has_a_cell_for_each_field),
        cmocka_unit_test(test_a_node_config_is_of_al2023_alone),
        cmocka_unit_test(test_a_system_that_eks_lacks_is_reported_elsewhere),
        cmocka_unit_test(test_all_releases_of_ubuntu_start_alike),
        cmocka_unit_test(test_manual_has_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
