#include "compiler/script/shell_commands.h"
#include "compiler/script/shell_scan.h"

#include "tests/support/check.h"

typedef struct {
    const char *script;
    ShellOpen open;
    size_t at; // where something is open
} Row;

static void check_rows(const Row *rows, size_t count) {
    Arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        const Str script = str_of(rows[i].script);
        Str where = STR_NONE;
        const ShellOpen open = shell_scan(arena, script, &where);
        const size_t at = open == SHELL_CLOSED ? 0 : shell_word_place(script, where);
        if (open != rows[i].open || at != rows[i].at) {
            fail_msg("%s: %d at %zu", rows[i].script, (int)open, at);
        }
    }
    arena_destroy(arena);
}

static void test_what_is_open_is_found(void **state) {
    (void)state;
    static const Row rows[] = {
        { "echo 'a\nb", SHELL_QUOTE, 5 },
        { "echo \"a $(b \"c\")\nd", SHELL_QUOTE, 5 },
        { "a=$'x\\'", SHELL_QUOTE, 3 },
        { "if a; then b\n", SHELL_IF, 0 },
        { "a\nif a; then if b; then c; fi\n", SHELL_IF, 2 },
        { "for i in 1 2; do\n  a\n", SHELL_LOOP, 14 },
        { "if a; then\nb\ndone\n", SHELL_IF, 0 },
        { "while a; do\nif b; then c\ndone\n", SHELL_IF, 12 },
        { "case $a in\nx) for b in c; do d; done ;;\n", SHELL_CASE, 0 },
        { "a() {\n  b\n", SHELL_BRACE, 4 },
        { "(a\n", SHELL_BRACKET, 0 },
        { "a=(b\n", SHELL_BRACKET, 2 },
        { "cat <<-'EOF'\nif a; then\n", SHELL_HEREDOC, 8 },
        { "a $(b <<EOF\n)\nif c; then", SHELL_HEREDOC, 8 },
        { "function a {\nif b; then", SHELL_IF, 13 },
        { "if [[ $a == \"b ]]; then c; fi\n", SHELL_QUOTE, 12 },
        { "cat <<EOF\n'\nEOF\nif a; then\n", SHELL_IF, 16 },
        { "a=$(b | c\nd \"$a\"\n", SHELL_BRACKET, 3 },
        { "a \"$(b (c)\"\n", SHELL_CLOSED, 0 }, // a bracket that no command has
        { "a \"${b\" >c\nd \"e\"\n", SHELL_VALUE, 3 },
        { "a=${b\n", SHELL_VALUE, 2 },
        { "a=`b\nc $a\n", SHELL_BACKTICK, 2 },
    };
    check_rows(rows, COUNT_OF(rows));
}

static void test_what_is_closed_is_closed(void **state) {
    (void)state;
    static const Row rows[] = {
        { "", SHELL_CLOSED, 0 },
        { "echo 'a' \"b\" \\' \\\"", SHELL_CLOSED, 0 },
        { "# don't\na # can't\n", SHELL_CLOSED, 0 },
        { "echo if do case { (", SHELL_BRACKET, 18 },
        { "echo if do case {", SHELL_CLOSED, 0 },
        { "if a; then b; elif c; then d; else e; fi", SHELL_CLOSED, 0 },
        { "if a; then if b; then c; fi fi", SHELL_CLOSED, 0 },
        { "if a; then (b) fi", SHELL_CLOSED, 0 },
        { "case $a in x|y) b;; (z) c;; *) d; esac", SHELL_CLOSED, 0 },
        { "a=(b c); d() { e; }", SHELL_CLOSED, 0 },
        { "a <<-'X' <<Y\n'\n\tX\nif\nY\n", SHELL_CLOSED, 0 },
        { "a <<<\"$b\"\n", SHELL_CLOSED, 0 },
        { "a=$((1 + (2))) b=${c:-\"d}\"} e=${#f}", SHELL_CLOSED, 0 },
        { "while a; do b; done < <(c)", SHELL_CLOSED, 0 },
        { "a $((1 << b))\nc \"<< d\" # << e\n", SHELL_CLOSED, 0 },
        { "a <<EOF\r\nb\r\nEOF\r\n", SHELL_CLOSED, 0 },
        { "if [[ a =~ (b|c) && ! d < e ]]; then f; fi", SHELL_CLOSED, 0 },
        { "a &>b; c 2>&1; d & e && f || g", SHELL_CLOSED, 0 },
        { "a ${b} ${c:-d} ${e[0]} ${f/g/h} ${!i} ${#} ${@} ${10} ${j^^} ${k@Q}", SHELL_CLOSED, 0 },
        { "a \"$(b \"$(c)\")\" `d`", SHELL_CLOSED, 0 },
    };
    check_rows(rows, COUNT_OF(rows));
}

static void test_it_gives_up_where_it_cannot_tell(void **state) {
    (void)state;
    static const Row rows[] = {
        { "a `b 'c` if d; then", SHELL_CLOSED, 0 },      // a quote of the old kind
        { "if a\r\nthen b\r\nfi\r\n", SHELL_CLOSED, 0 }, // ends of lines that are part of words
        { "a ${b:-'c} if d; then", SHELL_CLOSED, 0 },    // it depends on where it stands
        { "a $(b <<EOF\nif\nEOF\n) if", SHELL_CLOSED, 0 },
        { "}\nif a; then", SHELL_CLOSED, 0 }, // it has missed what opened
    };
    check_rows(rows, COUNT_OF(rows));
}

static void test_deep_scripts_are_given_up(void **state) {
    (void)state;
    Arena *arena = arena_create();
    StrBuf script = { .arena = arena };
    for (int i = 0; i < 300; i++) {
        strbuf_add(&script, STR("if a; then "));
    }
    Str where = STR_NONE;
    assert_int_equal(shell_scan(arena, strbuf_str(&script), &where), SHELL_CLOSED);
    StrBuf braces = { .arena = arena };
    strbuf_add(&braces, STR("a "));
    for (int i = 0; i < 100000; i++) {
        strbuf_add(&braces, STR("${"));
    }
    assert_int_equal(shell_scan(arena, strbuf_str(&braces), &where), SHELL_CLOSED);
    StrBuf quotes = { .arena = arena };
    strbuf_add(&quotes, STR("a "));
    for (int i = 0; i < 100000; i++) {
        strbuf_add(&quotes, STR("\"$("));
    }
    assert_int_equal(shell_scan(arena, strbuf_str(&quotes), &where), SHELL_CLOSED);
    arena_destroy(arena);
}

int main(void) {
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_open_is_found),
        cmocka_unit_test(test_what_is_closed_is_closed),
        cmocka_unit_test(test_it_gives_up_where_it_cannot_tell),
        cmocka_unit_test(test_deep_scripts_are_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
