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
                                 "cluster train on eks {\n  network = lab\n  version = \"1.36\"\n%s}\n",
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

#define CPU "  nodes work { instance = \"c5.2xlarge\", count = 2 }\n"
#define H100 "  nodes gpu { instance = \"p5.48xlarge\", count = 2, subnet = \"subnet-0123456789abcdef0\" }\n"
#define B200 "  nodes new { instance = \"p6-b200.48xlarge\", count = 2, subnet = \"subnet-0123456789abcdef0\" }\n"
#define APART "  nodes apart { instance = \"g5.48xlarge\", count = 2, efa = none }\n"
#define NARROW "  nodes narrow { instance = \"c6in.32xlarge\", count = 2, efa = none }\n"
#define TAINTED                                                                                         \
    "  nodes new { instance = \"p6-b200.48xlarge\", count = 2, subnet = \"subnet-0123456789abcdef0\", " \
    "taints = [taint(\"team\", \"research\", no_execute)] }\n"

// ---- plugins ----------------------------------------------------------------------------------------------------

static void test_cluster_that_eksctl_serves_well_has_no_objects(void **state) {
    assert_text(file_or_none(*state, CPU H100, "train.k8s.yaml"), "");
}

// What stands on top of each file, and between two objects.
#define HEADER "# Written by dtc from main.dt. Do not edit: change the source.\n"
#define TOLERATES_THE_TEAM "      - key: team\n        operator: Exists\n        effect: NoExecute\n"

// The file with the plugin alone, for nodes of the type: further tolerations, and the image.
static Str plugin_of(Arena *arena, const char *type, const char *tolerations, const char *image) {
    return str_format(arena,
                      HEADER "apiVersion: apps/v1\n"
                             "kind: DaemonSet\n"
                             "metadata:\n"
                             "  name: aws-efa-k8s-device-plugin\n"
                             "  namespace: kube-system\n"
                             "spec:\n"
                             "  selector:\n"
                             "    matchLabels:\n"
                             "      name: aws-efa-k8s-device-plugin\n"
                             "  updateStrategy:\n"
                             "    type: RollingUpdate\n"
                             "  template:\n"
                             "    metadata:\n"
                             "      labels:\n"
                             "        name: aws-efa-k8s-device-plugin\n"
                             "    spec:\n"
                             "      automountServiceAccountToken: false\n"
                             "      hostNetwork: true\n"
                             "      priorityClassName: system-node-critical\n"
                             "      tolerations:\n"
                             "      - key: CriticalAddonsOnly\n"
                             "        operator: Exists\n"
                             "      - key: aws.amazon.com/efa\n"
                             "        operator: Exists\n"
                             "        effect: NoSchedule\n"
                             "%s      affinity:\n"
                             "        nodeAffinity:\n"
                             "          requiredDuringSchedulingIgnoredDuringExecution:\n"
                             "            nodeSelectorTerms:\n"
                             "            - matchExpressions:\n"
                             "              - key: node.kubernetes.io/instance-type\n"
                             "                operator: In\n"
                             "                values:\n"
                             "                - %s\n"
                             "      containers:\n"
                             "      - name: aws-efa-k8s-device-plugin\n"
                             "        image: %s\n"
                             "        securityContext:\n"
                             "          allowPrivilegeEscalation: true\n"
                             "          privileged: true\n"
                             "          runAsNonRoot: false\n"
                             "          runAsUser: 0\n"
                             "          capabilities:\n"
                             "            drop: []\n"
                             "        resources:\n"
                             "          requests:\n"
                             "            cpu: 10m\n"
                             "            memory: 20Mi\n"
                             "        volumeMounts:\n"
                             "        - name: device-plugin\n"
                             "          mountPath: /var/lib/kubelet/device-plugins\n"
                             "        - name: infiniband-volume\n"
                             "          mountPath: /dev/infiniband/\n"
                             "        - name: neuron-tools\n"
                             "          mountPath: /opt/aws/neuron/\n"
                             "      volumes:\n"
                             "      - name: device-plugin\n"
                             "        hostPath:\n"
                             "          path: /var/lib/kubelet/device-plugins\n"
                             "      - name: infiniband-volume\n"
                             "        hostPath:\n"
                             "          path: /dev/infiniband/\n"
                             "      - name: neuron-tools\n"
                             "        hostPath:\n"
                             "          path: /opt/aws/neuron/\n"
                             "          type: DirectoryOrCreate\n",
                      tolerations, type, image);
}

#define REGISTRY "602401143452.dkr.ecr.us-west-2.amazonaws.com/eks/aws-efa-k8s-device-plugin:"

static void assert_objects(Arena *arena, const char *cluster, Str expected) {
    assert_text(objects(arena, cluster), str_c(arena, expected));
}

static void test_plugin_of_efa_is_from_the_registry_of_the_region(void **state) {
    assert_objects(*state, B200, plugin_of(*state, "p6-b200.48xlarge", "", REGISTRY "v0.5.22-eksbuild.9"));
}

static void test_plugin_runs_on_types_with_efa_alone(void **state) {
    assert_objects(*state, CPU B200, plugin_of(*state, "p6-b200.48xlarge", "", REGISTRY "v0.5.22-eksbuild.9"));
}

static void test_plugin_does_not_run_where_no_efa_was_asked_for(void **state) {
    assert_objects(*state, B200 APART, plugin_of(*state, "p6-b200.48xlarge", "", REGISTRY "v0.5.22-eksbuild.9"));
}

// Two EFA interfaces are no two Neuron devices.
static void test_plugin_of_neuron_runs_on_types_with_neuron_alone(void **state) {
    assert_objects(*state, B200 NARROW, plugin_of(*state, "p6-b200.48xlarge", "", REGISTRY "v0.5.22-eksbuild.9"));
}

static void test_plugin_tolerates_taints_of_its_nodes(void **state) {
    assert_objects(*state, TAINTED,
                   plugin_of(*state, "p6-b200.48xlarge", TOLERATES_THE_TEAM, REGISTRY "v0.5.22-eksbuild.9"));
}

static void test_plugin_in_a_version_of_its_own_is_written(void **state) {
    assert_objects(*state, H100 "  addon efa { version = \"v0.5.11\" }\n",
                   plugin_of(*state, "p5.48xlarge", "", REGISTRY "v0.5.11"));
}

// ---- storage ----------------------------------------------------------------------------------------------------

static const char HOME[] = HEADER "apiVersion: v1\n"
                                  "kind: PersistentVolume\n"
                                  "metadata:\n"
                                  "  name: home-pv\n"
                                  "spec:\n"
                                  "  capacity:\n"
                                  "    storage: 1200Gi\n"
                                  "  accessModes:\n"
                                  "  - ReadWriteMany\n"
                                  "  persistentVolumeReclaimPolicy: Retain\n"
                                  "  storageClassName: \"\"\n"
                                  "  csi:\n"
                                  "    driver: efs.csi.aws.com\n"
                                  "    volumeHandle: fs-0123456789abcdef0\n"
                                  "---\n"
                                  "apiVersion: v1\n"
                                  "kind: PersistentVolumeClaim\n"
                                  "metadata:\n"
                                  "  name: home-claim\n"
                                  "spec:\n"
                                  "  accessModes:\n"
                                  "  - ReadWriteMany\n"
                                  "  storageClassName: \"\"\n"
                                  "  volumeName: home-pv\n"
                                  "  resources:\n"
                                  "    requests:\n"
                                  "      storage: 1200Gi\n";

static void test_existing_file_system_is_bound_and_kept(void **state) {
    assert_text(objects(*state, "  storage = [home]\n" CPU), HOME);
}

static void test_plugin_that_is_off_is_not_written(void **state) {
    assert_text(objects(*state, "  storage = [home]\n"
                                "  nodes new { instance = \"p6-b200.48xlarge\", count = 2, subnet = "
                                "\"subnet-0123456789abcdef0\", launch_template = own }\n"
                                "  addon efa { off = true }\n  addon nvidia { off = true }\n"),
                HOME);
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

    assert_text(text, HEADER "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  port: \"6006\"\n");
}

static void test_patch_changes_the_object_that_its_path_begins_with(void **state) {
    const Str text = objects(*state, CPU "  resource \"v1/ConfigMap\" settings { data = { port = \"6006\" } }\n"
                                         "  patch k8s { \"ConfigMap/settings.data.port\" = \"8080\" }\n");

    assert_text(text, HEADER "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  port: \"8080\"\n");
}

static void test_objects_are_applied_to_the_cluster_that_they_are_of(void **state) {
    BuiltText built = build(*state, B200);

    assert_false(has_errors(built.session));
    const DeploymentStep *step = &artifact_of(&built, "train.k8s.yaml")->step;
    assert_text(step->apply,
                "aws eks update-kubeconfig --name train --region us-west-2 && kubectl apply -f train.k8s.yaml");
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

// The whole first job: of so many ranks, with further tolerations.
// `mib` is the memory of a rank, which shrinks with their number: each passes a share on.
static Str first_job_text(Arena *arena, unsigned ranks, unsigned mib, const char *tolerations) {
    return str_format(arena,
                      HEADER "apiVersion: v1\n"
                             "kind: Service\n"
                             "metadata:\n"
                             "  name: train-gpu-validate\n"
                             "spec:\n"
                             "  clusterIP: None\n"
                             "  publishNotReadyAddresses: true\n"
                             "  selector:\n"
                             "    app.kubernetes.io/name: dtc-collective\n"
                             "    app.kubernetes.io/instance: train-gpu-validate\n"
                             "---\n"
                             "apiVersion: batch/v1\n"
                             "kind: Job\n"
                             "metadata:\n"
                             "  name: train-gpu-validate\n"
                             "spec:\n"
                             "  completionMode: Indexed\n"
                             "  completions: %u\n"
                             "  parallelism: %u\n"
                             "  activeDeadlineSeconds: 2400\n"
                             "  backoffLimitPerIndex: 1\n"
                             "  maxFailedIndexes: 0\n"
                             "  podFailurePolicy:\n"
                             "    rules:\n"
                             "    - action: FailJob\n"
                             "      onExitCodes:\n"
                             "        containerName: dtc-collective\n"
                             "        operator: In\n"
                             "        values: [1, 2, 64, 65, 70]\n"
                             "    - action: Count\n"
                             "      onExitCodes:\n"
                             "        containerName: dtc-collective\n"
                             "        operator: In\n"
                             "        values: [3]\n"
                             "  template:\n"
                             "    metadata:\n"
                             "      labels:\n"
                             "        app.kubernetes.io/name: dtc-collective\n"
                             "        app.kubernetes.io/instance: train-gpu-validate\n"
                             "    spec:\n"
                             "      subdomain: train-gpu-validate\n"
                             "      restartPolicy: Never\n"
                             "      automountServiceAccountToken: false\n"
                             "      enableServiceLinks: false\n"
                             "      nodeSelector:\n"
                             "        dtc.dev/nodes: train-gpu\n"
                             "      tolerations:\n"
                             "      - key: dtc.dev/unvalidated\n"
                             "        operator: Exists\n"
                             "        effect: NoSchedule\n"
                             "%s      affinity:\n"
                             "        podAntiAffinity:\n"
                             "          requiredDuringSchedulingIgnoredDuringExecution:\n"
                             "          - labelSelector:\n"
                             "              matchLabels:\n"
                             "                app.kubernetes.io/name: dtc-collective\n"
                             "                app.kubernetes.io/instance: train-gpu-validate\n"
                             "            topologyKey: kubernetes.io/hostname\n"
                             "      containers:\n"
                             "      - name: dtc-collective\n"
                             "        image: lab/fabric:1\n"
                             "        command:\n"
                             "        - dtc-collective\n"
                             "        args:\n"
                             "        - run\n"
                             "        - --n\n"
                             "        - \"%u\"\n"
                             "        - --leader\n"
                             "        - train-gpu-validate-0.train-gpu-validate\n"
                             "        - --host\n"
                             "        - $(NODE_NAME)\n"
                             "        - --bytes\n"
                             "        - \"268435456\"\n"
                             "        - --warn-link-gbps\n"
                             "        - \"50\"\n"
                             "        - --rdv-s\n"
                             "        - \"600\"\n"
                             "        env:\n"
                             "        - name: NODE_NAME\n"
                             "          valueFrom:\n"
                             "            fieldRef:\n"
                             "              fieldPath: spec.nodeName\n"
                             "        - name: DTC_JOB_TOKEN\n"
                             "          valueFrom:\n"
                             "            fieldRef:\n"
                             "              fieldPath: metadata.labels['batch.kubernetes.io/controller-uid']\n"
                             "        - name: FI_EFA_USE_HUGE_PAGE\n"
                             "          value: \"0\"\n"
                             "        resources:\n"
                             "          requests:\n"
                             "            cpu: \"1\"\n"
                             "            memory: %uMi\n"
                             "            vpc.amazonaws.com/efa: 32\n"
                             "          limits:\n"
                             "            vpc.amazonaws.com/efa: 32\n"
                             "        securityContext:\n"
                             "          allowPrivilegeEscalation: false\n"
                             "          runAsUser: 0\n"
                             "          capabilities:\n"
                             "            drop:\n"
                             "            - ALL\n"
                             "            add:\n"
                             "            - IPC_LOCK\n"
                             "          seccompProfile:\n"
                             "            type: RuntimeDefault\n",
                      ranks, ranks, tolerations, ranks, mib);
}

static void assert_first_job(Arena *arena, const char *count, const char *more, const char *validate, Str expected) {
    assert_text(first_job_of(arena, count, more, validate), str_c(arena, expected));
}

static void test_first_job_has_a_rank_for_each_node_that_is_always_there(void **state) {
    assert_first_job(*state, "3..8", "", IMAGE, first_job_text(*state, 3, 4118, ""));
}

static void test_first_job_of_a_group_that_starts_from_nothing_has_all_nodes(void **state) {
    assert_first_job(*state, "0..8", "", IMAGE, first_job_text(*state, 8, 4064, ""));
}

static void test_first_job_has_no_more_ranks_than_the_program_takes(void **state) {
    assert_first_job(*state, "0..100", "", IMAGE, first_job_text(*state, 64, 4036, ""));
}

static void test_first_job_tolerates_the_taints_of_its_nodes(void **state) {
    assert_first_job(*state, "2", ", taints = [taint(\"team\", \"research\", no_execute)]", IMAGE,
                     first_job_text(*state, 2, 4160, TOLERATES_THE_TEAM));
}

static void test_bandwidth_that_nccl_is_asked_for_is_no_floor_of_the_first_job(void **state) {
    assert_first_job(*state, "2", "", IMAGE ", min_busbw = 20GBps", first_job_text(*state, 2, 4160, ""));
}

static void test_group_without_an_image_has_no_first_job(void **state) {
    assert_text(first_job_or_none(*state, "2", "", "timeout = 90s"), "");
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
        is_said = is_said || str_is(built.output.decisions.items[i].text,
                                    "2 nodes measure each other in a first job: aws eks update-kubeconfig "
                                    "--name train --region us-west-2 && kubectl replace --force -f "
                                    "train-gpu.validate.k8s.yaml");
    }
    assert_true(is_said);
    session_destroy(built.session);
}

static const char ON_A_NETWORK[] = "dt 1\n"
                                   "network lab { vpc = \"vpc-0123456789abcdef0\", region = \"us-west-2\", private = "
                                   "[\"subnet-0123456789abcdef0\", \"subnet-0123456789abcdef1\"] }\n"
                                   "cluster train on eks {\n  network = lab\n  version = \"1.36\"\n%.*s}\n";

// All labels of the group: the lines behind `labels:` that are indented deeper.
static void assert_labels(Str text, const char *expected) {
    const Str head = STR("\n  labels:\n");
    const size_t start = str_find(text, head, 0) + head.len;
    assert_true(start < text.len);
    size_t end = start;
    while (str_starts_with(str_slice(text, end, text.len), STR("    "))) {
        end = str_find(text, STR("\n"), end) + 1;
    }
    assert_text(str_slice(text, start, end), expected);
}

// Nodes of a managed group have the label from EKS, which has it from eksctl.
static void test_managed_group_gives_its_nodes_the_label_that_the_first_job_asks_for(void **state) {
    const Str group = measured(*state, "2", ", labels = { role = \"work\" }", IMAGE);
    BuiltText built = build_text(str_format(*state, ON_A_NETWORK, STR_ARG(group)));

    assert_false(has_errors(built.session));
    const Artifact *artifact = artifact_of(&built, "train.eksctl.yaml");
    assert_labels(artifact->content, "    role: work\n    dtc.dev/nodes: train-gpu\n");
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
    assert_labels(artifact->content, "    dtc.dev/nodes: train-gpu\n");
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
        TEST(test_plugin_of_efa_is_from_the_registry_of_the_region),
        TEST(test_plugin_runs_on_types_with_efa_alone),
        TEST(test_plugin_does_not_run_where_no_efa_was_asked_for),
        TEST(test_plugin_of_neuron_runs_on_types_with_neuron_alone),
        TEST(test_plugin_tolerates_taints_of_its_nodes),
        TEST(test_plugin_in_a_version_of_its_own_is_written),
        TEST(test_existing_file_system_is_bound_and_kept),
        TEST(test_plugin_that_is_off_is_not_written),
        TEST(test_new_file_system_waits_for_the_group_of_the_cluster),
        TEST(test_resource_is_an_object_with_its_type_and_name),
        TEST(test_patch_changes_the_object_that_its_path_begins_with),
        TEST(test_objects_are_applied_to_the_cluster_that_they_are_of),
        TEST(test_first_job_has_a_rank_for_each_node_that_is_always_there),
        TEST(test_first_job_of_a_group_that_starts_from_nothing_has_all_nodes),
        TEST(test_first_job_has_no_more_ranks_than_the_program_takes),
        TEST(test_first_job_tolerates_the_taints_of_its_nodes),
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
