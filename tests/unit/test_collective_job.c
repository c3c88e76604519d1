#include "stdlib/node/collective/job.h"

#include "stdlib/node/collective/record.h"
#include "tests/support/check.h"

#include <stdlib.h>
#include <unistd.h>

// getenv() has no context, so each environment is a function.
static const char *nothing(const char *name) {
    (void)name;
    return NULL;
}

static const char *of_batch_main(const char *name) {
    return strcmp(name, "AWS_BATCH_JOB_NODE_INDEX") == 0        ? "0"
           : strcmp(name, "AWS_BATCH_JOB_NUM_NODES") == 0       ? "4"
           : strcmp(name, "AWS_BATCH_JOB_MAIN_NODE_INDEX") == 0 ? "0"
           : strcmp(name, "AWS_BATCH_JOB_ID") == 0              ? "1f2e#0"
                                                                : NULL;
}

static const char *of_batch_child(const char *name) {
    return strcmp(name, "AWS_BATCH_JOB_NODE_INDEX") == 0                       ? "3"
           : strcmp(name, "AWS_BATCH_JOB_MAIN_NODE_PRIVATE_IPV4_ADDRESS") == 0 ? "10.0.0.7"
           : strcmp(name, "AWS_BATCH_JOB_ID") == 0                             ? "1f2e#3"
                                                                               : of_batch_main(name);
}

static const char *of_slurm(const char *name) {
    return strcmp(name, "SLURM_PROCID") == 0           ? "1"
           : strcmp(name, "SLURM_NTASKS") == 0         ? "2"
           : strcmp(name, "SLURM_STEP_NUM_NODES") == 0 ? "2"
           : strcmp(name, "SLURM_JOB_NODELIST") == 0   ? "p5-dy-gpu-[04-05]"
                                                       : NULL;
}

static const char *of_slurm_two_a_node(const char *name) {
    return strcmp(name, "SLURM_STEP_NUM_NODES") == 0 ? "1" : of_slurm(name);
}

static const char *of_kubernetes(const char *name) {
    return strcmp(name, "JOB_COMPLETION_INDEX") == 0 ? "2" : NULL;
}

static int read_job(Job *job, const char *(*get)(const char *), const char *options) {
    char reason[NODE_TEXT_BYTES_MAX];
    char copy[NODE_TEXT_BYTES_MAX];
    char *words[32];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", options);
    char *rest = copy;
    for (char *word = strtok_r(rest, " ", &rest); word != NULL && count < 32; word = strtok_r(rest, " ", &rest)) {
        words[count++] = word;
    }
    // The job may point into the words: what it holds of them is not looked at here.
    return job_read(job, JOB_RUN, count, words, get, reason, sizeof reason);
}

static void test_batch_tells_the_main_node_all_but_its_address(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, of_batch_main, ""), NODE_EXIT_PASS);
    assert_int_equal(job.rank, 0);
    assert_int_equal(job.n, 4);
    assert_string_equal(job.leader, "");
}

static void test_batch_tells_the_others_where_the_main_node_is(void **state) {
    (void)state;
    Job main_job;
    Job job;
    assert_int_equal(read_job(&main_job, of_batch_main, ""), NODE_EXIT_PASS);
    assert_int_equal(read_job(&job, of_batch_child, ""), NODE_EXIT_PASS);
    assert_int_equal(job.rank, 3);
    assert_string_equal(job.leader, "10.0.0.7");
    assert_true(token_equal(&job.token, &main_job.token));
}

static void test_slurm_leads_from_its_first_host(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, of_slurm, ""), NODE_EXIT_PASS);
    assert_int_equal(job.rank, 1);
    assert_int_equal(job.n, 2);
    assert_string_equal(job.leader, "p5-dy-gpu-04");
}

static const char *of_slurm_too_many(const char *name) {
    return strcmp(name, "SLURM_NTASKS") == 0 ? "65" : of_slurm(name);
}

static void test_more_ranks_than_a_job_takes_are_refused_with_the_number(void **state) {
    (void)state;
    char reason[NODE_TEXT_BYTES_MAX];
    Job job;
    assert_int_equal(job_read(&job, JOB_RUN, 0, NULL, of_slurm_too_many, reason, sizeof reason), NODE_EXIT_USAGE);
    assert_string_equal(reason, "SLURM_NTASKS: 65, which is not a number from 0 to 64");
}

static void test_slurm_with_several_tasks_on_a_node_is_refused(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, of_slurm_two_a_node, ""), NODE_EXIT_USAGE);
}

static void test_kubernetes_gives_the_rank_alone(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, of_kubernetes, ""), NODE_EXIT_USAGE);
    assert_int_equal(read_job(&job, of_kubernetes, "--n 4 --leader check-0.check:7500"), NODE_EXIT_PASS);
    assert_int_equal(job.rank, 2);
    assert_int_equal(job.port, 7500);
    assert_string_equal(job.leader, "check-0.check");
}

static void test_options_win_over_the_environment(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, of_slurm, "--rank 5 --n 8 --leader a"), NODE_EXIT_PASS);
    assert_int_equal(job.rank, 5);
    assert_int_equal(job.n, 8);
    assert_string_equal(job.leader, "a");
}

static void test_hosts_give_number_leader_and_the_own_rank(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, nothing, "--hosts a,b.example,c --host b"), NODE_EXIT_PASS);
    assert_int_equal(job.rank, 1);
    assert_int_equal(job.n, 3);
    assert_string_equal(job.leader, "a");
}

static void test_a_host_that_is_not_among_hosts_is_refused(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, nothing, "--hosts a,bb --host b"), NODE_EXIT_USAGE);
}

static void test_an_ipv6_leader_needs_brackets_for_a_port_alone(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, nothing, "--rank 1 --n 2 --leader fd00::1"), NODE_EXIT_PASS);
    assert_string_equal(job.leader, "fd00::1");
    assert_int_equal(job.port, NODE_PEER_PORT);
    assert_int_equal(read_job(&job, nothing, "--rank 1 --n 2 --leader [fd00::1]:99"), NODE_EXIT_PASS);
    assert_string_equal(job.leader, "fd00::1");
    assert_int_equal(job.port, 99);
}

static void test_ranks_are_below_their_number(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, nothing, "--rank 3 --n 4 --leader a"), NODE_EXIT_PASS);
    assert_int_equal(read_job(&job, nothing, "--rank 4 --n 4 --leader a"), NODE_EXIT_USAGE);
}

static void test_phases_are_chosen_by_name(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, nothing, "--rank 1 --n 2 --leader a --phases ping,exact"), NODE_EXIT_PASS);
    assert_int_equal(job.phases, 1U << PHASE_PING | 1U << PHASE_EXACT);
    assert_int_equal(read_job(&job, nothing, "--rank 1 --n 2 --leader a --phases pin"), NODE_EXIT_USAGE);
}

static void test_unknown_options_and_missing_values_are_refused(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, nothing, "--ranks 1"), NODE_EXIT_USAGE);
    assert_int_equal(read_job(&job, nothing, "--rank"), NODE_EXIT_USAGE);
    assert_int_equal(read_job(&job, nothing, "--rank -1"), NODE_EXIT_USAGE);
}

static void assert_first_host(const char *list, const char *host) {
    char first[LEADER_BYTES];
    assert_true(job_first_host(list, first, sizeof first));
    assert_string_equal(first, host);
}

static void test_the_first_host_of_a_list(void **state) {
    (void)state;
    char first[8];
    assert_first_host("a", "a");
    assert_first_host("a,b", "a");
    assert_first_host("a[3,7-9],b", "a3");
    assert_first_host("a[01-03]-x,b", "a01-x");
    assert_first_host("r[1-2]n[5-6]", "r1n5");
    assert_false(job_first_host("", first, sizeof first));
    assert_false(job_first_host("a[1-2", first, sizeof first));
    assert_false(job_first_host("a]", first, sizeof first));
    assert_false(job_first_host("longer-than-that", first, sizeof first));
}

static void test_memory_is_that_of_one_gpu_or_of_each(void **state) {
    (void)state;
    Job job;
    assert_int_equal(read_job(&job, nothing, "--rank 0 --n 2 --leader a"), NODE_EXIT_PASS);
    assert_int_equal(job.device, -1);
    assert_int_equal(read_job(&job, nothing, "--rank 0 --n 2 --leader a --gpu 63"), NODE_EXIT_PASS);
    assert_int_equal(job.device, 63);
    assert_int_equal(read_job(&job, nothing, "--rank 0 --n 2 --leader a --gpu all"), NODE_EXIT_PASS);
    assert_int_equal(job.device, ALL_DEVICES);
    assert_true((job.phases >> PHASE_DEVICE & 1) != 0);
    assert_int_equal(read_job(&job, nothing, "--rank 0 --n 2 --leader a --gpu 64"), NODE_EXIT_USAGE);
    assert_int_equal(read_job(&job, nothing, "--rank 0 --n 2 --leader a --gpu al"), NODE_EXIT_USAGE);
}

static bool read_record(const char *text, Job *job) {
    char reason[NODE_TEXT_BYTES_MAX];
    return record_read(text, strlen(text), job, reason, sizeof reason);
}

static void test_a_record_gives_what_is_of_a_collective(void **state) {
    (void)state;
    Job job = { 0 };
    assert_true(read_record("dtc-expect 1\ngroup train-a\nefa.count 32\ncoll.bytes 268435456\ncoll.link-gbps 80\n"
                            "?coll.bus-gbps 2400\ncoll.iters 20\ncoll.op-s 5\ncoll.rdv-s 120\n",
                            &job));
    assert_string_equal(job.group, "train-a");
    assert_int_equal(job.bytes, 268435456);
    assert_int_equal(job.link_floor_gbps, 80);
    assert_int_equal(job.benchmark_floor_gbps, 2400);
    assert_int_equal(job.bus_floor_gbps, 0);
    assert_int_equal(job.rendezvous_s, 120);
}

static void test_a_rate_that_is_only_wished_for_warns(void **state) {
    (void)state;
    Job job = { .link_floor_gbps = 0 };
    assert_true(read_record("dtc-expect 1\n?coll.link-gbps 50\n", &job));
    assert_int_equal(job.link_floor_gbps, 0);
    assert_int_equal(job.link_warn_gbps, 50);
}

static int read_job_with_record(const char *record) {
    char path[] = "/tmp/dtc-record-XXXXXX";
    char options[NODE_TEXT_BYTES_MAX];
    Job job;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, record, strlen(record)), strlen(record));
    close(file);
    snprintf(options, sizeof options, "--rank 1 --n 2 --leader a --expect %s", path);
    const int status = read_job(&job, nothing, options);
    unlink(path);
    return status;
}

static void test_numbers_of_a_record_have_the_bounds_of_options(void **state) {
    (void)state;
    assert_int_equal(read_job_with_record("dtc-expect 1\ncoll.link-gbps 100000\n"), NODE_EXIT_PASS);
    assert_int_equal(read_job_with_record("dtc-expect 1\ncoll.link-gbps 100001\n"), NODE_EXIT_RECORD);
    assert_int_equal(read_job_with_record("dtc-expect 1\ncoll.op-s 600\n"), NODE_EXIT_PASS);
    assert_int_equal(read_job_with_record("dtc-expect 1\ncoll.op-s 601\n"), NODE_EXIT_RECORD);
    assert_int_equal(read_job_with_record("dtc-expect 1\ncoll.iters 0\n"), NODE_EXIT_RECORD);
}

static void test_a_record_of_another_version_is_refused(void **state) {
    (void)state;
    Job job = { 0 };
    assert_false(read_record("dtc-expect 2\n", &job));
    assert_false(read_record("dtc-expect 1", &job));
    assert_false(read_record("", &job));
}

static void test_an_unknown_key_of_a_record_is_refused(void **state) {
    (void)state;
    Job job = { 0 };
    assert_false(read_record("dtc-expect 1\ncoll.byte 1\n", &job));
    assert_false(read_record("dtc-expect 1\ncoll.bytes x\n", &job));
    assert_false(read_record("dtc-expect 1\ncoll.bytes\n", &job));
    assert_false(read_record("dtc-expect 1\ngroup a;b\n", &job));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_batch_tells_the_main_node_all_but_its_address),
        cmocka_unit_test(test_batch_tells_the_others_where_the_main_node_is),
        cmocka_unit_test(test_slurm_leads_from_its_first_host),
        cmocka_unit_test(test_more_ranks_than_a_job_takes_are_refused_with_the_number),
        cmocka_unit_test(test_slurm_with_several_tasks_on_a_node_is_refused),
        cmocka_unit_test(test_kubernetes_gives_the_rank_alone),
        cmocka_unit_test(test_options_win_over_the_environment),
        cmocka_unit_test(test_hosts_give_number_leader_and_the_own_rank),
        cmocka_unit_test(test_a_host_that_is_not_among_hosts_is_refused),
        cmocka_unit_test(test_an_ipv6_leader_needs_brackets_for_a_port_alone),
        cmocka_unit_test(test_ranks_are_below_their_number),
        cmocka_unit_test(test_phases_are_chosen_by_name),
        cmocka_unit_test(test_unknown_options_and_missing_values_are_refused),
        cmocka_unit_test(test_the_first_host_of_a_list),
        cmocka_unit_test(test_memory_is_that_of_one_gpu_or_of_each),
        cmocka_unit_test(test_a_record_gives_what_is_of_a_collective),
        cmocka_unit_test(test_a_rate_that_is_only_wished_for_warns),
        cmocka_unit_test(test_numbers_of_a_record_have_the_bounds_of_options),
        cmocka_unit_test(test_a_record_of_another_version_is_refused),
        cmocka_unit_test(test_an_unknown_key_of_a_record_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
