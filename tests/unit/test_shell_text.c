#include "compiler/plan/rules/shell_text.h"

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

static void test_files_that_are_changed_are_needed(void **state) {
    (void)state;

    assert_true(has_word("sudo sed -i 's/a/b/' WORD", SHELL_NEED));
    assert_true(has_word("a && chmod +x WORD", SHELL_NEED));
    assert_false(has_word("if [ -f WORD ]; then a; fi", SHELL_NEED));
    assert_false(has_word("[ -f /a ] && sed -i 's/a/b/' WORD", SHELL_NEED));
    assert_false(has_word("grep a WORD", SHELL_NEED));
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
        cmocka_unit_test(test_files_that_are_changed_are_needed),
        cmocka_unit_test(test_what_is_not_understood_is_left),
        cmocka_unit_test(test_places_stay_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
