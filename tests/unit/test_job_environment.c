// The table of variables: the library of dt and dt(5) follow from it.
#include "compiler/base/file.h"
#include "schema/variables.h"
#include "stdlib/library.h"
#include "tests/support/cloudformation_plan.h"

enum { MANUAL_BYTES_MAX = 1024 * 1024 };

// The lines of `let env = { … }`, up to its end.
static Str env_of(const char *path) {
    const StdlibFile *file = stdlib_find(str_of(path));
    assert_non_null(file);
    const Str start = STR("\nlet env = {\n");
    const size_t at = str_find(file->text, start, 0);
    assert_true(at < file->text.len);
    return str_slice(file->text, at + start.len, str_find(file->text, STR("\n}"), at) + 1);
}

// `NAME = "value"` at the beginning of a line, whatever the blanks between.
static bool says(Str line, const VariableRow *row) {
    const Str text = str_trim(line);
    const size_t sign = str_find(text, STR("="), 0);
    const Str value = str_trim(str_slice(text, sign < text.len ? sign + 1 : sign, text.len));
    const size_t quote = str_find(value, STR("\""), 1);
    return str_is(str_trim(str_slice(text, 0, sign)), row->name) && str_starts_with(value, STR("\"")) &&
           str_is(str_slice(value, 1, quote), row->values);
}

static int lines_that_say(Str env, const VariableRow *row, int *lines) {
    int count = 0;
    *lines = 0;
    for (size_t at = 0; at < env.len;) {
        const size_t end = str_find(env, STR("\n"), at);
        count += says(str_slice(env, at, end), row);
        (*lines)++;
        at = end + 1;
    }
    return count;
}

// Each row that dtc gives to a job of several nodes there, and nothing else.
static void check(const char *path, unsigned accelerator) {
    const Str env = env_of(path);
    const unsigned places = PLACE_FABRIC | accelerator;
    const VariableRow *row;
    int expected = 0;
    int lines = 0;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        if (row->is_given && (row->places & places) == row->places) {
            assert_int_equal(lines_that_say(env, row, &lines), 1);
            expected++;
        }
    }
    assert_int_equal(lines, expected);
}

static void test_nccl_has_the_rows_for_gpus_and_no_other(void **state) {
    (void)state;
    check("std/nccl.dt", PLACE_NVIDIA);
}

static void test_neuron_has_the_rows_for_neuron_and_no_other(void **state) {
    (void)state;
    check("std/neuron.dt", PLACE_NEURON);
}

// "…, 2026-08"
static bool ends_with_month(Str source) {
    const Str month = str_slice(source, source.len > 7 ? source.len - 7 : 0, source.len);
    return source.len > 9 && month.data[4] == '-' && str_starts_with(month, STR("20")) &&
           str_is(str_slice(source, source.len - 9, source.len - 7), ", ");
}

static void test_every_row_has_a_reason_and_a_source_with_its_month(void **state) {
    (void)state;
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        assert_true(strlen(row->reason) > 0);
        assert_true(ends_with_month(str_of(row->source)));
        assert_true((row->library[0] == '\0') == (row->since[0] == '\0' && row->until[0] == '\0'));
        assert_true(row->verdict == VERDICT_NEEDED || (row->places & (PLACE_NODES | PLACE_P)) != 0);
    }
}

// The first row of a name and value decides: one that can never be reached says nothing to anybody.
static void test_no_value_is_given_that_the_table_calls_idle_or_harmful(void **state) {
    (void)state;
    const VariableRow *given;
    for (int i = 0; (given = variable_row(i)) != NULL; i++) {
        const VariableRow *other;
        for (int k = 0; given->is_given && (other = variable_row(k)) != NULL; k++) {
            const bool is_it =
                other->verdict != VERDICT_NEEDED && variable_row_is(other, str_of(given->name), str_of(given->values));
            const bool meets = (given->places & PLACE_NEURON) == 0 || (other->places & PLACE_NVIDIA) == 0;
            const bool can_meet = meets && ((given->places & PLACE_NVIDIA) == 0 || (other->places & PLACE_NEURON) == 0);
            const bool is_absent = (other->places & (PLACE_READS_NOT | PLACE_WRITES_NOT)) != 0;
            assert_false(is_it && can_meet && !is_absent);
        }
    }
}

// The manual on one line.
static Str manual(Arena *arena) {
    Str page;
    assert_null(file_read(arena, STR("man/dt.5"), MANUAL_BYTES_MAX, &page));
    StrBuf text = { .arena = arena };
    for (size_t i = 0; i < page.len; i++) {
        strbuf_add_char(&text, page.data[i] == '\n' ? ' ' : page.data[i]);
    }
    return strbuf_str(&text);
}

// `^` as the manual's language writes it.
static Str for_manual(Arena *arena, Str value) {
    StrBuf text = { .arena = arena };
    for (size_t i = 0; i < value.len; i++) {
        strbuf_add(&text, value.data[i] == '^' ? STR("\\(ha") : str_slice(value, i, i + 1));
    }
    return strbuf_str(&text);
}

static void test_manual_has_the_table(void **state) {
    (void)state;
    Arena *arena = arena_create();
    const Str page = manual(arena);
    const VariableRow *row;
    for (int i = 0; (row = variable_row(i)) != NULL; i++) {
        const Str releases = variable_releases(arena, row);
        const Str line =
            str_format(arena, ".It Ev %s%s %s: %.*s; %.*s%s%.*s. ", row->name, row->test == NAME_BEGINS ? "*" : "",
                       variable_verdict_name(row->verdict), STR_ARG(for_manual(arena, variable_value_text(arena, row))),
                       STR_ARG(variable_place_text(arena, row)), releases.len > 0 ? "; " : "", STR_ARG(releases));
        if (str_find(page, line, 0) == page.len) {
            fail_msg("dt(5) lacks the row `%.*s`", STR_ARG(line));
        }
    }
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nccl_has_the_rows_for_gpus_and_no_other),
        cmocka_unit_test(test_neuron_has_the_rows_for_neuron_and_no_other),
        cmocka_unit_test(test_every_row_has_a_reason_and_a_source_with_its_month),
        cmocka_unit_test(test_manual_has_the_table),
        cmocka_unit_test(test_no_value_is_given_that_the_table_calls_idle_or_harmful),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
