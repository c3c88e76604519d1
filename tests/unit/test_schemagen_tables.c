// The generator on a small schema with one file that is not right: regions, images, policies, parameters, quotas, and
// how types are sold.
#include "tests/support/schemagen_world.h"

// ---- regions and images

static void test_offer_in_an_unknown_region_is_refused(void **state) {
    assert_refused(
        state, "regions.yaml",
        "sources: { u: dtc }\npartitions: { aws: a }\nregions:\n  us-1: { partition: aws, zones: a, ids: null }\n"
        "parallelcluster: []\npcs: []\nwithout_eks: {}\noffers: { t1.a: [us-2] }\n",
        "schema/regions.yaml:8:18: there is no such region\n");
}

static void test_region_of_an_unknown_partition_is_refused(void **state) {
    assert_refused(
        state, "regions.yaml",
        "sources: { u: dtc }\npartitions: { aws: a }\nregions:\n  us-1: { partition: moon, zones: a, ids: null }\n"
        "parallelcluster: []\npcs: []\nwithout_eks: {}\noffers: {}\n",
        "schema/regions.yaml:4:22: there is no such partition\n");
}

static void test_target_in_an_unknown_region_is_refused(void **state) {
    assert_refused(
        state, "regions.yaml",
        "sources: { u: dtc }\npartitions: { aws: a }\nregions:\n"
        "  us-1: { partition: aws, zones: a, ids: null }\n"
        "parallelcluster: [us-2]\npcs: [us-3]\nwithout_eks: { us-3: { ids: [1], letters: null } }\noffers: {}\n",
        "schema/regions.yaml:5:19: there is no such region\n"
        "schema/regions.yaml:6:7: there is no such region\n"
        "schema/regions.yaml:7:16: there is no such region\n");
}

static void test_second_image_for_a_combination_is_refused(void **state) {
    assert_refused(state, "images.yaml",
                   "sources: { us: dtc }\nimages:\n"
                   "  - { target: batch, os: al2, accelerator: none, architecture: arm64, parameter: /a,\n"
                   "      image_type: A }\n"
                   "  - { target: batch, os: al2, accelerator: none, architecture: arm64, parameter: /b,\n"
                   "      image_type: B }\n",
                   "schema/images.yaml:5:5: an image for this combination is there already\n");
}

// ---- policies

static void test_second_policy_of_a_name_is_refused(void **state) {
    assert_refused(state, "policies.yaml",
                   "source: dtc\npaths:\n"
                   "  - { path: \"\", attachable: true, names: [A] }\n"
                   "  - { path: a/, attachable: true, names: [A] }\n",
                   "schema/policies.yaml:4:43: the policy `A` is there twice\n");
}

// ---- plugins

#define PLUGINS "sources: { us: dtc }\nplugins: []\n"

static void test_registry_of_an_unknown_region_is_refused(void **state) {
    assert_refused(state, "plugins.yaml",
                   PLUGINS "registries: { elsewhere: \"123456789012\", us-2: \"123456789012\" }\n",
                   "schema/plugins.yaml:3:42: there is no such region\n");
}

static void test_registry_that_is_no_account_is_refused(void **state) {
    assert_refused(state, "plugins.yaml", PLUGINS "registries: { elsewhere: 123456789012 }\n",
                   "schema/plugins.yaml:3:26: an account is a text of 12 digits\n");
}

static void test_registries_without_the_usual_one_are_refused(void **state) {
    assert_refused(state, "plugins.yaml", PLUGINS "registries: { us-1: \"123456789012\" }\n",
                   "schema/plugins.yaml:3:15: `elsewhere` is the first registry\n");
}

// ---- parameters

static void test_parameter_that_is_there_twice_is_refused(void **state) {
    assert_refused(state, "parameters.yaml",
                   "sources: { us: dtc }\nparameters:\n"
                   "  - { path: /a/id, architecture: null, drivers: none, source: us }\n"
                   "  - { path: /a/id, architecture: arm64, drivers: null, source: us }\n"
                   "mistaken: []\n",
                   "schema/parameters.yaml:4:13: this path is there already\n");
}

static void test_parameter_from_nowhere_is_refused(void **state) {
    assert_refused(state, "parameters.yaml",
                   "sources: { us: dtc }\nparameters:\n"
                   "  - { path: /a/id, architecture: null, drivers: none, source: them }\n"
                   "mistaken: []\n",
                   "schema/parameters.yaml:3:63: the file's `sources` has no text for it\n");
}

static void test_mistaken_path_with_other_stars_is_refused(void **state) {
    assert_refused(state, "parameters.yaml",
                   "sources: { us: dtc }\nparameters: []\n"
                   "mistaken:\n  - { path: /a/*/id, instead: /a/id }\n",
                   "schema/parameters.yaml:4:31: not as many `*` as in `path`\n");
}

// ---- quotas and how types are sold

static void test_family_in_two_quotas_of_a_market_is_refused(void **state) {
    assert_refused(state, "quotas.yaml",
                   "sources: { spot: dtc, block: dtc }\nquotas:\n"
                   "  - { code: L-1, market: spot, name: A, families: [t1] }\n"
                   "  - { code: L-2, market: block, name: B, families: [t1] }\n"
                   "  - { code: L-3, market: spot, name: C, families: [t1] }\n",
                   "schema/quotas.yaml:5:52: another quota of `spot` counts `t1`\n");
}

static void test_quota_of_an_unknown_family_is_refused(void **state) {
    assert_refused(state, "quotas.yaml",
                   "sources: { spot: dtc }\nquotas:\n  - { code: L-1, market: spot, name: A, families: [t9] }\n",
                   "schema/quotas.yaml:3:52: this is no family of the schema\n");
}

static void test_quota_of_nothing_and_from_nowhere_is_refused(void **state) {
    assert_refused(state, "quotas.yaml", "sources: { spot: dtc }\nquotas:\n  - { code: L-1, market: block, name: A }\n",
                   "schema/quotas.yaml:3:5: the file's `sources` has no text for `block`\n"
                   "schema/quotas.yaml:3:5: a quota has `letters` or `families`\n");
}

static void test_floor_above_what_was_measured_is_refused(void **state) {
    assert_refused(
        state, "collectives.yaml",
        "sources: { us: dtc }\nfloor_percent: 101\nall_reduce:\n"
        "  - { type: t1.a, interfaces: 1, nodes: 2, ranks: 2, bytes: 8, megabytes_per_second: 1, source: us }\n",
        "schema/collectives.yaml:2:16: the part that others have to reach is a whole number from 1 to "
        "100\n");
}

static void test_measurement_of_fewer_ranks_than_nodes_is_refused(void **state) {
    assert_refused(
        state, "collectives.yaml",
        "sources: { us: dtc }\nfloor_percent: 80\nall_reduce:\n"
        "  - { type: t1.a, interfaces: 1, nodes: 2, ranks: 1, bytes: 8, megabytes_per_second: 1, source: us }\n",
        "schema/collectives.yaml:4:51: a number of ranks is a whole number from 2 to 1000000\n");
}

static void assert_sale_refused(void **state, const char *columns, const char *expected) {
    Folder *folder = *state;
    const Str text =
        str_format(folder->arena,
                   "family: t1\nsources: { api: dtc }\ncommon:\n  { status: current, sources: [api],\n"
                   "    architecture: arm64, placement_cluster: true }\ntypes:\n"
                   "  t1.a: { vcpus: 4, cores: 2, threads_per_core: 2, memory_mib: 4, accelerator: none,\n"
                   "    network_gbps: 0.5, network_cards: 1, cards: [{ at: 0, interfaces: 2, takes: [ena] }],\n"
                   "    efa: none, nvme: none, capacity: [spot],\n    %s }\n",
                   columns);
    assert_refused(state, "instances/t1.yaml", str_c(folder->arena, text), expected);
}

static void test_missing_price_of_what_is_not_sold_on_demand_is_refused(void **state) {
    assert_sale_refused(state, "unpriced: true",
                        "schema/instances/t1.yaml:10:15: what is not sold on demand has no price on demand to miss\n");
}

static void test_ultraserver_sizes_out_of_order_are_refused(void **state) {
    assert_sale_refused(state, "ultraserver: [18, 9]", "schema/instances/t1.yaml:10:23: sizes ascend\n");
}

static void test_too_many_ultraserver_sizes_are_refused(void **state) {
    assert_sale_refused(state, "ultraserver: [2, 3, 4, 5]",
                        "schema/instances/t1.yaml:10:18: `ultraserver` has one to 3 sizes\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(test_offer_in_an_unknown_region_is_refused),
        TEST(test_region_of_an_unknown_partition_is_refused),
        TEST(test_target_in_an_unknown_region_is_refused),
        TEST(test_second_image_for_a_combination_is_refused),
        TEST(test_second_policy_of_a_name_is_refused),
        TEST(test_registry_of_an_unknown_region_is_refused),
        TEST(test_registry_that_is_no_account_is_refused),
        TEST(test_registries_without_the_usual_one_are_refused),
        TEST(test_parameter_that_is_there_twice_is_refused),
        TEST(test_parameter_from_nowhere_is_refused),
        TEST(test_mistaken_path_with_other_stars_is_refused),
        TEST(test_family_in_two_quotas_of_a_market_is_refused),
        TEST(test_quota_of_an_unknown_family_is_refused),
        TEST(test_quota_of_nothing_and_from_nowhere_is_refused),
        TEST(test_floor_above_what_was_measured_is_refused),
        TEST(test_measurement_of_fewer_ranks_than_nodes_is_refused),
        TEST(test_missing_price_of_what_is_not_sold_on_demand_is_refused),
        TEST(test_ultraserver_sizes_out_of_order_are_refused),
        TEST(test_too_many_ultraserver_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
