#include "emitters/doc/doc.h"

#include "compiler/base/json.h"
#include "compiler/base/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const Origin ORIGIN = { .kind = ORIGIN_CONSTANT, .name = "batch.imds", .text = "tokens only" };

typedef struct {
    Session *session;
    Doc *doc;
    DocNode *root;
} World;

static int set_up(void **state) {
    World *world = calloc(1, sizeof(*world));
    world->session = session_create();
    world->doc = doc_create(world->session, world->session->arena);
    world->root = doc_root(world->doc);
    *state = world;
    return 0;
}

static int tear_down(void **state) {
    World *world = *state;
    session_destroy(world->session);
    free(world);
    return 0;
}

static DocNode *put(const World *world, const char *key, DocNode *value) {
    return doc_put(world->doc, world->root, str_of(key), value);
}

static DocNode *text(const World *world, const char *value) {
    return doc_string(world->doc, str_of(value), &ORIGIN);
}

static void assert_json(const World *world, const char *expected) {
    const Str json = doc_json_write(world->session->arena, world->doc, NULL);
    assert_string_equal(str_c(world->session->arena, json), expected);
}

static void test_scalars_are_written_as_json_has_them(void **state) {
    const World *world = *state;
    put(world, "b", doc_bool(world->doc, false, &ORIGIN));
    put(world, "i", doc_int(world->doc, -7, &ORIGIN));
    put(world, "s", text(world, "1.30"));
    put(world, "t", doc_block(world->doc, STR("a\n\tb\n"), &ORIGIN));

    assert_json(world, "{\n"
                       "  \"b\": false,\n"
                       "  \"i\": -7,\n"
                       "  \"s\": \"1.30\",\n"
                       "  \"t\": \"a\\n\\tb\\n\"\n"
                       "}\n");
}

static void test_intrinsics_take_their_long_form(void **state) {
    const World *world = *state;
    put(world, "A", doc_call(world->doc, CALL_REF, text(world, "Vpc")));
    put(world, "B", doc_call(world->doc, CALL_SUB, text(world, "${X}")));
    put(world, "C", doc_call(world->doc, CALL_CONDITION, text(world, "HasKey")));

    assert_json(world, "{\n"
                       "  \"A\": {\n"
                       "    \"Ref\": \"Vpc\"\n"
                       "  },\n"
                       "  \"B\": {\n"
                       "    \"Fn::Sub\": \"${X}\"\n"
                       "  },\n"
                       "  \"C\": {\n"
                       "    \"Condition\": \"HasKey\"\n"
                       "  }\n"
                       "}\n");
}

static void test_attribute_is_split_at_the_first_dot(void **state) {
    const World *world = *state;
    put(world, "A", doc_call(world->doc, CALL_GET_ATT, text(world, "Stack.Outputs.X")));

    assert_json(world, "{\n"
                       "  \"A\": {\n"
                       "    \"Fn::GetAtt\": [\n"
                       "      \"Stack\",\n"
                       "      \"Outputs.X\"\n"
                       "    ]\n"
                       "  }\n"
                       "}\n");
}

static void test_each_leaf_is_on_its_line(void **state) {
    const World *world = *state;
    put(world, "A", text(world, "leaf 1"));
    put(world, "E", doc_list(world->doc));
    put(world, "F", doc_map(world->doc));
    put(world, "G", doc_call(world->doc, CALL_GET_ATT, text(world, "leaf 2.x")));
    DocNode *list = put(world, "a.b", doc_list(world->doc));
    DocNode *item = doc_add(world->doc, list, doc_map(world->doc));
    doc_put(world->doc, item, STR("K"), doc_block(world->doc, STR("leaf 3\n\n\n"), &ORIGIN));
    doc_add(world->doc, list, doc_call(world->doc, CALL_BASE64, doc_call(world->doc, CALL_SUB, text(world, "leaf 4"))));
    put(world, "Z", text(world, "leaf 5"));
    DocLines lines = { 0 };

    const Str json = doc_json_write(world->session->arena, world->doc, &lines);

    static const char *const PATHS[] = { "A", "G.Fn::GetAtt", "[\"a.b\"][0].K", "[\"a.b\"][1].Fn::Base64.Fn::Sub",
                                         "Z" };
    assert_int_equal(lines.count, COUNT_OF(PATHS));
    const uint32_t source = source_add(world->session, STR("x.json"), json);
    for (uint32_t i = 0; i < lines.count; i++) {
        const Str line = source_line(world->session, source, lines.items[i].line);
        const Str wanted = str_format(world->session->arena, "leaf %u", i + 1);
        assert_true(str_find(line, wanted, 0) < line.len);
        assert_string_equal(str_c(world->session->arena, lines.items[i].path), PATHS[i]);
    }
}

static void test_without_blanks_all_is_on_one_line(void **state) {
    const World *world = *state;
    Arena *arena = world->session->arena;
    put(world, "A", text(world, "a b"));
    put(world, "E", doc_list(world->doc));
    DocNode *list = put(world, "L", doc_list(world->doc));
    doc_add(world->doc, list, doc_int(world->doc, 1, &ORIGIN));
    doc_add(world->doc, list, doc_call(world->doc, CALL_REF, text(world, "X")));
    DocLines lines = { 0 };
    doc_json_write(arena, world->doc, &lines);

    const Str json = doc_json_write_line(arena, world->doc, &lines);

    assert_string_equal(str_c(arena, json), "{\"A\":\"a b\",\"E\":[],\"L\":[1,{\"Ref\":\"X\"}]}\n");
    assert_int_equal(lines.count, 3);
    for (uint32_t i = 0; i < lines.count; i++) {
        assert_int_equal(lines.items[i].line, 1);
    }
}

// ---- source maps ---------------------------------------------------------------------------------------------------

static void test_map_names_every_origin_once_in_order(void **state) {
    const World *world = *state;
    Arena *arena = world->session->arena;
    const uint32_t source = source_add(world->session, STR("infra.dt"), STR("dt 1\nname = \xC3\xA9t\n"));
    const Origin *span = origin_span(arena, (Span){ .source = source, .start = 12, .end = 15 });
    const Origin *schema = origin_schema(arena, "p4d.24xlarge");
    const Origin input = { .kind = ORIGIN_INPUT, .name = "odcr" };
    const Origin twice = { .kind = ORIGIN_JOIN, .left = span, .right = schema };
    const Origin inner = { .kind = ORIGIN_JOIN, .left = &twice, .right = &input };
    const Origin outer = { .kind = ORIGIN_JOIN, .left = &inner, .right = span };
    doc_because(world->doc, &ORIGIN);
    put(world, "A", doc_int(world->doc, 1, &outer));
    doc_unbecause(world->doc);
    DocLines lines = { 0 };
    yaml_write(arena, world->doc, STR_NONE, &lines);

    const Str map = doc_map_write(world->session, arena, STR("lab.cfn.yaml"), &lines);

    assert_string_equal(str_c(arena, map), "{\n"
                                           "  \"version\": 1,\n"
                                           "  \"file\": \"lab.cfn.yaml\",\n"
                                           "  \"leaves\": [\n"
                                           "    {\n"
                                           "      \"path\": \"A\",\n"
                                           "      \"line\": 1,\n"
                                           "      \"origins\": [\n"
                                           "        {\n"
                                           "          \"kind\": \"span\",\n"
                                           "          \"file\": \"infra.dt\",\n"
                                           "          \"line\": 2,\n"
                                           "          \"column\": 8,\n"
                                           "          \"end_line\": 2,\n"
                                           "          \"end_column\": 10\n"
                                           "        },\n"
                                           "        {\n"
                                           "          \"kind\": \"schema\",\n"
                                           "          \"name\": \"p4d.24xlarge\"\n"
                                           "        },\n"
                                           "        {\n"
                                           "          \"kind\": \"input\",\n"
                                           "          \"name\": \"odcr\"\n"
                                           "        },\n"
                                           "        {\n"
                                           "          \"kind\": \"constant\",\n"
                                           "          \"name\": \"batch.imds\",\n"
                                           "          \"text\": \"tokens only\"\n"
                                           "        }\n"
                                           "      ]\n"
                                           "    }\n"
                                           "  ]\n"
                                           "}\n");
}

static void test_map_of_no_leaves_is_an_empty_list(void **state) {
    const World *world = *state;
    const DocLines lines = { 0 };

    const Str map = doc_map_write(world->session, world->session->arena, STR("x"), &lines);

    assert_string_equal(str_c(world->session->arena, map), "{\n"
                                                           "  \"version\": 1,\n"
                                                           "  \"file\": \"x\",\n"
                                                           "  \"leaves\": []\n"
                                                           "}\n");
}

// A hundred values, each made of the two before it, have more paths to their reasons than a machine can walk.
static void test_map_of_shared_origins_ends(void **state) {
    const World *world = *state;
    Origin chain[100] = { { .kind = ORIGIN_SCHEMA, .name = "a" }, { .kind = ORIGIN_SCHEMA, .name = "b" } };
    for (size_t i = 2; i < COUNT_OF(chain); i++) {
        chain[i] = (Origin){ .kind = ORIGIN_JOIN, .left = &chain[i - 1], .right = &chain[i - 2] };
    }
    put(world, "A", doc_int(world->doc, 1, &chain[COUNT_OF(chain) - 1]));
    DocLines lines = { 0 };
    yaml_write(world->session->arena, world->doc, STR_NONE, &lines);

    const Str map = doc_map_write(world->session, world->session->arena, STR("x"), &lines);

    assert_true(str_find(map, STR("truncated"), 0) == map.len);
    const size_t last = str_find(map, STR("\"a\""), 0);
    assert_true(last < map.len && str_find(map, STR("\"b\""), 0) < last);
}

static void test_map_of_too_many_origins_says_so(void **state) {
    const World *world = *state;
    Origin leaves[400];
    Origin joins[400];
    for (size_t i = 0; i < COUNT_OF(leaves); i++) {
        const Str name = str_format(world->session->arena, "row.%zu", i);
        leaves[i] = (Origin){ .kind = ORIGIN_SCHEMA, .name = str_c(world->session->arena, name) };
        joins[i] = (Origin){ .kind = ORIGIN_JOIN, .left = i == 0 ? &leaves[0] : &joins[i - 1], .right = &leaves[i] };
    }
    put(world, "A", doc_int(world->doc, 1, &joins[399]));
    DocLines lines = { 0 };
    yaml_write(world->session->arena, world->doc, STR_NONE, &lines);

    const Str map = doc_map_write(world->session, world->session->arena, STR("x"), &lines);

    assert_true(str_find(map, STR("\"truncated\": true"), 0) < map.len);
    assert_true(str_find(map, STR("row.399"), 0) < map.len);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_scalars_are_written_as_json_has_them), TEST(test_intrinsics_take_their_long_form),
        TEST(test_attribute_is_split_at_the_first_dot),  TEST(test_each_leaf_is_on_its_line),
        TEST(test_without_blanks_all_is_on_one_line),    TEST(test_map_names_every_origin_once_in_order),
        TEST(test_map_of_no_leaves_is_an_empty_list),    TEST(test_map_of_shared_origins_ends),
        TEST(test_map_of_too_many_origins_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
