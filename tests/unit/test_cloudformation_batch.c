#include "emitters/cloudformation/cloudformation.h"

#include "tests/support/cloudformation_plan.h"

static const InstanceRow TWO_CARDS = {
    .name = "x1.large",
    .architecture = ARCHITECTURE_X86_64,
    .vcpus = 8,
    .memory_mib = 65536,
    .accelerator = ACCELERATOR_NVIDIA,
    .accelerators = 2,
};

static const ImageRow GPU_IMAGE = { .target = TARGET_BATCH,
                                    .parameter = "/ssm/gpu",
                                    .image_type = "ECS_AL2023_NVIDIA" };
static const ImageRow NEURON_IMAGE = { .target = TARGET_BATCH, .parameter = "/ssm/neuron" };

static const PlanCapacity ON_DEMAND = { .kind = CAPACITY_ON_DEMAND, .origin = &TEST_ORIGIN };
static const PlanCapacity SPOT = { .kind = CAPACITY_SPOT, .origin = &TEST_ORIGIN };

// A cluster `llm` with one group `gpu` in an existing subnet.
static PlanCluster *a_cluster(Session *session, Plan *plan) {
    PlanNetwork *network = arena_new(session->arena, PlanNetwork);
    *network = (PlanNetwork){ .head = a_head(session, "there", &KIND_ROWS[KIND_NETWORK]), .mode = NETWORK_GIVEN };
    plan_add_network(session->arena, plan, network);
    PlanBatch *batch = arena_new(session->arena, PlanBatch);
    batch->priority = an_int(session, 1);
    PlanCluster *cluster = arena_new(session->arena, PlanCluster);
    *cluster = (PlanCluster){
        .head = a_head(session, "llm", &KIND_ROWS[KIND_CLUSTER]),
        .target = TARGET_BATCH,
        .network = network,
        .tags = a_map(session, NULL, NULL),
        .batch = batch,
    };
    plan_add_cluster(session->arena, plan, cluster);
    return cluster;
}

static PlanNodes *a_group(Session *session, PlanCluster *cluster, const char *name) {
    PlanBatchNodes *batch = arena_new(session->arena, PlanBatchNodes);
    batch->detailed_monitoring = a_bool(session, false);
    PlanNodes *nodes = arena_new(session->arena, PlanNodes);
    *nodes = (PlanNodes){
        .head = a_head(session, name, &KIND_ROWS[KIND_NODES]),
        .cluster = cluster,
        .instance = &TWO_CARDS,
        .instance_value = a_string(session, "x1.large"),
        .count.low = an_int(session, 0),
        .count.high = an_int(session, 4),
        .capacity = &ON_DEMAND,
        .fabric.nics = { .items = { { 0, 0, NIC_INTERFACE }, { 1, 0, NIC_EFA_ONLY } }, .count = 2 },
        .fabric.efa_count = 1,
        .fabric.origin = &TEST_ORIGIN,
        .ami.row = &GPU_IMAGE,
        .ami.origin = &TEST_ORIGIN,
        .root.type = a_word(session, "gp3"),
        .root.device = "/dev/xvda",
        .imds.hop_limit = an_int(session, 1),
        .imds.v1 = a_bool(session, false),
        .role.instance_profile = a_string(session, "arn:aws:iam::123456789012:instance-profile/nodes"),
        .role.policies = a_list(session, 0, NULL),
        .tags = a_map(session, NULL, NULL),
        .subnets.ids = a_list(session, 1, (const Value *[]){ a_string(session, "subnet-1") }),
        .security_group = a_string(session, "sg-1"),
        .batch = batch,
    };
    const PlanGroupType type = { .row = nodes->instance, .name = nodes->instance_value };
    vec_push(session->arena, &nodes->types, type);
    vec_push(session->arena, &cluster->nodes, nodes);
    return nodes;
}

static PlanJob *a_job(Session *session, PlanCluster *cluster, const PlanNodes *group, int64_t nodes) {
    PlanJobContainer *container = arena_new(session->arena, PlanJobContainer);
    *container = (PlanJobContainer){
        .shm = a_quantity(session, VALUE_SIZE, INT64_C(64) * 1024 * 1024),
    };
    PlanAccess *access = arena_new(session->arena, PlanAccess);
    access->policies = a_list(session, 0, NULL);
    PlanJob *job = arena_new(session->arena, PlanJob);
    *job = (PlanJob){
        .head = a_head(session, "train", &KIND_ROWS[KIND_JOB]),
        .cluster = cluster,
        .group = group,
        .image_uri = a_string(session, "public.ecr.aws/x/y:1"),
        .nodes = an_int(session, nodes),
        .tasks_per_node = an_int(session, 2),
        .command = a_list(session, 1, (const Value *[]){ a_string(session, "/run.sh") }),
        .env = a_map(session, "A", a_string(session, "${x}")),
        .vcpus = an_int(session, 8),
        .gpus = an_int(session, 2),
        .memory = a_quantity(session, VALUE_SIZE, INT64_C(4096) * 1024 * 1024),
        .efa_devices = 1,
        .attempts = an_int(session, 3),
        .access = access,
        .container = container,
    };
    vec_push(session->arena, &cluster->jobs, job);
    return job;
}

static PlanCapacity *a_capacity(Session *session, CapacityKind kind, const Value *id, const PlanCapacity *otherwise) {
    PlanCapacity *capacity = arena_new(session->arena, PlanCapacity);
    *capacity = (PlanCapacity){ .kind = kind, .id = id, .origin = &TEST_ORIGIN, .otherwise = otherwise };
    return capacity;
}

// A late optional param that the plan's program declares.
static const Value *an_optional(Session *session, Plan *plan, const char *name) {
    Param *param = a_param(session, name, &TEST_STRING_TYPE, true);
    declare(session, plan, param);
    return a_late_param(session, param);
}

static Str emitted(Session *session, const Plan *plan) {
    Output output = { .format = FORMAT_YAML };
    cloudformation_emit(session, plan, &output);
    return output.artifacts.items[0].content;
}

// From the line that begins with `from` (blanks aside) to that before the next line of at most its indentation.
static Str part_of(Str content, const char *from) {
    size_t start = str_find(content, str_of(from), 0);
    assert_true(start < content.len);
    size_t line = start;
    while (line > 0 && content.data[line - 1] == ' ') {
        line--;
    }
    size_t indent = start - line;
    size_t end = str_find(content, STR("\n"), start) + 1;
    while (end < content.len) {
        size_t blanks = 0;
        while (content.data[end + blanks] == ' ') {
            blanks++;
        }
        bool is_item = content.data[end + blanks] == '-';
        if (blanks < indent || (blanks == indent && !is_item)) {
            break;
        }
        end = str_find(content, STR("\n"), end) + 1;
    }
    return str_slice(content, start, end);
}

static void test_launch_template_of_a_group(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    a_group(session, a_cluster(session, plan), "gpu");

    Str text = emitted(session, plan);

    assert_text(part_of(text, "LlmGpuLaunchTemplate:"), "LlmGpuLaunchTemplate:\n"
                                                        "    Type: AWS::EC2::LaunchTemplate\n"
                                                        "    Properties:\n"
                                                        "      LaunchTemplateData:\n"
                                                        "        NetworkInterfaces:\n"
                                                        "        - NetworkCardIndex: 0\n"
                                                        "          DeviceIndex: 0\n"
                                                        "          InterfaceType: interface\n"
                                                        "          Groups:\n"
                                                        "          - sg-1\n"
                                                        "          DeleteOnTermination: true\n"
                                                        "        - NetworkCardIndex: 1\n"
                                                        "          DeviceIndex: 0\n"
                                                        "          InterfaceType: efa-only\n"
                                                        "          Groups:\n"
                                                        "          - sg-1\n"
                                                        "          DeleteOnTermination: true\n"
                                                        "        MetadataOptions:\n"
                                                        "          HttpEndpoint: enabled\n"
                                                        "          HttpTokens: required\n"
                                                        "          HttpPutResponseHopLimit: 1\n"
                                                        "        BlockDeviceMappings:\n"
                                                        "        - DeviceName: /dev/xvda\n"
                                                        "          Ebs:\n"
                                                        "            VolumeType: gp3\n"
                                                        "            Encrypted: true\n"
                                                        "            DeleteOnTermination: true\n"
                                                        "        TagSpecifications:\n"
                                                        "        - ResourceType: instance\n"
                                                        "          Tags:\n"
                                                        "          - Key: Name\n"
                                                        "            Value: llm-gpu\n"
                                                        "        - ResourceType: volume\n"
                                                        "          Tags:\n"
                                                        "          - Key: Name\n"
                                                        "            Value: llm-gpu\n");
}

static void test_compute_environment_can_be_updated_in_place(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    a_group(session, a_cluster(session, plan), "gpu");

    Str text = emitted(session, plan);

    assert_text(part_of(text, "LlmGpuComputeEnvironment:"),
                "LlmGpuComputeEnvironment:\n"
                "    Type: AWS::Batch::ComputeEnvironment\n"
                "    Properties:\n"
                "      Type: MANAGED\n"
                "      ReplaceComputeEnvironment: false\n"
                "      UpdatePolicy:\n"
                "        TerminateJobsOnUpdate: false\n"
                "        JobExecutionTimeoutMinutes: 360\n"
                "      ComputeResources:\n"
                "        Type: EC2\n"
                "        AllocationStrategy: BEST_FIT_PROGRESSIVE\n"
                "        MinvCpus: 0\n"
                "        MaxvCpus: 32\n"
                "        InstanceTypes:\n"
                "        - x1.large\n"
                "        InstanceRole: arn:aws:iam::123456789012:instance-profile/nodes\n"
                "        LaunchTemplate:\n"
                "          LaunchTemplateId: !Ref LlmGpuLaunchTemplate\n"
                "          Version: !GetAtt LlmGpuLaunchTemplate.LatestVersionNumber\n"
                "        Ec2Configuration:\n"
                "        - ImageType: ECS_AL2023_NVIDIA\n"
                "        UpdateToLatestImageVersion: true\n"
                "        Subnets:\n"
                "        - subnet-1\n");
}

static void test_spot_is_a_type_of_its_own(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    a_group(session, a_cluster(session, plan), "gpu")->capacity = &SPOT;

    Str text = emitted(session, plan);

    assert_text(part_of(text, "Type: SPOT"), "Type: SPOT\n");
    assert_text(part_of(text, "AllocationStrategy:"), "AllocationStrategy: SPOT_PRICE_CAPACITY_OPTIMIZED\n");
}

static void test_block_brings_market_and_reservation(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNodes *nodes = a_group(session, a_cluster(session, plan), "gpu");
    nodes->capacity = a_capacity(session, CAPACITY_BLOCK, a_string(session, "cr-1"), NULL);

    Str text = emitted(session, plan);

    assert_text(part_of(text, "CapacityReservationSpecification:"), "CapacityReservationSpecification:\n"
                                                                    "          CapacityReservationTarget:\n"
                                                                    "            CapacityReservationId: cr-1\n");
    assert_text(part_of(text, "InstanceMarketOptions:"), "InstanceMarketOptions:\n"
                                                         "          MarketType: capacity-block\n");
}

static void test_late_reservations_nest_in_the_order_of_the_source(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNodes *nodes = a_group(session, a_cluster(session, plan), "gpu");
    const PlanCapacity *group =
        a_capacity(session, CAPACITY_RESERVATION_GROUP, an_optional(session, plan, "group"), &ON_DEMAND);
    nodes->capacity = a_capacity(session, CAPACITY_RESERVATION, an_optional(session, plan, "odcr"), group);

    Str text = emitted(session, plan);

    assert_text(part_of(text, "Conditions:"), "Conditions:\n"
                                              "  HasOdcr: !Not [!Equals [!Ref Odcr, \"\"]]\n"
                                              "  HasGroup: !Not [!Equals [!Ref Group, \"\"]]\n");
    assert_text(part_of(text, "CapacityReservationSpecification:"),
                "CapacityReservationSpecification: !If\n"
                "        - HasOdcr\n"
                "        - CapacityReservationTarget:\n"
                "            CapacityReservationId: !Ref Odcr\n"
                "        - !If\n"
                "          - HasGroup\n"
                "          - CapacityReservationPreference: capacity-reservations-only\n"
                "            CapacityReservationTarget:\n"
                "              CapacityReservationResourceGroupArn: !Ref Group\n"
                "          - !Ref AWS::NoValue\n");
}

static void test_late_block_brings_the_market_only_where_it_is_given(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNodes *nodes = a_group(session, a_cluster(session, plan), "gpu");
    nodes->capacity = a_capacity(session, CAPACITY_BLOCK, an_optional(session, plan, "block"), &ON_DEMAND);

    Str text = emitted(session, plan);

    assert_text(part_of(text, "InstanceMarketOptions:"), "InstanceMarketOptions: !If\n"
                                                         "        - HasBlock\n"
                                                         "        - MarketType: capacity-block\n"
                                                         "        - !Ref AWS::NoValue\n");
}

static void test_placement_group_is_there_only_without_a_reservation(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNodes *nodes = a_group(session, a_cluster(session, plan), "gpu");
    nodes->capacity = a_capacity(session, CAPACITY_RESERVATION, an_optional(session, plan, "odcr"), &ON_DEMAND);
    nodes->placement.is_new = true;

    Str text = emitted(session, plan);

    assert_text(part_of(text, "Conditions:"), "Conditions:\n"
                                              "  HasOdcr: !Not [!Equals [!Ref Odcr, \"\"]]\n"
                                              "  NoOdcr: !Not [!Condition HasOdcr]\n");
    assert_text(part_of(text, "LlmGpuPlacementGroup:"), "LlmGpuPlacementGroup:\n"
                                                        "    Type: AWS::EC2::PlacementGroup\n"
                                                        "    Condition: NoOdcr\n"
                                                        "    Properties:\n"
                                                        "      Strategy: cluster\n");
    assert_text(part_of(text, "PlacementGroup: "),
                "PlacementGroup: !If [NoOdcr, !Ref LlmGpuPlacementGroup, !Ref AWS::NoValue]\n");
}

static void test_image_of_the_author_replaces_the_service_s(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    a_group(session, a_cluster(session, plan), "gpu")->ami.given = a_string(session, "ami-1");

    Str text = emitted(session, plan);

    assert_text(part_of(text, "Ec2Configuration:"), "Ec2Configuration:\n"
                                                    "        - ImageType: ECS_AL2023_NVIDIA\n"
                                                    "          ImageIdOverride: ami-1\n");
    assert_int_equal(str_find(text, STR("UpdateToLatestImageVersion"), 0), text.len);
    assert_int_equal(str_find(text, STR("BlockDeviceMappings"), 0), text.len);
}

static void test_image_without_a_word_of_batch_s_comes_from_ssm(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNodes *nodes = a_group(session, a_cluster(session, plan), "gpu");
    nodes->ami.row = &NEURON_IMAGE;
    nodes->ami.given = an_optional(session, plan, "ami");

    Str text = emitted(session, plan);

    assert_text(part_of(text, "Ec2Configuration:"),
                "Ec2Configuration:\n"
                "        - ImageType: ECS_AL2023\n"
                "          ImageIdOverride: !If [HasAmi, !Ref Ami, !Ref LlmImage]\n");
    assert_text(part_of(text, "LlmImage:"), "LlmImage:\n"
                                            "    Type: AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>\n"
                                            "    Description: SSM parameter that holds the id of the image\n"
                                            "    Default: /ssm/neuron\n");
}

static void test_service_role_of_the_author_rules_out_updates_in_place(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanCluster *cluster = a_cluster(session, plan);
    a_group(session, cluster, "gpu");
    ((PlanBatch *)cluster->batch)->service_role = a_string(session, "arn:aws:iam::123456789012:role/batch");

    Str text = emitted(session, plan);

    assert_text(part_of(text, "ServiceRole:"), "ServiceRole: arn:aws:iam::123456789012:role/batch\n");
    assert_int_equal(str_find(text, STR("ReplaceComputeEnvironment"), 0), text.len);
}

static void test_network_without_a_group_gets_one_in_its_vpc(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanCluster *cluster = a_cluster(session, plan);
    a_group(session, cluster, "gpu")->security_group = NULL;
    ((PlanNetwork *)cluster->network)->given.vpc = a_string(session, "vpc-1");

    Str text = emitted(session, plan);

    assert_text(part_of(text, "LlmSecurityGroup:"),
                "LlmSecurityGroup:\n"
                "    Type: AWS::EC2::SecurityGroup\n"
                "    Properties:\n"
                "      GroupDescription: \"EFA: all traffic between members, and out\"\n"
                "      VpcId: vpc-1\n");
    assert_text(part_of(text, "Groups:"), "Groups:\n          - !Ref LlmSecurityGroup\n");
}

static void test_job_of_one_node_is_a_container(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanCluster *cluster = a_cluster(session, plan);
    a_job(session, cluster, a_group(session, cluster, "gpu"), 1);

    Str text = emitted(session, plan);

    assert_text(part_of(text, "TrainJobDefinition:"), "TrainJobDefinition:\n"
                                                      "    Type: AWS::Batch::JobDefinition\n"
                                                      "    Properties:\n"
                                                      "      Type: container\n"
                                                      "      ContainerProperties:\n"
                                                      "        Image: public.ecr.aws/x/y:1\n"
                                                      "        Command:\n"
                                                      "        - /run.sh\n"
                                                      "        ResourceRequirements:\n"
                                                      "        - Type: VCPU\n"
                                                      "          Value: \"8\"\n"
                                                      "        - Type: MEMORY\n"
                                                      "          Value: \"4096\"\n"
                                                      "        - Type: GPU\n"
                                                      "          Value: \"2\"\n"
                                                      "        Environment:\n"
                                                      "        - Name: A\n"
                                                      "          Value: ${x}\n"
                                                      "        Ulimits:\n"
                                                      "        - Name: memlock\n"
                                                      "          SoftLimit: -1\n"
                                                      "          HardLimit: -1\n"
                                                      "        - Name: stack\n"
                                                      "          SoftLimit: 67108864\n"
                                                      "          HardLimit: 67108864\n"
                                                      "        - Name: nofile\n"
                                                      "          SoftLimit: 1024000\n"
                                                      "          HardLimit: 1024000\n"
                                                      "        LinuxParameters:\n"
                                                      "          SharedMemorySize: 64\n"
                                                      "          Devices:\n"
                                                      "          - HostPath: /dev/infiniband/uverbs0\n"
                                                      "      RetryStrategy:\n"
                                                      "        Attempts: 3\n"
                                                      "      PropagateTags: true\n");
}

static void test_job_of_two_nodes_is_one_range_of_them(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanCluster *cluster = a_cluster(session, plan);
    a_job(session, cluster, a_group(session, cluster, "gpu"), 2);

    Str text = emitted(session, plan);

    assert_text(part_of(text, "Type: multinode"), "Type: multinode\n");
    assert_text(part_of(text, "MainNode: 0"), "MainNode: 0\n");
    assert_text(part_of(text, "NumNodes: 2"), "NumNodes: 2\n");
    assert_true(str_find(text, STR("- TargetNodes: \"0:\"\n"), 0) < text.len);
    assert_text(part_of(text, "InstanceType: x1.large"), "InstanceType: x1.large\n");
}

static PlanImage *an_image(Session *session, Plan *plan, const char *repository) {
    PlanImage *image = arena_new(session->arena, PlanImage);
    *image = (PlanImage){
        .head = a_head(session, "app", &KIND_ROWS[KIND_IMAGE]),
        .repository = a_string(session, repository),
        .tag = a_string(session, "v1"),
        .is_scanned = a_bool(session, true),
        .is_immutable = a_bool(session, false),
    };
    image->maker = image;
    plan_add_image(session->arena, plan, image);
    return image;
}

static void test_image_without_a_cluster_has_a_stack_of_its_own(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    an_image(session, plan, "team/app");

    assert_text(emitted(session, plan), "# Written by dtc from its source. Do not edit: change the source.\n"
                                        "AWSTemplateFormatVersion: \"2010-09-09\"\n"
                                        "Description: Repository of the image app\n"
                                        "Resources:\n"
                                        "  AppRepository:\n"
                                        "    Type: AWS::ECR::Repository\n"
                                        "    DeletionPolicy: RetainExceptOnCreate\n"
                                        "    UpdateReplacePolicy: Retain\n"
                                        "    Properties:\n"
                                        "      RepositoryName: team/app\n"
                                        "      EncryptionConfiguration:\n"
                                        "        EncryptionType: AES256\n"
                                        "      ImageScanningConfiguration:\n"
                                        "        ScanOnPush: true\n"
                                        "Outputs:\n"
                                        "  AppRepository:\n"
                                        "    Description: Repository of the image\n"
                                        "    Value: !Ref AppRepository\n"
                                        "  AppRepositoryUri:\n"
                                        "    Description: Where the image is pushed to\n"
                                        "    Value: !GetAtt AppRepository.RepositoryUri\n");
}

static void test_job_refers_to_the_repository_of_its_own_stack(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanCluster *cluster = a_cluster(session, plan);
    PlanJob *job = a_job(session, cluster, a_group(session, cluster, "gpu"), 1);
    PlanImage *image = an_image(session, plan, "app");
    image->owner = cluster;
    vec_push(session->arena, &cluster->images, image);
    job->image = image;

    Str text = emitted(session, plan);

    assert_text(part_of(text, "Image:"), "Image: !Sub ${AppRepository.RepositoryUri}:v1\n");
}

static void test_job_names_a_repository_that_is_there_already(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanCluster *cluster = a_cluster(session, plan);
    PlanJob *job = a_job(session, cluster, a_group(session, cluster, "gpu"), 1);
    PlanImage *image = an_image(session, plan, "app");
    image->is_existing = true;
    job->image = image;

    Str text = emitted(session, plan);

    assert_text(part_of(text, "Image:"),
                "Image: !Sub ${AWS::AccountId}.dkr.ecr.${AWS::Region}.${AWS::URLSuffix}/app:v1\n");
}

static void test_groups_of_one_name_in_camel_case_coincide(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanCluster *cluster = a_cluster(session, plan);
    a_group(session, cluster, "gpu-a");
    a_group(session, cluster, "gpu_a");

    emitted(session, plan);

    assert_int_equal(session->diags.items.count, 1);
    assert_int_equal(session->diags.items.items[0]->id, DIAG_logical_ids_coincide);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_launch_template_of_a_group),
        session_test(test_compute_environment_can_be_updated_in_place),
        session_test(test_spot_is_a_type_of_its_own),
        session_test(test_block_brings_market_and_reservation),
        session_test(test_late_reservations_nest_in_the_order_of_the_source),
        session_test(test_late_block_brings_the_market_only_where_it_is_given),
        session_test(test_placement_group_is_there_only_without_a_reservation),
        session_test(test_image_of_the_author_replaces_the_service_s),
        session_test(test_image_without_a_word_of_batch_s_comes_from_ssm),
        session_test(test_service_role_of_the_author_rules_out_updates_in_place),
        session_test(test_network_without_a_group_gets_one_in_its_vpc),
        session_test(test_job_of_one_node_is_a_container),
        session_test(test_job_of_two_nodes_is_one_range_of_them),
        session_test(test_image_without_a_cluster_has_a_stack_of_its_own),
        session_test(test_job_refers_to_the_repository_of_its_own_stack),
        session_test(test_job_names_a_repository_that_is_there_already),
        session_test(test_groups_of_one_name_in_camel_case_coincide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
