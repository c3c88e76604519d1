// Claims about the tables that schemagen wrote, through the functions that look things up in them.
#include "schema/schema.h"

#include "compiler/plan/model/compute_domain.h"
#include "schema/instances.h"
#include "tests/support/own_rows.h"
#include "tests/support/check.h"

static const InstanceRow *instance(const char *name) {
    const InstanceRow *row = own_instance(str_of(name));
    assert_non_null(row);
    return row;
}

static const AttributeRow *attribute(const char *kind, const char *name) {
    const KindRow *row = schema_kind(str_of(kind));
    assert_non_null(row);
    const int number = schema_attribute(row, str_of(name));
    assert_true(number >= 0);
    return &row->attributes[number];
}

// ---- instance types

static void test_instances_are_sorted_and_each_is_found(void **state) {
    (void)state;

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        assert_true(schema_has_own(str_of(own_row(i)->name)));
    }
    for (int i = 1; i < INSTANCE_ROW_COUNT; i++) {
        assert_true(strcmp(own_row(i - 1)->name, own_row(i)->name) < 0);
    }
}

static void test_unknown_instance_is_not_found(void **state) {
    (void)state;

    assert_false(schema_has_own(STR("p4d.48xlarge")));
    assert_false(schema_has_own(STR("a")));
    assert_false(schema_has_own(STR("z9.large")));
    assert_false(schema_has_own(STR_NONE));
}

static void test_instance_row_has_what_the_api_says(void **state) {
    (void)state;

    const InstanceRow *row = instance("p4d.24xlarge");

    assert_string_equal(row->family, "p4d");
    assert_int_equal(row->architecture, ARCHITECTURE_X86_64);
    assert_int_equal(row->vcpus, 96);
    assert_int_equal(row->memory_mib, 1179648);
    assert_int_equal(row->accelerator, ACCELERATOR_NVIDIA);
    assert_string_equal(row->accelerator_name, "A100");
    assert_int_equal(row->accelerators, 8);
    assert_int_equal(row->network_cards, 4);
    assert_int_equal(row->efa_max, 4);
    assert_int_equal(row->network_mbps, 400000);
    assert_int_equal(row->rdma_write, 0);
    assert_int_equal(row->nvme_total_gb, 8000);
    assert_int_equal(row->capacity_block, 1);
}

static void test_equal_cards_are_one_run(void **state) {
    (void)state;

    const InstanceRow *row = instance("p5.48xlarge");

    assert_int_equal(row->card_run_count, 1);
    assert_int_equal(row->cards[0].count, 32);
    assert_int_equal(row->cards[0].interfaces_max, 2);
    assert_int_equal(row->cards[0].takes, CARD_ENA | CARD_EFA);
}

static void test_first_card_of_b300_takes_no_efa(void **state) {
    (void)state;

    const InstanceRow *row = instance("p6-b300.48xlarge");

    assert_int_equal(row->cards[0].count, 1);
    assert_int_equal(row->cards[0].takes, CARD_ENA);
    assert_int_equal(row->cards[1].first, 1);
    assert_int_equal(row->cards[1].count, 16);
}

static void test_bandwidth_below_a_gigabit_is_kept(void **state) {
    (void)state;

    assert_int_equal(instance("c5.large")->network_mbps, 750);
}

static void test_null_in_a_row_is_unknown(void **state) {
    (void)state;

    const InstanceRow *row = instance("p6e-gb200.36xlarge");

    assert_int_equal(row->efa_max, UNKNOWN);
    assert_int_equal(row->cores, UNKNOWN);
    assert_int_equal(row->cards[0].interfaces_max, UNKNOWN);
    assert_null(row->efa_generation);
}

static void test_part_of_an_accelerator_is_a_share(void **state) {
    (void)state;

    assert_int_equal(instance("g6f.large")->accelerators, 0);
    assert_string_equal(instance("g6f.large")->accelerator_share, "1/8");
    assert_null(instance("g6.xlarge")->accelerator_share);
}

static void test_neuron_cores_are_of_one_device(void **state) {
    (void)state;

    assert_int_equal(instance("trn1.32xlarge")->accelerators, 16);
    assert_int_equal(instance("trn1.32xlarge")->neuron_cores, 2);
}

static void test_a_type_with_all_facts_has_no_gap(void **state) {
    (void)state;

    assert_null(schema_instance_gap(instance("p5.48xlarge")));
    assert_null(schema_instance_gap(instance("c5.large")));
}

static void test_a_type_with_a_written_layout_has_no_gap(void **state) {
    (void)state;

    assert_null(schema_instance_gap(instance("p6e-gb200.36xlarge")));
}

static void test_a_gap_is_named(void **state) {
    (void)state;

    assert_string_equal(schema_instance_gap(instance("trn3.48xlarge")), "how many network cards it has");
    assert_string_equal(schema_instance_gap(instance("trn2u.48xlarge")), "how many interfaces each network card takes");
}

static void test_a_plain_node_needs_fewer_facts(void **state) {
    (void)state;

    assert_string_equal(schema_instance_gap(instance("r9g.8xlarge")), "how many network cards it has");
    assert_null(schema_plain_gap(instance("r9g.8xlarge")));
    assert_string_equal(schema_plain_gap(instance("mac2.metal")), "which architecture its processor has");
    assert_string_equal(schema_plain_gap(instance("cg1.4xlarge")), "how many accelerators it has");
}

static void test_every_current_type_can_be_placed(void **state) {
    (void)state;

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        if (strcmp(own_row(i)->status, "current") == 0) {
            assert_null(schema_instance_gap(own_row(i)));
        }
    }
}

static void test_every_row_has_a_source_with_its_month(void **state) {
    (void)state;

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        assert_non_null(strstr(own_row(i)->sources, ", read 2026-"));
    }
}

static void test_types_of_an_ultraserver_with_nvlink_have_four_gpus(void **state) {
    (void)state;

    int seen = 0;
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        const InstanceRow *row = own_row(i);
        if (row->ultraserver_sizes[0] > 0 && row->accelerator == ACCELERATOR_NVIDIA) {
            assert_int_equal(row->accelerators, ULTRASERVER_NODE_GPUS);
            seen++;
        }
    }
    assert_true(seen > 0);
}

// ---- devices and measurements

static void test_device_of_efa_is_one_of_the_table(void **state) {
    (void)state;

    int known = 0;
    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        const InstanceRow *row = own_row(i);
        known += row->efa_device != NULL ? 1 : 0;
        assert_true(row->efa_device == NULL || schema_efa_device(str_of(row->efa_device)) != NULL);
    }
    assert_true(known > 0);
    assert_string_equal(schema_efa_device(STR("efa3"))->driver, "2.12.0");
    assert_null(schema_efa_device(STR("efa9")));
}

static void test_measurement_is_of_as_many_nodes(void **state) {
    (void)state;

    assert_int_equal(schema_collective(instance("p5.48xlarge"), 4)->megabytes_per_second, 356990);
    assert_null(schema_collective(instance("p5.48xlarge"), 3));
    assert_null(schema_collective(instance("m5.large"), 4));
}

static void test_measurement_with_the_largest_message_counts(void **state) {
    (void)state;

    assert_int_equal(schema_collective(instance("p5.48xlarge"), 2)->bytes, INT64_C(1) << 34);
}

static void test_every_measurement_is_of_a_type_and_has_a_month(void **state) {
    (void)state;

    for (int i = 0; i < COLLECTIVE_ROW_COUNT; i++) {
        const InstanceRow *row = own_instance(str_of(COLLECTIVE_ROWS[i].type));
        assert_non_null(row);
        assert_int_equal(COLLECTIVE_ROWS[i].interfaces, row->efa_max);
        assert_non_null(strstr(COLLECTIVE_ROWS[i].source, "2026-"));
    }
}

// ---- kinds

static void test_numbers_of_attributes_are_their_places(void **state) {
    (void)state;

    assert_string_equal(KIND_ROWS[KIND_NODES].attributes[NODES_EFA_LAYOUT].name, "efa_layout");
    assert_string_equal(KIND_ROWS[KIND_NETWORK].attributes[NETWORK_STACK].name, "stack");
    assert_int_equal(schema_attribute(&KIND_ROWS[KIND_JOB], STR("shm")), JOB_SHM);
}

static void test_unknown_kind_and_attribute_are_not_found(void **state) {
    (void)state;

    assert_null(schema_kind(STR("validation")));
    assert_int_equal(schema_attribute(&KIND_ROWS[KIND_CLUSTER], STR("no_such_attribute")), -1);
    assert_null(schema_output(&KIND_ROWS[KIND_NETWORK], STR("subnets")));
}

static void test_nested_kinds_name_their_parents(void **state) {
    (void)state;

    assert_true(KIND_ROWS[KIND_NODES].is_nested);
    assert_int_equal(KIND_ROWS[KIND_NODES].parents, 1u << KIND_CLUSTER);
    assert_false(KIND_ROWS[KIND_NODES].is_singleton);
    assert_true(KIND_ROWS[KIND_HEAD].is_singleton);
    assert_false(KIND_ROWS[KIND_NETWORK].is_nested);
    assert_true(KIND_ROWS[KIND_MONITORING].is_offable);
}

static void test_a_union_begins_with_its_words(void **state) {
    (void)state;

    const Type *type = attribute("cluster", "ami")->type;

    assert_int_equal(type->kind, TYPE_UNION);
    assert_string_equal(type->name, "ami_id | ssm(ssm_parameter)");
    assert_int_equal(type->option_count, 2);
    assert_int_equal(type->options[0]->kind, TYPE_TAG);
    assert_string_equal(type->options[0]->name, "ssm");
    assert_int_equal(type->options[0]->element->kind, TYPE_PATTERN);
    assert_int_equal(type->options[1]->kind, TYPE_PATTERN);
}

static void test_a_word_may_have_the_name_of_a_kind(void **state) {
    (void)state;

    const Type *type = attribute("nodes", "placement")->type;

    assert_int_equal(type->options[1]->kind, TYPE_WORD);
    assert_string_equal(type->options[1]->name, "cluster");
    assert_non_null(type->options[1]->doc);
    assert_int_equal(type->options[3]->kind, TYPE_STRING);
}

static void test_references_optional_and_lists_are_types(void **state) {
    (void)state;

    assert_int_equal(attribute("cluster", "network")->type->kind, TYPE_BLOCK);
    assert_true(attribute("nodes", "key_name")->type->is_optional);
    assert_string_equal(attribute("nodes", "key_name")->type->pattern->name, "key_name");
    assert_int_equal(attribute("network", "zones")->type->kind, TYPE_LIST);
    assert_int_equal(attribute("network", "zones")->type->element->kind, TYPE_PATTERN);
    assert_int_equal(attribute("nodes", "taints")->type->element->option_count, 3);
}

static void test_no_target_is_now_and_later(void **state) {
    (void)state;

    for (int i = 0; i < KIND_COUNT; i++) {
        for (int j = 0; j < KIND_ROWS[i].attribute_count; j++) {
            assert_int_equal(KIND_ROWS[i].attributes[j].targets & KIND_ROWS[i].attributes[j].later, 0);
        }
    }
}

static void test_outputs_of_a_network_are_typed(void **state) {
    (void)state;

    const OutputRow *output = schema_output(&KIND_ROWS[KIND_NETWORK], STR("private"));

    assert_non_null(output);
    assert_string_equal(output->type->name, "list(subnet_id)");
}

static void test_targets_have_the_names_of_the_language(void **state) {
    (void)state;

    assert_string_equal(schema_target_name(TARGET_PARALLELCLUSTER), "parallelcluster");
    assert_string_equal(schema_target_name(TARGET_NETWORK), "network");
}

// ---- types

static void test_named_types_are_built_in_or_patterns(void **state) {
    (void)state;

    assert_int_equal(schema_named_type(STR("rate"))->kind, TYPE_RATE);
    assert_ptr_equal(schema_named_type(STR("ami_id"))->pattern, schema_pattern(STR("ami_id")));
    assert_null(schema_named_type(STR("list")));
    assert_null(schema_named_type(STR("network")));
}

static void test_patterns_know_their_parameter_types(void **state) {
    (void)state;

    assert_string_equal(schema_pattern(STR("subnet_id"))->cfn_type, "AWS::EC2::Subnet::Id");
    assert_string_equal(schema_pattern(STR("subnet_id"))->cfn_list_type, "List<AWS::EC2::Subnet::Id>");
    assert_string_equal(schema_pattern(STR("capacity_reservation"))->cfn_type, "String");
    assert_null(schema_pattern(STR("subnet")));
}

// ---- regions

static void test_a_zone_belongs_to_the_region_of_its_name(void **state) {
    (void)state;

    assert_string_equal(schema_zone_region(STR("us-east-1a"))->name, "us-east-1");
    assert_string_equal(schema_zone_region(STR("us-east-1-dfw-2a"))->name, "us-east-1");
    assert_string_equal(schema_zone_region(STR("us-gov-west-1b"))->name, "us-gov-west-1");
}

static void test_a_zone_id_belongs_to_the_region_of_its_prefix(void **state) {
    (void)state;

    assert_string_equal(schema_zone_region(STR("use1-az4"))->name, "us-east-1");
    assert_string_equal(schema_zone_region(STR("apne1-az1"))->name, "ap-northeast-1");
    assert_string_equal(schema_zone_region(STR("use1-dfw2-az2"))->name, "us-east-1");
}

static void test_what_is_no_zone_has_no_region(void **state) {
    (void)state;

    assert_null(schema_zone_region(STR("us-east-1")));
    assert_null(schema_zone_region(STR("us-east-11a")));
    assert_null(schema_zone_region(STR("us-east-1-")));
    assert_null(schema_zone_region(STR("xx-east-1a")));
    assert_null(schema_zone_region(STR("xxe1-az1")));
    assert_null(schema_zone_region(STR_NONE));
}

static void test_regions_know_their_partition(void **state) {
    (void)state;

    assert_string_equal(schema_region(STR("cn-north-1"))->partition, "aws-cn");
    assert_string_equal(schema_region(STR("cn-north-1"))->url_suffix, "amazonaws.com.cn");
    assert_null(schema_region(STR("us-east-9")));
}

static void test_offers_are_yes_no_or_unknown(void **state) {
    (void)state;

    assert_int_equal(schema_offered(instance("p5.48xlarge"), schema_region(STR("us-east-1"))), 1);
    assert_int_equal(schema_offered(instance("p5.48xlarge"), schema_region(STR("eu-west-3"))), 0);
    assert_int_equal(schema_offered(instance("p5.48xlarge"), schema_region(STR("us-iso-east-1"))), UNKNOWN);
    assert_int_equal(schema_offered(instance("c5.large"), schema_region(STR("us-east-1"))), UNKNOWN);
}

// ---- images and constants

static void test_an_image_is_chosen_by_os_accelerator_and_architecture(void **state) {
    (void)state;

    assert_string_equal(
        schema_image_row(TARGET_BATCH, STR("al2023"), ACCELERATOR_NEURON, ARCHITECTURE_X86_64)->parameter,
        "/aws/service/ecs/optimized-ami/amazon-linux-2023/neuron/recommended/image_id");
    assert_string_equal(schema_image_row(TARGET_BATCH, STR("al2"), ACCELERATOR_NEURON, ARCHITECTURE_X86_64)->parameter,
                        "/aws/service/ecs/optimized-ami/amazon-linux-2/inf/recommended/image_id");
    assert_string_equal(
        schema_image_row(TARGET_BATCH, STR("al2023"), ACCELERATOR_OTHER, ARCHITECTURE_X86_64)->parameter,
        "/aws/service/ecs/optimized-ami/amazon-linux-2023/recommended/image_id");
}

static void test_there_is_no_image_where_no_service_keeps_one(void **state) {
    (void)state;

    assert_null(schema_image_row(TARGET_BATCH, STR("al2023"), ACCELERATOR_NVIDIA, ARCHITECTURE_ARM64));
    assert_null(schema_image_row(TARGET_BATCH, STR("ubuntu2204"), ACCELERATOR_NONE, ARCHITECTURE_X86_64));
    assert_null(schema_image_row(TARGET_BATCH, STR("al2023"), ACCELERATOR_NONE, ARCHITECTURE_UNKNOWN));
}

static void test_batch_has_its_own_word_for_most_images(void **state) {
    (void)state;

    assert_string_equal(
        schema_image_row(TARGET_BATCH, STR("al2023"), ACCELERATOR_NVIDIA, ARCHITECTURE_X86_64)->image_type,
        "ECS_AL2023_NVIDIA");
    assert_null(schema_image_row(TARGET_BATCH, STR("al2023"), ACCELERATOR_NEURON, ARCHITECTURE_X86_64)->image_type);
}

// ---- quotas

static void test_a_quota_is_chosen_by_family_and_market(void **state) {
    (void)state;

    assert_string_equal(schema_quota(instance("p5.48xlarge"), MARKET_ON_DEMAND)->code, "L-417A185B");
    assert_string_equal(schema_quota(instance("p5.48xlarge"), MARKET_SPOT)->code, "L-7212CCBC");
    assert_string_equal(schema_quota(instance("gr6.4xlarge"), MARKET_ON_DEMAND)->code, "L-DB2E81BA");
    assert_string_equal(schema_quota(instance("trn1.32xlarge"), MARKET_ON_DEMAND)->code, "L-2C3B7624");
    assert_string_equal(schema_quota(instance("t3.large"), MARKET_ON_DEMAND)->code, "L-1216C47A");
    assert_string_equal(schema_quota(instance("dl1.24xlarge"), MARKET_ON_DEMAND)->code, "L-6E869C2A");
}

static void test_there_is_no_quota_where_no_source_names_one(void **state) {
    (void)state;

    assert_null(schema_quota(instance("p5.48xlarge"), MARKET_BLOCK)); // counted when the block was bought
    assert_null(schema_quota(instance("hpc7a.96xlarge"), MARKET_SPOT));
}

static void test_every_type_on_demand_has_a_quota(void **state) {
    (void)state;

    for (int i = 0; i < INSTANCE_ROW_COUNT; i++) {
        const InstanceRow *row = own_row(i);
        // No page says which quota counts CC2, and a Mac is launched on a Dedicated Host.
        const bool is_told = strcmp(row->family, "cc2") != 0 && strncmp(row->family, "mac", 3) != 0;
        if (is_told && row->capacity_on_demand == 1 && schema_quota(row, MARKET_ON_DEMAND) == NULL) {
            fail_msg("no quota counts %s", own_row(i)->name);
        }
    }
}

static void test_a_quota_is_found_by_its_code(void **state) {
    (void)state;

    assert_string_equal(schema_quota_row(STR("L-2C3B7624"))->name, "Running On-Demand Trn instances");
    assert_null(schema_quota_row(STR("L-2C3B762")));
}

static void test_every_policy_is_found_by_its_name(void **state) {
    (void)state;

    for (int i = 0; i < POLICY_ROW_COUNT; i++) {
        const StoredName *row = &STORED_POLICIES[i];
        assert_ptr_equal(schema_policy(str_of(&POLICY_TEXTS[row->name])), &POLICY_PATHS[row->number]);
    }
}

static void test_a_policy_has_its_path(void **state) {
    (void)state;

    assert_string_equal(schema_policy(STR("AmazonEC2RoleforSSM"))->path, "service-role/");
    assert_string_equal(schema_policy(STR("AmazonS3FullAccess"))->path, "");
    assert_int_equal(schema_policy(STR("AmazonEKSServiceRolePolicy"))->attachable, 0);
    assert_null(schema_policy(STR("AmazonS3FullAcces")));
    assert_null(schema_policy(STR_NONE));
}

static void test_an_interface_has_as_many_addresses_as_its_type_says(void **state) {
    (void)state;

    assert_int_equal(schema_interface_addresses(STR("p5.48xlarge")), 50);
    assert_int_equal(schema_interface_addresses(STR("m6i.xlarge")), 15);
    assert_int_equal(schema_interface_addresses(STR("m6i.xlarg")), UNKNOWN);
}

static void test_ultraservers_have_their_sizes(void **state) {
    (void)state;

    const InstanceRow *row = instance("p6e-gb200.36xlarge");

    assert_int_equal(row->ultraserver_sizes[0], 9);
    assert_int_equal(row->ultraserver_sizes[1], 18);
    assert_int_equal(row->ultraserver_sizes[2], 0);
    assert_int_equal(instance("p5.48xlarge")->ultraserver_sizes[0], 0);
}

static void test_what_has_no_price_on_demand_is_unpriced(void **state) {
    (void)state;

    assert_true(instance("p5e.48xlarge")->is_unpriced);
    assert_true(instance("trn2.48xlarge")->is_unpriced);
    assert_false(instance("p5.48xlarge")->is_unpriced);
}

static void test_constants_are_found_by_number_and_name(void **state) {
    (void)state;

    assert_int_equal(schema_constant(CONSTANT_TEMPLATE_BODY_BYTES_MAX), 51200);
    assert_int_equal(schema_constant(CONSTANT_ULIMIT_MEMLOCK), -1);
    assert_int_equal(schema_constant_row(STR("lustre_port"))->value, 988);
    assert_null(schema_constant_row(STR("lustre")));
}

// A word that were an attribute itself would never be looked up, and one that led nowhere would help nobody.
static void test_words_of_aws_lead_to_attributes(void **state) {
    (void)state;
    static const struct {
        const char *kind;
        const char *word;
        const char *attribute;
    } WORDS[] = {
#define OTHER_WORD(kind, word, attribute, help) { kind, word, attribute },
#include "schema/other_words.def"
    };
    for (size_t i = 0; i < COUNT_OF(WORDS); i++) {
        const KindRow *kind = schema_kind(str_of(WORDS[i].kind));
        assert_non_null(kind);
        assert_int_equal(schema_attribute(kind, str_of(WORDS[i].word)), -1);
        assert_true(WORDS[i].attribute[0] == '\0' || schema_attribute(kind, str_of(WORDS[i].attribute)) >= 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instances_are_sorted_and_each_is_found),
        cmocka_unit_test(test_unknown_instance_is_not_found),
        cmocka_unit_test(test_instance_row_has_what_the_api_says),
        cmocka_unit_test(test_equal_cards_are_one_run),
        cmocka_unit_test(test_first_card_of_b300_takes_no_efa),
        cmocka_unit_test(test_bandwidth_below_a_gigabit_is_kept),
        cmocka_unit_test(test_null_in_a_row_is_unknown),
        cmocka_unit_test(test_part_of_an_accelerator_is_a_share),
        cmocka_unit_test(test_neuron_cores_are_of_one_device),
        cmocka_unit_test(test_a_type_with_all_facts_has_no_gap),
        cmocka_unit_test(test_a_type_with_a_written_layout_has_no_gap),
        cmocka_unit_test(test_a_gap_is_named),
        cmocka_unit_test(test_a_plain_node_needs_fewer_facts),
        cmocka_unit_test(test_every_current_type_can_be_placed),
        cmocka_unit_test(test_every_row_has_a_source_with_its_month),
        cmocka_unit_test(test_numbers_of_attributes_are_their_places),
        cmocka_unit_test(test_unknown_kind_and_attribute_are_not_found),
        cmocka_unit_test(test_nested_kinds_name_their_parents),
        cmocka_unit_test(test_a_union_begins_with_its_words),
        cmocka_unit_test(test_a_word_may_have_the_name_of_a_kind),
        cmocka_unit_test(test_references_optional_and_lists_are_types),
        cmocka_unit_test(test_no_target_is_now_and_later),
        cmocka_unit_test(test_outputs_of_a_network_are_typed),
        cmocka_unit_test(test_targets_have_the_names_of_the_language),
        cmocka_unit_test(test_named_types_are_built_in_or_patterns),
        cmocka_unit_test(test_patterns_know_their_parameter_types),
        cmocka_unit_test(test_a_zone_belongs_to_the_region_of_its_name),
        cmocka_unit_test(test_a_zone_id_belongs_to_the_region_of_its_prefix),
        cmocka_unit_test(test_what_is_no_zone_has_no_region),
        cmocka_unit_test(test_regions_know_their_partition),
        cmocka_unit_test(test_offers_are_yes_no_or_unknown),
        cmocka_unit_test(test_an_image_is_chosen_by_os_accelerator_and_architecture),
        cmocka_unit_test(test_there_is_no_image_where_no_service_keeps_one),
        cmocka_unit_test(test_batch_has_its_own_word_for_most_images),
        cmocka_unit_test(test_a_quota_is_chosen_by_family_and_market),
        cmocka_unit_test(test_there_is_no_quota_where_no_source_names_one),
        cmocka_unit_test(test_every_type_on_demand_has_a_quota),
        cmocka_unit_test(test_a_quota_is_found_by_its_code),
        cmocka_unit_test(test_every_policy_is_found_by_its_name),
        cmocka_unit_test(test_a_policy_has_its_path),
        cmocka_unit_test(test_an_interface_has_as_many_addresses_as_its_type_says),
        cmocka_unit_test(test_ultraservers_have_their_sizes),
        cmocka_unit_test(test_what_has_no_price_on_demand_is_unpriced),
        cmocka_unit_test(test_types_of_an_ultraserver_with_nvlink_have_four_gpus),
        cmocka_unit_test(test_device_of_efa_is_one_of_the_table),
        cmocka_unit_test(test_measurement_is_of_as_many_nodes),
        cmocka_unit_test(test_measurement_with_the_largest_message_counts),
        cmocka_unit_test(test_every_measurement_is_of_a_type_and_has_a_month),
        cmocka_unit_test(test_constants_are_found_by_number_and_name),
        cmocka_unit_test(test_words_of_aws_lead_to_attributes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
