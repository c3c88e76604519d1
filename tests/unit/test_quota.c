// What a build needs by quota, of sources as authors write them.
#include "tests/support/build_text.h"

// "CODE REGION VCPUS" of each need, one a line.
static void assert_needs(const char *nodes, const char *expected) {
    Arena *arena = arena_create();
    BuiltText built = build_text(str_format(arena,
                                            "dt 1\n"
                                            "late param odcr : capacity_reservation?\n"
                                            "network east { zones = [\"us-east-1a\"] }\n"
                                            "network west { zones = [\"us-west-2a\"] }\n"
                                            "network given { stack = \"shared\" }\n%s",
                                            nodes));
    StrBuf text = { .arena = built.session->arena };
    assert_false(has_errors(built.session));
    for (uint32_t i = 0; i < built.plan->quotas.count; i++) {
        const PlanQuota *quota = &built.plan->quotas.items[i];
        strbuf_add_format(&text, "%s %s %" PRId64 "\n", quota->row->code,
                          quota->region == NULL ? "-" : quota->region->name, quota->vcpus);
    }
    assert_text(strbuf_str(&text), expected);
    session_destroy(built.session);
    arena_destroy(arena);
}

static void test_groups_of_one_quota_are_summed_up(void **state) {
    (void)state;

    assert_needs("cluster a on batch {\n  network = east\n"
                 "  nodes x { instance = \"p5.48xlarge\", count = 2..4 }\n"
                 "  nodes y { instance = \"p4d.24xlarge\", count = 1 }\n}\n"
                 "cluster b on batch {\n  network = east\n"
                 "  nodes x { instance = \"p5.4xlarge\", count = 1 }\n}\n",
                 "L-417A185B us-east-1 880\n");
}

static void test_regions_are_told_apart(void **state) {
    (void)state;

    assert_needs("cluster a on batch {\n  network = east\n  nodes x { instance = \"g5.xlarge\", count = 1 }\n}\n"
                 "cluster b on batch {\n  network = west\n  nodes x { instance = \"g5.xlarge\", count = 2 }\n}\n"
                 "cluster c on batch {\n  network = given\n  nodes x { instance = \"g5.xlarge\", count = 3 }\n}\n",
                 "L-DB2E81BA us-east-1 4\nL-DB2E81BA us-west-2 8\nL-DB2E81BA - 12\n");
}

static void test_a_reservation_counts_on_demand_and_once(void **state) {
    (void)state;

    assert_needs("cluster a on batch {\n  network = east\n"
                 "  nodes x { instance = \"p5.48xlarge\", count = 1, capacity = reservation(odcr) ?? on_demand }\n}\n",
                 "L-417A185B us-east-1 192\n");
}

static void test_a_chain_counts_in_each_quota_that_it_may_come_down_to(void **state) {
    (void)state;

    assert_needs("cluster a on batch {\n  network = east\n"
                 "  nodes x { instance = \"g5.xlarge\", count = 1, capacity = reservation(odcr) ?? spot }\n}\n",
                 "L-DB2E81BA us-east-1 4\nL-3819A6DF us-east-1 4\n");
}

static void test_a_block_counted_when_it_was_bought(void **state) {
    (void)state;

    assert_needs("cluster a on batch {\n  network = east\n"
                 "  nodes x { instance = \"trn1.32xlarge\", count = 2, capacity = "
                 "capacity_block(\"cr-0123456789abcdef0\") }\n}\n",
                 "");
}

static void test_what_no_source_counts_is_left_out(void **state) {
    (void)state;

    assert_needs("cluster a on batch {\n  network = east\n"
                 "  nodes x { instance = \"p6-b200.48xlarge\", count = 2, capacity = "
                 "capacity_block(\"cr-0123456789abcdef0\") }\n}\n",
                 "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_of_one_quota_are_summed_up),
        cmocka_unit_test(test_regions_are_told_apart),
        cmocka_unit_test(test_a_reservation_counts_on_demand_and_once),
        cmocka_unit_test(test_a_chain_counts_in_each_quota_that_it_may_come_down_to),
        cmocka_unit_test(test_a_block_counted_when_it_was_bought),
        cmocka_unit_test(test_what_no_source_counts_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
