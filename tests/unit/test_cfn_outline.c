// What a template exports is read from its outline where that shows it: it has to be what the whole shows.
#include "compiler/readers/cloudformation/cfn_outline.h"

#include "compiler/base/load.h"
#include "compiler/readers/foreign.h"

#include "tests/support/check.h"

#include <glob.h>

static void expect(const char *text, const char *outline) {
    Arena *arena = arena_create();
    assert_text(cfn_outline(arena, str_of(text)), outline);
    arena_destroy(arena);
}

static void test_lines_below_what_stands_beside_a_type_are_blanks(void **state) {
    (void)state;
    expect("Description: x\n"
           "Resources: # all\n"
           "  # a\n"
           "  Vpc:\n"
           "    Type: AWS::EC2::VPC\n"
           "    Properties:\n"
           "      CidrBlock: 10.0.0.0/16\n"
           "  Role:\n"
           "      Type: AWS::IAM::Role\n"
           "\n"
           "Outputs:\n"
           "  Vpc:\n"
           "    Export: { Name: a }\n",
           "              \n"
           "Resources: # all\n"
           "     \n"
           "  Vpc:\n"
           "    Type: AWS::EC2::VPC\n"
           "    Properties:\n"
           "                            \n"
           "  Role:\n"
           "      Type: AWS::IAM::Role\n"
           "\n"
           "Outputs:\n"
           "  Vpc:\n"
           "    Export: { Name: a }\n");
}

static void test_a_type_may_stand_below_its_key(void **state) {
    (void)state;
    expect("Resources:\n"
           "  Vpc:\n"
           "    Type: >-\n"
           "      AWS::EC2::VPC\n"
           "    Metadata:\n"
           "      A: b\n"
           "  Role:\n"
           "    \"Type\":\n"
           "      AWS::IAM::Role\n"
           "Outputs:\n"
           "  Vpc: {}\n",
           "Resources:\n"
           "  Vpc:\n"
           "    Type: >-\n"
           "      AWS::EC2::VPC\n"
           "    Metadata:\n"
           "          \n"
           "  Role:\n"
           "    \"Type\":\n"
           "      AWS::IAM::Role\n"
           "Outputs:\n"
           "  Vpc: {}\n");
}

static void test_documents_aliases_and_loops_are_read_as_a_whole(void **state) {
    (void)state;
    expect("%YAML 1.1\n---\nResources:\n  A:\n    Type: B\nOutputs:\n  C: {}\n",
           "         \n   \nResources:\n  A:\n    Type: B\nOutputs:\n  C: {}\n");
    expect("a: b\n--- {A: b}\nResources:\n  A:\n    Type: B\nOutputs:\n  C: {}\n", "");
    expect("Resources:\n  A:\n    Type: B\n---\nOutputs:\n  C: {}\n", "");
    expect("Resources:\n  A:\n    Type: B\nOutputs:\n  C: {}\n...\nkind: Namespace\n", "");
    expect("Resources:\n  A:\n    Type: B\n    X:\n      Y: &z 1\nOutputs:\n  C: {Export: {Name: *z}}\n", "");
    expect("Resources:\n  A:\n    Type: B\nOutputs:\n  Fn::ForEach::C:\n    - D\n    - [E]\n    - ${D}: {}\n", "");
}

static void test_other_texts_have_no_outline(void **state) {
    (void)state;
    expect("", "");
    expect("{\"Resources\": {}, \"Outputs\": {}}", "");
    expect("Resources:\n  A:\n    Type: B\n", "");
    expect("  Resources:\n    A:\n      Type: B\n  Outputs:\n    A: {}\n", "");
}

// ---- files -------------------------------------------------------------------------------------------------------

static const PlanTemplate *names_of(Session *session, uint32_t source, ForeignExtent extent) {
    const ForeignFile file = foreign_read(session, source, FOREIGN_NONE, extent);
    const PlanTemplate *names = NULL;
    for (uint32_t i = 0; i < file.plans.count; i++) {
        const PlanFile *text = file.plans.items[i]->file;
        names = text != NULL && text->names != NULL ? text->names : names;
    }
    return names;
}

// How many exports the file has.
static uint32_t expect_same_exports(const char *path) {
    Session *session = session_create();
    const uint32_t source = source_load(session, str_of(path), SPAN_NONE);
    const PlanTemplate *whole = names_of(session, source, READ_ALL);
    const PlanTemplate *outline = names_of(session, source, READ_NAMES);
    const uint32_t count = whole == NULL ? 0 : whole->exports.count;
    assert_int_equal(outline == NULL ? 0 : outline->exports.count, count);
    for (uint32_t i = 0; i < count; i++) {
        const PlanShared *a = whole->exports.items[i];
        const PlanShared *b = outline->exports.items[i];
        if (!str_equal(a->name, b->name) || !str_equal(a->gives, b->gives) || !span_equal(a->span, b->span)) {
            fail_msg("%s: `%.*s` is `%.*s` in the outline", path, STR_ARG(a->name), STR_ARG(b->name));
        }
    }
    session_destroy(session);
    return count;
}

static void test_the_outline_exports_what_the_template_does(void **state) {
    (void)state;
    enum { EXPORTS_MIN = 100 }; // so many there are, or this compares nothing
    static const char *const PATHS[] = { "fixtures/foreign/*.*", "fixtures/foreign/clean/*.*",
                                         "fixtures/*/*/expected/*.cfn.yaml" };
    glob_t found;
    for (size_t i = 0; i < COUNT_OF(PATHS); i++) {
        assert_int_equal(glob(PATHS[i], i == 0 ? 0 : GLOB_APPEND, NULL, &found), 0);
    }
    uint32_t exports = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        exports += expect_same_exports(found.gl_pathv[i]);
    }
    globfree(&found);
    assert_true(exports >= EXPORTS_MIN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_below_what_stands_beside_a_type_are_blanks),
        cmocka_unit_test(test_a_type_may_stand_below_its_key),
        cmocka_unit_test(test_documents_aliases_and_loops_are_read_as_a_whole),
        cmocka_unit_test(test_other_texts_have_no_outline),
        cmocka_unit_test(test_the_outline_exports_what_the_template_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
