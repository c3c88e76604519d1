#include "emitters/node/userdata.h"

#include "tests/support/check.h"

static int arena_setup(void **state) {
    *state = arena_create();
    return 0;
}

static int arena_teardown(void **state) {
    arena_destroy(*state);
    return 0;
}

static void add(Arena *arena, UserDataParts *parts, UserDataKind kind, const char *text) {
    vec_push(arena, parts, (UserDataPart){ .kind = kind, .text = str_of(text) });
}

static void test_no_part_is_no_message(void **state) {
    const UserDataParts parts = { 0 };

    assert_int_equal(userdata_write(*state, &parts).len, 0);
}

static void test_parts_of_every_kind_stand_in_their_order(void **state) {
    UserDataParts parts = { 0 };
    add(*state, &parts, PART_SHELL, "#!/bin/sh\ntrue\n");
    add(*state, &parts, PART_BOOTHOOK, "#!/bin/sh\n");
    add(*state, &parts, PART_CLOUD_CONFIG, "#cloud-config\n");

    assert_text(userdata_write(*state, &parts), "MIME-Version: 1.0\n"
                                                "Content-Type: multipart/mixed; boundary=\"==PART==\"\n"
                                                "\n"
                                                "--==PART==\n"
                                                "Content-Type: text/x-shellscript; charset=\"us-ascii\"\n"
                                                "\n"
                                                "#!/bin/sh\n"
                                                "true\n"
                                                "\n"
                                                "--==PART==\n"
                                                "Content-Type: text/cloud-boothook; charset=\"us-ascii\"\n"
                                                "\n"
                                                "#!/bin/sh\n"
                                                "\n"
                                                "--==PART==\n"
                                                "Content-Type: text/cloud-config; charset=\"us-ascii\"\n"
                                                "\n"
                                                "#cloud-config\n"
                                                "\n"
                                                "--==PART==--\n");
}

static void test_text_that_is_not_ascii_says_so(void **state) {
    UserDataParts parts = { 0 };
    add(*state, &parts, PART_SHELL, "#!/bin/sh\n# \xC3\xBC\n");

    assert_text(userdata_write(*state, &parts), "MIME-Version: 1.0\n"
                                                "Content-Type: multipart/mixed; boundary=\"==PART==\"\n"
                                                "\n"
                                                "--==PART==\n"
                                                "Content-Type: text/x-shellscript; charset=\"utf-8\"\n"
                                                "Content-Transfer-Encoding: 8bit\n"
                                                "\n"
                                                "#!/bin/sh\n"
                                                "# \xC3\xBC\n"
                                                "\n"
                                                "--==PART==--\n");
}

static void test_part_that_goes_on_travels_with_the_one_before(void **state) {
    UserDataParts parts = { 0 };
    add(*state, &parts, PART_SHELL, "#!/bin/sh\n");
    add(*state, &parts, PART_SHELL, "# \xC3\xBC\n");
    parts.items[1].goes_on = true;
    add(*state, &parts, PART_SHELL, "true\n");
    parts.items[2].goes_on = true;
    add(*state, &parts, PART_BOOTHOOK, "#!/bin/sh\n");

    assert_text(userdata_write(*state, &parts), "MIME-Version: 1.0\n"
                                                "Content-Type: multipart/mixed; boundary=\"==PART==\"\n"
                                                "\n"
                                                "--==PART==\n"
                                                "Content-Type: text/x-shellscript; charset=\"utf-8\"\n"
                                                "Content-Transfer-Encoding: 8bit\n"
                                                "\n"
                                                "#!/bin/sh\n"
                                                "# \xC3\xBC\n"
                                                "true\n"
                                                "\n"
                                                "--==PART==\n"
                                                "Content-Type: text/cloud-boothook; charset=\"us-ascii\"\n"
                                                "\n"
                                                "#!/bin/sh\n"
                                                "\n"
                                                "--==PART==--\n");
}

static void test_boundary_stands_in_no_part(void **state) {
    UserDataParts parts = { 0 };
    add(*state, &parts, PART_SHELL, "echo '--==PART==--'\n");
    add(*state, &parts, PART_SHELL, "echo ==PART-2== ==PART-4==\n");

    assert_text(userdata_write(*state, &parts), "MIME-Version: 1.0\n"
                                                "Content-Type: multipart/mixed; boundary=\"==PART-3==\"\n"
                                                "\n"
                                                "--==PART-3==\n"
                                                "Content-Type: text/x-shellscript; charset=\"us-ascii\"\n"
                                                "\n"
                                                "echo '--==PART==--'\n"
                                                "\n"
                                                "--==PART-3==\n"
                                                "Content-Type: text/x-shellscript; charset=\"us-ascii\"\n"
                                                "\n"
                                                "echo ==PART-2== ==PART-4==\n"
                                                "\n"
                                                "--==PART-3==--\n");
}

static Str here_document(Arena *arena, const char *text) {
    StrBuf out = { .arena = arena };
    userdata_add_here_document(&out, str_of(text));
    return strbuf_str(&out);
}

static void test_here_document_holds_the_text_as_it_is(void **state) {
    assert_text(here_document(*state, "a $b `c` \\\n\tEND\n END\nENDE\n"), "<<'END'\n"
                                                                           "a $b `c` \\\n"
                                                                           "\tEND\n"
                                                                           " END\n"
                                                                           "ENDE\n"
                                                                           "END\n");
}

static void test_here_document_ends_behind_lines_that_look_like_its_end(void **state) {
    assert_text(here_document(*state, "END\nx\nEND-2\n"), "<<'END-3'\n"
                                                          "END\n"
                                                          "x\n"
                                                          "END-2\n"
                                                          "END-3\n");
}

static void test_code_travels_without_comments_and_indentation(void **state) {
    StrBuf out = { .arena = *state };

    userdata_add_code(&out, STR("# Why.\nf() {\n    # How.\n    echo 'a  b' # here\n\n}\n"));

    assert_text(strbuf_str(&out), "f() {\necho 'a  b' # here\n}\n");
}

static void test_script_asks_for_no_variable_that_it_has(void **state) {
    const Str script = STR("#!/bin/bash\n# Why.\n: \"${a:?}\" \"${b:?}\"\necho \"$a\"\n");

    assert_text(userdata_script_with(*state, script, "a", STR("a=1\nb=2\n")),
                "#!/bin/bash\n# Why.\na=1\nb=2\necho \"$a\"\n");
}

static void test_library_holds_what_nodes_run(void **state) {
    (void)state;

    assert_true(str_starts_with(userdata_library("node/joined.sh"), STR("#!/bin/bash\n")));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_no_part_is_no_message),
        TEST(test_parts_of_every_kind_stand_in_their_order),
        TEST(test_text_that_is_not_ascii_says_so),
        TEST(test_part_that_goes_on_travels_with_the_one_before),
        TEST(test_boundary_stands_in_no_part),
        TEST(test_here_document_holds_the_text_as_it_is),
        TEST(test_here_document_ends_behind_lines_that_look_like_its_end),
        TEST(test_code_travels_without_comments_and_indentation),
        TEST(test_script_asks_for_no_variable_that_it_has),
        TEST(test_library_holds_what_nodes_run),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
