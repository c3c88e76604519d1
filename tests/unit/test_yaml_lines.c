// Comments stand above what they are about, and each leaf has the line on which it was written.
#include "tests/support/yaml_world.h"

static void test_header_stands_on_top(void **state) {
    const World *world = *state;
    put(world, "A", number(world, 1));

    const Str yaml = yaml_write(world->session->arena, world->doc, STR("one\n\ntwo"), NULL);

    assert_string_equal(str_c(world->session->arena, yaml), "# one\n#\n# two\nA: 1\n");
}

static void test_comments_stand_above_their_entries(void **state) {
    const World *world = *state;
    DocNode *map = put(world, "Map", doc_map(world->doc));
    map->comment = "on the map\nof two lines";
    DocNode *list = doc_put(world->doc, map, STR("List"), doc_list(world->doc));
    DocNode *item = doc_add(world->doc, list, doc_map(world->doc));
    item->comment = "on the item";
    doc_put(world->doc, item, STR("Key"), text(world, "x"))->comment = "on its key";
    doc_add(world->doc, list, text(world, "z"))->comment = "on the second item";
    DocNode *argument = text(world, "Vpc");
    argument->comment = "on an argument";
    put(world, "Ref", call(world, CALL_REF, argument))->comment = "on a call";

    assert_yaml(world, "# on the map\n"
                       "# of two lines\n"
                       "Map:\n"
                       "  List:\n"
                       "  # on the item\n"
                       "  # on its key\n"
                       "  - Key: x\n"
                       "  # on the second item\n"
                       "  - z\n"
                       "# on a call\n"
                       "# on an argument\n"
                       "Ref: !Ref Vpc\n");
}

static void test_comment_below_a_literal_block_is_no_text_of_it(void **state) {
    const World *world = *state;
    put(world, "A", doc_block(world->doc, STR("# text\n\n"), &ORIGIN));
    put(world, "B", number(world, 1))->comment = "comment";

    assert_yaml(world, "A: |+\n"
                       "  # text\n"
                       "\n"
                       "# comment\n"
                       "B: 1\n");
}

static void test_lines_are_those_of_the_final_text(void **state) {
    const World *world = *state;
    put(world, "A", number(world, 1))->comment = "one";
    DocNode *list = put(world, "a.b/c", doc_list(world->doc));
    DocNode *item = doc_add(world->doc, list, doc_map(world->doc));
    doc_put(world->doc, item, STR("Key"), doc_block(world->doc, STR("x\ny\n"), &ORIGIN))->comment = "two\nthree";
    put(world, "C", call(world, CALL_IMPORT_VALUE, call(world, CALL_SUB, text(world, "z"))));
    put(world, "D",
        call(world, CALL_SELECT, list_of(world, number(world, 0), call(world, CALL_REF, text(world, "r")), NULL)));
    DocLines lines = { 0 };

    const Str yaml = yaml_write(world->session->arena, world->doc, STR("top"), &lines);

    assert_string_equal(str_c(world->session->arena, yaml), "# top\n"
                                                            "# one\n"
                                                            "A: 1\n"
                                                            "a.b/c:\n"
                                                            "# two\n"
                                                            "# three\n"
                                                            "- Key: |\n"
                                                            "    x\n"
                                                            "    y\n"
                                                            "C:\n"
                                                            "  Fn::ImportValue: !Sub z\n"
                                                            "D: !Select [0, !Ref r]\n");
    static const struct {
        uint32_t line;
        const char *path;
    } EXPECTED[] = {
        { 3, "A" },
        { 7, "[\"a.b/c\"][0].Key" },
        { 11, "C.Fn::ImportValue.Fn::Sub" },
        { 12, "D.Fn::Select[0]" },
        { 12, "D.Fn::Select[1].Ref" },
    };
    assert_int_equal(lines.count, COUNT_OF(EXPECTED));
    for (size_t i = 0; i < COUNT_OF(EXPECTED); i++) {
        assert_int_equal(lines.items[i].line, EXPECTED[i].line);
        assert_string_equal(str_c(world->session->arena, lines.items[i].path), EXPECTED[i].path);
        assert_ptr_equal(lines.items[i].leaf->origin, &ORIGIN);
    }
}

static void test_lines_are_appended_to_what_is_there(void **state) {
    const World *world = *state;
    put(world, "A", number(world, 1))->comment = "one";
    DocLines lines = { 0 };
    vec_push(world->session->arena, &lines, (DocLine){ .line = 1 });

    yaml_write(world->session->arena, world->doc, STR_NONE, &lines);

    assert_int_equal(lines.count, 2);
    assert_int_equal(lines.items[0].line, 1);
    assert_int_equal(lines.items[1].line, 2);
}

static void test_text_with_lines_is_the_text_without(void **state) {
    const World *world = *state;
    put(world, "A", number(world, 1))->comment = "one";
    put(world, "B", list_of(world, text(world, "b"), text(world, "c"), NULL));
    DocLines lines = { 0 };

    const Str with = yaml_write(world->session->arena, world->doc, STR_NONE, &lines);
    const Str without = yaml_write(world->session->arena, world->doc, STR_NONE, NULL);

    assert_true(str_equal(with, without));
}

static void test_key_of_more_than_128_bytes_has_its_line(void **state) {
    const World *world = *state;
    char key[131];
    memset(key, 'k', 130);
    key[130] = '\0';
    put(world, key, text(world, "v"))->comment = "c";
    DocLines lines = { 0 };

    const Str yaml = yaml_write(world->session->arena, world->doc, STR_NONE, &lines);

    const Str expected = str_format(world->session->arena, "# c\n? %s\n: v\n", key);
    assert_true(str_equal(yaml, expected));
    assert_int_equal(lines.items[0].line, 3);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_header_stands_on_top),
        TEST(test_comments_stand_above_their_entries),
        TEST(test_comment_below_a_literal_block_is_no_text_of_it),
        TEST(test_lines_are_those_of_the_final_text),
        TEST(test_lines_are_appended_to_what_is_there),
        TEST(test_text_with_lines_is_the_text_without),
        TEST(test_key_of_more_than_128_bytes_has_its_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
