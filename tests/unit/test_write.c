#include "compiler/driver/output/write.h"

#include "compiler/base/file_set.h"
#include "tests/support/check.h"

#include <sys/stat.h>
#include <unistd.h>

// A session and an output directory of its own for each test.
typedef struct {
    Session *session;
    char folder[sizeof("/tmp/dtc-write-XXXXXX")];
    Str directory;
    Output output;
} Fixture;

static int set_up(void **state) {
    Fixture *fixture = calloc(1, sizeof(Fixture));
    if (fixture == NULL) {
        return -1;
    }
    *fixture = (Fixture){ .session = session_create(), .folder = "/tmp/dtc-write-XXXXXX" };
    if (mkdtemp(fixture->folder) == NULL) {
        return -1;
    }
    fixture->directory = str_of(fixture->folder);
    *state = fixture;
    return 0;
}

static const char *path(const Fixture *fixture, const char *name) {
    return str_c(fixture->session->arena, output_path(fixture->session->arena, fixture->directory, str_of(name)));
}

static int tear_down(void **state) {
    Fixture *fixture = *state;
    static const char *const NAMES[] = { "a.cfn.yaml", "b.cfn.yaml", "a.map.json", "mine.txt", "plan.json" };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        (void)unlink(path(fixture, NAMES[i]));
    }
    int status = rmdir(fixture->folder); // also fails where something else was left behind
    session_destroy(fixture->session);
    free(fixture);
    return status;
}

static void add(Fixture *fixture, const char *name, const char *content) {
    const Artifact artifact = { .name = str_of(name), .content = str_of(content) };
    vec_push(fixture->session->arena, &fixture->output.artifacts, artifact);
}

static Written write_again(Fixture *fixture) {
    return output_write(fixture->session, fixture->directory, STR("infra.dt"), &fixture->output);
}

static void put(Fixture *fixture, const char *name, const char *content) {
    FileSet *files = files_open(fixture->session->arena, fixture->directory);
    assert_null(file_stage(files, str_of(name), str_of(content)));
    assert_null(files_commit(files));
}

static bool is_there(Fixture *fixture, const char *name) {
    return access(path(fixture, name), F_OK) == 0;
}

static void test_plan_comes_last(void **state) {
    Fixture *fixture = *state;
    add(fixture, "a.cfn.yaml", "a");

    const Written written = write_again(fixture);

    assert_int_equal(written.count, 2);
    assert_true(str_ends_with(written.items[1].path, STR("/plan.json")));
}

static void test_map_is_written_beside_its_file(void **state) {
    Fixture *fixture = *state;
    const Artifact artifact = { .name = STR("a.cfn.yaml"), .content = STR("a"), .map = STR("{}") };
    vec_push(fixture->session->arena, &fixture->output.artifacts, artifact);

    (void)write_again(fixture);

    assert_true(is_there(fixture, "a.map.json"));
}

static void test_same_bytes_are_not_written_again(void **state) {
    Fixture *fixture = *state;
    add(fixture, "a.cfn.yaml", "a");
    (void)write_again(fixture);

    const Written written = write_again(fixture);

    assert_int_equal(written.items[0].action, WRITE_UNCHANGED);
    assert_int_equal(written.items[1].action, WRITE_UNCHANGED);
}

static void test_file_that_is_no_longer_made_is_removed(void **state) {
    Fixture *fixture = *state;
    add(fixture, "a.cfn.yaml", "a");
    add(fixture, "b.cfn.yaml", "b");
    (void)write_again(fixture);
    fixture->output.artifacts.count = 1;

    const Written written = write_again(fixture);

    assert_int_equal(written.items[written.count - 1].action, WRITE_REMOVED);
    assert_false(is_there(fixture, "b.cfn.yaml"));
}

static void test_file_that_was_edited_since_stays(void **state) {
    Fixture *fixture = *state;
    add(fixture, "a.cfn.yaml", "a");
    add(fixture, "b.cfn.yaml", "b");
    (void)write_again(fixture);
    put(fixture, "b.cfn.yaml", "mine");
    fixture->output.artifacts.count = 1;

    (void)write_again(fixture);

    assert_true(is_there(fixture, "b.cfn.yaml"));
    assert_int_equal(fixture->session->diags.items.items[0]->id, DIAG_stale_file_kept);
}

static void test_file_that_no_plan_lists_stays(void **state) {
    Fixture *fixture = *state;
    put(fixture, "mine.txt", "mine");
    add(fixture, "a.cfn.yaml", "a");

    (void)write_again(fixture);

    assert_true(is_there(fixture, "mine.txt"));
}

static void test_plan_of_another_program_removes_nothing(void **state) {
    Fixture *fixture = *state;
    put(fixture, "mine.txt", "mine");
    put(fixture, "plan.json", "{\"files\":[{\"name\":\"mine.txt\"}]}");
    add(fixture, "a.cfn.yaml", "a");

    (void)write_again(fixture);

    assert_true(is_there(fixture, "mine.txt"));
    assert_int_equal(fixture->session->diags.items.items[0]->id, DIAG_foreign_plan);
}

static void test_directory_in_place_of_a_file_is_reported_and_nothing_is_written(void **state) {
    Fixture *fixture = *state;
    assert_int_equal(mkdir(path(fixture, "b.cfn.yaml"), 0700), 0);
    add(fixture, "a.cfn.yaml", "a");
    add(fixture, "b.cfn.yaml", "b");

    const Written written = write_again(fixture);

    assert_int_equal(rmdir(path(fixture, "b.cfn.yaml")), 0);
    assert_int_equal(written.count, 0);
    assert_false(is_there(fixture, "a.cfn.yaml"));
    assert_int_equal(fixture->session->diags.items.items[0]->id, DIAG_cannot_write);
}

static void test_working_directory_is_not_named(void **state) {
    Fixture *fixture = *state;

    assert_text(output_path(fixture->session->arena, STR("."), STR("a")), "a");
}

static void test_slash_at_the_end_of_a_directory_is_not_doubled(void **state) {
    Fixture *fixture = *state;

    assert_text(output_path(fixture->session->arena, STR("out/"), STR("a")), "out/a");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_plan_comes_last),
        TEST(test_map_is_written_beside_its_file),
        TEST(test_same_bytes_are_not_written_again),
        TEST(test_file_that_is_no_longer_made_is_removed),
        TEST(test_file_that_was_edited_since_stays),
        TEST(test_file_that_no_plan_lists_stays),
        TEST(test_plan_of_another_program_removes_nothing),
        TEST(test_directory_in_place_of_a_file_is_reported_and_nothing_is_written),
        TEST(test_working_directory_is_not_named),
        TEST(test_slash_at_the_end_of_a_directory_is_not_doubled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
