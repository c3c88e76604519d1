#include "compiler/script/shell_commands.h"

#include "tests/support/check.h"

typedef struct {
    const char *script;
    const char
        *said; // each command as its words between `[` and `]`: `>` before the program, `<` before one that is fed
} Row;

static void check_rows(const Row *rows, size_t count) {
    Arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        ShellCommands commands;
        StrBuf said = { .arena = arena };
        strbuf_add(&said, shell_commands(arena, str_of(rows[i].script), &commands) ? STR("") : STR("lost"));
        for (uint32_t k = 0; k < commands.count; k++) {
            const ShellSimple *command = &commands.items[k];
            strbuf_add(&said, command->is_fed ? STR("<[") : STR("["));
            for (uint32_t word = 0; word < command->words.count; word++) {
                strbuf_add(&said, word == 0 ? STR("") : STR(" "));
                strbuf_add(&said, word == command->program ? STR(">") : STR(""));
                strbuf_add(&said, command->words.items[word]);
            }
            strbuf_add(&said, STR("]"));
        }
        if (!str_is(strbuf_str(&said), rows[i].said)) {
            fail_msg("%s: %.*s", rows[i].script, STR_ARG(strbuf_str(&said)));
        }
    }
    arena_destroy(arena);
}

static void test_words_are_parted_where_a_shell_parts_them(void **state) {
    (void)state;
    static const Row rows[] = {
        { "", "" },
        { "# a\n", "" },
        { "a b # c", "[>a b]" },
        { "a 'b c' \"d e\" f\\ g h#i", "[>a b c d e f\\ g h#i]" },
        { "a \\\n  b", "[>a b]" },
        { "a=1 b=\"2 3\" c d=4", "[a=1 b=\"2 3\" >c d=4]" },
        { "a 2>&1 >b c &>d", "[>a c]" },
        { "a | b |& c && d || e; f & g", "[>a]<[>b]<[>c][>d][>e][>f][>g]" },
        { "a <<E\nb\nE\nc", "<[>a][>c]" },
        { "a <b; c <(d)", "<[>a][>d][>c <(d)]" },
        { "a 'b", "lost" },
    };
    check_rows(rows, COUNT_OF(rows));
}

static void test_commands_in_others_are_found(void **state) {
    (void)state;
    static const Row rows[] = {
        { "if a; then b; else c; fi", "[>a][>b][>c]" },
        { "for i in 1 2; do a $i; done", "[>a $i]" },
        { "f() { a; }", "[>a]" },
        { "a | { b; c; }; d", "[>a]<[>b]<[>c][>d]" },
        { "a $(b | c)", "[>b]<[>c][>a $(b | c)]" },
        { "bash -c 'a; b'", "[>bash -c a; b][>a][>b]" },
        { "bash -eo pipefail -c 'a' b", "[>bash -eo pipefail -c a b][>a]" },
        { "bash -o pipefail a -c 'b'", "[>bash -o pipefail a -c b]" },
        { "bash -c 'a; \"'", "[>bash -c a; \"]" },
    };
    check_rows(rows, COUNT_OF(rows));
}

static void test_the_program_is_the_one_that_is_started_in_the_end(void **state) {
    (void)state;
    static const Row rows[] = {
        { "sudo -E -u root a -y", "[sudo -E -u root >a -y]" },
        { "env -i A=1 timeout -k 5 10 a", "[env -i A=1 timeout -k 5 10 >a]" },
        { "exec nohup a &", "[exec nohup >a]" },
        { "command -v a", "[>command -v a]" },
        { "A=1", "[A=1]" },
    };
    check_rows(rows, COUNT_OF(rows));
}

static void test_programs_stand_in_the_order_in_which_they_are_looked_up(void **state) {
    (void)state;
    static const char *const names[] = {
#define PROGRAM(name, does) name,
#include "compiler/script/shell_program.def"
    };
    for (size_t i = 1; i < COUNT_OF(names); i++) {
        if (str_compare(str_of(names[i - 1]), str_of(names[i])) >= 0) {
            fail_msg("%s stands before %s", names[i - 1], names[i]);
        }
    }
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words_are_parted_where_a_shell_parts_them),
        cmocka_unit_test(test_commands_in_others_are_found),
        cmocka_unit_test(test_the_program_is_the_one_that_is_started_in_the_end),
        cmocka_unit_test(test_programs_stand_in_the_order_in_which_they_are_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
