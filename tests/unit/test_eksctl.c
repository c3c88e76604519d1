#include "emitters/eksctl/eksctl.h"

#include "tests/support/build_text.h"

static int set_up(void **state) {
    *state = arena_create();
    return 0;
}

static int tear_down(void **state) {
    arena_destroy(*state);
    return 0;
}

// ---- a cluster with one group -----------------------------------------------------------------------------------

// `cluster` and `nodes` are further lines of the two blocks.
static BuiltText build(Arena *arena, const char *cluster, const char *nodes) {
    return build_text(str_format(arena,
                                 "dt 1\n"
                                 "network lab { vpc = \"vpc-0123456789abcdef0\", region = \"us-west-2\", private = "
                                 "[\"subnet-0123456789abcdef0\", \"subnet-0123456789abcdef1\"] }\n"
                                 "storage fsx { kind = lustre, size = 1200GiB, mount = \"/fsx\" }\n"
                                 "storage home { kind = efs, existing = \"fs-0123456789abcdef0\", mount = \"/home\" }\n"
                                 "cluster train on eks {\n  network = lab\n  version = \"1.36\"\n%s\n"
                                 "  nodes work {\n    count = 0..4\n%s\n  }\n}\n",
                                 cluster, nodes));
}

// The file of a cluster that builds, from `section` on, which it has, as text of `arena`.
static Str file_from(Arena *arena, const char *cluster, const char *nodes, const char *section) {
    BuiltText built = build(arena, cluster, nodes);
    assert_false(has_errors(built.session));
    const Str text = artifact_of(&built, "train.eksctl.yaml")->content;
    const size_t start = str_find(text, str_of(section), 0);
    assert_true(start < text.len);
    const Str part = str_copy(arena, str_slice(text, start, text.len));
    session_destroy(built.session);
    return part;
}

static const char COMMANDS[] = "  preBootstrapCommands:\n  - |\n    #!/bin/sh\n    # from dtc; ";

static const char COUNT[] = "  iam:\n"
                            "    attachPolicy:\n"
                            "      Version: \"2012-10-17\"\n"
                            "      Statement:\n"
                            "      - Effect: Allow\n"
                            "        Action:\n"
                            "        - ssm:GetParameter\n"
                            "        - ssm:PutParameter\n"
                            "        Resource: arn:aws:ssm:us-west-2:*:parameter/dtc/train/work/failed\n";

// The text with a mark for the script that is the check, and without the right to count those that fail.
static Str without_check(Arena *arena, Str whole) {
    const size_t count = str_find(whole, str_of(COUNT), 0);
    const size_t behind = count < whole.len ? count + strlen(COUNT) : count;
    const Str text =
        str_format(arena, "%.*s%.*s", (int)count, whole.data, STR_ARG(str_slice(whole, behind, whole.len)));
    const size_t start = str_find(text, str_of(COMMANDS), 0);
    if (start == text.len) {
        return text;
    }
    size_t end = start + strlen(COMMANDS);
    do {
        end = str_find(text, STR("\n"), end) + 1;
    } while (end < text.len &&
             (text.data[end] == '\n' || str_starts_with(str_slice(text, end, text.len), STR("    "))));
    return str_format(arena, "%.*s  preBootstrapCommands: (the check)\n%.*s", (int)start, text.data,
                      STR_ARG(str_slice(text, end, text.len)));
}

static Str group(Arena *arena, const char *nodes) {
    return without_check(arena, file_from(arena, "", nodes, "managedNodeGroups:\n"));
}

static Str own_group(Arena *arena, const char *nodes) {
    const char *const own = str_c(arena, str_format(arena, "%s\ngroup = eksctl", nodes));
    return without_check(arena, file_from(arena, "", own, "nodeGroups:\n"));
}

static const char CPU[] = "instance = \"c5.2xlarge\"";
static const char GPU[] = "instance = \"p5.48xlarge\"\nsubnet = \"subnet-0123456789abcdef0\"";

static const char *also(Arena *arena, const char *nodes, const char *line) {
    return str_c(arena, str_format(arena, "%s\n%s", nodes, line));
}

// What every group of CPU has, in its order.
#define NAME "- name: work\n  amiFamily: AmazonLinux2023\n"
#define NETWORK_AND_SIZE                                                                                  \
    "  privateNetworking: true\n  subnets:\n  - subnet-0123456789abcdef0\n  - subnet-0123456789abcdef1\n" \
    "  minSize: 0\n  desiredCapacity: 0\n  maxSize: 4\n"
// What every group of GPUs has.
#define GPU_TYPE "  instanceType: p5.48xlarge\n"
#define GPU_NETWORK_AND_SIZE                                                \
    "  privateNetworking: true\n  subnets:\n  - subnet-0123456789abcdef0\n" \
    "  minSize: 0\n  desiredCapacity: 0\n  maxSize: 4\n"
#define EFA "  efaEnabled: true\n"
#define OWN_VOLUME "  volumeSize: 80\n" VOLUME

// The check, and how nodes start with it.
#define CHECK "  preBootstrapCommands: (the check)\n"
#define CONFIG "  overrideBootstrapCommand: |\n    apiVersion: node.eks.aws/v1alpha1\n    kind: NodeConfig\n    spec:\n"
#define DISKS "      instance:\n        localStorage:\n          strategy: RAID0\n"
#define TAINTS(others)                 \
    "      kubelet:\n        flags:\n" \
    "          - \"--register-with-taints=" others "dtc.dev/unvalidated=true:NoSchedule\"\n"
#define CHECKED CHECK CONFIG TAINTS("")

#define VOLUME "  volumeType: gp3\n  volumeEncrypted: true\n  disableIMDSv1: true\n"

// ---- groups -----------------------------------------------------------------------------------------------------

static void test_plain_group_says_what_eksctl_would_do_otherwise(void **state) {
    const Str text = group(*state, CPU);

    assert_text(text, "managedNodeGroups:\n"
                      "- name: work\n"
                      "  amiFamily: AmazonLinux2023\n"
                      "  instanceType: c5.2xlarge\n"
                      "  privateNetworking: true\n"
                      "  subnets:\n"
                      "  - subnet-0123456789abcdef0\n"
                      "  - subnet-0123456789abcdef1\n"
                      "  minSize: 0\n"
                      "  desiredCapacity: 0\n"
                      "  maxSize: 4\n"
                      "  volumeType: gp3\n"
                      "  volumeEncrypted: true\n"
                      "  disableIMDSv1: true\n");
}

static void test_group_with_efa_is_in_one_subnet_and_checks_itself(void **state) {
    assert_text(group(*state, GPU), "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA VOLUME CHECKED);
    assert_text(own_group(*state, GPU), "nodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA OWN_VOLUME CHECKED);
}

static void test_nodes_that_check_themselves_may_count_those_that_fail(void **state) {
    const Str text = file_from(*state, "", GPU, "managedNodeGroups:\n");

    assert_true(str_has(text, COUNT));
}

static void test_efa_is_not_enabled_where_none_is_asked_for(void **state) {
    const Str text = group(*state, also(*state, GPU, "efa = none"));

    assert_text(text, "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE VOLUME);
}

static void test_taints_are_written(void **state) {
    const Str text = group(*state, also(*state, CPU, "taints = [taint(\"nvidia.com/gpu\", \"true\", no_schedule)]"));

    assert_text(text, "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE VOLUME "  taints:\n"
                      "  - key: nvidia.com/gpu\n"
                      "    value: \"true\"\n"
                      "    effect: NoSchedule\n");
}

static void test_labels_are_written(void **state) {
    const Str text = group(*state, also(*state, CPU, "labels = { role = \"system\" }"));

    assert_text(text, "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE VOLUME "  labels:\n"
                      "    role: system\n");
}

static void test_name_of_instances_is_a_prefix(void **state) {
    const Str text = group(*state, also(*state, CPU, "instance_prefix = \"lab-nodes\""));

    assert_text(text, "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n"
                      "  instancePrefix: lab-nodes\n" NETWORK_AND_SIZE VOLUME);
}

static void test_size_of_the_volume_is_in_gibibytes(void **state) {
    const Str text = group(*state, also(*state, CPU, "disk = 1TiB"));

    assert_text(text, "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE
                      "  volumeSize: 1024\n" VOLUME);
}

static void test_addon_policies_have_the_names_of_eksctl(void **state) {
    const Str text = group(*state, also(*state, CPU, "addon_policies = [cloud_watch, external_dns]"));

    assert_text(text, "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE VOLUME "  iam:\n"
                      "    withAddonPolicies:\n"
                      "      cloudWatch: true\n"
                      "      externalDNS: true\n");
}

static void test_policies_keep_those_that_nodes_need(void **state) {
    const Str text = group(*state, also(*state, CPU, "policies = [\"AmazonS3ReadOnlyAccess\"]"));

    assert_text(text, "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE VOLUME "  iam:\n"
                      "    attachPolicyARNs:\n"
                      "    - arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy\n"
                      "    - arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly\n"
                      "    - arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore\n"
                      "    - arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess\n");
}

static void test_scratch_of_pods_is_in_the_node_config(void **state) {
    const Str text = group(*state, also(*state, GPU, "scratch = kubelet"));

    assert_text(text,
                "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA VOLUME CHECK CONFIG DISKS TAINTS(""));
}

// ---- the check --------------------------------------------------------------------------------------------------

static void test_nodes_without_efa_check_themselves_where_it_is_written(void **state) {
    const char *const asked = also(*state, CPU, "validate { }");

    assert_text(group(*state, asked),
                "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE VOLUME CHECKED);
    assert_text(own_group(*state, asked),
                "nodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE OWN_VOLUME CHECKED);
}

static void test_check_that_is_off_leaves_nothing(void **state) {
    const Str text = group(*state, also(*state, GPU, "validate = off"));

    assert_text(text, "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA VOLUME);
}

static void test_image_of_the_author_carries_the_check(void **state) {
    const char *const image = also(*state, GPU, "ami = \"ami-0123456789abcdef0\"");

    assert_text(group(*state, image),
                "managedNodeGroups:\n" NAME
                "  ami: ami-0123456789abcdef0\n" GPU_TYPE GPU_NETWORK_AND_SIZE EFA VOLUME CHECKED);
    assert_text(own_group(*state, image),
                "nodeGroups:\n" NAME
                "  ami: ami-0123456789abcdef0\n" GPU_TYPE GPU_NETWORK_AND_SIZE EFA OWN_VOLUME CHECKED);
}

#define TWO_TAINTS                                                                            \
    "  taints:\n  - key: a\n    value: b\n    effect: NoSchedule\n  - key: c\n    value: d\n" \
    "    effect: NoExecute\n"

static void test_taints_of_the_author_stay_beside_that_of_the_check(void **state) {
    const char *const tainted =
        also(*state, GPU, "taints = [taint(\"a\", \"b\", no_schedule), taint(\"c\", \"d\", no_execute)]");

    assert_text(group(*state, tainted),
                "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA VOLUME TWO_TAINTS CHECK CONFIG TAINTS(
                    "a=b:NoSchedule,c=d:NoExecute,"));
    assert_text(own_group(*state, tainted),
                "nodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA OWN_VOLUME TWO_TAINTS CHECK CONFIG TAINTS(
                    "a=b:NoSchedule,c=d:NoExecute,"));
}

static void test_check_that_only_warns_has_no_taint(void **state) {
    const Str text = group(*state, also(*state, GPU, "validate { on_fail = warn }"));

    assert_text(text, "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA VOLUME CHECK);
}

static void test_written_check_needs_no_template_of_ours(void **state) {
    const Str text = group(*state, also(*state, GPU, "validate { timeout = 90s }"));

    assert_text(text, "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA VOLUME CHECKED);
}

// Of the user data of a group's nodes, as the build says.
static long bytes_of(Arena *arena, const char *nodes) {
    BuiltText built = build(arena, "", nodes);
    assert_false(has_errors(built.session));
    long bytes = 0;
    for (uint32_t i = 0; i < built.output.decisions.count; i++) {
        const Str text = built.output.decisions.items[i].text;
        if (str_find(text, STR(" bytes of user data, of 16384:"), 0) < text.len) {
            bytes = strtol(text.data, NULL, 10);
        }
    }
    session_destroy(built.session);
    assert_true(bytes > 0);
    return bytes;
}

static void test_bytes_that_eksctl_and_eks_add_are_counted(void **state) {
    const long plain = bytes_of(*state, GPU);

    assert_int_equal(bytes_of(*state, also(*state, GPU, "labels = { role = \"work\" }")), plain + 10);
    assert_true(bytes_of(*state, also(*state, GPU, "group = eksctl")) < plain); // EKS labels nodes of its groups
}

// `count` tags of 40 bytes each.
static const char *tagged(Arena *arena, const char *nodes, int count) {
    StrBuf text = { .arena = arena };
    strbuf_add_format(&text, "%s\ntags = {", nodes);
    for (int i = 0; i < count; i++) {
        strbuf_add_format(&text, "%s a-key-of-a-tag-%04d = \"a value that has 20 b\"", i == 0 ? "" : ",", i);
    }
    strbuf_add(&text, STR(" }"));
    return str_c(arena, strbuf_str(&text));
}

static bool is_checked(Str text) {
    return str_find(text, STR(CHECK), 0) < text.len;
}

static void test_check_that_makes_the_template_of_eksctl_too_large_gives_way(void **state) {
    assert_true(is_checked(own_group(*state, tagged(*state, GPU, 6))));
    assert_false(is_checked(own_group(*state, tagged(*state, GPU, 30))));
}

static void test_template_of_a_managed_group_has_room_for_more(void **state) {
    assert_true(is_checked(group(*state, tagged(*state, GPU, 14))));
}

// ---- capacity ---------------------------------------------------------------------------------------------------

#define RESERVATION \
    "  capacityReservation:\n    capacityReservationTarget:\n      capacityReservationID: cr-0123456789abcdef0\n"

static void test_reservation_is_targeted(void **state) {
    const Str text = group(*state, also(*state, GPU, "capacity = reservation(\"cr-0123456789abcdef0\")"));

    assert_text(text, "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA RESERVATION VOLUME CHECKED);
}

#define GROUP_ARN "arn:aws:resource-groups:us-west-2:123456789012:group/training"

static void test_group_of_reservations_is_targeted(void **state) {
    const Str text = group(*state, also(*state, GPU, "capacity = reservation_group(\"" GROUP_ARN "\")"));

    assert_text(text, "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA
                      "  capacityReservation:\n    capacityReservationTarget:\n"
                      "      capacityReservationResourceGroupARN: " GROUP_ARN "\n" VOLUME CHECKED);
}

static void test_block_is_a_market_of_its_own(void **state) {
    const Str text = group(*state, also(*state, GPU, "capacity = capacity_block(\"cr-0123456789abcdef0\")"));

    assert_text(text, "managedNodeGroups:\n" NAME GPU_TYPE GPU_NETWORK_AND_SIZE EFA RESERVATION
                      "  instanceMarketOptions:\n    marketType: capacity-block\n" VOLUME CHECKED);
}

static void test_spot_of_a_managed_group_is_a_word(void **state) {
    const Str text = group(*state, also(*state, CPU, "capacity = spot"));

    assert_text(text,
                "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE "  spot: true\n" VOLUME);
}

static void test_spot_of_an_own_group_is_a_distribution(void **state) {
    const Str text = file_from(*state, "", also(*state, CPU, "group = eksctl\ncapacity = spot"), "nodeGroups:\n");

    assert_text(text, "nodeGroups:\n" NAME NETWORK_AND_SIZE "  instancesDistribution:\n"
                      "    instanceTypes:\n"
                      "    - c5.2xlarge\n"
                      "    onDemandBaseCapacity: 0\n"
                      "    onDemandPercentageAboveBaseCapacity: 0\n"
                      "    spotAllocationStrategy: price-capacity-optimized\n"
                      "  volumeSize: 80\n" VOLUME);
}

static void test_encrypted_volume_of_an_own_group_has_a_size(void **state) {
    const Str text = file_from(*state, "", also(*state, CPU, "group = eksctl"), "nodeGroups:\n");

    assert_text(text, "nodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE "  volumeSize: 80\n" VOLUME);
}

// ---- the cluster ------------------------------------------------------------------------------------------------

static void test_driver_that_makes_file_systems_has_a_role(void **state) {
    const Str text = file_from(*state, "  storage = [fsx]", CPU, "addons:\n");

    assert_text(text, "addons:\n"
                      "- name: eks-pod-identity-agent\n"
                      "- name: aws-fsx-csi-driver\n"
                      "  podIdentityAssociations:\n"
                      "  - namespace: kube-system\n"
                      "    serviceAccountName: fsx-csi-controller-sa\n"
                      "    permissionPolicyARNs:\n"
                      "    - arn:aws:iam::aws:policy/AmazonFSxFullAccess\n"
                      "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE VOLUME);
}

static void test_driver_of_what_is_there_has_no_role(void **state) {
    const Str text = file_from(*state, "  storage = [home]", CPU, "addons:\n");

    assert_text(text, "addons:\n"
                      "- name: aws-efs-csi-driver\n"
                      "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE VOLUME);
}

static void test_cluster_without_storage_has_no_addons(void **state) {
    const Str text = file_from(*state, "", CPU, "apiVersion");

    assert_text(text, "apiVersion: eksctl.io/v1alpha5\n"
                      "kind: ClusterConfig\n"
                      "metadata:\n"
                      "  name: train\n"
                      "  region: us-west-2\n"
                      "  version: \"1.36\"\n"
                      "iam:\n"
                      "  withOIDC: true\n"
                      "vpc:\n"
                      "  id: vpc-0123456789abcdef0\n"
                      "  subnets:\n"
                      "    private:\n"
                      "      private-1:\n"
                      "        id: subnet-0123456789abcdef0\n"
                      "      private-2:\n"
                      "        id: subnet-0123456789abcdef1\n"
                      "  clusterEndpoints:\n"
                      "    privateAccess: true\n"
                      "managedNodeGroups:\n" NAME "  instanceType: c5.2xlarge\n" NETWORK_AND_SIZE VOLUME);
}

static void assert_apply(Arena *arena, const char *cluster, const char *apply) {
    BuiltText built = build(arena, cluster, GPU);
    assert_false(has_errors(built.session));
    assert_text(artifact_of(&built, "train.eksctl.yaml")->step.apply, apply);
    session_destroy(built.session);
}

static void test_own_plugin_keeps_that_of_eksctl_away(void **state) {
    assert_apply(*state, "", "eksctl create cluster -f train.eksctl.yaml");
    assert_apply(*state, "  addon nvidia { version = \"v0.17.4\" }",
                 "eksctl create cluster -f train.eksctl.yaml --install-nvidia-plugin=false");
}

int main(void) {
#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_plain_group_says_what_eksctl_would_do_otherwise),
        TEST(test_group_with_efa_is_in_one_subnet_and_checks_itself),
        TEST(test_nodes_that_check_themselves_may_count_those_that_fail),
        TEST(test_efa_is_not_enabled_where_none_is_asked_for),
        TEST(test_taints_are_written),
        TEST(test_labels_are_written),
        TEST(test_name_of_instances_is_a_prefix),
        TEST(test_size_of_the_volume_is_in_gibibytes),
        TEST(test_addon_policies_have_the_names_of_eksctl),
        TEST(test_policies_keep_those_that_nodes_need),
        TEST(test_scratch_of_pods_is_in_the_node_config),
        TEST(test_nodes_without_efa_check_themselves_where_it_is_written),
        TEST(test_check_that_is_off_leaves_nothing),
        TEST(test_image_of_the_author_carries_the_check),
        TEST(test_taints_of_the_author_stay_beside_that_of_the_check),
        TEST(test_check_that_only_warns_has_no_taint),
        TEST(test_written_check_needs_no_template_of_ours),
        TEST(test_bytes_that_eksctl_and_eks_add_are_counted),
        TEST(test_check_that_makes_the_template_of_eksctl_too_large_gives_way),
        TEST(test_template_of_a_managed_group_has_room_for_more),
        TEST(test_reservation_is_targeted),
        TEST(test_group_of_reservations_is_targeted),
        TEST(test_block_is_a_market_of_its_own),
        TEST(test_spot_of_a_managed_group_is_a_word),
        TEST(test_spot_of_an_own_group_is_a_distribution),
        TEST(test_encrypted_volume_of_an_own_group_has_a_size),
        TEST(test_driver_that_makes_file_systems_has_a_role),
        TEST(test_driver_of_what_is_there_has_no_role),
        TEST(test_cluster_without_storage_has_no_addons),
        TEST(test_own_plugin_keeps_that_of_eksctl_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
