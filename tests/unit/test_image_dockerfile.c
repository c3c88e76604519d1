// How texts of an author stand in a Dockerfile, so that Docker gives them on as they are.
#include "tests/support/build_text.h"

// The Dockerfile of an image with these attributes, behind its FROM.
static Str dockerfile_of(BuiltText *built, const char *attributes) {
    Arena *arena = arena_create();
    *built = build_text(str_format(arena, "dt 1\nimage app {\n  %s\n}\n", attributes));
    assert_false(has_errors(built->session));
    const Str text = artifact_of(built, "app.Dockerfile")->content;
    const size_t start = str_find(text, STR("FROM ubuntu:24.04\n"), 0) + STR("FROM ubuntu:24.04\n").len;
    const Str rest = str_copy(built->session->arena, str_slice(text, start, text.len));
    arena_destroy(arena);
    return rest;
}

static void check(const char *attributes, const char *expected) {
    BuiltText built;
    char with_base[1024];
    snprintf(with_base, sizeof(with_base), "base = \"ubuntu:24.04\"\n  %s", attributes);
    assert_text(dockerfile_of(&built, with_base), expected);
    session_destroy(built.session);
}

static void test_what_docker_leaves_alone_is_a_line_for_a_shell(void **state) {
    (void)state;
    check("run = [\"a && b\"]", "RUN a && b\n");
    check("run = [\"a\tb\"]", "RUN a\tb\n");
    check("run = [\"echo '$A' \\\"b\\\" # c < d\"]", "RUN echo '$A' \"b\" # c < d\n");
    check("run = [\"é\", \"aéb\"]", "RUN [\"/bin/sh\", \"-c\", \"é\"]\nRUN aéb\n");
}

static void test_what_docker_reads_otherwise_is_json(void **state) {
    (void)state;
    check("run = [\" a\"]", "RUN [\"/bin/sh\", \"-c\", \" a\"]\n");
    check("run = [\"a \"]", "RUN [\"/bin/sh\", \"-c\", \"a \"]\n");
    check("run = [\"\\ta\"]", "RUN [\"/bin/sh\", \"-c\", \"\\ta\"]\n");
    check("run = [\"a\\t\"]", "RUN [\"/bin/sh\", \"-c\", \"a\\t\"]\n");
    check("run = [\"a\\\\\"]", "RUN [\"/bin/sh\", \"-c\", \"a\\\\\"]\n");
    check("run = [\"--mount=x\"]", "RUN [\"/bin/sh\", \"-c\", \"--mount=x\"]\n");
    check("run = [\"[\\\"a\\\"]\"]", "RUN [\"/bin/sh\", \"-c\", \"[\\\"a\\\"]\"]\n");
    check("run = [\"#a\"]", "RUN [\"/bin/sh\", \"-c\", \"#a\"]\n");
    check("run = [\"a <<END\"]", "RUN [\"/bin/sh\", \"-c\", \"a <<END\"]\n");
    check("run = [\"a\\nb\"]", "RUN [\"/bin/sh\", \"-c\", \"a\\nb\"]\n");
    check("run = [\"a\\u{7}\"]", "RUN [\"/bin/sh\", \"-c\", \"a\\u0007\"]\n");
    check("run = [\"aé\"]", "RUN [\"/bin/sh\", \"-c\", \"aé\"]\n");
}

static void test_a_value_of_env_is_quoted(void **state) {
    (void)state;
    check("env = { A = \"\" }", "ENV A=''\n");
    check("env = { A = \"b \\\\ \\\"c\\\" # $\" }", "ENV A='b \\ \"c\" # $'\n");
    check("env = { A = \"it's \\\\ \\\"c\\\" $ `\" }", "ENV A=\"it's \\\\ \\\"c\\\" \\$ `\"\n");
}

static void test_words_of_a_command_are_json(void **state) {
    (void)state;
    check("command = []", "CMD []\n");
    check("command = [\"a b\", \"c\\\"d\\n\"]", "CMD [\"a b\", \"c\\\"d\\n\"]\n");
}

static void test_secrets_are_mounted_and_exported(void **state) {
    (void)state;
    check("build_env = [\"A\", \"B\"], run = [\"c\"]",
          "RUN --mount=type=secret,id=A,required=true --mount=type=secret,id=B,required=true "
          "export A=\"$(cat /run/secrets/A)\"; export B=\"$(cat /run/secrets/B)\"; c\n");
}

static void test_a_dockerfile_of_the_author_is_as_it_is(void **state) {
    (void)state;
    BuiltText built;

    assert_text(dockerfile_of(&built, "dockerfile = \"# x\\nFROM ubuntu:24.04\\nUSER a\""), "USER a");
    assert_true(str_starts_with(artifact_of(&built, "app.Dockerfile")->content, STR("# x\n")));
    session_destroy(built.session);
    assert_text(dockerfile_of(&built, "collective = true, dockerfile = \"FROM ubuntu:24.04\\nUSER a\""),
                "USER a\nCOPY [\".dtc/dtc-collective\", \"/usr/local/bin/dtc-collective\"]\n");
    session_destroy(built.session);
    assert_text(dockerfile_of(&built, "collective = true, dockerfile = \"FROM ubuntu:24.04\\nUSER a\\n\""),
                "USER a\nCOPY [\".dtc/dtc-collective\", \"/usr/local/bin/dtc-collective\"]\n");
    session_destroy(built.session);
}

// What is said of an attribute with a text of `length` letters in it.
static void check_length(const char *attribute, int length, const char *codes) {
    Arena *arena = arena_create();
    StrBuf text = { .arena = arena };
    for (int i = 0; i < length; i++) {
        strbuf_add_char(&text, 'x');
    }
    const size_t mark = str_find(str_of(attribute), STR("@"), 0);
    const Str source = str_format(arena, "dt 1\nimage app {\n  base = \"ubuntu:24.04\"\n  %.*s%.*s%s\n}\n", (int)mark,
                                  attribute, STR_ARG(strbuf_str(&text)), attribute + mark + 1);
    const BuiltText built = build_text(source);
    assert_text(codes_of(built.session, SEVERITY_ERROR), codes);
    session_destroy(built.session);
    arena_destroy(arena);
}

static void test_a_text_is_as_long_as_a_line_takes(void **state) {
    (void)state;
    check_length("run = [\"@\"]", 10000, "");
    check_length("run = [\"@\"]", 10001, "DT1564");
    check_length("env = { A = \"@\" }", 10000, "");
    check_length("env = { A = \"@\" }", 10001, "DT1564");
    check_length("command = [\"a\", \"@\"]", 9991, "");
    check_length("command = [\"a\", \"@\"]", 9992, "DT1564");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_docker_leaves_alone_is_a_line_for_a_shell),
        cmocka_unit_test(test_what_docker_reads_otherwise_is_json),
        cmocka_unit_test(test_a_value_of_env_is_quoted),
        cmocka_unit_test(test_words_of_a_command_are_json),
        cmocka_unit_test(test_secrets_are_mounted_and_exported),
        cmocka_unit_test(test_a_text_is_as_long_as_a_line_takes),
        cmocka_unit_test(test_a_dockerfile_of_the_author_is_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
