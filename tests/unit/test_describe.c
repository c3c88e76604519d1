// One described type at a time, each with the field that the claim is about.
#include "schema/describe.h"

#include "compiler/base/session.h"
#include "compiler/base/yaml_read.h"
#include "schema/instances.h"
#include "tests/support/check.h"

static int set_up(void **state) {
    *state = session_create();
    return 0;
}

static int tear_down(void **state) {
    session_destroy(*state);
    return 0;
}

static const InstanceRow *described(Session *session, const char *fields) {
    const Str text =
        str_format(session->arena, "{ \"InstanceTypes\": [{ \"InstanceType\": \"p9.48xlarge\"%s }] }", fields);
    const Data *file = yaml_read(session, source_add(session, STR("types.json"), text));
    assert_non_null(file);
    assert_true(is_described(file));
    ReadInstances rows = { 0 };
    described_read(session, file, &rows);
    assert_int_equal(rows.count, 1);
    return rows.items[0].row;
}

static const InstanceRow *network(Session *session, const char *fields) {
    return described(session, str_c(session->arena, str_format(session->arena, ", \"NetworkInfo\": { %s }", fields)));
}

#define THREE_CARDS                                                                             \
    "\"NetworkCards\": [{ \"NetworkCardIndex\": 2, \"MaximumNetworkInterfaces\": 4 }, "         \
    "{ \"NetworkCardIndex\": 0, \"MaximumNetworkInterfaces\": 8 }, { \"NetworkCardIndex\": 1, " \
    "\"MaximumNetworkInterfaces\": 4 }]"

static void test_what_is_left_out_is_unknown(void **state) {
    const InstanceRow *row = described(*state, "");

    assert_string_equal(row->family, "p9");
    assert_int_equal(row->vcpus, UNKNOWN);
    assert_int_equal(row->memory_mib, UNKNOWN);
    assert_int_equal(row->architecture, ARCHITECTURE_UNKNOWN);
    assert_int_equal(row->network_cards, UNKNOWN);
    assert_int_equal(row->efa_max, UNKNOWN);
    assert_int_equal(row->nvme_count, UNKNOWN);
    assert_int_equal(row->placement_cluster, UNKNOWN);
    assert_int_equal(row->capacity_spot, UNKNOWN);
    assert_int_equal(row->offered, 0);
    assert_false(has_errors(*state));
}

static void test_null_is_left_out(void **state) {
    assert_int_equal(described(*state, ", \"VCpuInfo\": null")->vcpus, UNKNOWN);
    assert_false(has_errors(*state));
}

static void test_unknown_fields_are_passed(void **state) {
    described(*state, ", \"QuantumInfo\": { \"Qubits\": 3 }");

    assert_false(has_errors(*state));
}

static void test_as_many_efa_as_cards_are_on_all(void **state) {
    const InstanceRow *row = network(*state, THREE_CARDS ", \"EfaInfo\": { \"MaximumEfaInterfaces\": 3 }");

    assert_int_equal(row->card_run_count, 2);
    assert_int_equal(row->cards[0].interfaces_max, 8);
    assert_int_equal(row->cards[0].takes, CARD_ENA | CARD_EFA);
    assert_int_equal(row->cards[1].takes, CARD_ENA | CARD_EFA);
}

static void test_one_efa_fewer_leaves_out_card_0(void **state) {
    const InstanceRow *row = network(*state, THREE_CARDS ", \"EfaInfo\": { \"MaximumEfaInterfaces\": 2 }");

    assert_int_equal(row->cards[0].takes, CARD_ENA);
    assert_int_equal(row->cards[1].takes, CARD_ENA | CARD_EFA);
    assert_non_null(row->note);
}

static void test_two_efa_fewer_are_on_unknown_cards(void **state) {
    const InstanceRow *row = network(*state, THREE_CARDS ", \"EfaInfo\": { \"MaximumEfaInterfaces\": 1 }");

    assert_int_equal(row->cards[0].takes, 0);
    assert_string_equal(schema_instance_gap(row), "which network cards take EFA");
}

static void test_more_efa_than_cards_are_on_unknown_cards(void **state) {
    const InstanceRow *row = network(*state, THREE_CARDS ", \"EfaInfo\": { \"MaximumEfaInterfaces\": 4 }");

    assert_int_equal(row->cards[0].takes, 0);
}

static const char *card(Session *session, int number, int interfaces, const char *types) {
    return str_c(session->arena,
                 str_format(session->arena, "{ \"NetworkCardIndex\": %d, \"MaximumNetworkInterfaces\": %d%s%s }",
                            number, interfaces, types[0] == '\0' ? "" : ", \"InterfaceTypes\": ", types));
}

// Three cards with their kinds of interfaces, and one EFA fewer than cards.
static const InstanceRow *typed(Session *session, const char *first, const char *second, const char *third) {
    const Str text =
        str_format(session->arena, "\"NetworkCards\": [%s, %s, %s], \"EfaInfo\": { \"MaximumEfaInterfaces\": 2 }",
                   card(session, 0, 8, first), card(session, 1, 4, second), card(session, 2, 4, third));
    return network(session, str_c(session->arena, text));
}

static void test_what_a_card_takes_is_read(void **state) {
    const InstanceRow *row = typed(*state, "[\"interface\", \"efa\", \"efa-only\", \"secondary\"]", "[\"interface\"]",
                                   "[\"efa-only\", \"quantum\"]");

    assert_int_equal(row->card_run_count, 3);
    assert_int_equal(row->cards[0].takes, CARD_ENA | CARD_EFA);
    assert_int_equal(row->cards[1].takes, CARD_ENA);
    assert_int_equal(row->cards[2].takes, CARD_EFA);
    assert_null(row->note);
    assert_false(has_errors(*state));
}

static void test_a_card_without_its_kinds_leaves_it_to_the_number(void **state) {
    const InstanceRow *row = typed(*state, "[\"interface\", \"efa\"]", "", "[\"efa-only\"]");

    assert_int_equal(row->cards[0].takes, CARD_ENA);
    assert_int_equal(row->cards[1].takes, CARD_ENA | CARD_EFA);
    assert_non_null(row->note);
}

static void test_kinds_that_contradict_the_number_are_refused(void **state) {
    typed(*state, "[\"interface\"]", "[\"interface\"]", "[\"efa-only\"]");

    assert_true(has_errors(*state));
}

static void test_kinds_are_texts(void **state) {
    typed(*state, "[\"interface\", 3]", "[\"efa\"]", "[\"efa\"]");

    assert_true(has_errors(*state));
}

static void test_card_0_without_an_address_is_refused(void **state) {
    typed(*state, "[\"efa-only\"]", "[\"efa\"]", "[\"interface\"]");

    assert_true(has_errors(*state));
}

static void test_last_cards_without_interfaces_are_none(void **state) {
    const Str text = str_format(((Session *)*state)->arena,
                                "\"MaximumNetworkCards\": 3, \"NetworkCards\": [%s, %s, %s], "
                                "\"EfaInfo\": { \"MaximumEfaInterfaces\": 1 }",
                                card(*state, 0, 8, "[\"efa\"]"), card(*state, 1, 0, ""), card(*state, 2, 0, ""));

    const InstanceRow *row = network(*state, str_c(((Session *)*state)->arena, text));

    assert_int_equal(row->network_cards, 1);
    assert_int_equal(row->cards[0].takes, CARD_ENA | CARD_EFA);
    assert_false(has_errors(*state));
}

static void test_a_card_without_interfaces_before_others_is_refused(void **state) {
    const Str text = str_format(((Session *)*state)->arena, "\"NetworkCards\": [%s, %s, %s]", card(*state, 0, 8, ""),
                                card(*state, 1, 0, ""), card(*state, 2, 4, ""));

    network(*state, str_c(((Session *)*state)->arena, text));

    assert_true(has_errors(*state));
}

static void test_no_efa_leaves_plain_cards(void **state) {
    const InstanceRow *row = network(*state, THREE_CARDS ", \"EfaSupported\": false");

    assert_int_equal(row->efa_max, 0);
    assert_int_equal(row->cards[0].takes, CARD_ENA);
    assert_null(row->note);
}

static void test_efa_without_a_number_is_unknown(void **state) {
    const InstanceRow *row = network(*state, THREE_CARDS ", \"EfaSupported\": true");

    assert_int_equal(row->efa_max, UNKNOWN);
    assert_string_equal(schema_instance_gap(row), "how many EFA interfaces it has");
}

static void test_the_one_card_without_efa_is_no_rule(void **state) {
    const InstanceRow *row =
        network(*state, "\"NetworkCards\": [{ \"NetworkCardIndex\": 0 }], \"EfaSupported\": false");

    assert_int_equal(row->cards[0].interfaces_max, UNKNOWN);
    assert_null(row->note);
}

static void test_bandwidths_of_cards_add_up(void **state) {
    const InstanceRow *row = network(*state, "\"NetworkCards\": ["
                                             "{ \"NetworkCardIndex\": 0, \"BaselineBandwidthInGbps\": 12.5 },"
                                             "{ \"NetworkCardIndex\": 1, \"BaselineBandwidthInGbps\": 100 }]");

    assert_int_equal(row->network_mbps, 112500);
}

static void test_one_card_without_bandwidth_leaves_the_sum_unknown(void **state) {
    const InstanceRow *row = network(*state, "\"NetworkCards\": ["
                                             "{ \"NetworkCardIndex\": 0, \"BaselineBandwidthInGbps\": 12.5 },"
                                             "{ \"NetworkCardIndex\": 1 }]");

    assert_int_equal(row->network_mbps, UNKNOWN);
    assert_false(has_errors(*state));
}

static void test_a_type_without_devices_has_none(void **state) {
    const InstanceRow *row = described(*state, "");

    assert_int_equal(row->accelerators, 0);
    assert_int_equal(row->accelerator, ACCELERATOR_NONE);
}

static void test_gpus_are_read(void **state) {
    const InstanceRow *row =
        described(*state, ", \"GpuInfo\": { \"Gpus\": [{ \"Name\": \"X100\", \"Manufacturer\": \"NVIDIA\", "
                          "\"Count\": 8, \"MemoryInfo\": { \"SizeInMiB\": 98304 } }] }");

    assert_int_equal(row->accelerator, ACCELERATOR_NVIDIA);
    assert_int_equal(row->accelerators, 8);
    assert_string_equal(row->accelerator_name, "X100");
    assert_int_equal(row->accelerator_memory_mib, 98304);
}

static void test_a_part_of_a_gpu_is_a_share(void **state) {
    const InstanceRow *row =
        described(*state, ", \"GpuInfo\": { \"Gpus\": [{ \"Name\": \"L4\", \"Manufacturer\": \"NVIDIA\", \"Count\": 0, "
                          "\"GpuPartitionSize\": 0.125 }] }");

    assert_int_equal(row->accelerators, 0);
    assert_string_equal(row->accelerator_share, "1/8");
}

static void test_a_part_of_no_known_size_is_unknown(void **state) {
    const InstanceRow *row = described(*state, ", \"GpuInfo\": { \"Gpus\": [{ \"Count\": 0 }] }");

    assert_int_equal(row->accelerators, UNKNOWN);
}

static void test_neuron_devices_go_before_inference_accelerators(void **state) {
    const InstanceRow *row =
        described(*state, ", \"InferenceAcceleratorInfo\": { \"Accelerators\": [{ \"Name\": \"Inferentia2\", "
                          "\"Manufacturer\": \"AWS\", \"Count\": 1 }] }, \"NeuronInfo\": { \"NeuronDevices\": ["
                          "{ \"Name\": \"Inferentia2\", \"Count\": 1, \"CoreInfo\": { \"Count\": 2 } }] }");

    assert_int_equal(row->accelerator, ACCELERATOR_NEURON);
    assert_int_equal(row->neuron_cores, 2);
}

static void test_two_kinds_of_gpus_are_unknown(void **state) {
    const InstanceRow *row = described(*state, ", \"GpuInfo\": { \"Gpus\": [{ \"Count\": 1 }, { \"Count\": 2 }] }");

    assert_int_equal(row->accelerators, UNKNOWN);
}

static void test_strategies_and_usage_classes_are_read(void **state) {
    const InstanceRow *row = described(*state, ", \"SupportedUsageClasses\": [\"capacity-block\", \"spot\"], "
                                               "\"PlacementGroupInfo\": { \"SupportedStrategies\": [\"spread\"] }");

    assert_int_equal(row->capacity_block, 1);
    assert_int_equal(row->capacity_spot, 1);
    assert_int_equal(row->capacity_on_demand, 0);
    assert_int_equal(row->placement_cluster, 0);
}

static void test_disks_of_one_size_are_read(void **state) {
    const InstanceRow *row =
        described(*state, ", \"InstanceStorageInfo\": { \"TotalSizeInGB\": 7600, \"NvmeSupport\": \"required\", "
                          "\"Disks\": [{ \"SizeInGB\": 1900, \"Count\": 4 }] }");

    assert_int_equal(row->nvme_count, 4);
    assert_int_equal(row->nvme_total_gb, 7600);
}

static void test_no_storage_is_none(void **state) {
    assert_int_equal(described(*state, ", \"InstanceStorageSupported\": false")->nvme_count, 0);
}

static void test_an_older_architecture_beside_it_does_no_harm(void **state) {
    const InstanceRow *row =
        described(*state, ", \"ProcessorInfo\": { \"SupportedArchitectures\": [\"i386\", \"x86_64\"] }");

    assert_int_equal(row->architecture, ARCHITECTURE_X86_64);
}

static void test_the_last_number_of_vcpus_and_the_first_too_many(void **state) {
    assert_int_equal(described(*state, ", \"VCpuInfo\": { \"DefaultVCpus\": 100000 }")->vcpus, 100000);
    assert_false(has_errors(*state));
    assert_int_equal(described(*state, ", \"VCpuInfo\": { \"DefaultVCpus\": 100001 }")->vcpus, UNKNOWN);
    assert_true(has_errors(*state));
}

int main(void) {
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        TEST(test_what_is_left_out_is_unknown),
        TEST(test_what_a_card_takes_is_read),
        TEST(test_a_card_without_its_kinds_leaves_it_to_the_number),
        TEST(test_kinds_that_contradict_the_number_are_refused),
        TEST(test_kinds_are_texts),
        TEST(test_card_0_without_an_address_is_refused),
        TEST(test_last_cards_without_interfaces_are_none),
        TEST(test_a_card_without_interfaces_before_others_is_refused),
        TEST(test_null_is_left_out),
        TEST(test_unknown_fields_are_passed),
        TEST(test_as_many_efa_as_cards_are_on_all),
        TEST(test_one_efa_fewer_leaves_out_card_0),
        TEST(test_two_efa_fewer_are_on_unknown_cards),
        TEST(test_more_efa_than_cards_are_on_unknown_cards),
        TEST(test_no_efa_leaves_plain_cards),
        TEST(test_efa_without_a_number_is_unknown),
        TEST(test_the_one_card_without_efa_is_no_rule),
        TEST(test_bandwidths_of_cards_add_up),
        TEST(test_one_card_without_bandwidth_leaves_the_sum_unknown),
        TEST(test_a_type_without_devices_has_none),
        TEST(test_gpus_are_read),
        TEST(test_a_part_of_a_gpu_is_a_share),
        TEST(test_a_part_of_no_known_size_is_unknown),
        TEST(test_neuron_devices_go_before_inference_accelerators),
        TEST(test_two_kinds_of_gpus_are_unknown),
        TEST(test_strategies_and_usage_classes_are_read),
        TEST(test_disks_of_one_size_are_read),
        TEST(test_no_storage_is_none),
        TEST(test_an_older_architecture_beside_it_does_no_harm),
        TEST(test_the_last_number_of_vcpus_and_the_first_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
