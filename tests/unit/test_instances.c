#include "schema/instances.h"

#include "schema/schema.h"
#include "tests/support/own_rows.h"
#include "tests/support/check.h"

static int set_up(void **state) {
    *state = session_create();
    return 0;
}

static int tear_down(void **state) {
    session_destroy(*state);
    return 0;
}

static void add(Session *session, const char *path, const char *text) {
    schema_add_source(session, source_add(session, str_of(path), str_of(text)));
}

static bool was_reported(const Session *session, DiagId id) {
    for (uint32_t i = 0; i < session->diags.items.count; i++) {
        if (session->diags.items.items[i]->id == id) {
            return true;
        }
    }
    return false;
}

static void test_without_files_all_types_are_our_own(void **state) {
    assert_int_equal(schema_instance_count(*state), INSTANCE_ROW_COUNT);
    assert_string_equal(schema_instance_at(*state, 0)->name, own_row(0)->name);
    assert_string_equal(schema_instance(*state, STR("p5.48xlarge"))->sources,
                        own_instance(STR("p5.48xlarge"))->sources);
    assert_ptr_equal(schema_instance(*state, STR("p5.48xlarge")), schema_instance(*state, STR("p5.48xlarge")));
    assert_null(schema_instance(*state, STR("p9.48xlarge")));
}

static void test_a_new_type_is_added_in_its_place(void **state) {
    add(*state, "a.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p9.48xlarge\" }] }");

    const InstanceRow *row = schema_instance(*state, STR("p9.48xlarge"));

    assert_non_null(row);
    assert_string_equal(row->origin, "a.json:1");
    assert_int_equal(schema_instance_count(*state), INSTANCE_ROW_COUNT + 1);
    for (int i = 1; i < schema_instance_count(*state); i++) {
        assert_true(strcmp(schema_instance_at(*state, i - 1)->name, schema_instance_at(*state, i)->name) < 0);
    }
}

static void test_types_before_and_behind_all_others_are_found(void **state) {
    add(*state, "a.json",
        "{ \"InstanceTypes\": [{ \"InstanceType\": \"z9.large\" }, { \"InstanceType\": \"a1.large\" }] }");

    assert_non_null(schema_instance(*state, STR("a1.large")));
    assert_non_null(schema_instance(*state, STR("z9.large")));
    assert_non_null(schema_instance(*state, STR("p5.48xlarge")));
}

static void test_a_row_of_a_file_goes_before_our_own(void **state) {
    add(*state, "a.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p5.48xlarge\" }] }");

    assert_int_equal(schema_instance_count(*state), INSTANCE_ROW_COUNT);
    assert_int_equal(schema_instance(*state, STR("p5.48xlarge"))->vcpus, UNKNOWN);
    assert_int_equal(own_instance(STR("p5.48xlarge"))->vcpus, 192);
}

static void test_two_files_add_up(void **state) {
    add(*state, "b.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p9.48xlarge\" }] }");
    add(*state, "a.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p8.48xlarge\" }] }");

    assert_int_equal(schema_instance_count(*state), INSTANCE_ROW_COUNT + 2);
    assert_string_equal(schema_instance(*state, STR("p9.48xlarge"))->origin, "b.json:1");
    assert_false(has_errors(*state));
}

static void test_a_type_in_two_files_points_back_to_the_first(void **state) {
    add(*state, "b.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p9.48xlarge\" }] }");
    add(*state, "a.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p9.48xlarge\" }] }");
    Session *session = *state;

    const Diag *diag = session->diags.items.items[0];

    assert_int_equal(diag->id, DIAG_instance_type_twice);
    assert_text(source_get(session, diag->span.source)->path, "a.json");
    assert_text(source_get(session, diag->labels.items[0].span.source)->path, "b.json");
}

static void test_of_a_faulty_file_no_row_is_known(void **state) {
    add(*state, "a.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p9.48xlarge\" }, 3] }");

    assert_null(schema_instance(*state, STR("p9.48xlarge")));
    assert_true(was_reported(*state, DIAG_described_field));
}

// Each fault is reported once, and each row that has it is refused.
static void test_a_faulty_row_that_an_alias_repeats_is_refused_twice(void **state) {
    add(*state, "a.yaml",
        "family: p9\nsources: {}\ntypes:\n  p9.large: &row { cards: [&card { at: 0 }, *card] }\n  p9.xlarge: *row\n");

    assert_true(has_errors(*state));
    assert_null(schema_instance(*state, STR("p9.large")));
    assert_null(schema_instance(*state, STR("p9.xlarge")));
}

static void test_yaml_of_the_same_shape_is_read_too(void **state) {
    add(*state, "a.yaml", "InstanceTypes:\n  - InstanceType: p9.48xlarge\n");

    assert_string_equal(schema_instance(*state, STR("p9.48xlarge"))->origin, "a.yaml:2");
}

static void test_neither_shape_is_refused(void **state) {
    static const char *const TEXTS[] = { "3", "[]", "{}", "family: p9", "types: {}", "InstanceTypes: {}" };

    for (size_t i = 0; i < COUNT_OF(TEXTS); i++) {
        Session *session = session_create();
        add(session, "a.yaml", TEXTS[i]);
        assert_true(was_reported(session, DIAG_schema_shape));
        session_destroy(session);
    }
    (void)state;
}

static void test_a_name_of_another_pattern_is_refused(void **state) {
    add(*state, "a.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p9\" }] }");

    assert_true(was_reported(*state, DIAG_instance_type_name));
}

static void describe_many(Session *session, int count) {
    StrBuf text = { .arena = session->arena };
    strbuf_add(&text, STR("InstanceTypes:\n"));
    for (int i = 0; i < count; i++) {
        strbuf_add_format(&text, "- InstanceType: q%d.large\n", i);
    }
    schema_add_source(session, source_add(session, STR("many.yaml"), strbuf_str(&text)));
}

static void test_as_many_types_as_allowed_and_one_more(void **state) {
    describe_many(*state, ADDED_INSTANCES_MAX);
    assert_false(has_errors(*state));
    assert_int_equal(schema_instance_count(*state), INSTANCE_ROW_COUNT + ADDED_INSTANCES_MAX);

    add(*state, "a.json", "{ \"InstanceTypes\": [{ \"InstanceType\": \"p9.48xlarge\" }] }");
    assert_true(was_reported(*state, DIAG_too_many_instance_types));
}

static void test_an_absent_file_is_reported(void **state) {
    const Str path = STR("no-such-folder/types.json");

    assert_false(schema_add_files(*state, &path, 1));
    assert_true(was_reported(*state, DIAG_cannot_read));
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_without_files_all_types_are_our_own),
        TEST(test_a_new_type_is_added_in_its_place),
        TEST(test_types_before_and_behind_all_others_are_found),
        TEST(test_a_row_of_a_file_goes_before_our_own),
        TEST(test_two_files_add_up),
        TEST(test_a_type_in_two_files_points_back_to_the_first),
        TEST(test_of_a_faulty_file_no_row_is_known),
        TEST(test_a_faulty_row_that_an_alias_repeats_is_refused_twice),
        TEST(test_yaml_of_the_same_shape_is_read_too),
        TEST(test_neither_shape_is_refused),
        TEST(test_a_name_of_another_pattern_is_refused),
        TEST(test_as_many_types_as_allowed_and_one_more),
        TEST(test_an_absent_file_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
