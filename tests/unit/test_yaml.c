#include "tests/support/yaml_world.h"

#include "emitters/doc/yaml_text.h"

#include <locale.h>

// ---- quotes ------------------------------------------------------------------------------------------------------

static void test_common_forms_stay_plain(void **state) {
    static const char *const PLAIN[] = { "AWS::EC2::VPC",
                                         "p4d.24xlarge",
                                         "10.0.0.0/16",
                                         "sts:AssumeRole",
                                         "ML VPC",
                                         "${AWS::StackName}-VPC",
                                         "/aws/service/ecs/optimized-ami/amazon-linux-2/gpu/recommended/image_id",
                                         "arn:aws:iam::aws:policy/X",
                                         "Allow EFA communication within the group, both ways",
                                         "us-east-1a",
                                         "cr-0123456789abcdef0",
                                         "s3:*",
                                         "100Gi",
                                         "key=value",
                                         "it's",
                                         "--nproc_per_node=8",
                                         "-x",
                                         "./run.sh",
                                         "NCCL_DEBUG=INFO",
                                         "_x",
                                         "^$|^cr-[0-9a-f]{17}$",
                                         "https://example.com/a?b=c#d",
                                         "2xlarge",
                                         "nothing",
                                         "Node",
                                         "trueish",
                                         "a # b is not here" };
    (void)state;
    for (size_t i = 0; i + 1 < COUNT_OF(PLAIN); i++) {
        assert_true(yaml_text(str_of(PLAIN[i])).is_plain);
    }
    assert_false(yaml_text(str_of(PLAIN[COUNT_OF(PLAIN) - 1])).is_plain);
}

static void test_no_text_is_quoted_whatever_is_around_it(void **state) {
    (void)state;
    const YamlText none = yaml_text(str_slice(STR("abc"), 1, 1));
    const YamlText here = yaml_text((Str){ .data = &"abc"[1], .len = 0 });
    assert_false(none.is_plain);
    assert_false(here.is_plain);
    assert_true(here.is_ascii);
}

static void test_what_another_reader_would_retype_is_quoted(void **state) {
    static const char *const RETYPED[] = { "1",
                                           "-1",
                                           "+1",
                                           "1.30",
                                           "012345678901",
                                           "22:22",
                                           "190:20:30.5",
                                           "2026-11-21",
                                           "2001-12-14t21:59:43.10-05:00",
                                           "2001-12-14 21:59:43 Z",
                                           "1_000",
                                           "0x1F",
                                           "0b1010",
                                           "0o17",
                                           "1e3",
                                           "1E-3",
                                           "1.",
                                           ".5",
                                           ".inf",
                                           "-.inf",
                                           ".NaN",
                                           "+.INF",
                                           "no",
                                           "No",
                                           "NO",
                                           "yes",
                                           "on",
                                           "OFF",
                                           "true",
                                           "False",
                                           "y",
                                           "N",
                                           "null",
                                           "NULL",
                                           "~",
                                           "=",
                                           "<<",
                                           "",
                                           "12ab",
                                           "10.0.0.1",
                                           "1,000",
                                           "123456789012",
                                           "0" };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(RETYPED); i++) {
        assert_false(yaml_text(str_of(RETYPED[i])).is_plain);
    }
}

static void test_syntax_is_quoted(void **state) {
    static const char *const SYNTAX[] = { " x",
                                          "x ",
                                          "a: b",
                                          "a:",
                                          "a #b",
                                          "#a",
                                          "- a",
                                          "-",
                                          "---",
                                          "--- a",
                                          "...",
                                          "? a",
                                          "?a",
                                          ":a",
                                          "!a",
                                          "&a",
                                          "*a",
                                          "[a",
                                          "]a",
                                          "{a",
                                          "}a",
                                          "|a",
                                          ">a",
                                          "%a",
                                          "@a",
                                          "`a",
                                          "\"a",
                                          "'a",
                                          ",a",
                                          "a\tb",
                                          "a\nb",
                                          "a\rb",
                                          "\x7F",
                                          "caf\xC3\xA9",
                                          "a\xC2\x85"
                                          "b",
                                          "\xEF\xBB\xBF"
                                          "a",
                                          "\x01",
                                          "<a",
                                          "=a",
                                          "~/a",
                                          ".a" };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(SYNTAX); i++) {
        assert_false(yaml_text(str_of(SYNTAX[i])).is_plain);
    }
}

static void test_brackets_and_commas_are_quoted_in_flow_only(void **state) {
    (void)state;
    const YamlText braces = yaml_text(STR("${AWS::StackName}-VPC"));
    const YamlText colons = yaml_text(STR("AWS::NoValue"));

    assert_true(braces.is_plain);
    assert_false(braces.is_plain_in_flow);
    assert_true(colons.is_plain_in_flow);
}

static void test_scalars_of_every_kind(void **state) {
    const World *world = *state;
    put(world, "True", doc_bool(world->doc, true, &ORIGIN));
    put(world, "False", doc_bool(world->doc, false, &ORIGIN));
    put(world, "Least", number(world, INT64_MIN));
    put(world, "Most", number(world, INT64_MAX));
    put(world, "Zero", number(world, 0));
    put(world, "Text", text(world, "1.30"));
    put(world, "Empty", text(world, ""));
    put(world, "no", text(world, "caf\xC3\xA9"));

    assert_yaml(world, "\"True\": true\n"
                       "\"False\": false\n"
                       "Least: -9223372036854775808\n"
                       "Most: 9223372036854775807\n"
                       "Zero: 0\n"
                       "Text: \"1.30\"\n"
                       "Empty: \"\"\n"
                       "\"no\": \"caf\xC3\xA9\"\n");
}

static void test_single_quotes_stand_where_double_ones_need_escapes(void **state) {
    const World *world = *state;
    put(world, "A", text(world, "{\"a\": \"\\d\"}"));
    put(world, "B", text(world, "{\"it's\": 1}"));
    put(world, "C", text(world, "a: \"b\"\n"));

    assert_yaml(world, "A: '{\"a\": \"\\d\"}'\n"
                       "B: \"{\\\"it's\\\": 1}\"\n"
                       "C: \"a: \\\"b\\\"\\n\"\n");
}

static void test_long_text_is_not_folded(void **state) {
    const World *world = *state;
    char words[601];
    for (size_t i = 0; i < 600; i++) {
        words[i] = i % 5 == 4 ? ' ' : 'w';
    }
    words[599] = 'w';
    words[600] = '\0';
    put(world, "Plain", text(world, words));
    put(world, "Quoted", doc_string(world->doc, str_format(world->session->arena, "# %s", words), &ORIGIN));

    const Str expected = str_format(world->session->arena, "Plain: %s\nQuoted: \"# %s\"\n", words, words);
    assert_yaml(world, str_c(world->session->arena, expected));
}

// ---- literal blocks ------------------------------------------------------------------------------------------------

static void test_text_of_lines_is_a_literal_block(void **state) {
    const World *world = *state;
    put(world, "One", doc_block(world->doc, STR("#!/bin/bash\nset -e\n"), &ORIGIN));
    put(world, "Two", doc_block(world->doc, STR("no: end\n\n  at all"), &ORIGIN));

    assert_yaml(world, "One: |\n"
                       "  #!/bin/bash\n"
                       "  set -e\n"
                       "Two: |-\n"
                       "  no: end\n"
                       "\n"
                       "    at all\n");
}

static void test_blank_lines_at_the_end_need_no_end_of_document(void **state) {
    const World *world = *state;
    put(world, "One", doc_block(world->doc, STR("a\n\n"), &ORIGIN));
    put(world, "Two", doc_block(world->doc, STR("b\n\n"), &ORIGIN));

    assert_yaml(world, "One: |+\n"
                       "  a\n"
                       "\n"
                       "Two: |+\n"
                       "  b\n"
                       "\n");
}

static void test_what_a_literal_block_would_lose_is_quoted(void **state) {
    const World *world = *state;
    put(world, "Indented", doc_block(world->doc, STR("\ta\n"), &ORIGIN));
    put(world, "Blank", doc_block(world->doc, STR("a\tb \n"), &ORIGIN));
    put(world, "Return", doc_block(world->doc, STR("a\r\n"), &ORIGIN));
    put(world, "Letters", doc_block(world->doc, STR("\a\b\v\f\x1B\n"), &ORIGIN));
    put(world, "Lines", doc_block(world->doc, STR("\n\n"), &ORIGIN));
    put(world, "Separator", doc_block(world->doc, STR("a\xE2\x80\xA8z\n"), &ORIGIN));

    assert_yaml(world, "Indented: \"\\ta\\n\"\n"
                       "Blank: \"a\\tb \\n\"\n"
                       "Return: \"a\\r\\n\"\n"
                       "Letters: \"\\a\\b\\v\\f\\e\\n\"\n"
                       "Lines: \"\\n\\n\"\n"
                       "Separator: \"a\\Lz\\n\"\n");
}

static void test_scripts_with_tabs_and_blanks_are_literal_blocks(void **state) {
    const World *world = *state;
    DocNode *inner = doc_map(world->doc);
    put(world, "One", inner);
    doc_put(world->doc, inner, STR("Tab"), doc_block(world->doc, STR("if x\n\n\tthen\n"), &ORIGIN));
    DocNode *list = doc_list(world->doc);
    doc_put(world->doc, inner, STR("List"), list);
    doc_add(world->doc, list, doc_block(world->doc, STR("blank \nend"), &ORIGIN));
    put(world, "Two", call(world, CALL_BASE64, doc_block(world->doc, STR("\xF0\x9F\x9A\x80\n\n\n"), &ORIGIN)));
    put(world, "Three", call(world, CALL_BASE64, call(world, CALL_SUB, doc_block(world->doc, STR("a\tb\n"), &ORIGIN))));

    assert_yaml(world, "One:\n"
                       "  Tab: |\n"
                       "    if x\n"
                       "\n"
                       "    \tthen\n"
                       "  List:\n"
                       "  - |-\n"
                       "    blank \n"
                       "    end\n"
                       "Two: !Base64 |+\n"
                       "  \xF0\x9F\x9A\x80\n"
                       "\n"
                       "\n"
                       "Three:\n"
                       "  Fn::Base64: !Sub |\n"
                       "    a\tb\n");
}

static void test_literal_block_takes_a_tag(void **state) {
    const World *world = *state;
    put(world, "UserData",
        call(world, CALL_BASE64, call(world, CALL_SUB, doc_block(world->doc, STR("echo ${X}\n"), &ORIGIN))));

    assert_yaml(world, "UserData:\n"
                       "  Fn::Base64: !Sub |\n"
                       "    echo ${X}\n");
}

// ---- intrinsics ----------------------------------------------------------------------------------------------------

static void test_intrinsics_take_their_short_form(void **state) {
    const World *world = *state;
    put(world, "A", call(world, CALL_REF, text(world, "Vpc")));
    put(world, "B", call(world, CALL_GET_ATT, text(world, "Vpc.CidrBlock")));
    put(world, "C", call(world, CALL_SUB, text(world, "x: ${Y}")));
    put(world, "D", call(world, CALL_IMPORT_VALUE, text(world, "lab-VPC")));
    put(world, "E", call(world, CALL_CONDITION, text(world, "HasKey")));

    assert_yaml(world, "A: !Ref Vpc\n"
                       "B: !GetAtt Vpc.CidrBlock\n"
                       "C: !Sub \"x: ${Y}\"\n"
                       "D: !ImportValue lab-VPC\n"
                       "E: !Condition HasKey\n");
}

static void test_intrinsic_in_an_intrinsic_is_outer_long_inner_short(void **state) {
    const World *world = *state;
    put(world, "A", call(world, CALL_IMPORT_VALUE, call(world, CALL_SUB, text(world, "${N}-PrivateSubnet"))));
    put(world, "B",
        call(world, CALL_BASE64,
             call(world, CALL_IMPORT_VALUE,
                  call(world, CALL_SELECT, list_of(world, number(world, 0), text(world, "x"), NULL)))));
    put(world, "C",
        call(world, CALL_BASE64,
             call(world, CALL_JOIN,
                  list_of(world, text(world, ","), doc_block(world->doc, STR("a\nb\n"), &ORIGIN), NULL))));

    assert_yaml(world, "A:\n"
                       "  Fn::ImportValue: !Sub ${N}-PrivateSubnet\n"
                       "B:\n"
                       "  Fn::Base64:\n"
                       "    Fn::ImportValue: !Select [0, x]\n"
                       "C:\n"
                       "  Fn::Base64: !Join\n"
                       "  - \",\"\n"
                       "  - |\n"
                       "    a\n"
                       "    b\n");
}

static void test_short_arguments_stand_on_one_line(void **state) {
    const World *world = *state;
    DocNode *cidr = list_of(world, text(world, "10.0.0.0/16"), number(world, 2), number(world, 15));
    put(world, "A", call(world, CALL_SELECT, list_of(world, number(world, 0), call(world, CALL_CIDR, cidr), NULL)));
    put(world, "B",
        call(world, CALL_IF,
             list_of(world, text(world, "HasKey"), call(world, CALL_REF, text(world, "Key")),
                     call(world, CALL_REF, text(world, "AWS::NoValue")))));
    DocNode *sub = call(world, CALL_SUB, text(world, "${A}-x"));
    put(world, "C",
        call(world, CALL_JOIN, list_of(world, text(world, ","), list_of(world, sub, text(world, "no"), NULL), NULL)));

    assert_yaml(world, "A: !Select [0, !Cidr [10.0.0.0/16, 2, 15]]\n"
                       "B: !If [HasKey, !Ref Key, !Ref AWS::NoValue]\n"
                       "C: !Join [\",\", [!Sub \"${A}-x\", \"no\"]]\n");
}

static void test_arguments_reach_column_100_and_no_further(void **state) {
    const World *world = *state;
    // `A: !Equals [x, …]` takes 16 columns around the second argument.
    char fits[85];
    memset(fits, 'f', 84);
    fits[84] = '\0';
    char exceeds[86];
    memset(exceeds, 'e', 85);
    exceeds[85] = '\0';
    put(world, "A", call(world, CALL_EQUALS, list_of(world, text(world, "x"), text(world, fits), NULL)));
    put(world, "B", call(world, CALL_EQUALS, list_of(world, text(world, "x"), text(world, exceeds), NULL)));

    const Str expected = str_format(world->session->arena,
                                    "A: !Equals [x, %s]\n"
                                    "B: !Equals\n"
                                    "- x\n"
                                    "- %s\n",
                                    fits, exceeds);
    assert_yaml(world, str_c(world->session->arena, expected));
}

static void test_arguments_that_no_one_line_takes_are_a_block(void **state) {
    const World *world = *state;
    DocNode *import = call(world, CALL_IMPORT_VALUE, call(world, CALL_SUB, text(world, "${N}-x")));
    DocNode *split = call(world, CALL_SPLIT, list_of(world, text(world, ","), import, NULL));
    put(world, "A", call(world, CALL_SELECT, list_of(world, number(world, 0), split, NULL)));
    put(world, "B", call(world, CALL_JOIN, list_of(world, text(world, ": "), text(world, "x"), NULL)));
    put(world, "C", call(world, CALL_JOIN, list_of(world, text(world, "caf\xC3\xA9"), NULL, NULL)));
    put(world, "D", call(world, CALL_SUB, list_of(world, text(world, "x"), doc_map(world->doc), NULL)));

    assert_yaml(world, "A: !Select\n"
                       "- 0\n"
                       "- !Split\n"
                       "  - \",\"\n"
                       "  - Fn::ImportValue: !Sub ${N}-x\n"
                       "B: !Join\n"
                       "- \": \"\n"
                       "- x\n"
                       "C: !Join\n"
                       "- \"caf\xC3\xA9\"\n"
                       "D: !Sub\n"
                       "- x\n"
                       "- {}\n");
}

static void test_lists_of_numbers_alone_stand_on_one_line(void **state) {
    const World *world = *state;
    put(world, "A", list_of(world, number(world, 1), number(world, 2), NULL));
    put(world, "B", list_of(world, number(world, 1), text(world, "2"), NULL));
    put(world, "C", doc_list(world->doc));
    put(world, "D", doc_map(world->doc));

    assert_yaml(world, "A: [1, 2]\n"
                       "B:\n"
                       "- 1\n"
                       "- \"2\"\n"
                       "C: []\n"
                       "D: {}\n");
}

static void test_empty_document_is_an_empty_map(void **state) {
    const World *world = *state;

    assert_yaml(world, "{}\n");
}

static void test_locale_changes_nothing(void **state) {
    const World *world = *state;
    put(world, "A", number(world, 1234567));
    put(world, "B", text(world, "\xC3\xA9t\xC3\xA9"));
    const Str before = yaml_write(world->session->arena, world->doc, STR_NONE, NULL);

    setlocale(LC_ALL, "tr_TR.UTF-8");
    const Str after = yaml_write(world->session->arena, world->doc, STR_NONE, NULL);
    setlocale(LC_ALL, "C");

    assert_true(str_equal(before, after));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_common_forms_stay_plain),
        TEST(test_no_text_is_quoted_whatever_is_around_it),
        TEST(test_what_another_reader_would_retype_is_quoted),
        TEST(test_syntax_is_quoted),
        TEST(test_brackets_and_commas_are_quoted_in_flow_only),
        TEST(test_scalars_of_every_kind),
        TEST(test_single_quotes_stand_where_double_ones_need_escapes),
        TEST(test_long_text_is_not_folded),
        TEST(test_text_of_lines_is_a_literal_block),
        TEST(test_blank_lines_at_the_end_need_no_end_of_document),
        TEST(test_what_a_literal_block_would_lose_is_quoted),
        TEST(test_scripts_with_tabs_and_blanks_are_literal_blocks),
        TEST(test_literal_block_takes_a_tag),
        TEST(test_intrinsics_take_their_short_form),
        TEST(test_intrinsic_in_an_intrinsic_is_outer_long_inner_short),
        TEST(test_short_arguments_stand_on_one_line),
        TEST(test_arguments_reach_column_100_and_no_further),
        TEST(test_arguments_that_no_one_line_takes_are_a_block),
        TEST(test_lists_of_numbers_alone_stand_on_one_line),
        TEST(test_empty_document_is_an_empty_map),
        TEST(test_locale_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
