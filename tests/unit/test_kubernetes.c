#include "emitters/kubernetes/kubernetes.h"

#include "tests/support/build_text.h"

static int set_up(void **state) {
    *state = arena_create();
    return 0;
}

static int tear_down(void **state) {
    arena_destroy(*state);
    return 0;
}

// ---- a cluster --------------------------------------------------------------------------------------------------

// `cluster` holds further lines and blocks of the cluster.
static BuiltText build(Arena *arena, const char *cluster) {
    return build_text(str_format(arena,
                                 "dt 1\n"
                                 "network lab { vpc = \"vpc-0123456789abcdef0\", region = \"us-west-2\", private = "
                                 "[\"subnet-0123456789abcdef0\", \"subnet-0123456789abcdef1\"] }\n"
                                 "storage fsx { kind = lustre, size = 1200GiB, mount = \"/fsx\" }\n"
                                 "storage home { kind = efs, existing = \"fs-0123456789abcdef0\", mount = \"/home\" }\n"
                                 "cluster train on eks {\n  network = lab\n  version = \"1.34\"\n%s}\n",
                                 cluster));
}

// A file of a cluster that builds, as text of `arena`; empty where it is not written.
static Str file_or_none(Arena *arena, const char *cluster, const char *file) {
    BuiltText built = build(arena, cluster);
    assert_false(has_errors(built.session));
    const Artifact *artifact = artifact_of(&built, file);
    const Str text = artifact == NULL ? STR_NONE : str_copy(arena, artifact->content);
    session_destroy(built.session);
    return text;
}

// The objects of a cluster that has some.
static Str objects(Arena *arena, const char *cluster) {
    const Str text = file_or_none(arena, cluster, "train.k8s.yaml");
    assert_true(text.len > 0);
    return text;
}

static bool has(Str text, const char *part) {
    return str_find(text, str_of(part), 0) < text.len;
}

#define CPU "  nodes work { instance = \"c5.2xlarge\", count = 2 }\n"
#define H100 "  nodes gpu { instance = \"p5.48xlarge\", count = 2, subnet = \"subnet-0123456789abcdef0\" }\n"
#define B200 "  nodes new { instance = \"p6-b200.48xlarge\", count = 2, subnet = \"subnet-0123456789abcdef0\" }\n"
#define APART "  nodes apart { instance = \"g5.48xlarge\", count = 2, efa = none }\n"
#define TAINTED                                                                                         \
    "  nodes new { instance = \"p6-b200.48xlarge\", count = 2, subnet = \"subnet-0123456789abcdef0\", " \
    "taints = [taint(\"team\", \"research\", \"NoExecute\")] }\n"

// ---- plugins ----------------------------------------------------------------------------------------------------

static void test_cluster_that_eksctl_serves_well_has_no_objects(void **state) {
    assert_text(file_or_none(*state, CPU H100, "train.k8s.yaml"), "");
}

static void test_plugin_of_efa_knows_each_type_of_the_cluster(void **state) {
    const Str text = objects(*state, B200);

    assert_true(has(text, "kind: DaemonSet\nmetadata:\n  name: aws-efa-k8s-device-plugin\n"));
    assert_true(has(text, "aws-efa-k8s-device-plugin:v0.5.22-eksbuild.9\n"));
}

static void test_plugin_is_pulled_from_the_registry_of_the_region(void **state) {
    const Str text = objects(*state, B200);

    assert_true(has(text, "image: 602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/"));
}

static void test_plugin_runs_on_types_with_efa_alone(void **state) {
    const Str text = objects(*state, CPU B200);

    assert_true(has(text, "              - key: node.kubernetes.io/instance-type\n"
                          "                operator: In\n"
                          "                values:\n"
                          "                - p6-b200.48xlarge\n"));
    assert_false(has(text, "c5.2xlarge"));
}

static void test_plugin_does_not_run_where_no_efa_was_asked_for(void **state) {
    const Str text = objects(*state, B200 APART);

    assert_false(has(text, "                - g5.48xlarge\n"));
}

static void test_plugin_tolerates_taints_of_its_nodes(void **state) {
    const Str text = objects(*state, TAINTED);

    assert_true(has(text, "      - key: team\n        operator: Exists\n        effect: NoExecute\n"));
}

static void test_plugin_that_is_off_is_not_written(void **state) {
    const Str text = objects(*state, "  storage = [home]\n" B200 "  addon efa { off = true }\n");

    assert_false(has(text, "aws-efa-k8s-device-plugin"));
}

static void test_plugin_in_a_version_of_its_own_is_written(void **state) {
    const Str text = objects(*state, H100 "  addon efa { version = \"v0.5.11\" }\n");

    assert_true(has(text, "aws-efa-k8s-device-plugin:v0.5.11\n"));
}

// ---- storage ----------------------------------------------------------------------------------------------------

static void test_existing_file_system_is_bound_and_kept(void **state) {
    const Str text = objects(*state, "  storage = [home]\n" CPU);

    assert_true(has(text, "  persistentVolumeReclaimPolicy: Retain\n"));
    assert_true(has(text, "    driver: efs.csi.aws.com\n    volumeHandle: fs-0123456789abcdef0\n"));
    assert_true(has(text, "  volumeName: home-pv\n"));
    assert_false(has(text, "kind: StorageClass"));
}

static void test_claim_of_a_volume_asks_for_no_class(void **state) {
    const Str text = objects(*state, "  storage = [home]\n" CPU);

    assert_true(has(text, "  storageClassName: \"\"\n"));
}

static void test_new_file_system_waits_for_the_group_of_the_cluster(void **state) {
    BuiltText built = build(*state, "  storage = [fsx]\n" CPU);

    assert_false(has_errors(built.session));
    const Artifact *artifact = artifact_of(&built, "train.k8s.yaml");
    assert_int_equal(artifact->missing.count, 1);
    assert_text(artifact->missing.items[0].stack, "eksctl-train-cluster");
    assert_text(artifact->missing.items[0].name, "ClusterSecurityGroupId");
    session_destroy(built.session);
}

// ---- objects of the author --------------------------------------------------------------------------------------

static void test_resource_is_an_object_with_its_type_and_name(void **state) {
    const Str text = objects(*state, CPU "  resource \"v1/ConfigMap\" settings { data = { port = \"6006\" } }\n");

    assert_true(has(text, "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  port: \"6006\"\n"));
}

static void test_patch_changes_the_object_that_its_path_begins_with(void **state) {
    const Str text = objects(*state, CPU "  resource \"v1/ConfigMap\" settings { data = { port = \"6006\" } }\n"
                                         "  patch k8s { \"ConfigMap/settings.data.port\" = \"8080\" }\n");

    assert_true(has(text, "data:\n  port: \"8080\"\n"));
}

static void test_objects_are_applied_to_the_cluster_that_they_are_of(void **state) {
    BuiltText built = build(*state, B200);

    assert_false(has_errors(built.session));
    const PlanStep *step = &artifact_of(&built, "train.k8s.yaml")->step;
    assert_true(has(step->apply, "aws eks update-kubeconfig --name train --region us-west-2"));
    assert_true(has(step->apply, "kubectl apply -f train.k8s.yaml"));
    assert_true(step->wave > artifact_of(&built, "train.eksctl.yaml")->step.wave);
    session_destroy(built.session);
}

// ---- first jobs -------------------------------------------------------------------------------------------------

// A group whose nodes measure each other; `more` holds further attributes, with a comma before each.
static Str measured(Arena *arena, const char *count, const char *more, const char *validate) {
    return str_format(arena,
                      "  nodes gpu { instance = \"p5.48xlarge\", count = %s, subnet = \"subnet-0123456789abcdef0\"%s, "
                      "validate { %s } }\n",
                      count, more, validate);
}

// The first job of that group; empty where there is none.
static Str first_job_or_none(Arena *arena, const char *count, const char *more, const char *validate) {
    return file_or_none(arena, str_c(arena, measured(arena, count, more, validate)), "train-gpu.validate.k8s.yaml");
}

// The first job of that group, which has one.
static Str first_job_of(Arena *arena, const char *count, const char *more, const char *validate) {
    const Str text = first_job_or_none(arena, count, more, validate);
    assert_true(text.len > 0);
    return text;
}

#define IMAGE "image = \"lab/fabric:1\""

static void test_first_job_has_a_rank_for_each_node_that_is_always_there(void **state) {
    const Str text = first_job_of(*state, "3..8", "", IMAGE);

    assert_true(has(text, "  completionMode: Indexed\n  completions: 3\n  parallelism: 3\n"));
    assert_true(has(text, "        - --n\n        - \"3\"\n"));
}

static void test_first_job_of_a_group_that_starts_from_nothing_has_all_nodes(void **state) {
    const Str text = first_job_of(*state, "0..8", "", IMAGE);

    assert_true(has(text, "  completions: 8\n  parallelism: 8\n"));
}

static void test_first_job_has_no_more_ranks_than_the_program_takes(void **state) {
    const Str text = first_job_of(*state, "0..100", "", IMAGE);

    assert_true(has(text, "  completions: 64\n  parallelism: 64\n"));
}

static void test_ranks_of_a_first_job_find_the_leader_by_its_name(void **state) {
    const Str text = first_job_of(*state, "2", "", IMAGE);

    assert_true(has(text, "kind: Service\nmetadata:\n  name: train-gpu-validate\nspec:\n  clusterIP: None\n"));
    assert_true(has(text, "      subdomain: train-gpu-validate\n"));
    assert_true(has(text, "        - --leader\n        - train-gpu-validate-0.train-gpu-validate\n"));
}

static void test_first_job_takes_all_interfaces_of_its_nodes_and_no_others(void **state) {
    const Str text = first_job_of(*state, "2", "", IMAGE);

    assert_true(has(text, "      nodeSelector:\n        dtc.dev/nodes: train-gpu\n"));
    assert_true(has(text, "            topologyKey: kubernetes.io/hostname\n"));
    assert_true(has(text, "          limits:\n            vpc.amazonaws.com/efa: 32\n"));
}

static void test_first_job_tolerates_the_taints_of_its_nodes(void **state) {
    const Str text = first_job_of(*state, "2", ", taints = [taint(\"team\", \"research\", \"NoExecute\")]", IMAGE);

    assert_true(has(text, "      - key: dtc.dev/unvalidated\n        operator: Exists\n        effect: NoSchedule\n"));
    assert_true(has(text, "      - key: team\n        operator: Exists\n        effect: NoExecute\n"));
}

static void test_first_job_is_tried_again_where_the_leader_was_not_reached_alone(void **state) {
    const Str text = first_job_of(*state, "2", "", IMAGE);

    assert_true(has(text, "    - action: FailJob\n      onExitCodes:\n        containerName: dtc-collective\n"
                          "        operator: In\n        values: [1, 2, 64, 65, 70]\n"));
    assert_true(has(text, "    - action: Count\n      onExitCodes:\n        containerName: dtc-collective\n"
                          "        operator: In\n        values: [3]\n"));
}

static void test_bandwidth_that_nccl_is_asked_for_is_no_floor_of_the_first_job(void **state) {
    const Str text = first_job_of(*state, "2", "", IMAGE ", min_busbw = 20GBps");

    assert_true(has(text, "        - --bytes\n"));
    assert_false(has(text, "--bus-gbps"));
}

static void test_group_without_an_image_has_no_first_job(void **state) {
    assert_text(first_job_or_none(*state, "2", "", "limit = 90s"), "");
}

static void test_group_that_is_not_measured_has_no_first_job(void **state) {
    assert_text(first_job_or_none(*state, "2", "", IMAGE ", collective = none"), "");
}

static void test_first_job_is_no_step_of_the_plan(void **state) {
    BuiltText built = build(*state, str_c(*state, measured(*state, "2", "", IMAGE)));

    assert_text(artifact_of(&built, "train-gpu.validate.k8s.yaml")->step.file, "");
    session_destroy(built.session);
}

static void test_line_of_the_build_starts_the_first_job(void **state) {
    BuiltText built = build(*state, str_c(*state, measured(*state, "2", "", IMAGE)));

    bool is_said = false;
    for (uint32_t i = 0; i < built.output.decisions.count; i++) {
        is_said = is_said ||
                  has(built.output.decisions.items[i].text, "kubectl replace --force -f train-gpu.validate.k8s.yaml");
    }
    assert_true(is_said);
    session_destroy(built.session);
}

static const char ON_A_NETWORK[] = "dt 1\n"
                                   "network lab { vpc = \"vpc-0123456789abcdef0\", region = \"us-west-2\", private = "
                                   "[\"subnet-0123456789abcdef0\", \"subnet-0123456789abcdef1\"] }\n"
                                   "cluster train on eks {\n  network = lab\n  version = \"1.34\"\n%.*s}\n";

// Nodes of a managed group have the label from EKS, which has it from eksctl.
static void test_managed_group_gives_its_nodes_the_label_that_the_first_job_asks_for(void **state) {
    const Str group = measured(*state, "2", ", labels = { role = \"work\" }", IMAGE);
    BuiltText built = build_text(str_format(*state, ON_A_NETWORK, STR_ARG(group)));

    assert_false(has_errors(built.session));
    const Artifact *artifact = artifact_of(&built, "train.eksctl.yaml");
    assert_true(has(artifact->content, "  labels:\n    role: work\n    dtc.dev/nodes: train-gpu\n"));
    session_destroy(built.session);
}

static void test_group_with_a_template_of_ours_gives_its_nodes_that_label(void **state) {
    const Str group = measured(*state, "2", ", launch_template = own", IMAGE);
    const Str source = str_format(*state, ON_A_NETWORK, STR_ARG(group));
    BuiltText built =
        build_text_with(source, STR("{\"Stacks\":[{\"StackName\":\"train-nodes\",\"StackStatus\":\"CREATE_COMPLETE\","
                                    "\"Outputs\":[{\"OutputKey\":\"GpuLaunchTemplate\","
                                    "\"OutputValue\":\"lt-0123456789abcdef0\"},"
                                    "{\"OutputKey\":\"GpuLaunchTemplateVersion\",\"OutputValue\":\"1\"}]}]}"));

    assert_false(has_errors(built.session));
    const Artifact *artifact = artifact_of(&built, "train-nodes.eksctl.yaml");
    assert_true(has(artifact->content, "  labels:\n    dtc.dev/nodes: train-gpu\n"));
    session_destroy(built.session);
}

static void test_first_job_whose_last_pod_has_a_name_that_is_too_long_is_refused(void **state) {
    const Str group = measured(*state, "2", "", IMAGE);
    const size_t name = str_find(group, STR("gpu"), 0);
    const Str long_group =
        str_format(*state, "%.*s%s%.*s", (int)name, group.data, "a-name-with-which-one-pod-has-one-of-64-letters",
                   STR_ARG(str_slice(group, name + 3, group.len)));
    BuiltText built = build(*state, str_c(*state, long_group));

    assert_text(codes_of(built.session, SEVERITY_ERROR), "DT0584");
    session_destroy(built.session);
}

int main(void) {
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_cluster_that_eksctl_serves_well_has_no_objects),
        TEST(test_plugin_of_efa_knows_each_type_of_the_cluster),
        TEST(test_plugin_is_pulled_from_the_registry_of_the_region),
        TEST(test_plugin_runs_on_types_with_efa_alone),
        TEST(test_plugin_does_not_run_where_no_efa_was_asked_for),
        TEST(test_plugin_tolerates_taints_of_its_nodes),
        TEST(test_plugin_that_is_off_is_not_written),
        TEST(test_plugin_in_a_version_of_its_own_is_written),
        TEST(test_existing_file_system_is_bound_and_kept),
        TEST(test_claim_of_a_volume_asks_for_no_class),
        TEST(test_new_file_system_waits_for_the_group_of_the_cluster),
        TEST(test_resource_is_an_object_with_its_type_and_name),
        TEST(test_patch_changes_the_object_that_its_path_begins_with),
        TEST(test_objects_are_applied_to_the_cluster_that_they_are_of),
        TEST(test_first_job_has_a_rank_for_each_node_that_is_always_there),
        TEST(test_first_job_of_a_group_that_starts_from_nothing_has_all_nodes),
        TEST(test_first_job_has_no_more_ranks_than_the_program_takes),
        TEST(test_ranks_of_a_first_job_find_the_leader_by_its_name),
        TEST(test_first_job_takes_all_interfaces_of_its_nodes_and_no_others),
        TEST(test_first_job_tolerates_the_taints_of_its_nodes),
        TEST(test_first_job_is_tried_again_where_the_leader_was_not_reached_alone),
        TEST(test_bandwidth_that_nccl_is_asked_for_is_no_floor_of_the_first_job),
        TEST(test_group_without_an_image_has_no_first_job),
        TEST(test_group_that_is_not_measured_has_no_first_job),
        TEST(test_first_job_is_no_step_of_the_plan),
        TEST(test_line_of_the_build_starts_the_first_job),
        TEST(test_managed_group_gives_its_nodes_the_label_that_the_first_job_asks_for),
        TEST(test_group_with_a_template_of_ours_gives_its_nodes_that_label),
        TEST(test_first_job_whose_last_pod_has_a_name_that_is_too_long_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
