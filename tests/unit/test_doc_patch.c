#include "emitters/doc/doc.h"

#include "compiler/base/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const Origin ORIGIN = { .kind = ORIGIN_CONSTANT, .name = "test", .text = "because of the test" };

typedef struct {
    Session *session;
    Doc *doc;
    DocNode *queues;
    DocNode *vpc;
} World;

static DocNode *text(const World *world, const char *value) {
    return doc_string(world->doc, str_of(value), &ORIGIN);
}

// Scheduling.SlurmQueues: two maps with a Name; Resources.Vpc: a Cidr, a Name that is a call, and annotations.
static int set_up(void **state) {
    World *world = calloc(1, sizeof(*world));
    world->session = session_create();
    world->doc = doc_create(world->session, world->session->arena);
    Doc *doc = world->doc;
    DocNode *scheduling = doc_put(doc, doc_root(doc), STR("Scheduling"), doc_map(doc));
    world->queues = doc_put(doc, scheduling, STR("SlurmQueues"), doc_list(doc));
    static const char *const NAMES[] = { "gpu", "workers" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        DocNode *queue = doc_add(doc, world->queues, doc_map(doc));
        doc_put(doc, queue, STR("Name"), text(world, NAMES[i]));
        doc_put(doc, queue, STR("Size"), doc_int(doc, 4, &ORIGIN));
    }
    DocNode *resources = doc_put(doc, doc_root(doc), STR("Resources"), doc_map(doc));
    world->vpc = doc_put(doc, resources, STR("Vpc"), doc_map(doc));
    doc_put(doc, world->vpc, STR("Cidr"), text(world, "10.0.0.0/16"));
    doc_put(doc, world->vpc, STR("Name"), doc_call(doc, CALL_SUB, text(world, "x")));
    DocNode *annotations = doc_put(doc, world->vpc, STR("annotations"), doc_map(doc));
    doc_put(doc, annotations, STR("a.b/c"), text(world, "1"));
    *state = world;
    return 0;
}

static int tear_down(void **state) {
    World *world = *state;
    session_destroy(world->session);
    free(world);
    return 0;
}

// The document as one line of flow-like text would hide its form; its YAML is what people compare.
static void assert_patched(const World *world, const char *path, DocNode *value, const char *expected) {
    assert_true(doc_patch(world->doc, str_of(path), SPAN_NONE, value));
    assert_int_equal(world->session->diags.items.count, 0);
    const Str yaml = yaml_write(world->session->arena, world->doc, STR_NONE, NULL);
    assert_string_equal(str_c(world->session->arena, yaml), expected);
}

static const char *assert_refused(const World *world, const char *path, DocNode *value) {
    const Str before = yaml_write(world->session->arena, world->doc, STR_NONE, NULL);
    assert_false(doc_patch(world->doc, str_of(path), SPAN_NONE, value));
    assert_int_equal(world->session->diags.items.count, 1);
    const Str after = yaml_write(world->session->arena, world->doc, STR_NONE, NULL);
    assert_true(str_equal(before, after));
    return str_c(world->session->arena, world->session->diags.items.items[0]->message);
}

static const char *first_help(const World *world) {
    const Diag *diag = world->session->diags.items.items[0];
    return diag->helps.count == 0 ? "" : str_c(world->session->arena, diag->helps.items[0]);
}

static const char *first_note(const World *world) {
    const Diag *diag = world->session->diags.items.items[0];
    return diag->notes.count == 0 ? "" : str_c(world->session->arena, diag->notes.items[0]);
}

#define QUEUES            \
    "Scheduling:\n"       \
    "  SlurmQueues:\n"    \
    "  - Name: gpu\n"     \
    "    Size: 4\n"       \
    "  - Name: workers\n" \
    "    Size: 4\n"
#define RESOURCES             \
    "Resources:\n"            \
    "  Vpc:\n"                \
    "    Cidr: 10.0.0.0/16\n" \
    "    Name: !Sub x\n"      \
    "    annotations:\n"      \
    "      a.b/c: \"1\"\n"

static void test_patch_replaces_a_value_in_its_place(void **state) {
    const World *world = *state;

    assert_patched(world, "Resources.Vpc.Cidr", text(world, "172.16.0.0/12"),
                   QUEUES "Resources:\n"
                          "  Vpc:\n"
                          "    Cidr: 172.16.0.0/12\n"
                          "    Name: !Sub x\n"
                          "    annotations:\n"
                          "      a.b/c: \"1\"\n");
}

static void test_patch_adds_a_key_at_the_end(void **state) {
    const World *world = *state;

    assert_patched(world, "Resources.Vpc.New", doc_bool(world->doc, true, &ORIGIN), QUEUES RESOURCES "    New: true\n");
}

static void test_patch_adds_a_key_at_the_root(void **state) {
    const World *world = *state;

    assert_patched(world, "Outputs", doc_map(world->doc), QUEUES RESOURCES "Outputs: {}\n");
}

static void test_null_removes_a_key(void **state) {
    const World *world = *state;

    assert_patched(world, "Scheduling", NULL, RESOURCES);
}

static void test_null_removes_the_last_key_and_more_can_be_added(void **state) {
    const World *world = *state;

    assert_true(doc_patch(world->doc, STR("Resources"), SPAN_NONE, NULL));

    assert_patched(world, "More", doc_int(world->doc, 1, &ORIGIN), QUEUES "More: 1\n");
}

static void test_index_chooses_an_item(void **state) {
    const World *world = *state;

    assert_patched(world, "Scheduling.SlurmQueues[1].Size", doc_int(world->doc, 9, &ORIGIN),
                   "Scheduling:\n"
                   "  SlurmQueues:\n"
                   "  - Name: gpu\n"
                   "    Size: 4\n"
                   "  - Name: workers\n"
                   "    Size: 9\n" RESOURCES);
}

static void test_match_chooses_the_item_that_has_the_value(void **state) {
    const World *world = *state;

    assert_patched(world, "Scheduling.SlurmQueues[Name=workers]", NULL,
                   "Scheduling:\n"
                   "  SlurmQueues:\n"
                   "  - Name: gpu\n"
                   "    Size: 4\n" RESOURCES);
}

static void test_plus_appends_an_item(void **state) {
    const World *world = *state;

    assert_patched(world, "Scheduling.SlurmQueues[+]", text(world, "x"), QUEUES "  - x\n" RESOURCES);
}

static void test_list_may_become_empty_and_grow_again(void **state) {
    const World *world = *state;
    assert_true(doc_patch(world->doc, STR("Scheduling.SlurmQueues[0]"), SPAN_NONE, NULL));
    assert_true(doc_patch(world->doc, STR("Scheduling.SlurmQueues[0]"), SPAN_NONE, NULL));
    assert_int_equal(doc_count(world->queues), 0);

    assert_patched(world, "Scheduling.SlurmQueues[+]", text(world, "x"),
                   "Scheduling:\n"
                   "  SlurmQueues:\n"
                   "  - x\n" RESOURCES);
}

static void test_quoted_key_may_hold_dots(void **state) {
    const World *world = *state;

    assert_patched(world, "Resources.Vpc.annotations[\"a.b/c\"]", text(world, "y y"),
                   QUEUES "Resources:\n"
                          "  Vpc:\n"
                          "    Cidr: 10.0.0.0/16\n"
                          "    Name: !Sub x\n"
                          "    annotations:\n"
                          "      a.b/c: y y\n");
}

static void test_intrinsic_is_a_map_of_its_long_form(void **state) {
    const World *world = *state;

    assert_patched(world, "Resources.Vpc.Name.Fn::Sub", text(world, "z"),
                   QUEUES "Resources:\n"
                          "  Vpc:\n"
                          "    Cidr: 10.0.0.0/16\n"
                          "    Name: !Sub z\n"
                          "    annotations:\n"
                          "      a.b/c: \"1\"\n");
}

static void test_missing_step_names_what_is_there_instead(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Resources.Vpn.Cidr", text(world, "x"));

    assert_string_equal(message, "`Resources` has no `Vpn`");
    assert_string_equal(first_help(world), "did you mean `Vpc`?");
    assert_string_equal(first_note(world), "it has `Vpc`");
}

static void test_missing_first_step_is_the_files(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Outputs.X", text(world, "x"));

    assert_string_equal(message, "the file has no `Outputs`");
    assert_string_equal(first_note(world), "it has `Scheduling`, `Resources`");
}

static void test_of_eight_keys_three_are_listed(void **state) {
    const World *world = *state;
    static const char *const KEYS[] = { "k1", "k2", "k3", "k4", "k5" };
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        doc_put(world->doc, world->vpc, str_of(KEYS[i]), text(world, "x"));
    }

    assert_refused(world, "Resources.Vpc.absent.x", text(world, "x"));

    assert_string_equal(first_note(world),
                        "nearest of its 8 keys: `Name`, `annotations`, `Cidr`; a build without the patch shows all");
}

static void test_removing_what_is_absent_is_refused(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Resources.Vpc.Cidrs", NULL);

    assert_string_equal(message, "`Resources.Vpc` has no `Cidrs`");
}

static void test_key_of_a_list_is_refused(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Scheduling.SlurmQueues.Name", text(world, "x"));

    assert_string_equal(message, "`Scheduling.SlurmQueues` is a list, so it has no `Name`");
    assert_string_equal(first_help(world), "choose an item first: `[0]`, or `[Name=…]` for the one that has it");
}

static void test_key_of_a_string_is_refused(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Resources.Vpc.Cidr.x", text(world, "x"));

    assert_string_equal(message, "`Resources.Vpc.Cidr` is a string, so it has no `x`");
}

static void test_index_of_a_map_is_refused(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Resources[0]", text(world, "x"));

    assert_string_equal(message, "`Resources` is a map, so `[0]` chooses nothing in it");
}

static void test_index_of_an_intrinsic_names_its_long_form(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Resources.Vpc.Name[+]", text(world, "x"));

    assert_string_equal(message, "`Resources.Vpc.Name` is an intrinsic, so `[+]` chooses nothing in it");
    assert_string_equal(first_help(world), "its arguments are at `Fn::Sub`");
}

static void test_other_key_of_an_intrinsic_is_refused(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Resources.Vpc.Name.Ref", text(world, "x"));

    assert_string_equal(message, "`Resources.Vpc.Name` has no `Ref`");
    assert_string_equal(first_note(world), "it has `Fn::Sub`");
}

static void test_argument_of_an_intrinsic_cannot_be_removed(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Resources.Vpc.Name.Fn::Sub", NULL);

    assert_string_equal(message, "`Resources.Vpc.Name` is nothing without its `Fn::Sub`");
}

static void test_index_at_the_end_is_refused_with_the_count(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Scheduling.SlurmQueues[2]", text(world, "x"));

    assert_string_equal(message, "`Scheduling.SlurmQueues` has 2 items, so there is no `[2]`");
}

static void test_match_of_nothing_names_what_there_is(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Scheduling.SlurmQueues[Name=worker]", NULL);

    assert_string_equal(message, "no item of `Scheduling.SlurmQueues` has `Name` = `worker`");
    assert_string_equal(first_help(world), "did you mean `workers`?");
    assert_string_equal(first_note(world), "there `Name` is `gpu`, `workers`");
}

static void test_match_of_two_items_is_refused(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Scheduling.SlurmQueues[Size=4]", NULL);

    assert_string_equal(message, "2 items of `Scheduling.SlurmQueues` have `Size` = `4`");
}

static void test_plus_with_nothing_to_add_is_refused(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Scheduling.SlurmQueues[+]", NULL);

    assert_string_equal(message, "`[+]` adds an item, so there is nothing to remove");
}

static void test_plus_is_the_last_step_only(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Scheduling.SlurmQueues[+].Name", text(world, "x"));

    assert_string_equal(message,
                        "the path `Scheduling.SlurmQueues[+].Name` cannot be read: `[+]` can only be its last step");
}

static void test_unreadable_path_is_said_before_a_missing_step(void **state) {
    const World *world = *state;

    const char *message = assert_refused(world, "Absent.x[", text(world, "x"));

    assert_string_equal(message, "the path `Absent.x[` cannot be read: brackets hold a number, `+`, `Name=value` or a "
                                 "key in quotes");
}

static Span span_of_patch(const World *world, Str source) {
    const uint32_t number = source_add(world->session, STR("infra.dt"), source);
    return (Span){ .source = number, .start = 8, .end = (uint32_t)source.len - 6 };
}

static void test_message_points_at_the_step_in_a_plain_string(void **state) {
    const World *world = *state;
    const Span span = span_of_patch(world, STR("patch { \"Resources.Vpn.Cidr\" = 1 }"));

    doc_patch(world->doc, STR("Resources.Vpn.Cidr"), span, text(world, "x"));

    const Diag *diag = world->session->diags.items.items[0];
    assert_true(str_is(source_text(world->session, diag->span), "Vpn"));
}

static void test_message_points_at_the_step_in_a_raw_string(void **state) {
    const World *world = *state;
    const Span span = span_of_patch(world, STR("patch { r\"Resources.Vpn.Cidr\" = 1 }"));

    doc_patch(world->doc, STR("Resources.Vpn.Cidr"), span, text(world, "x"));

    const Diag *diag = world->session->diags.items.items[0];
    assert_true(str_is(source_text(world->session, diag->span), "Vpn"));
}

static void test_message_points_at_the_whole_string_where_it_has_escapes(void **state) {
    const World *world = *state;
    const Span span = span_of_patch(world, STR("patch { \"Resources[\\\"Vpn\\\"].Cidr\" = 1 }"));

    doc_patch(world->doc, STR("Resources[\"Vpn\"].Cidr"), span, text(world, "x"));

    const Diag *diag = world->session->diags.items.items[0];
    assert_true(str_is(source_text(world->session, diag->span), "\"Resources[\\\"Vpn\\\"].Cidr\""));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_patch_replaces_a_value_in_its_place),
        TEST(test_patch_adds_a_key_at_the_end),
        TEST(test_patch_adds_a_key_at_the_root),
        TEST(test_null_removes_a_key),
        TEST(test_null_removes_the_last_key_and_more_can_be_added),
        TEST(test_index_chooses_an_item),
        TEST(test_match_chooses_the_item_that_has_the_value),
        TEST(test_plus_appends_an_item),
        TEST(test_list_may_become_empty_and_grow_again),
        TEST(test_quoted_key_may_hold_dots),
        TEST(test_intrinsic_is_a_map_of_its_long_form),
        TEST(test_missing_step_names_what_is_there_instead),
        TEST(test_missing_first_step_is_the_files),
        TEST(test_of_eight_keys_three_are_listed),
        TEST(test_removing_what_is_absent_is_refused),
        TEST(test_key_of_a_list_is_refused),
        TEST(test_key_of_a_string_is_refused),
        TEST(test_index_of_a_map_is_refused),
        TEST(test_index_of_an_intrinsic_names_its_long_form),
        TEST(test_other_key_of_an_intrinsic_is_refused),
        TEST(test_argument_of_an_intrinsic_cannot_be_removed),
        TEST(test_index_at_the_end_is_refused_with_the_count),
        TEST(test_match_of_nothing_names_what_there_is),
        TEST(test_match_of_two_items_is_refused),
        TEST(test_plus_with_nothing_to_add_is_refused),
        TEST(test_plus_is_the_last_step_only),
        TEST(test_unreadable_path_is_said_before_a_missing_step),
        TEST(test_message_points_at_the_step_in_a_plain_string),
        TEST(test_message_points_at_the_step_in_a_raw_string),
        TEST(test_message_points_at_the_whole_string_where_it_has_escapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
