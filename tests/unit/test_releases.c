#include "emitters/tool/releases.h"

#include "tests/support/check.h"

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

    Str line = releases_line(session->arena, doc, "eksctl");

    assert_text(line, "For eksctl 0.205.0 or newer, because of `instanceMarketOptions`.");
}

static void test_a_row_with_a_text_is_about_that_text(void **state) {
    Session *session = *state;
    Doc *doc = a_document(session);
    put(doc, doc_root(doc), "InstanceType", "p5.48xlarge");
    assert_text(releases_line(session->arena, doc, "pcluster"), "For ParallelCluster 3.14.0 or newer.");

    Doc *other = a_document(session);
    put(other, doc_root(other), "InstanceType", "p6-b300.48xlarge");
    assert_text(releases_line(session->arena, other, "pcluster"),
                "For ParallelCluster 3.15.0 or newer, because of `InstanceType: p6-b300.48xlarge`.");
}

static void test_no_file_is_for_less_than_its_newest_type_needs(void **state) {
    Session *session = *state;
    Doc *doc = a_document(session);
    put(doc, doc_root(doc), "CapacityType", "CAPACITY_BLOCK");
    put(doc, doc_root(doc), "InstanceType", "p6-b200.48xlarge");

    Str line = releases_line(session->arena, doc, "pcluster");

    assert_text(line, "For ParallelCluster 3.14.0 or newer, because of `InstanceType: p6-b200.48xlarge`.");
}

static void test_objects_of_kubernetes_have_no_release(void **state) {
    Session *session = *state;

    assert_int_equal(releases_line(session->arena, a_document(session), "k8s").len, 0);
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
        TEST(test_objects_of_kubernetes_have_no_release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
