// Expressions and their values. Each row is the source of one `let`, and the value as the language would write it or
// the name of the one diagnostic.
#include "tests/support/check.h"

#include "compiler/semantics/evaluator.h"

typedef struct {
    const char *expr;
    const char *value; // "" where it fails
    int diag;          // DiagId of the one message; -1: none
} Row;

static void check_rows(const Row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Session *session = session_create();
        const Inputs inputs = { 0 };
        Str text = str_format(session->arena,
                              "dt 1\nlate param flag : bool\nlate param maybe : string?\nlet n = 4\nlet x = %s\n",
                              rows[i].expr);
        Program *program = program_load_text(session, STR("main.dt"), text, &inputs);
        program_resolve(session, program);
        program_evaluate(session, program);
        program_check(session, program);
        Declaration *x = scope_find(program->evaluator->modules.items[0], STR("x"));
        assert_non_null(x);
        const Value *value = evaluate_declaration(program->evaluator, x, SPAN_NONE);
        uint32_t messages = rows[i].diag < 0 ? 0 : 1;
        if (session->diags.items.count != messages) {
            fail_msg("`%s`: %" PRIu32 " messages", rows[i].expr, session->diags.items.count);
        }
        if (messages == 1) {
            assert_int_equal(session->diags.items.items[0]->id, rows[i].diag);
            assert_int_equal(value->kind, VALUE_ERROR);
        } else {
            assert_text(value_print(session->arena, value), rows[i].value);
        }
        session_destroy(session);
    }
}

static void test_arithmetic_is_exact(void **state) {
    (void)state;
    static const Row ROWS[] = {
        { "1 + 2 * 3", "7", -1 },
        { "(1 + 2) * 3", "9", -1 },
        { "10 - 3 - 2", "5", -1 },
        { "-n + 1", "-3", -1 },
        { "12 / 4", "3", -1 },
        { "12 / 5", "", DIAG_division_uneven },
        { "1 / 0", "", DIAG_division_by_zero },
        { "9223372036854775807 + 1", "", DIAG_overflow },
        { "9223372036854775807 * 2", "", DIAG_overflow },
        { "-9223372036854775807 - 2", "", DIAG_overflow },
        { "7 % 2", "", DIAG_no_remainder },
        { "1 + true", "", DIAG_operand_types },
    };
    check_rows(ROWS, COUNT_OF(ROWS));
}

static void test_quantities_keep_their_unit(void **state) {
    (void)state;
    static const Row ROWS[] = {
        { "1.5TiB", "1536GiB", -1 },
        { "500GiB + 12GiB", "512GiB", -1 },
        { "500GiB * n", "2000GiB", -1 },
        { "2 * 30min", "1h", -1 },
        { "1TiB / 1GiB", "1024", -1 },
        { "1TiB / 4", "256GiB", -1 },
        { "64Mbps", "8MBps", -1 },
        { "1GiBps", "1GiBps", -1 },
        { "1024MiBps == 1GiBps", "true", -1 },
        { "1.048576MBps", "1MiBps", -1 },
        { "128MiBps > 1Gbps", "true", -1 },
        { "1KiB > 1KB", "true", -1 },
        { "0.3KiB", "", DIAG_quantity_uneven },
        { "9_000_000_000TiB", "", DIAG_quantity_overflow },
        { "1GiB + 1", "", DIAG_operand_types },
        { "1GiB + 1h", "", DIAG_operand_types },
        { "1GiB * 1GiB", "", DIAG_operand_types },
        { "1.5", "", DIAG_fraction_without_unit },
    };
    check_rows(ROWS, COUNT_OF(ROWS));
}

static void test_only_the_taken_arm_is_evaluated(void **state) {
    (void)state;
    static const Row ROWS[] = {
        { "n == 4 ? 1 : 1 / 0", "1", -1 },
        { "n != 4 && 1 / 0 == 1", "false", -1 },
        { "n == 4 || 1 / 0 == 1", "true", -1 },
        { "n ?? 1 / 0", "4", -1 },
        { "null ?? 5", "5", -1 },
        { "n == 4 ? nosuch : 1", "", DIAG_unknown_name },
    };
    check_rows(ROWS, COUNT_OF(ROWS));
}

static void test_the_other_arm_is_name_checked(void **state) {
    (void)state;
    Session *session = session_create();
    const Inputs inputs = { 0 };
    Program *program = program_load_text(session, STR("main.dt"), STR("dt 1\nlet x = true ? 1 : nosuch\n"), &inputs);

    program_resolve(session, program);

    assert_int_equal(session->diags.error_count, 1);
    assert_int_equal(session->diags.items.items[0]->id, DIAG_unknown_name);
    session_destroy(session);
}

static void test_texts_are_joined_and_interpolated(void **state) {
    (void)state;
    static const Row ROWS[] = {
        { "\"a${n}b${1GiB}\"", "\"a4b1GiB\"", -1 },
        { "\"a\" + \"b\"", "\"ab\"", -1 },
        { "\"a${[1]}\"", "", DIAG_no_text },
        { "\"a${null}\"", "", DIAG_no_text },
        { "\"a${maybe}\"", "", DIAG_optional_in_text },
        { "\"a${maybe ?? \"b\"}\"", "a late value", -1 },
        { "\"a\" + 1", "", DIAG_operand_types },
    };
    check_rows(ROWS, COUNT_OF(ROWS));
}

static void test_lists_and_maps_are_taken_apart(void **state) {
    (void)state;
    static const Row ROWS[] = {
        { "[1, 2] + [3]", "[1, 2, 3]", -1 },
        { "[1, 2][1]", "2", -1 },
        { "[1, 2][2]", "", DIAG_index_outside },
        { "{ a = 1, b = 2 }.b", "2", -1 },
        { "{ a = 1 }[\"a\"]", "1", -1 },
        { "{ a = 1 }.c", "", DIAG_unknown_field },
        { "{ a = 1 }[\"c\"]", "", DIAG_no_such_key },
        { "{ a = 1, a = 2 }", "", DIAG_key_twice },
        { "n.a", "", DIAG_no_fields },
        { "1..n", "1..4", -1 },
        { "n..1", "", DIAG_range_backwards },
    };
    check_rows(ROWS, COUNT_OF(ROWS));
}

static void test_functions_are_total(void **state) {
    (void)state;
    static const Row ROWS[] = {
        { "len([1, 2])", "2", -1 },
        { "len(\"é\")", "1", -1 },
        { "len(n)", "", DIAG_argument_type },
        { "len()", "", DIAG_argument_count },
        { "join(\"-\", [\"a\", 1])", "\"a-1\"", -1 },
        { "split(\",\", \"a,,b\")", "[\"a\", \"\", \"b\"]", -1 },
        { "split(\"\", \"a\")", "", DIAG_empty_argument },
        { "words(\"  a  b \")", "[\"a\", \"b\"]", -1 },
        { "replace(\"aXbX\", \"X\", \"--\")", "\"a--b--\"", -1 },
        { "lower(\"ABé\")", "\"abé\"", -1 },
        { "contains([1, n], 4)", "true", -1 },
        { "contains({ a = 1 }, \"b\")", "false", -1 },
        { "contains(\"abc\", \"bc\")", "true", -1 },
        { "matches(\"p5.48xlarge\", r\"p5\\..*\")", "true", -1 },
        { "matches(\"xp5\", \"p5\")", "false", -1 },
        { "matches(\"a\", \"(\")", "", DIAG_bad_pattern },
        { "merge({ a = 1, b = 2 }, { b = 3 })", "{ a = 1, b = 3 }", -1 },
    };
    check_rows(ROWS, COUNT_OF(ROWS));
}

static void test_late_values_flow_but_are_not_looked_at(void **state) {
    (void)state;
    static const Row ROWS[] = {
        { "flag", "flag", -1 },
        { "flag ? 1 : 2", "a late value", -1 },
        { "maybe ?? \"b\"", "a late value", -1 },
        { "aws.region", "aws.region", -1 },
        { "len([flag])", "1", -1 },
        { "flag == true", "", DIAG_late_operand },
        { "!flag", "", DIAG_late_operand },
        { "maybe[0]", "", DIAG_late_operand },
        { "lower(aws.region)", "", DIAG_late_operand },
        { "maybe ? 1 : 2", "", DIAG_late_condition_type },
        { "aws.regoin", "", DIAG_unknown_field },
    };
    check_rows(ROWS, COUNT_OF(ROWS));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic_is_exact),
        cmocka_unit_test(test_quantities_keep_their_unit),
        cmocka_unit_test(test_only_the_taken_arm_is_evaluated),
        cmocka_unit_test(test_the_other_arm_is_name_checked),
        cmocka_unit_test(test_texts_are_joined_and_interpolated),
        cmocka_unit_test(test_lists_and_maps_are_taken_apart),
        cmocka_unit_test(test_functions_are_total),
        cmocka_unit_test(test_late_values_flow_but_are_not_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
