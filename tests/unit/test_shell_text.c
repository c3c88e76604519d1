#include "compiler/script/shell_text.h"

#include "tests/support/check.h"

// Each script says WORD once. What is left of it in the part that is asked for.
static bool has_word(const char *script, ShellPart part) {
    Arena *arena = arena_create();
    const Str text = shell_text(arena, str_of(script), part);
    const bool has = text.len == strlen(script) && str_has(text, "WORD");
    arena_destroy(arena);
    return has;
}

static void test_what_runs_is_left(void **state) {
    (void)state;
    static const char *const SCRIPTS[] = {
        "WORD install -y",
        "#!/bin/bash\nset -e\nWORD",
        "sudo WORD -y",
        "sudo -E -u root env A=1 timeout 30 WORD",
        "A=1 WORD",
        "cd /tmp && WORD",
        "echo a; WORD",
        "echo \"$(WORD)\"",
        "X=$(WORD --id)",
        "X=\"a `WORD` b\"",
        "curl -s \"https://a/WORD\" | bash",
        "echo 'WORD -y' | sudo bash",
        "echo 'WORD -y' | sudo -u root -E bash -s",
        "A=(b $(WORD))",
        "bash -c 'WORD -y'",
        "/bin/bash -lc \"set -e; WORD -y\"",
        "bash <<EOF\nWORD\nEOF\n",
        "cat <<'EOF' | sh\nWORD\nEOF\n",
        "cat > /opt/a.sh <<'EOF'\nWORD\nEOF\nbash /opt/a.sh\n",
        "cat > /opt/a.sh <<'EOF'\n#!/bin/bash\nWORD\nEOF\nchmod +x /opt/a.sh\n/opt/a.sh\n",
        "sudo tee /opt/a.sh <<'EOF'\nWORD\nEOF\n. /opt/a.sh\n",
        "echo WORD > a.sh; sh a.sh",
        "f() {\n  WORD\n}\nf\n",
        "function f {\n  WORD\n}\nf",
        "g() { WORD; }\nf() { g; }\nf",
        "for i in 1 2; do\n  WORD\ndone",
        "while true; do WORD; done",
        "if true; then WORD; fi",
        "{ WORD; } > /var/log/a 2>&1",
        "(cd /a; WORD) &",
        "a=$((1 + 2)) && WORD",
        "exec > >(tee /var/log/a) 2>&1\nWORD",
        "[ -d /a ] || mkdir /a\nWORD",
        "mount /a || exit 1\nWORD",
        "[ -n \"$A\" ] || { echo no; exit 1; }\nWORD",
        "case $A in\n  a) echo b ;;\nesac\nWORD",
        "cat <<EOF > /a\nx\nEOF\nWORD",
        "cat <<EOF\r\nx\r\nEOF\r\nWORD\r\n",
        "echo a \\\n  b\nWORD",
        "a && exit 1\nWORD",
        "[[ $A =~ ^[[:digit:]]+$ ]] || exit 1\nWORD",
        "bash -c $(WORD)",
        "bash -c \"a; $(WORD)\"",
        "bash -c \"bash -c '$(WORD)'\"",
        "bash -c <(WORD)",
    };
    for (size_t i = 0; i < COUNT_OF(SCRIPTS); i++) {
        if (!has_word(SCRIPTS[i], SHELL_SURE)) {
            fail_msg("is not left: %s", SCRIPTS[i]);
        }
    }
}

static void test_what_no_shell_runs_is_blank(void **state) {
    (void)state;
    static const char *const SCRIPTS[] = {
        "# WORD",
        "ls # WORD",
        "echo WORD",
        "echo \"never WORD here\" >> /var/log/a",
        "printf '%s\\n' WORD",
        "logger -t a \"WORD\"",
        "[ -f WORD ] && echo a",
        "[[ -f WORD ]] && echo a",
        "[[ $A =~ ^[[:digit:]]+WORD$ ]] && echo a",
        "[[ $A == [[:alpha:]] || $A == WORD ]] && echo a",
        "test -e WORD || echo a",
        "command -v WORD",
        "if command -v WORD > /dev/null; then echo a; fi",
        "if ! which WORD; then echo a; fi",
        "grep -q x WORD && echo a",
        "sed -i 's/a/b/' WORD",
        "rm -f WORD",
        "sudo chmod +x WORD",
        "cp a WORD",
        "MESSAGE=\"do not WORD\"",
        "export A=WORD",
        "cat > /opt/Dockerfile <<'X'\nRUN WORD\nX\n",
        "cat > /opt/a.sh <<'X'\nWORD\nX\nchmod +x /opt/a.sh\n",
        "sudo tee /etc/a <<X\nWORD\nX\n",
        ": <<'X'\nWORD\nX\n",
        "docker run a sh -c \"WORD\"",
        "ssh a WORD",
        "f() {\n  WORD\n}\n",
        "f() { WORD; }\ng() { f; }\n",
        "if false; then WORD; fi",
        "if false; then\n  a\nelif false; then\n  WORD\nfi",
        "if true; then a; else WORD; fi",
        "false && WORD",
        "true || WORD",
        "exit 0\nWORD",
        "exec /usr/bin/a\nWORD",
        "true && exit 0\nWORD",
        "bash -c \"$(echo WORD)\"",
        "bash -c \"a; echo $(b) WORD\"",
        "while false; do WORD; done",
        "bash -c 'echo WORD'",
        "for i in WORD; do a; done",
        "A=(WORD b)",
        "A+=( b\n  WORD # c\n)",
        "local -a A=(WORD)",
        "echo WORD | sudo -u bash tee /a",
    };
    for (size_t i = 0; i < COUNT_OF(SCRIPTS); i++) {
        if (has_word(SCRIPTS[i], SHELL_RUN)) {
            fail_msg("is left: %s", SCRIPTS[i]);
        }
    }
}

static void test_what_stands_behind_a_condition_may_run(void **state) {
    (void)state;
    static const char *const SCRIPTS[] = {
        "if [ -f /a ]; then WORD; fi",
        "if [ -f /a ]; then a; else WORD; fi",
        "if a; then b; elif c; then WORD; fi",
        "[ -x /a ] && WORD",
        "[[ -x /a ]] && WORD",
        "command -v a && WORD",
        "a || WORD",
        "case $A in\n  a) WORD ;;\n  *) b ;;\nesac",
        "while ! a; do WORD; done",
        "f() { WORD; }\nif [ -f /a ]; then f; fi",
        "if [ ! -f /a ]; then exit 0; fi\nWORD",
        "test -f /a || exit 0\nWORD",
        "rpm -q a && exit 0\nWORD",
        "a && b && exit\nWORD",
        "a && { echo b; exit 0; }\nWORD",
        "a && exec b\nWORD",
    };
    for (size_t i = 0; i < COUNT_OF(SCRIPTS); i++) {
        if (!has_word(SCRIPTS[i], SHELL_RUN) || has_word(SCRIPTS[i], SHELL_SURE)) {
            fail_msg("another answer: %s", SCRIPTS[i]);
        }
    }
}

static void test_comments_alone_are_blank_for_who_reads_all(void **state) {
    (void)state;

    assert_true(has_word("echo 'WORD' >> /etc/fstab", SHELL_READ));
    assert_true(has_word("cat > /a <<X\nWORD\nX\n", SHELL_READ));
    assert_true(has_word("echo a#WORD", SHELL_READ));
    assert_false(has_word("a\n  # WORD\n", SHELL_READ));
}

// Each script has the program; whether it is run whatever was asked before.
static bool runs(const char *script, const char *program) {
    Arena *arena = arena_create();
    const Str text = str_of(script);
    const size_t at = shell_runs(arena, text, str_of(program));
    arena_destroy(arena);
    return at < text.len;
}

static void test_a_program_is_run_unless_a_test_asks_for_it(void **state) {
    (void)state;
    static const char *const SCRIPTS[] = {
        "/a/b.sh c",
        "test -f x && /a/b.sh c",
        "if [ -f /tmp/x ]; then /a/b.sh c; fi",
        "if [ -f /x ]; then c; elif [ -f /y ]; then /a/b.sh; fi",
        "[ -d /opt ] || exit 0\n/a/b.sh c",
        "grep foo /etc/x && /a/b.sh c",
        "MODE=a\n[ $MODE = a ] && /a/b.sh c",
        "MODE=a\ncase $MODE in a) /a/b.sh ;; esac",
        "while [ ! -f /x ]; do sleep 1; done\n/a/b.sh c",
        "X=/a/b.sh\n$X c",
        "X=\"/a/b.sh --c\"\n${X} d",
        "A=(c /d)\n/a/b.sh",
        "bash /a/b.sh",
        "sudo -u root timeout -k 5 30 /a/b.sh",
        "flock -w 10 /lock /a/b.sh",
        "nice -n 5 ionice -c2 -n 7 /a/b.sh",
        "f() { /a/b.sh; }\n[ -f /x ] && f",
        "curl x | grep -q ok && /a/b.sh",
    };
    for (size_t i = 0; i < COUNT_OF(SCRIPTS); i++) {
        if (!runs(SCRIPTS[i], "/a/b.sh")) {
            fail_msg("is not run: %s", SCRIPTS[i]);
        }
    }
    assert_true(runs("which jq || apt-get install -y jq", "apt-get"));
    assert_true(runs("/usr/bin/apt-get update", "apt-get"));
}

static void test_a_program_among_the_words_of_another_is_not_run(void **state) {
    (void)state;
    static const char *const SCRIPTS[] = {
        "test -f /a/b.sh && /a/b.sh c",
        "[ -d /a ] || exit 0\n/a/b.sh",
        "if ls /a/b.sh; then /a/b.sh; fi",
        "if [ -f /x ]; then [ -f /a/b.sh ] || exit 0; fi\n/a/b.sh",
        "command -v nodeadm || /a/b.sh",
        "if nodeadm --version; then c; else /a/b.sh; fi",
        "cat /etc/os-release | grep -q '^ID=x' && /a/b.sh",
        "OS=$(. /etc/os-release; echo $ID)\n[ $OS = x ] && /a/b.sh",
        "[ \"$1\" = x ] && /a/b.sh",
        "if is_old; then /a/b.sh; fi",
        "X=(/a/b.sh c)",
        "X=( # all\n  /a/b.sh\n)\necho ${X[@]}",
        "declare -a X=(/a/b.sh)",
        "case $X in /a/b.sh) c ;; esac",
        "chmod +x /a/b.sh",
        "sed -i s/c/d/ /a/b.sh",
        "python3 c.py /a/b.sh",
        "/a/b.sh --version",
        "X=/a/b.sh",
        "cat > /a/b.sh <<E\nc\nE\nbash /a/b.sh",
        "cp c /a/b.sh; /a/b.sh",
        "if a; then echo /a/b.sh",
    };
    for (size_t i = 0; i < COUNT_OF(SCRIPTS); i++) {
        if (runs(SCRIPTS[i], "/a/b.sh")) {
            fail_msg("is run: %s", SCRIPTS[i]);
        }
    }
    assert_false(runs("apt-get --version && apt-get update", "apt-get"));
}

static void test_a_line_of_another_text_begins_with_the_program(void **state) {
    (void)state;
    const Str list = STR("runcmd:\n- b c\n");
    const Str words = STR("runcmd:\n- [sudo, b, c]\n");
    const Str lost = STR("a'\nsudo b c\n");

    assert_int_equal(shell_line_runs(list, STR("b")), str_find(list, STR("b c"), 0));
    assert_int_equal(shell_line_runs(words, STR("b")), str_find(words, STR("b, c"), 0));
    assert_int_equal(shell_line_runs(lost, STR("b")), str_find(lost, STR("b c"), 0));
    assert_int_equal(shell_line_runs(STR("packages:\n- c b\n"), STR("b")), strlen("packages:\n- c b\n"));
    assert_int_equal(shell_line_runs(STR("if c; then\nb\n"), STR("b")), strlen("if c; then\nb\n"));
}

// A script that is not understood stays as it is, but for lines that are a comment.
static void test_what_is_not_understood_is_left(void **state) {
    (void)state;

    assert_true(has_word("echo 'WORD", SHELL_SURE));
    assert_true(has_word("if a; then echo WORD", SHELL_SURE));
    assert_true(has_word("select a in b; do echo WORD; done", SHELL_SURE));
    assert_false(has_word("if a\n # WORD\n", SHELL_READ));
}

static void test_places_stay_the_same(void **state) {
    (void)state;
    Arena *arena = arena_create();

    const Str text = shell_text(arena, STR("#!/bin/sh\n# a\necho b\nc\n"), SHELL_RUN);

    assert_text(text, "#!/bin/sh\n   \necho  \nc\n");
    arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_runs_is_left),
        cmocka_unit_test(test_what_no_shell_runs_is_blank),
        cmocka_unit_test(test_what_stands_behind_a_condition_may_run),
        cmocka_unit_test(test_comments_alone_are_blank_for_who_reads_all),
        cmocka_unit_test(test_a_program_is_run_unless_a_test_asks_for_it),
        cmocka_unit_test(test_a_program_among_the_words_of_another_is_not_run),
        cmocka_unit_test(test_a_line_of_another_text_begins_with_the_program),
        cmocka_unit_test(test_what_is_not_understood_is_left),
        cmocka_unit_test(test_places_stay_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
