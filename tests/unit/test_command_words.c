#include "compiler/script/command_words.h"

#include "tests/support/check.h"

enum { WORDS_MAX = 6 };

typedef struct {
    const char *words[WORDS_MAX];
    const char *said; // each name with its value between `[` and `]`
} Row;

static CommandWords words_of(Arena *arena, const Row *row) {
    CommandWords words = { 0 };
    for (size_t i = 0; i < WORDS_MAX && row->words[i] != NULL; i++) {
        command_words_add(arena, &words, str_of(row->words[i]), SPAN_NONE);
    }
    return words;
}

static void check_rows(const Row *rows, size_t count) {
    Arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        const CommandWords words = words_of(arena, &rows[i]);
        const CommandSettings settings = command_settings(arena, &words);
        StrBuf said = { .arena = arena };
        for (uint32_t k = 0; k < settings.count; k++) {
            const CommandSetting *setting = &settings.items[k];
            strbuf_add_format(&said, "[%.*s %.*s]", STR_ARG(setting->name), STR_ARG(setting->value));
        }
        if (!str_is(strbuf_str(&said), rows[i].said)) {
            fail_msg("row %zu: %.*s", i, STR_ARG(strbuf_str(&said)));
        }
    }
    arena_destroy(arena);
}

static void test_an_option_of_a_list_has_its_value_in_its_word_or_the_next(void **state) {
    (void)state;
    static const Row rows[] = {
        { { "torchrun", "--nnodes=2:4", "train.py" }, "[--nnodes 2:4]" },
        { { "torchrun", "--nnodes", "2" }, "[--nnodes 2]" },
        { { "mpirun", "-np", "8", "-x", "A=1" }, "[-np 8][-x A=1][A 1]" },
        { { "mpirun", "--mca", "btl_tcp_if_include", "eth0" }, "[--mca btl_tcp_if_include][btl_tcp_if_include eth0]" },
        { { "torchrun", "--standalone" }, "[--standalone ]" },
        { { "train", "a-b", "1=2", "-", "--" }, "" },
    };
    check_rows(rows, COUNT_OF(rows));
}

static void test_a_script_is_parted_at_blanks_and_quotes(void **state) {
    (void)state;
    static const Row rows[] = {
        { { "bash", "-c", "torchrun --nnodes \"$N\" --node_rank=0; a" },
          "[-c torchrun --nnodes \"$N\" --node_rank=0; a]"
          "[--nnodes $N][--node_rank 0]" },
        { { "bash", "-c", "RANK=0 LOCAL_RANK='1' b" }, "[-c RANK=0 LOCAL_RANK='1' b][RANK 0][LOCAL_RANK 1]" },
        { { "bash", "-c", "echo RANK=0 # A=1" }, "[-c echo             ]" },
        { { "bash", "-c", "A=$(b -c 1) D=`e f`" }, "[-c A=$(b -c 1) D=`e f`][A $(b -c 1)][-c 1)][D `e f`]" },
        { { "bash", "-c", "A=$(b $(c D=1" }, "[-c A=$(b $(c D=1][A $(b][D 1]" },
        { { "bash", "-c", "b $A=1" }, "[-c b $A=1]" },
    };
    check_rows(rows, COUNT_OF(rows));
}

static void test_a_dash_inside_of_an_option_may_be_an_underscore(void **state) {
    (void)state;
    const CommandSetting option = { .name = STR("--node_rank") };
    const CommandSetting variable = { .name = STR("NODE_RANK") };
    assert_true(command_is_called(&option, "--node-rank"));
    assert_false(command_is_called(&option, "--node-ran"));
    assert_false(command_is_called(&option, "__node-rank"));
    assert_false(command_is_called(&variable, "NODE-RANK"));
}

static void test_a_number_is_that_of_the_lower_end(void **state) {
    (void)state;
    assert_int_equal(command_number(STR("2:4")), 2);
    assert_int_equal(command_number(STR("2a")), -1);
    assert_int_equal(command_number(STR("$N")), -1);
    assert_int_equal(command_number(STR("")), -1);
}

static void test_a_script_assigns_one_number(void **state) {
    (void)state;
    static const Row one = { .words = { "bash", "-c", "export N=4\ntorchrun --nnodes $N" } };
    static const Row two = { .words = { "bash", "-c", "N=4\nN=8\ntorchrun --nnodes $N" } };
    Arena *arena = arena_create();
    const CommandWords first = words_of(arena, &one);
    const CommandWords second = words_of(arena, &two);
    assert_int_equal(command_assigned(&first, STR("N")), 4);
    assert_int_equal(command_assigned(&second, STR("N")), -1);
    arena_destroy(arena);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_option_of_a_list_has_its_value_in_its_word_or_the_next),
        cmocka_unit_test(test_a_script_is_parted_at_blanks_and_quotes),
        cmocka_unit_test(test_a_dash_inside_of_an_option_may_be_an_underscore),
        cmocka_unit_test(test_a_number_is_that_of_the_lower_end),
        cmocka_unit_test(test_a_script_assigns_one_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
