#include "emitters/doc/doc.h"

#include "compiler/base/session.h"
#include "compiler/base/doc_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const Origin FIRST = { .kind = ORIGIN_CONSTANT, .name = "test.first", .text = "because of the test" };
static const Origin SECOND = { .kind = ORIGIN_SCHEMA, .name = "p4d.24xlarge" };
static const Origin THIRD = { .kind = ORIGIN_SCHEMA, .name = "nodes.efa" };

typedef struct {
    Session *session;
    Doc *doc;
} World;

static int set_up(void **state) {
    World *world = calloc(1, sizeof(*world));
    world->session = session_create();
    world->doc = doc_create(world->session, world->session->arena);
    *state = world;
    return 0;
}

static int tear_down(void **state) {
    World *world = *state;
    session_destroy(world->session);
    free(world);
    return 0;
}

static void assert_str(Str actual, const char *expected) {
    assert_int_equal(actual.len, strlen(expected));
    if (actual.len > 0) {
        assert_memory_equal(actual.data, expected, actual.len);
    }
}

static void test_new_document_is_an_empty_map(void **state) {
    const World *world = *state;

    const DocNode *root = doc_root(world->doc);

    assert_int_equal(root->kind, DOC_MAP);
    assert_int_equal(doc_count(root), 0);
    assert_null(doc_get(root, STR("Resources")));
}

static void test_map_keeps_its_entries_in_order(void **state) {
    const World *world = *state;
    DocNode *root = doc_root(world->doc);

    doc_put(world->doc, root, STR("z"), doc_int(world->doc, 1, &FIRST));
    doc_put(world->doc, root, STR("a"), doc_int(world->doc, 2, &FIRST));

    assert_int_equal(doc_count(root), 2);
    assert_str(root->first->key, "z");
    assert_str(root->last->key, "a");
    assert_int_equal(doc_get(root, STR("a"))->integer, 2);
}

static void test_put_returns_what_was_put(void **state) {
    const World *world = *state;
    DocNode *list = doc_list(world->doc);

    DocNode *put = doc_put(world->doc, doc_root(world->doc), STR("list"), list);

    assert_ptr_equal(put, list);
}

static void test_list_keeps_its_items_in_order(void **state) {
    const World *world = *state;
    DocNode *list = doc_list(world->doc);

    doc_add(world->doc, list, doc_int(world->doc, 7, &FIRST));
    doc_add(world->doc, list, doc_bool(world->doc, true, &FIRST));
    doc_add(world->doc, list, doc_string(world->doc, STR("x"), &FIRST));

    assert_int_equal(doc_count(list), 3);
    assert_int_equal(list->first->integer, 7);
    assert_true(list->first->next->boolean);
    assert_int_equal(list->last->kind, DOC_STRING);
}

static void test_leaf_has_the_origin_it_was_given(void **state) {
    const World *world = *state;

    const DocNode *leaf = doc_string(world->doc, STR("x"), &FIRST);

    assert_true(doc_is_leaf(leaf));
    assert_ptr_equal(leaf->origin, &FIRST);
}

static void test_reason_in_force_is_joined_behind_the_leafs_own(void **state) {
    const World *world = *state;

    doc_because(world->doc, &SECOND);
    const DocNode *leaf = doc_string(world->doc, STR("x"), &FIRST);
    doc_unbecause(world->doc);

    assert_int_equal(leaf->origin->kind, ORIGIN_JOIN);
    assert_ptr_equal(leaf->origin->left, &FIRST);
    assert_ptr_equal(leaf->origin->right, &SECOND);
}

static void test_reason_ends_with_its_unbecause(void **state) {
    const World *world = *state;

    doc_because(world->doc, &SECOND);
    doc_unbecause(world->doc);
    const DocNode *leaf = doc_string(world->doc, STR("x"), &FIRST);

    assert_ptr_equal(leaf->origin, &FIRST);
}

static void test_inner_reason_comes_before_the_outer_one(void **state) {
    const World *world = *state;

    doc_because(world->doc, &SECOND);
    doc_because(world->doc, &THIRD);
    const DocNode *leaf = doc_string(world->doc, STR("x"), &FIRST);
    doc_unbecause(world->doc);
    doc_unbecause(world->doc);

    assert_ptr_equal(leaf->origin->left, &FIRST);
    assert_ptr_equal(leaf->origin->right->left, &THIRD);
    assert_ptr_equal(leaf->origin->right->right, &SECOND);
}

static void test_reason_of_null_changes_nothing(void **state) {
    const World *world = *state;

    doc_because(world->doc, &SECOND);
    doc_because(world->doc, NULL);
    const DocNode *leaf = doc_string(world->doc, STR("x"), NULL);
    doc_unbecause(world->doc);
    doc_unbecause(world->doc);

    assert_ptr_equal(leaf->origin, &SECOND);
}

static void test_leaves_with_one_origin_share_its_join(void **state) {
    const World *world = *state;

    doc_because(world->doc, &SECOND);
    const DocNode *one = doc_string(world->doc, STR("x"), &FIRST);
    const DocNode *other = doc_string(world->doc, STR("y"), &FIRST);
    doc_unbecause(world->doc);

    assert_ptr_equal(one->origin, other->origin);
}

static void test_join_is_not_kept_for_another_reason(void **state) {
    const World *world = *state;

    doc_because(world->doc, &SECOND);
    doc_string(world->doc, STR("x"), &FIRST);
    doc_unbecause(world->doc);
    doc_because(world->doc, &THIRD);
    const DocNode *leaf = doc_string(world->doc, STR("y"), &FIRST);
    doc_unbecause(world->doc);

    assert_ptr_equal(leaf->origin->right, &THIRD);
}

static void test_collections_and_calls_are_no_leaves(void **state) {
    const World *world = *state;
    DocNode *child = doc_string(world->doc, STR("x"), &FIRST);

    assert_false(doc_is_leaf(doc_list(world->doc)));
    assert_false(doc_is_leaf(doc_map(world->doc)));
    assert_false(doc_is_leaf(doc_call(world->doc, CALL_REF, child)));
}

static void test_ref_and_condition_have_no_prefix_in_their_long_form(void **state) {
    (void)state;

    assert_string_equal(doc_call_row(CALL_REF)->key, "Ref");
    assert_string_equal(doc_call_row(CALL_CONDITION)->key, "Condition");
    assert_string_equal(doc_call_row(CALL_SUB)->key, "Fn::Sub");
}

static void test_every_call_has_one_name_in_both_forms(void **state) {
    (void)state;
    for (int call = 0; call < CALL_COUNT; call++) {
        const DocCallRow *row = doc_call_row((DocCall)call);
        const size_t prefix = strncmp(row->key, "Fn::", 4) == 0 ? 4 : 0;

        assert_int_equal(row->tag[0], '!');
        assert_string_equal(row->tag + 1, row->key + prefix);
    }
}

// ---- paths -------------------------------------------------------------------------------------------------------

static void assert_fault(const World *world, Str text, size_t offset, const char *fault) {
    DocPath path = { .arena = world->session->arena, .text = text };
    DocStep step;
    while (doc_path_next(&path, &step)) {}
    assert_non_null(path.fault);
    assert_string_equal(path.fault, fault);
    assert_int_equal(path.offset, offset);
}

static void test_path_is_read_step_by_step(void **state) {
    const World *world = *state;
    DocPath path = { .arena = world->session->arena, .text = STR("Queues[Name=gpu.0][12].Tags[+]") };
    DocStep steps[6];
    int count = 0;

    while (doc_path_next(&path, &steps[count])) {
        count++;
    }

    assert_null(path.fault);
    assert_int_equal(count, 5);
    assert_str(steps[0].key, "Queues");
    assert_int_equal(steps[1].kind, STEP_MATCH);
    assert_str(steps[1].key, "Name");
    assert_str(steps[1].value, "gpu.0");
    assert_int_equal(steps[2].kind, STEP_INDEX);
    assert_int_equal(steps[2].index, 12);
    assert_str(steps[3].key, "Tags");
    assert_int_equal(steps[4].kind, STEP_APPEND);
}

static void test_quoted_key_holds_anything(void **state) {
    const World *world = *state;
    DocPath path = { .arena = world->session->arena, .text = STR("[\"a.b/[c]\\\"\\\\\"].d") };
    DocStep step;

    assert_true(doc_path_next(&path, &step));

    assert_int_equal(step.kind, STEP_KEY);
    assert_str(step.key, "a.b/[c]\"\\");
    assert_true(doc_path_next(&path, &step));
    assert_str(step.key, "d");
    assert_false(doc_path_next(&path, &step));
}

static void test_value_to_match_may_be_quoted(void **state) {
    const World *world = *state;
    DocPath path = { .arena = world->session->arena, .text = STR("[Name=\"a]b\"]") };
    DocStep step;

    assert_true(doc_path_next(&path, &step));

    assert_str(step.value, "a]b");
}

static void test_huge_index_is_the_largest_and_does_not_wrap(void **state) {
    const World *world = *state;
    DocPath path = { .arena = world->session->arena, .text = STR("[18446744073709551616]") };
    DocStep step;

    assert_true(doc_path_next(&path, &step));

    assert_int_equal(step.index, UINT32_MAX);
}

static void test_path_that_cannot_be_read_says_where_and_why(void **state) {
    const World *world = *state;

    assert_fault(world, STR(""), 0, "a key is missing");
    assert_fault(world, STR("a."), 2, "a key is missing");
    assert_fault(world, STR("a..b"), 2, "a key is missing");
    assert_fault(world, STR(".a"), 0, "a key is missing");
    assert_fault(world, STR("a]"), 1, "behind a step stands a dot or a `[`");
    assert_fault(world, STR("a[0]b"), 4, "behind a step stands a dot or a `[`");
    assert_fault(world, STR("a.]"), 2, "there is no `[` before the `]`");
    assert_fault(world, STR("a.[0]"), 2, "there is no dot before a `[`");
    assert_fault(world, STR("\"a\""), 0, "a key in quotes stands in brackets");
    assert_fault(world, STR("a[0"), 1, "the `]` is missing");
    assert_fault(world, STR("a[Name=x"), 1, "the `]` is missing");
    assert_fault(world, STR("a[\"x]"), 2, "the closing quote is missing");
    assert_fault(world, STR("a[\"\\x\"]"), 3, "a `\\` in quotes stands before `\"` or `\\`");
    assert_fault(world, STR("a[]"), 1, "brackets hold a number, `+`, `Name=value` or a key in quotes");
    assert_fault(world, STR("a[-1]"), 1, "brackets hold a number, `+`, `Name=value` or a key in quotes");
    assert_fault(world, STR("a[=x]"), 1, "brackets hold a number, `+`, `Name=value` or a key in quotes");
}

static void test_written_path_quotes_only_keys_that_need_it(void **state) {
    const World *world = *state;
    StrBuf path = { .arena = world->session->arena };

    doc_path_add_key(&path, STR("metadata"));
    doc_path_add_key(&path, STR("annotations"));
    doc_path_add_key(&path, STR("a.b/c"));
    doc_path_add_index(&path, 3);
    doc_path_add_key(&path, STR("Fn::Sub"));
    doc_path_add_key(&path, STR("q\"\\"));
    doc_path_add_key(&path, STR(""));

    assert_str(strbuf_str(&path), "metadata.annotations[\"a.b/c\"][3].Fn::Sub[\"q\\\"\\\\\"][\"\"]");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_new_document_is_an_empty_map),
        TEST(test_map_keeps_its_entries_in_order),
        TEST(test_put_returns_what_was_put),
        TEST(test_list_keeps_its_items_in_order),
        TEST(test_leaf_has_the_origin_it_was_given),
        TEST(test_reason_in_force_is_joined_behind_the_leafs_own),
        TEST(test_reason_ends_with_its_unbecause),
        TEST(test_inner_reason_comes_before_the_outer_one),
        TEST(test_reason_of_null_changes_nothing),
        TEST(test_leaves_with_one_origin_share_its_join),
        TEST(test_join_is_not_kept_for_another_reason),
        TEST(test_collections_and_calls_are_no_leaves),
        TEST(test_ref_and_condition_have_no_prefix_in_their_long_form),
        TEST(test_every_call_has_one_name_in_both_forms),
        TEST(test_path_is_read_step_by_step),
        TEST(test_quoted_key_holds_anything),
        TEST(test_value_to_match_may_be_quoted),
        TEST(test_huge_index_is_the_largest_and_does_not_wrap),
        TEST(test_path_that_cannot_be_read_says_where_and_why),
        TEST(test_written_path_quotes_only_keys_that_need_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
