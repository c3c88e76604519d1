// The generator on a small schema with one file that is not right: rows, patterns, kinds, instance types.
#include "tests/support/schemagen_world.h"

// One type with the given columns beside those that `common` has.
static void assert_type_refused(void **state, const char *columns, const char *expected) {
    Folder *folder = *state;
    const Str text = str_format(folder->arena,
                                "family: t1\n"
                                "sources: { api: dtc }\n"
                                "common: { status: current, sources: [api], architecture: arm64, nvme: none,\n"
                                "  placement_cluster: true, capacity: [spot], accelerator: none, memory_mib: 4,\n"
                                "  network_gbps: 0.5 }\n"
                                "types:\n"
                                "  t1.a:\n"
                                "%s",
                                columns);
    assert_refused(state, "instances/t1.yaml", str_c(folder->arena, text), expected);
}

#define CPU "    vcpus: 4\n    cores: 2\n    threads_per_core: 2\n"
#define TWO_CARDS CPU "    network_cards: 2\n    cards: [{ at: 0..1, interfaces: 2, takes: [ena, efa] }]\n"
#define EFA "    efa: { max: 2, generation: v1, gbps: 1, rdma_read: true, rdma_write: true }\n"

// ---- what is right

static void test_a_right_schema_becomes_tables(void **state) {
    Folder *folder = *state;
    write_schema(folder, NULL, NULL);

    assert_int_equal(generate(folder, "out"), 0);

    assert_text(printed(folder), "");
    assert_int_equal(run_shell(folder, "test -s out/schema_tables.c && test -s out/schema_kinds.h"), 0);
}

static void test_the_same_schema_becomes_the_same_bytes(void **state) {
    Folder *folder = *state;
    write_schema(folder, NULL, NULL);

    assert_int_equal(generate(folder, "out"), 0);
    assert_int_equal(generate(folder, "again"), 0);

    assert_int_equal(run_shell(folder, "diff -r out again"), 0);
}

// ---- rows

static void test_unknown_column_is_refused(void **state) {
    assert_refused(state, "constants.yaml", "least:\n  value: 1\n  units: bytes\n  unit: x\n  doc: d\n  source: dtc\n",
                   "schema/constants.yaml:3:3: least has no `units`; did you mean `unit`?\n");
}

static void test_missing_column_is_refused(void **state) {
    assert_refused(state, "constants.yaml", "least:\n  value: 1\n  doc: d\n  source: dtc\n",
                   "schema/constants.yaml:1:1: least lacks `unit`\n");
}

static void test_duplicate_row_is_refused(void **state) {
    assert_refused(
        state, "constants.yaml",
        "least: { value: 1, unit: x, doc: d, source: dtc }\nleast: { value: 2, unit: x, doc: d, source: dtc }\n",
        "schema/constants.yaml:2:1: the key `least` is there twice\n");
}

static void test_value_of_another_kind_is_refused(void **state) {
    assert_refused(state, "constants.yaml", "least: { value: 1.5, unit: x, doc: d, source: dtc }\n",
                   "schema/constants.yaml:1:17: `value` of least is to be a whole number\n");
}

static void test_every_fault_is_shown_in_one_run(void **state) {
    assert_refused(state, "constants.yaml",
                   "a: { value: 1, unit: x, doc: d }\n"
                   "B: { value: 1, unit: x, doc: d, source: dtc }\n",
                   "schema/constants.yaml:1:1: a lacks `source`\n"
                   "schema/constants.yaml:2:1: a constant's name has lower-case letters, digits and `_`\n");
}

// ---- patterns

static void assert_pattern_refused(void **state, const char *pattern, const char *expected) {
    Folder *folder = *state;
    const Str text = str_format(folder->arena,
                                "zone: { pattern: '%s', example: us-1, counterexample: us, doc: d, source: dtc,\n"
                                "  cfn_type: String, cfn_list_type: String }\n",
                                pattern);
    assert_refused(state, "types.yaml", str_c(folder->arena, text), expected);
}

static void test_pattern_that_misses_its_example_is_refused(void **state) {
    assert_pattern_refused(state, "^us-[a-z]$",
                           "schema/types.yaml:1:41: the pattern does not match its example `us-1`\n");
}

static void test_pattern_that_matches_its_counterexample_is_refused(void **state) {
    assert_pattern_refused(state, "^us.*$", "schema/types.yaml:1:59: the pattern matches its counterexample `us`\n");
}

static void test_pattern_without_anchors_is_refused(void **state) {
    assert_pattern_refused(state, "us-1",
                           "schema/types.yaml:1:18: a pattern is anchored: it begins with `^` and ends with `$`\n");
}

static void test_pattern_beyond_the_common_subset_is_refused(void **state) {
    assert_pattern_refused(state, "^(?!x)us-1$",
                           "schema/types.yaml:1:18: `(?` is not in the subset that AllowedPattern understands too\n");
}

static void test_broken_pattern_is_refused(void **state) {
    Folder *folder = *state;
    write_schema(folder, "types.yaml",
                 "zone: { pattern: '^us-[1$', example: us-1, counterexample: us, doc: d, source: dtc,\n"
                 "  cfn_type: String, cfn_list_type: String }\n");

    assert_int_equal(generate(folder, "out"), 1);

    assert_true(str_starts_with(printed(folder), STR("schema/types.yaml:1:18: this is no regular expression: ")));
}

// ---- kinds

static void assert_attribute_refused(void **state, const char *attribute, const char *expected) {
    Folder *folder = *state;
    const Str text = str_format(
        folder->arena, "kind: thing\ndoc: A thing.\ntargets: [batch]\nattributes:\n  size: { %s }\n", attribute);
    assert_refused(state, "kinds/thing.yaml", str_c(folder->arena, text), expected);
}

static void test_unknown_type_is_refused(void **state) {
    assert_attribute_refused(
        state, "type: list(zon), targets: [batch], doc: d",
        "schema/kinds/thing.yaml:5:17: `zon` is no type and no word of `words`; did you mean `zone`?\n");
}

static void test_word_that_the_type_lacks_is_refused(void **state) {
    assert_attribute_refused(state, "type: all | int, words: { all: a, none: b }, targets: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:45: the type has no word `none`\n");
}

static void test_tag_without_doc_is_refused(void **state) {
    assert_attribute_refused(state, "type: ssm(string), targets: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:17: no doc in `words` for the tag `ssm` in the type "
                             "`ssm(string)`\n");
}

static void test_type_that_goes_on_is_refused(void **state) {
    assert_attribute_refused(state, "type: int string, targets: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:17: cannot read `string` in the type `int string`\n");
}

static void test_target_now_and_later_is_refused(void **state) {
    assert_attribute_refused(state, "type: int, targets: [batch], later: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:47: `size` has a target under `targets` and under `later`\n");
}

static void test_later_without_a_way_round_is_refused(void **state) {
    assert_attribute_refused(state, "type: int, targets: [], later: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:3: `size` is written later, and `instead` does not say what to "
                             "do until then\n");
}

static void test_target_that_the_kind_lacks_is_refused(void **state) {
    assert_attribute_refused(state, "type: int, targets: [eks], doc: d",
                             "schema/kinds/thing.yaml:5:31: `size` has a target that its kind does not have\n");
}

static void test_word_with_targets_of_its_own_is_read(void **state) {
    Folder *folder = *state;
    write_schema(folder, "kinds/thing.yaml",
                 "kind: thing\ndoc: A thing.\ntargets: [batch]\nlater: [eks]\nattributes:\n"
                 "  size: { type: a | b, words: { a: all, b: { later: [eks], doc: d } }, targets: [batch],\n"
                 "    later: [eks], doc: d }\n");

    assert_int_equal(generate(folder, "out"), 0);

    assert_int_equal(run_shell(folder, "grep -q 'name = \"b\".*targets = 0, .later = TARGET_EKS' out/schema_tables.c"),
                     0);
}

static void test_word_with_a_target_that_its_attribute_lacks_is_refused(void **state) {
    assert_attribute_refused(state, "type: a, words: { a: { targets: [eks], doc: d } }, targets: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:43: `a` has a target that its attribute does not have\n");
}

static void test_word_for_no_target_is_refused(void **state) {
    assert_attribute_refused(state, "type: a, words: { a: { doc: d } }, targets: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:32: `a` is for no target\n");
}

static void test_unknown_target_is_refused(void **state) {
    assert_attribute_refused(state, "type: int, targets: [batch, ecs], doc: d",
                             "schema/kinds/thing.yaml:5:39: `ecs` is no target: it is `network`, `batch`, "
                             "`parallelcluster`, `eks` or `pcs`\n");
}

static void test_default_of_a_required_attribute_is_refused(void **state) {
    assert_attribute_refused(state, "type: int, required: true, default: one, targets: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:47: `size` is required, so it has no default\n");
}

static void test_word_behind_null_is_one_of_the_attribute(void **state) {
    assert_attribute_refused(state,
                             "type: a, null_means: it costs, null_word: b, words: { a: d }, targets: [batch], doc: d",
                             "schema/kinds/thing.yaml:5:53: `b` is none of `words`\n");
}

static void test_word_behind_null_wants_what_null_means(void **state) {
    assert_attribute_refused(
        state, "type: a, null_word: a, words: { a: d }, targets: [batch], doc: d",
        "schema/kinds/thing.yaml:5:31: `null_word` stands beside `null_means`, which says what it is "
        "for\n");
}

static void test_unknown_parent_is_refused(void **state) {
    assert_refused(state, "kinds/thing.yaml",
                   "kind: thing\ndoc: A thing.\ntargets: [batch]\nparents: [cluster]\n"
                   "attributes: { a: { type: int, targets: [batch], doc: d } }\n",
                   "schema/kinds/thing.yaml:4:11: there is no such kind\n");
}

// ---- instance types

static void test_type_of_another_family_and_offer_of_no_type_are_refused(void **state) {
    assert_refused(state, "instances/t1.yaml", "family: t1\nsources: { us: dtc }\ntypes: { t2.a: {} }\n",
                   "schema/instances/t1.yaml:3:10: `t2.a` is not of the family `t1`\n"
                   "schema/regions.yaml:8:11: there is no instance type `t1.a`\n");
}

static void test_column_in_common_and_in_a_row_is_refused(void **state) {
    assert_type_refused(state, TWO_CARDS EFA "    nvme: none\n",
                        "schema/instances/t1.yaml:14:11: `nvme` of t1.a stands in `common` too\n");
}

static void test_cards_that_do_not_sum_up_are_refused(void **state) {
    assert_type_refused(state,
                        CPU "    network_cards: 3\n    cards: [{ at: 0..1, interfaces: 2, takes: [ena, efa] }]\n" EFA,
                        "schema/instances/t1.yaml:12:12: `cards` has 2 cards, `network_cards` says 3\n");
}

static void test_card_in_two_groups_is_refused(void **state) {
    assert_type_refused(state,
                        CPU "    network_cards: 2\n    cards:\n      - { at: 0..1, interfaces: 2, takes: [ena, efa] }\n"
                            "      - { at: 1, interfaces: 1, takes: [efa] }\n" EFA,
                        "schema/instances/t1.yaml:14:15: card 1 stands in two groups\n");
}

static void test_card_in_no_group_is_refused(void **state) {
    assert_type_refused(state,
                        CPU "    network_cards: 2\n    cards: [{ at: [1], interfaces: 2, takes: [ena, efa] }]\n" EFA,
                        "schema/instances/t1.yaml:12:12: card 0 stands in no group\n"
                        "schema/instances/t1.yaml:12:12: card 0 takes no ENA, so there can be no primary interface\n");
}

static void test_more_efa_than_cards_is_refused(void **state) {
    assert_type_refused(state,
                        TWO_CARDS "    efa: { max: 3, generation: v1, gbps: 1, rdma_read: true, rdma_write: true }\n",
                        "schema/instances/t1.yaml:13:10: 3 EFA interfaces, but 2 cards that take one\n");
}

static void test_efa_cards_without_efa_are_refused(void **state) {
    assert_type_refused(state, TWO_CARDS "    efa: none\n",
                        "schema/instances/t1.yaml:13:10: 0 EFA interfaces, but 2 cards that take one\n");
}

static void test_vcpus_that_do_not_multiply_are_refused(void **state) {
    assert_type_refused(state,
                        "    vcpus: 5\n    cores: 2\n    threads_per_core: 2\n    network_cards: 1\n"
                        "    cards: [{ at: 0, interfaces: 2, takes: [ena] }]\n    efa: none\n",
                        "schema/instances/t1.yaml:8:12: 5 vCPUs are not 2 cores with 2 threads\n");
}

static void test_current_type_without_cards_is_refused(void **state) {
    assert_type_refused(state, CPU "    network_cards: null\n    cards: null\n    efa: none\n",
                        "schema/instances/t1.yaml:3:19: a current type has no null among what a node is built from\n");
}

static void test_unknown_source_is_refused(void **state) {
    assert_refused(state, "instances/t1.yaml",
                   "family: t1\nsources: { api: dtc }\ntypes:\n"
                   "  t1.a: { vcpus: null, cores: null, threads_per_core: null, memory_mib: null, accelerator: null,\n"
                   "    network_gbps: null, network_cards: null, cards: null, efa: null, nvme: null, capacity: null,\n"
                   "    placement_cluster: null, architecture: null, status: named-only, sources: [rumour] }\n",
                   "schema/instances/t1.yaml:6:80: the file's `sources` has no such text\n");
}

// ---- layouts

static void assert_layout_refused(void **state, const char *places, const char *expected) {
    Folder *folder = *state;
    const Str columns = str_format(folder->arena,
                                   CPU "    network_cards: 2\n    cards:\n"
                                       "      - { at: 0, interfaces: 2, takes: [ena, efa] }\n"
                                       "      - { at: 1, interfaces: 1, takes: [efa] }\n" EFA "    layouts:\n"
                                       "      min_ip: { %s, source: api }\n",
                                   places);
    assert_type_refused(state, str_c(folder->arena, columns), expected);
}

static void test_layout_without_primary_is_refused(void **state) {
    assert_layout_refused(state, "interface: [0/1], efa-only: [1/0]",
                          "schema/instances/t1.yaml:17:15: a layout has a primary interface, at 0/0 and not "
                          "efa-only\n");
}

static void test_layout_with_efa_only_primary_is_refused(void **state) {
    assert_layout_refused(state, "interface: [0/1], efa-only: [0..1/0]",
                          "schema/instances/t1.yaml:17:15: a layout has a primary interface, at 0/0 and not "
                          "efa-only\n");
}

static void test_layout_with_two_efa_on_a_card_is_refused(void **state) {
    assert_layout_refused(state, "interface: [], efa: [0/0], efa-only: [0/1]",
                          "schema/instances/t1.yaml:17:55: two EFA interfaces on card 0\n");
}

static void test_layout_with_two_at_one_place_is_refused(void **state) {
    assert_layout_refused(state, "interface: [0/0, 0/0]", "schema/instances/t1.yaml:17:34: two interfaces at 0/0\n");
}

static void test_layout_beyond_the_devices_of_a_card_is_refused(void **state) {
    assert_layout_refused(state, "interface: [0/0], efa-only: [1/1]",
                          "schema/instances/t1.yaml:17:46: device 1 is beyond the 1 that card 1 takes\n");
}

static void test_layout_beyond_the_cards_is_refused(void **state) {
    assert_layout_refused(state, "interface: [0/0], efa-only: [2/0]",
                          "schema/instances/t1.yaml:17:46: there is no card 2\n");
}

static void test_layout_with_ena_on_an_efa_card_is_refused(void **state) {
    assert_layout_refused(state, "interface: [0/0, 1/0]", "schema/instances/t1.yaml:17:34: card 1 takes no ENA\n");
}

static void test_layout_that_cannot_be_read_is_refused(void **state) {
    assert_layout_refused(state, "interface: [0/0], efa-only: [1-0]",
                          "schema/instances/t1.yaml:17:46: a place is written card/device or first..last/device\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_a_right_schema_becomes_tables),
        TEST(test_the_same_schema_becomes_the_same_bytes),
        TEST(test_unknown_column_is_refused),
        TEST(test_missing_column_is_refused),
        TEST(test_duplicate_row_is_refused),
        TEST(test_value_of_another_kind_is_refused),
        TEST(test_every_fault_is_shown_in_one_run),
        TEST(test_pattern_that_misses_its_example_is_refused),
        TEST(test_pattern_that_matches_its_counterexample_is_refused),
        TEST(test_pattern_without_anchors_is_refused),
        TEST(test_pattern_beyond_the_common_subset_is_refused),
        TEST(test_broken_pattern_is_refused),
        TEST(test_unknown_type_is_refused),
        TEST(test_word_that_the_type_lacks_is_refused),
        TEST(test_tag_without_doc_is_refused),
        TEST(test_type_that_goes_on_is_refused),
        TEST(test_target_now_and_later_is_refused),
        TEST(test_later_without_a_way_round_is_refused),
        TEST(test_target_that_the_kind_lacks_is_refused),
        TEST(test_word_with_targets_of_its_own_is_read),
        TEST(test_word_with_a_target_that_its_attribute_lacks_is_refused),
        TEST(test_word_for_no_target_is_refused),
        TEST(test_unknown_target_is_refused),
        TEST(test_default_of_a_required_attribute_is_refused),
        TEST(test_word_behind_null_is_one_of_the_attribute),
        TEST(test_word_behind_null_wants_what_null_means),
        TEST(test_unknown_parent_is_refused),
        TEST(test_type_of_another_family_and_offer_of_no_type_are_refused),
        TEST(test_column_in_common_and_in_a_row_is_refused),
        TEST(test_cards_that_do_not_sum_up_are_refused),
        TEST(test_card_in_two_groups_is_refused),
        TEST(test_card_in_no_group_is_refused),
        TEST(test_more_efa_than_cards_is_refused),
        TEST(test_efa_cards_without_efa_are_refused),
        TEST(test_vcpus_that_do_not_multiply_are_refused),
        TEST(test_current_type_without_cards_is_refused),
        TEST(test_unknown_source_is_refused),
        TEST(test_layout_without_primary_is_refused),
        TEST(test_layout_with_efa_only_primary_is_refused),
        TEST(test_layout_with_two_efa_on_a_card_is_refused),
        TEST(test_layout_with_two_at_one_place_is_refused),
        TEST(test_layout_beyond_the_devices_of_a_card_is_refused),
        TEST(test_layout_beyond_the_cards_is_refused),
        TEST(test_layout_with_ena_on_an_efa_card_is_refused),
        TEST(test_layout_that_cannot_be_read_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
