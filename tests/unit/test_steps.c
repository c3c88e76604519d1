#include "compiler/driver/output/steps.h"
#include "emitters/deployment/order.h"

#include "compiler/base/json.h"
#include "compiler/base/version.h"
#include "tests/support/check.h"

static int set_up(void **state) {
    *state = arena_create();
    return 0;
}

static int tear_down(void **state) {
    arena_destroy(*state);
    return 0;
}

static void add_step(Arena *arena, Output *output, const char *file, int wave) {
    const Str name = str_of(file);
    const Artifact artifact = {
        .name = name,
        .content = name,
        .step = { .file = name, .name = name, .wave = wave, .apply = STR("apply"), .remove = name },
    };
    vec_push(arena, &output->artifacts, artifact);
}

static void test_steps_stand_in_order_of_their_waves(void **state) {
    Output output = { 0 };
    add_step(*state, &output, "late", 1);
    add_step(*state, &output, "first", 0);
    add_step(*state, &output, "second", 0);

    const Steps steps = order_steps(*state, &output);

    assert_int_equal(steps.count, 3);
    assert_text(steps.items[0].step->name, "first");
    assert_text(steps.items[1].step->name, "second");
    assert_text(steps.items[2].step->name, "late");
}

static void test_what_waits_is_deleted_and_not_applied(void **state) {
    Output output = { 0 };
    add_step(*state, &output, "network", 0);
    add_step(*state, &output, "cluster", 1);
    const MissingFact fact = { .stack = STR("network"), .name = STR("VPC") };
    vec_push(*state, &output.artifacts.items[1].missing, fact);
    const ListedFile network = { .name = STR("network"), .sha256 = STR("00") };
    ListedFiles files = { 0 };
    vec_push(*state, &files, network);
    Session *session = session_create();

    const Str text = steps_write(*state, STR("infra.dt"), &output, &files);
    const Data *plan = json_read(session, source_add(session, STR("plan.json"), text));

    const Data *deletions = data_get(plan, "delete");
    assert_int_equal(data_get(plan, "waves")->count, 1);
    assert_int_equal(deletions->count, 2);
    assert_text(data_get(deletions->items[0], "name")->string, "cluster");
    assert_text(data_get(deletions->items[1], "name")->string, "network");
    session_destroy(session);
}

static void test_artifact_without_a_step_is_no_step(void **state) {
    Output output = { 0 };
    const Artifact script = { .name = STR("a.sh") };
    vec_push(*state, &output.artifacts, script);

    const Steps steps = order_steps(*state, &output);

    assert_int_equal(steps.count, 0);
}

static void test_step_without_a_file_stands_behind_those_of_its_wave(void **state) {
    Output output = { 0 };
    const DeploymentStep secret = { .kind = STR("secret"), .name = STR("key"), .wave = 1 };
    vec_push(*state, &output.steps, secret);
    add_step(*state, &output, "later", 1);
    add_step(*state, &output, "stack", 0);

    const Steps steps = order_steps(*state, &output);

    assert_int_equal(steps.count, 3);
    assert_text(steps.items[1].step->name, "later");
    assert_text(steps.items[2].step->name, "key");
    assert_null(steps.items[2].artifact);
}

static void test_step_without_a_file_has_no_sum_and_is_not_undone(void **state) {
    Output output = { 0 };
    const ListedFiles files = { 0 };
    const DeploymentStep secret = { .kind = STR("secret"), .name = STR("key"), .apply = STR("fill") };
    vec_push(*state, &output.steps, secret);

    const Str text = steps_write(*state, STR("a.dt"), &output, &files);

    assert_text(text, "{\n"
                      "  \"version\": 1,\n"
                      "  \"dtc\": \"" DTC_VERSION "\",\n"
                      "  \"source\": \"a.dt\",\n"
                      "  \"waves\": [\n"
                      "    [\n"
                      "      {\n"
                      "        \"kind\": \"secret\",\n"
                      "        \"name\": \"key\",\n"
                      "        \"apply\": \"fill\",\n"
                      "        \"needs\": [],\n"
                      "        \"provides\": [],\n"
                      "        \"parameters\": []\n"
                      "      }\n"
                      "    ]\n"
                      "  ],\n"
                      "  \"waiting\": [],\n"
                      "  \"delete\": [],\n"
                      "  \"quotas\": [],\n"
                      "  \"files\": []\n"
                      "}\n");
}

static void test_source_is_named_without_its_folder(void **state) {
    const Output output = { 0 };
    const ListedFiles files = { 0 };

    const Str text = steps_write(*state, STR("/somewhere/infra.dt"), &output, &files);

    assert_text(text, "{\n"
                      "  \"version\": 1,\n"
                      "  \"dtc\": \"" DTC_VERSION "\",\n"
                      "  \"source\": \"infra.dt\",\n"
                      "  \"waves\": [],\n"
                      "  \"waiting\": [],\n"
                      "  \"delete\": [],\n"
                      "  \"quotas\": [],\n"
                      "  \"files\": []\n"
                      "}\n");
}

static void test_deletion_goes_backwards(void **state) {
    Output output = { 0 };
    ListedFiles files = { 0 };
    add_step(*state, &output, "network", 0);
    add_step(*state, &output, "cluster", 1);
    vec_push(*state, &files, (ListedFile){ .name = STR("network"), .sha256 = STR("00") });
    vec_push(*state, &files, (ListedFile){ .name = STR("cluster"), .sha256 = STR("00") });

    const Str text = steps_write(*state, STR("a.dt"), &output, &files);

    assert_text(text, "{\n"
                      "  \"version\": 1,\n"
                      "  \"dtc\": \"" DTC_VERSION "\",\n"
                      "  \"source\": \"a.dt\",\n"
                      "  \"waves\": [\n"
                      "    [\n"
                      "      {\n"
                      "        \"file\": \"network\",\n"
                      "        \"kind\": \"\",\n"
                      "        \"name\": \"network\",\n"
                      "        \"apply\": \"apply\",\n"
                      "        \"needs\": [],\n"
                      "        \"provides\": [],\n"
                      "        \"parameters\": [],\n"
                      "        \"sha256\": \"00\"\n"
                      "      }\n"
                      "    ],\n"
                      "    [\n"
                      "      {\n"
                      "        \"file\": \"cluster\",\n"
                      "        \"kind\": \"\",\n"
                      "        \"name\": \"cluster\",\n"
                      "        \"apply\": \"apply\",\n"
                      "        \"needs\": [],\n"
                      "        \"provides\": [],\n"
                      "        \"parameters\": [],\n"
                      "        \"sha256\": \"00\"\n"
                      "      }\n"
                      "    ]\n"
                      "  ],\n"
                      "  \"waiting\": [],\n"
                      "  \"delete\": [\n"
                      "    {\n"
                      "      \"name\": \"cluster\",\n"
                      "      \"command\": \"cluster\"\n"
                      "    },\n"
                      "    {\n"
                      "      \"name\": \"network\",\n"
                      "      \"command\": \"network\"\n"
                      "    }\n"
                      "  ],\n"
                      "  \"quotas\": [],\n"
                      "  \"files\": [\n"
                      "    {\n"
                      "      \"name\": \"network\",\n"
                      "      \"sha256\": \"00\"\n"
                      "    },\n"
                      "    {\n"
                      "      \"name\": \"cluster\",\n"
                      "      \"sha256\": \"00\"\n"
                      "    }\n"
                      "  ]\n"
                      "}\n");
}

static void test_listed_files_are_read_back(void **state) {
    const Output output = { 0 };
    ListedFiles files = { 0 };
    const ListedFile file = { .name = STR("lab.cfn.yaml"), .sha256 = STR("00") };
    vec_push(*state, &files, file);
    const Str text = steps_write(*state, STR("a.dt"), &output, &files);

    ListedFiles read;
    assert_true(steps_read_files(*state, text, &read));

    assert_int_equal(read.count, 1);
    assert_text(read.items[0].name, "lab.cfn.yaml");
    assert_text(read.items[0].sha256, "00");
}

static bool reads(Arena *arena, const char *text) {
    ListedFiles files;
    return steps_read_files(arena, str_of(text), &files);
}

static void test_plan_of_another_program_is_refused(void **state) {
    assert_false(reads(*state, "{\"format_version\":\"1.2\",\"planned_values\":{}}"));
}

static void test_text_that_is_no_json_is_refused(void **state) {
    assert_false(reads(*state, "<<<<<<< HEAD"));
}

static void test_text_that_is_no_utf8_is_refused(void **state) {
    assert_false(reads(*state, "\xff"));
}

static void test_plan_of_another_version_is_refused(void **state) {
    assert_false(reads(*state, "{\"version\":2,\"dtc\":\"9\",\"files\":[]}"));
}

static void test_plan_without_files_is_read(void **state) {
    assert_true(reads(*state, "{\"version\":1,\"dtc\":\"0\",\"files\":[]}"));
}

static void test_name_that_is_none_of_a_file_in_the_directory_is_refused(void **state) {
    assert_false(reads(*state, "{\"version\":1,\"dtc\":\"0\",\"files\":[{\"name\":\"../x\",\"sha256\":\"\"}]}"));
    assert_false(reads(*state, "{\"version\":1,\"dtc\":\"0\",\"files\":[{\"name\":\"a\\nb\",\"sha256\":\"\"}]}"));
}

static void test_hidden_name_is_refused(void **state) {
    assert_false(reads(*state, "{\"version\":1,\"dtc\":\"0\",\"files\":[{\"name\":\"..\",\"sha256\":\"\"}]}"));
}

static void test_plan_that_lists_itself_is_refused(void **state) {
    assert_false(reads(*state, "{\"version\":1,\"dtc\":\"0\",\"files\":[{\"name\":\"plan.json\",\"sha256\":\"\"}]}"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_steps_stand_in_order_of_their_waves),
        TEST(test_what_waits_is_deleted_and_not_applied),
        TEST(test_artifact_without_a_step_is_no_step),
        TEST(test_step_without_a_file_stands_behind_those_of_its_wave),
        TEST(test_step_without_a_file_has_no_sum_and_is_not_undone),
        TEST(test_source_is_named_without_its_folder),
        TEST(test_deletion_goes_backwards),
        TEST(test_listed_files_are_read_back),
        TEST(test_plan_of_another_program_is_refused),
        TEST(test_text_that_is_no_json_is_refused),
        TEST(test_text_that_is_no_utf8_is_refused),
        TEST(test_plan_of_another_version_is_refused),
        TEST(test_plan_without_files_is_read),
        TEST(test_name_that_is_none_of_a_file_in_the_directory_is_refused),
        TEST(test_hidden_name_is_refused),
        TEST(test_plan_that_lists_itself_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
