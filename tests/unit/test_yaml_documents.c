#include "tests/support/yaml_world.h"

static const char *documents(const World *world, DocLines *lines) {
    Arena *arena = world->session->arena;
    return str_c(arena, yaml_write_documents(arena, world->doc, STR("Of the test."), lines));
}

static DocNode *put_document(const World *world, const char *key) {
    return put(world, key, doc_map(world->doc));
}

static void test_documents_are_parted_and_their_keys_are_not_written(void **state) {
    const World *world = *state;
    doc_put(world->doc, put_document(world, "Pod/a"), STR("kind"), text(world, "Pod"));
    DocNode *service = put_document(world, "Service/b");
    doc_put(world->doc, service, STR("kind"), text(world, "Service"));
    doc_put(world->doc, service, STR("ports"), list_of(world, number(world, 80), NULL, NULL));

    assert_string_equal(documents(world, NULL), "# Of the test.\nkind: Pod\n---\nkind: Service\nports: [80]\n");
}

static void test_literal_block_ends_before_the_next_document(void **state) {
    const World *world = *state;
    doc_put(world->doc, put_document(world, "A/a"), STR("text"), doc_block(world->doc, STR("x\ny\n"), &ORIGIN));
    doc_put(world->doc, put_document(world, "B/b"), STR("text"), doc_block(world->doc, STR("z\nw"), &ORIGIN));
    doc_put(world->doc, put_document(world, "C/c"), STR("kind"), text(world, "C"));

    assert_string_equal(documents(world, NULL),
                        "# Of the test.\ntext: |\n  x\n  y\n---\ntext: |-\n  z\n  w\n---\nkind: C\n");
}

static void test_lines_count_over_all_documents_and_paths_begin_with_the_key(void **state) {
    const World *world = *state;
    doc_put(world->doc, put_document(world, "Pod/a"), STR("kind"), text(world, "Pod"));
    doc_put(world->doc, put_document(world, "Pod/b"), STR("kind"), text(world, "Pod"));
    DocLines lines = { 0 };

    documents(world, &lines);

    assert_int_equal(lines.count, 2);
    assert_int_equal(lines.items[0].line, 2);
    assert_int_equal(lines.items[1].line, 4);
    assert_text(lines.items[1].path, "Pod/b.kind");
}

static void test_no_document_is_nothing_but_the_header(void **state) {
    const World *world = *state;

    assert_string_equal(documents(world, NULL), "# Of the test.\n");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_documents_are_parted_and_their_keys_are_not_written),
        TEST(test_literal_block_ends_before_the_next_document),
        TEST(test_lines_count_over_all_documents_and_paths_begin_with_the_key),
        TEST(test_no_document_is_nothing_but_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
