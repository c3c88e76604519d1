#include "emitters/cloudformation/batch/batch.h"

#include "tests/support/cloudformation_plan.h"

typedef struct {
    Session *session;
    Stack *stack;
    PlanNodes nodes;
} World;

static int world_setup(void **state) {
    Session *session = session_create();
    World *world = arena_new(session->arena, World);
    *world = (World){ .session = session, .stack = a_stack(session, a_plan(session)) };
    world->nodes.head = a_head(session, "gpu", &KIND_ROWS[KIND_NODES]);
    Span *spans = arena_new_array(session->arena, Span, (size_t)KIND_ROWS[KIND_NODES].attribute_count);
    PlanCluster *cluster = arena_new(session->arena, PlanCluster);
    cluster->head = a_head(session, "llm", &KIND_ROWS[KIND_CLUSTER]);
    world->nodes.cluster = cluster;
    ((Block *)world->nodes.head.block)->subject.attribute_spans = spans;
    *state = world;
    return 0;
}

static int world_teardown(void **state) {
    const World *world = *state;
    arena_destroy(world->stack->arena);
    session_destroy(world->session);
    return 0;
}

// A script of `size` bytes.
static void add_script(World *world, size_t size) {
    StrBuf text = { .arena = world->session->arena };
    strbuf_add(&text, STR("#!/bin/sh\n"));
    strbuf_add_repeated(&text, '#', size - text.len - 1);
    strbuf_add_char(&text, '\n');
    const PlanScript script = { .value = a_string(world->session, ""), .name = STR("a.sh"), .text = strbuf_str(&text) };
    vec_push(world->session->arena, &world->nodes.setup, script);
}

// The text of the property; empty where there is none.
static Str user_data(World *world) {
    DocNode *data = doc_map(world->stack->doc);
    batch_add_user_data(world->stack, data, &world->nodes);
    const DocNode *property = doc_get(data, STR("UserData"));
    return property == NULL ? STR_NONE : property->first->string;
}

// Makes user data of exactly `size` bytes.
static void make(World *world, size_t size) {
    add_script(world, 1000);
    const size_t rest = user_data(world).len - 1000;
    world->nodes.setup.count = 0;
    add_script(world, size - rest);
    assert_int_equal(user_data(world).len, size);
}

static void test_group_with_nothing_to_run_has_no_user_data(void **state) {
    World *world = *state;

    assert_int_equal(user_data(world).len, 0);
    assert_int_equal(world->stack->decisions.count, 0);
}

static void test_size_is_told(void **state) {
    World *world = *state;
    make(world, 5000);

    const Str text = world->stack->decisions.items[1].text;
    assert_true(str_starts_with(text, STR("5000 bytes of user data, of 16384: what they share ")));
    assert_true(str_find(text, STR(", a.sh "), 0) < text.len);
    assert_int_equal(world->session->diags.items.count, 0);
}

static void test_last_size_without_a_warning(void **state) {
    World *world = *state;
    make(world, 15400);

    assert_int_equal(world->session->diags.items.count, 0);
}

static void test_first_size_with_a_warning(void **state) {
    World *world = *state;
    make(world, 15401);

    assert_int_equal(world->session->diags.items.items[0]->id, DIAG_user_data_large);
}

static void test_last_size_that_ec2_takes(void **state) {
    World *world = *state;
    make(world, 16384);

    assert_int_equal(world->session->diags.items.items[0]->id, DIAG_user_data_large);
}

static void test_first_size_that_ec2_refuses(void **state) {
    World *world = *state;
    make(world, 16385);

    assert_int_equal(world->session->diags.items.items[0]->id, DIAG_user_data_too_large);
}

static void test_path_is_a_word_of_the_shell(void **state) {
    World *world = *state;
    world->nodes.scratch = a_string(world->session, "/a b'$(id)");

    Str text = user_data(world);

    assert_true(str_find(text, STR("\nmount_point='/a b'\\''$(id)'\n. /run/dtc/fail.sh\n"), 0) < text.len);
}

static void test_url_and_sum_are_words_of_the_shell(void **state) {
    World *world = *state;
    const PlanScript script = { .value = a_string(world->session, ""),
                                .name = STR("https://x/$(id)"),
                                .sha256 = STR("0a") };
    vec_push(world->session->arena, &world->nodes.setup, script);

    Str text = user_data(world);

    assert_true(str_find(text, STR("\nfetch 1 'https://x/$(id)' 0a\n"), 0) < text.len);
}

// ---- the check of the nodes

// A check as it is where nobody wrote one.
static void add_check(World *world) {
    Value *limit = arena_new(world->session->arena, Value);
    *limit = (Value){ .kind = VALUE_DURATION, .integer = 60000 };
    PlanValidate *validate = arena_new(world->session->arena, PlanValidate);
    *validate = (PlanValidate){ .limit = limit, .record = STR("dtc-expect 1\ngroup gpu\n") };
    InstanceRow *row = arena_new(world->session->arena, InstanceRow);
    row->architecture = ARCHITECTURE_X86_64;
    PlanCluster *cluster = arena_new(world->session->arena, PlanCluster);
    Value *most = arena_new(world->session->arena, Value);
    *most = (Value){ .kind = VALUE_INT, .integer = 64 };
    cluster->target = TARGET_BATCH;
    world->nodes.cluster = cluster;
    world->nodes.count.high = most;
    world->nodes.instance = row;
    world->nodes.validate = validate;
    world->stack->output = arena_new(world->session->arena, Output);
}

static void test_check_is_the_last_part(void **state) {
    World *world = *state;
    add_check(world);
    add_script(world, 500);

    const Str text = user_data(world);

    const size_t check = str_find(text, STR("\npreflight <<'END'\n"), 0);
    assert_true(str_find(text, STR("\nsetup 1 a.sh "), 0) < check && check < text.len);
    assert_true(str_ends_with(text, STR("\nEND\n\n--==PART==--\n")));
    assert_int_equal(world->session->diags.items.count, 0);
}

static void test_check_that_nobody_asked_for_gives_way(void **state) {
    World *world = *state;
    add_check(world);
    add_script(world, 4000);

    const Str text = user_data(world);

    assert_true(str_find(text, STR("\nsetup 1 a.sh "), 0) < text.len);
    assert_int_equal(str_find(text, STR("preflight"), 0), text.len);
    assert_int_equal(world->session->diags.items.count, 1);
    assert_int_equal(world->session->diags.items.items[0]->id, DIAG_check_left_out);
}

static void test_check_that_was_asked_for_stays(void **state) {
    World *world = *state;
    add_check(world);
    ((PlanValidate *)world->nodes.validate)->part = world->nodes.head.part;
    add_script(world, 9000);

    const Str text = user_data(world);

    assert_true(str_find(text, STR("\npreflight <<'END'\n"), 0) < text.len);
    assert_int_equal(world->session->diags.items.items[0]->id, DIAG_user_data_too_large);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, world_setup, world_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_group_with_nothing_to_run_has_no_user_data),
        TEST(test_size_is_told),
        TEST(test_last_size_without_a_warning),
        TEST(test_first_size_with_a_warning),
        TEST(test_last_size_that_ec2_takes),
        TEST(test_first_size_that_ec2_refuses),
        TEST(test_path_is_a_word_of_the_shell),
        TEST(test_url_and_sum_are_words_of_the_shell),
        TEST(test_check_is_the_last_part),
        TEST(test_check_that_nobody_asked_for_gives_way),
        TEST(test_check_that_was_asked_for_stays),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
