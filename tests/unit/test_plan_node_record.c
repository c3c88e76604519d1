#include "compiler/plan/declared/build.h"
#include "compiler/plan/model/node_record.h"
#include "compiler/plan/rules/check.h"

#include "stdlib/node/contract.h"
#include "tests/support/check.h"

static int make(void **state) {
    *state = session_create();
    return 0;
}

static int drop(void **state) {
    session_destroy(*state);
    return 0;
}

// The first group of a source that has no mistakes.
static const PlanNodes *plan_of(Session *session, const char *cluster) {
    const Str text = str_format(session->arena, "dt 1\nnetwork lab { zones = [\"us-east-1a\"] }\n%s", cluster);
    const Inputs inputs = { 0 };
    Program *program = program_load_text(session, STR("main.dt"), text, &inputs);
    program_resolve(session, program);
    program_evaluate(session, program);
    program_check(session, program);
    assert_false(has_errors(session));
    const Plan *plan = plan_build(session, program, NULL);
    plan_check(session, plan);
    assert_false(has_errors(session));
    return plan->clusters.items[0]->nodes.items[0];
}

static Str record_of(Session *session, const char *cluster) {
    return plan_of(session, cluster)->validate->record;
}

#define HEAD "head { instance = \"m5.large\" }\n"
#define ON_BATCH "cluster llm on batch {\nnetwork = lab\n"
#define ON_SLURM "cluster llm on parallelcluster {\nnetwork = lab\nartifacts = \"s3://lab/llm\"\n" HEAD

static void test_record_of_a_p5_on_batch(void **state) {
    assert_text(
        record_of(*state, ON_BATCH "nodes gpu { instance = \"p5.48xlarge\", count = 4, scratch = \"/scratch\" } }"),
        "dtc-expect 1\n"
        "group gpu\n"
        "type p5.48xlarge\n"
        "efa.count 32\n"
        "gpu.count 8\n"
        "proc nv-fabricmanage\n"
        "klog 46 48 54 62 64 74 79 95 109 110 119 120 136 140 143 144 145 146 147 148 149 150 151 154 155 156 158\n"
        "cpus 192\n"
        "mem.mib 1928703\n"
        "nvme.count 8\n"
        "?clock sync\n"
        "mount /scratch xfs\n"
        "module efa\n"
        "module ib_uverbs\n"
        "coll.bytes 268435456\n"
        "?coll.link-gbps 50\n");
}

static void test_record_of_a_p4d_on_parallelcluster(void **state) {
    assert_text(
        record_of(*state,
                  "storage fsx { kind = lustre, size = 1200GiB, mount = \"/fsx\" }\n"
                  "storage home { kind = ebs, size = 100GiB, mount = \"/data\" }\n" ON_SLURM "storage = [fsx, home]\n"
                  "nodes gpu { instance = \"p4d.24xlarge\", count = 4, scratch = \"/scratch\" } }"),
        "dtc-expect 1\n"
        "group gpu\n"
        "type p4d.24xlarge\n"
        "efa.count 4\n"
        "efa.pci efa0\n"
        "libfabric /opt/amazon/efa/bin/fi_info\n"
        "gpu.count 8\n"
        "proc nv-fabricmanage\n"
        "klog 46 48 54 62 64 74 79 95 109 110 119 120 136 140 143 144 145 146 147 148 149 150 151 154 155 156 158\n"
        "cpus 96\n"
        "mem.mib 1084600\n"
        "nvme.count 8\n"
        "?clock sync\n"
        "?memlock unlimited slurmd\n"
        "mount /fsx lustre\n"
        "module efa\n"
        "module ib_uverbs\n"
        "coll.bytes 268435456\n"
        "?coll.link-gbps 50\n");
}

static void test_record_of_a_type_without_accelerators(void **state) {
    assert_text(record_of(*state, ON_BATCH "nodes cpu { instance = \"hpc8a.96xlarge\", count = 4 } }"),
                "dtc-expect 1\n"
                "group cpu\n"
                "type hpc8a.96xlarge\n"
                "efa.count 2\n"
                "efa.pci efa3\n"
                "?efa.driver 2.12.0\n"
                "cpus 192\n"
                "mem.mib 722841\n"
                "?clock sync\n"
                "module efa\n"
                "module ib_uverbs\n"
                "coll.bytes 268435456\n"
                "?coll.link-gbps 75\n");
}

static void test_neuron_devices_are_counted_and_no_gpus(void **state) {
    const Str record = record_of(*state, ON_BATCH "nodes trn { instance = \"trn1.32xlarge\", count = 4 } }");

    assert_text(record, "dtc-expect 1\n"
                        "group trn\n"
                        "type trn1.32xlarge\n"
                        "efa.count 8\n"
                        "neuron.count 16\n"
                        "?neuron.ecc 0\n"
                        "cpus 128\n"
                        "mem.mib 481668\n"
                        "nvme.count 4\n"
                        "?clock sync\n"
                        "module efa\n"
                        "module ib_uverbs\n"
                        "coll.bytes 268435456\n"
                        "?coll.link-gbps 50\n");
}

static void test_what_the_author_asks_for_stands_in_the_record(void **state) {
    const Str record =
        record_of(*state, ON_BATCH "nodes gpu { instance = \"g5.xlarge\", count = 1\n"
                                   "validate { files = [\"/opt/a\", \"/opt/b\"], modules = [\"gdrdrv\"],\n"
                                   "collective = all_reduce, min_busbw = 10GBps } } }");

    assert_text(
        record,
        "dtc-expect 1\n"
        "group gpu\n"
        "type g5.xlarge\n"
        "gpu.count 1\n"
        "klog 46 48 54 62 64 74 79 95 109 110 119 120 136 140 143 144 145 146 147 148 149 150 151 154 155 156 158\n"
        "cpus 4\n"
        "mem.mib 14397\n"
        "nvme.count 1\n"
        "?clock sync\n"
        "module gdrdrv\n"
        "file /opt/a\n"
        "file /opt/b\n"
        "coll.bytes 268435456\n"
        "coll.bus-gbps 80\n");
}

static void test_small_types_say_nothing_of_their_memory(void **state) {
    const Str record = record_of(*state, ON_BATCH "nodes cpu { instance = \"t3.nano\", count = 1, validate { } } }");

    assert_text(record, "dtc-expect 1\n"
                        "group cpu\n"
                        "type t3.nano\n"
                        "cpus 2\n"
                        "?clock sync\n");
}

static void test_one_node_measures_nothing(void **state) {
    const Str record =
        record_of(*state, ON_BATCH "nodes gpu { instance = \"p5.48xlarge\", count = 1, validate { } } }");

    assert_text(
        record,
        "dtc-expect 1\n"
        "group gpu\n"
        "type p5.48xlarge\n"
        "gpu.count 8\n"
        "proc nv-fabricmanage\n"
        "klog 46 48 54 62 64 74 79 95 109 110 119 120 136 140 143 144 145 146 147 148 149 150 151 154 155 156 158\n"
        "cpus 192\n"
        "mem.mib 1928703\n"
        "nvme.count 8\n"
        "?clock sync\n");
}

// ---- whether there is a check

static void test_drivers_of_gpus_may_be_late(void **state) {
    const PlanNodes *nodes = plan_of(*state, ON_BATCH "nodes gpu { instance = \"p5.48xlarge\", count = 4 } }");

    assert_int_equal(nodes->validate->limit->integer, 3 * 60 * 1000);
}

static void test_nodes_without_gpus_have_a_minute(void **state) {
    const PlanNodes *nodes = plan_of(*state, ON_BATCH "nodes cpu { instance = \"hpc7g.16xlarge\", count = 4 } }");

    assert_int_equal(nodes->validate->limit->integer, 60 * 1000);
}

static void test_group_without_efa_has_no_check_of_itself(void **state) {
    assert_null(plan_of(*state, ON_BATCH "nodes gpu { instance = \"g5.xlarge\", count = 4 } }")->validate);
}

static void test_check_that_is_off_is_none(void **state) {
    assert_null(
        plan_of(*state, ON_BATCH "nodes gpu { instance = \"p5.48xlarge\", count = 4, validate = off } }")->validate);
}

static void test_slurm_without_a_place_for_scripts_has_none(void **state) {
    assert_null(plan_of(*state, "cluster llm on parallelcluster {\nnetwork = lab\n" HEAD
                                "nodes gpu { instance = \"p5.48xlarge\", count = 4 } }")
                    ->validate);
}

// ---- the alphabet

static void test_every_byte_of_the_alphabet_is_good(void **state) {
    (void)state;
    const Str all = STR("azAZ09 ._:/@+-");
    assert_int_equal(node_record_bad_byte(all), all.len);
}

static void test_first_other_byte_is_found(void **state) {
    (void)state;
    assert_int_equal(node_record_bad_byte(STR("/opt/$x")), 5);
    assert_int_equal(node_record_bad_byte(STR("a\nb")), 1);
    assert_int_equal(node_record_bad_byte(STR("ab\0c")), 2);
    assert_int_equal(node_record_bad_byte(STR("'")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_record_of_a_p5_on_batch, make, drop),
        cmocka_unit_test_setup_teardown(test_record_of_a_p4d_on_parallelcluster, make, drop),
        cmocka_unit_test_setup_teardown(test_record_of_a_type_without_accelerators, make, drop),
        cmocka_unit_test_setup_teardown(test_neuron_devices_are_counted_and_no_gpus, make, drop),
        cmocka_unit_test_setup_teardown(test_what_the_author_asks_for_stands_in_the_record, make, drop),
        cmocka_unit_test_setup_teardown(test_small_types_say_nothing_of_their_memory, make, drop),
        cmocka_unit_test_setup_teardown(test_one_node_measures_nothing, make, drop),
        cmocka_unit_test_setup_teardown(test_drivers_of_gpus_may_be_late, make, drop),
        cmocka_unit_test_setup_teardown(test_nodes_without_gpus_have_a_minute, make, drop),
        cmocka_unit_test_setup_teardown(test_group_without_efa_has_no_check_of_itself, make, drop),
        cmocka_unit_test_setup_teardown(test_check_that_is_off_is_none, make, drop),
        cmocka_unit_test_setup_teardown(test_slurm_without_a_place_for_scripts_has_none, make, drop),
        cmocka_unit_test(test_every_byte_of_the_alphabet_is_good),
        cmocka_unit_test(test_first_other_byte_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
