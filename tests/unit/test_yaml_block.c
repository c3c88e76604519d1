// What libfyaml misreads of blocks is hidden from it, and comes back as its author meant it.
#include "compiler/base/yaml_read.h"

#include "compiler/base/session.h"
#include "tests/support/check.h"

static int make_session(void **state) {
    *state = session_create();
    return 0;
}

static int drop_session(void **state) {
    session_destroy(*state);
    return 0;
}

static const Data *read_one(Session *session, const char *text) {
    YamlDocuments documents = { 0 };
    assert_true(yaml_read_documents(session, source_add(session, STR("a.yaml"), str_of(text)), &documents));
    assert_int_equal(documents.count, 1);
    return documents.items[0];
}

static void assert_entry(const Data *map, const char *key, const char *text) {
    const Data *value = data_get(map, key);
    assert_non_null(value);
    assert_int_equal(value->kind, DATA_STRING);
    assert_text(value->string, text);
}

static void test_a_block_of_blank_lines_ends_before_what_stands_beside_it(void **state) {
    const Data *map = read_one(*state, "a: |+\n\n\nb: >-\n\nc: |\n\nd: x\n");
    assert_int_equal(map->count, 4);
    assert_entry(map, "a", "\n\n");
    assert_entry(map, "b", "");
    assert_entry(map, "c", "");
    assert_entry(map, "d", "x");
}

static void test_a_block_without_any_line_ends_before_the_next_item(void **state) {
    const Data *list = data_get(read_one(*state, "a:\n  - |\n  - y\n  - - |+\n\n    - z\n"), "a");
    assert_int_equal(list->count, 3);
    assert_text(list->items[0]->string, "");
    assert_text(list->items[1]->string, "y");
    assert_text(list->items[2]->items[0]->string, "\n");
    assert_text(list->items[2]->items[1]->string, "z");
}

static void test_what_looks_like_a_header_in_a_block_is_its_text(void **state) {
    const Data *map = read_one(*state, "a: |\n  key: |\n\n  - |+\n\n  last\nb: x\n");
    assert_int_equal(map->count, 2);
    assert_entry(map, "a", "key: |\n\n- |+\n\nlast\n");
}

static void test_what_looks_like_a_header_below_a_tag_is_text(void **state) {
    const Data *map = read_one(*state, "a:\n  !Sub |\n    cat > v.yaml <<EOF\n    script: |\n    EOF\nb: |\n\nc: x\n");
    assert_entry(map, "a", "cat > v.yaml <<EOF\nscript: |\nEOF\n");
    assert_entry(map, "b", "");
}

static void test_an_empty_block_keeps_its_tag(void **state) {
    const Data *map = read_one(*state, "a: !Sub |\n\nb: x\n");
    assert_entry(map, "a", "");
    assert_text(data_get(map, "a")->tag, "!Sub");
}

static void test_a_tag_on_a_line_of_its_own_comes_back(void **state) {
    const Data *map = read_one(*state, "a:\n  !Sub |\n  text\nb: x\n");
    assert_entry(map, "a", "text\n");
    assert_text(data_get(map, "a")->tag, "!Sub");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_session, drop_session)
    const struct CMUnitTest tests[] = {
        TEST(test_a_block_of_blank_lines_ends_before_what_stands_beside_it),
        TEST(test_a_block_without_any_line_ends_before_the_next_item),
        TEST(test_what_looks_like_a_header_in_a_block_is_its_text),
        TEST(test_what_looks_like_a_header_below_a_tag_is_text),
        TEST(test_an_empty_block_keeps_its_tag),
        TEST(test_a_tag_on_a_line_of_its_own_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
