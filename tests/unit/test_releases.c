#include "emitters/tool/releases.h"

#include "tests/support/check.h"

static const ReleaseTypes NO_TYPES = { 0 };
static const Origin HERE = { .kind = ORIGIN_CONSTANT, .name = "test", .text = "a test" };

static Doc *a_document(Session *session) {
    return doc_create(session, session->arena);
}

static void put(Doc *doc, DocNode *map, const char *key, const char *text) {
    doc_put(doc, map, str_of(key), doc_string(doc, str_of(text), &HERE));
}

static void test_the_newest_of_what_is_in_the_file_decides(void **state) {
    Session *session = *state;
    Doc *doc = a_document(session);
    DocNode *list = doc_put(doc, doc_root(doc), STR("managedNodeGroups"), doc_list(doc));
    DocNode *group = doc_add(doc, list, doc_map(doc));
    put(doc, group, "amiFamily", "AmazonLinux2023");
    DocNode *market = doc_put(doc, group, STR("instanceMarketOptions"), doc_map(doc));
    put(doc, market, "marketType", "capacity-block");

    Str line = releases_line(session->arena, doc, "eksctl", &NO_TYPES);

    assert_text(line, "For eksctl 0.205.0 or newer, because of `instanceMarketOptions`.");
}

static void test_a_row_with_a_text_is_about_that_text(void **state) {
    Session *session = *state;
    Doc *doc = a_document(session);
    put(doc, doc_root(doc), "InstanceType", "p5.48xlarge");
    assert_text(releases_line(session->arena, doc, "pcluster", &NO_TYPES), "For ParallelCluster 3.14.0 or newer.");

    Doc *other = a_document(session);
    put(other, doc_root(other), "InstanceType", "p6-b300.48xlarge");
    assert_text(releases_line(session->arena, other, "pcluster", &NO_TYPES),
                "For ParallelCluster 3.15.0 or newer, because of `InstanceType: p6-b300.48xlarge`.");
}

static void test_no_file_is_for_less_than_its_newest_type_needs(void **state) {
    Session *session = *state;
    Doc *doc = a_document(session);
    put(doc, doc_root(doc), "CapacityType", "CAPACITY_BLOCK");
    put(doc, doc_root(doc), "InstanceType", "p6-b200.48xlarge");

    Str line = releases_line(session->arena, doc, "pcluster", &NO_TYPES);

    assert_text(line, "For ParallelCluster 3.14.0 or newer, because of `InstanceType: p6-b200.48xlarge`.");
}

static void test_a_type_counts_by_its_family_in_lists_and_behind_templates(void **state) {
    Session *session = *state;
    Doc *doc = a_document(session);
    put(doc, doc_root(doc), "instanceType", "p6-b200.48xlarge");
    assert_text(releases_line(session->arena, doc, "eksctl", &NO_TYPES),
                "For eksctl 0.209.0 or newer, because of `instanceType: p6-b200`.");

    DocNode *list = doc_put(doc, doc_root(doc), STR("instanceTypes"), doc_list(doc));
    doc_add(doc, list, doc_string(doc, STR("g7e.8xlarge"), &HERE));
    assert_text(releases_line(session->arena, doc, "eksctl", &NO_TYPES),
                "For eksctl 0.226.0 or newer, because of `instanceType: g7e`.");

    ReleaseTypes types = { 0 };
    vec_push(session->arena, &types, STR("g7.8xlarge"));
    assert_text(releases_line(session->arena, doc, "eksctl", &types),
                "For eksctl 0.230.0 or newer, because of `instanceType: g7`.");
}

static void test_objects_of_kubernetes_have_no_release(void **state) {
    Session *session = *state;

    assert_int_equal(releases_line(session->arena, a_document(session), "k8s", &NO_TYPES).len, 0);
}

static int begin(void **state) {
    *state = session_create();
    return 0;
}

static int end(void **state) {
    session_destroy(*state);
    return 0;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_the_newest_of_what_is_in_the_file_decides),
        TEST(test_a_row_with_a_text_is_about_that_text),
        TEST(test_no_file_is_for_less_than_its_newest_type_needs),
        TEST(test_a_type_counts_by_its_family_in_lists_and_behind_templates),
        TEST(test_objects_of_kubernetes_have_no_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
