// The same fault, once in a declared group or job, and once in a resource that somebody wrote by hand: one rule finds
// both, with one code and one message. Where the message quotes the author, it has his word.
#include "tests/support/build_text.h"

typedef struct {
    const char *code;
    const char *code_raw; // NULL: the same
    const char *cluster;  // what is declared: attributes of the cluster,
    const char *group;    // of its group,
    const char *job;      // and of a job; NULL: there is none
    const char *raw;      // raw resources of a cluster without the fault
    const char *message;
    const char *message_raw; // NULL: the same
} Fault;

#define TEMPLATE(data) "resource \"AWS::EC2::LaunchTemplate\" launch { LaunchTemplateData = {\n" data "\n} }\n"

#define NIC(card, device, type) \
    "{ NetworkCardIndex = " #card ", DeviceIndex = " #device ", InterfaceType = \"" type "\" }"
#define TWO_NICS NIC(0, 0, "interface") "," NIC(0, 1, "efa-only") "," NIC(1, 0, "efa-only")
#define EIGHT_NICS                                                                                  \
    TWO_NICS "," NIC(2, 0, "efa-only") "," NIC(3, 0, "efa-only") "," NIC(4, 0, "efa-only") "," NIC( \
        5, 0, "efa-only") "," NIC(6, 0, "efa-only") "," NIC(7, 0, "efa-only")

#define PLACE "resource \"AWS::EC2::PlacementGroup\" place { Strategy = \"cluster\" }\n"

#define ENVIRONMENT(more)                                                            \
    "resource \"AWS::Batch::ComputeEnvironment\" environment { Type = \"MANAGED\"\n" \
    "ComputeResources = { MaxvCpus = 960, InstanceRole = \"ecsInstanceRole\", Subnets = lab.private,\n" more "} }\n"

#define DEVICE(number) "{ HostPath = \"/dev/infiniband/uverbs" #number "\" }"

// A multi-node job on p4d.24xlarge, whose containers have all that EFA needs.
#define DEFINITION(requirements, shm, environment)                                                            \
    "resource \"AWS::Batch::JobDefinition\" pretrain { Type = \"multinode\"\n"                                \
    "NodeProperties = { NumNodes = 2, MainNode = 0, NodeRangeProperties = [{ TargetNodes = \"0:\"\n"          \
    "Container = { Image = \"public.ecr.aws/hpc-cloud/nccl-tests:latest\", InstanceType = \"p4d.24xlarge\"\n" \
    "ResourceRequirements = [" requirements "]\n"                                                             \
    "Environment = [" environment "]\n"                                                                       \
    "Ulimits = [{ Name = \"memlock\", SoftLimit = -1, HardLimit = -1 }]\n"                                    \
    "LinuxParameters = { SharedMemorySize = " shm "\n"                                                        \
    "Devices = [" DEVICE(0) "," DEVICE(1) "," DEVICE(2) "," DEVICE(3) "] } } }] } }\n"

#define NEED(type, value) "{ Type = \"" type "\", Value = \"" value "\" }"

#define G5 "instance = \"g5.xlarge\"\ncount = 0..4\n"
#define P4D "instance = \"p4d.24xlarge\"\ncount = 0..4\n"

static const Fault FAULTS[] = {
    { .code = "DT0303",
      .group = "instance = \"g5.xlarge\"\ncount = 0..4\nefa = all\n",
      .raw = TEMPLATE("InstanceType = \"g5.xlarge\"\nNetworkInterfaces = [" NIC(0, 0, "efa") "]"),
      .message = "g5.xlarge has no EFA" },
    { .code = "DT0304",
      .group = P4D "efa = 8\n",
      .raw = TEMPLATE("InstanceType = \"p4d.24xlarge\"\nNetworkInterfaces = [" EIGHT_NICS "]"),
      .message = "p4d.24xlarge has 4 EFA interfaces, not 8" },
    { .code = "DT0305",
      .group = P4D "efa = 2\n",
      .raw = TEMPLATE("InstanceType = \"p4d.24xlarge\"\nNetworkInterfaces = [" TWO_NICS "]"),
      .message = "p4d.24xlarge has 4 EFA interfaces, and the group uses 2",
      .message_raw = "p4d.24xlarge has 4 EFA interfaces, and the launch template uses 2" },
    { .code = "DT0308",
      .code_raw = "DT1741",
      .group = P4D "capacity = reservation(\"cr-0123456789abcdef0\")\nplacement = cluster\n",
      .raw = PLACE TEMPLATE("InstanceType = \"p4d.24xlarge\"\nPlacement = { GroupName = place }\n"
                            "CapacityReservationSpecification = { CapacityReservationTarget = {"
                            "CapacityReservationId = \"cr-0123456789abcdef0\" } }"),
      .message = "a new placement group cannot go with a `reservation`",
      .message_raw = "a new placement group may find no room while the `reservation` has some" },
    { .code = "DT0308",
      .group = P4D "capacity = capacity_block(\"cr-0123456789abcdef0\")\nplacement = \"mine\"\n",
      .raw = TEMPLATE("InstanceType = \"p4d.24xlarge\"\nPlacement = { GroupName = \"mine\" }\n"
                      "InstanceMarketOptions = { MarketType = \"capacity-block\" }\n"
                      "CapacityReservationSpecification = { CapacityReservationTarget = {"
                      "CapacityReservationId = \"cr-0123456789abcdef0\" } }"),
      .message = "a placement group cannot go with a `capacity_block`",
      .message_raw = "a placement group cannot go with a `capacity-block`" },
    { .code = "DT0341",
      .group = "instance = \"t3.large\"\ncount = 0..4\nplacement = cluster\n",
      .raw = PLACE TEMPLATE("InstanceType = \"t3.large\"\nPlacement = { GroupName = place }"),
      .message = "t3.large cannot be in a cluster placement group" },
    { .code = "DT0340",
      .cluster = "os = al2\n",
      .group = P4D,
      .raw = ENVIRONMENT("Type = \"EC2\", InstanceTypes = [\"g5.48xlarge\"]\n"
                         "Ec2Configuration = [{ ImageType = \"ECS_AL2_NVIDIA\" }]"),
      .message = "AWS Batch makes no new compute environment with its own `al2` image",
      .message_raw = "AWS Batch makes no new compute environment with its own `ECS_AL2_NVIDIA` image" },
    { .code = "DT0318",
      .group = "instance = \"g5.12xlarge\"\ncount = 0..4\ncapacity = capacity_block(\"cr-0123456789abcdef0\")\n",
      .raw = TEMPLATE("InstanceType = \"g5.12xlarge\"\n"
                      "InstanceMarketOptions = { MarketType = \"capacity-block\" }\n"
                      "CapacityReservationSpecification = { CapacityReservationTarget = {"
                      "CapacityReservationId = \"cr-0123456789abcdef0\" } }"),
      .message = "g5.12xlarge is not sold as `capacity_block`",
      .message_raw = "g5.12xlarge is not sold as `capacity-block`" },
    { .code = "DT0320",
      .group = P4D "capacity = spot\n",
      .job = "nodes = 2\n",
      .raw = ENVIRONMENT("Type = \"SPOT\", AllocationStrategy = \"SPOT_CAPACITY_OPTIMIZED\"\n"
                         "InstanceTypes = [\"p4d.24xlarge\"]\n"
                         "LaunchTemplate = { LaunchTemplateId = \"lt-0123456789abcdef0\" }\n")
          DEFINITION(NEED("GPU", "8"), "49152", ""),
      .message = "`pretrain` takes several nodes, and Batch starts no multi-node job on Spot" },
    { .code = "DT0324",
      .group = P4D,
      .job = "nodes = 2\ngpus = -1\n",
      .raw = DEFINITION(NEED("GPU", "-1"), "49152", ""),
      .message = "`gpus` is -1",
      .message_raw = "`GPU` is -1" },
    { .code = "DT0329",
      .group = P4D,
      .job = "nodes = 2\nvcpus = 97\n",
      .raw = DEFINITION(NEED("VCPU", "97"), "49152", ""),
      .message = "`vcpus` is 97, and p4d.24xlarge has 96",
      .message_raw = "`VCPU` is 97, and p4d.24xlarge has 96" },
    { .code = "DT0330",
      .group = P4D,
      .job = "nodes = 2\nmemory = 1179648MiB\n",
      .raw = DEFINITION(NEED("MEMORY", "1179648"), "49152", ""),
      .message = "1179648MiB of memory are too much: a container on p4d.24xlarge gets 1161953MiB at most" },
    { .code = "DT0331",
      .group = P4D,
      .job = "nodes = 2\nmemory = 1MiB\nshm = 1MiB\ngpus = 0\n",
      .raw = DEFINITION(NEED("MEMORY", "1"), "49152", ""),
      .message = "1MiB of memory are too little: AWS Batch takes 4MiB at least" },
    { .code = "DT0333",
      .group = P4D,
      .job = "nodes = 2\nvcpus = 0\n",
      .raw = DEFINITION(NEED("VCPU", "0"), "49152", ""),
      .message = "`vcpus` is 0",
      .message_raw = "`VCPU` is 0" },
    { .code = "DT0397",
      .group = P4D,
      .job = "nodes = 2\nshm = 512MiB\n",
      .raw = DEFINITION(NEED("GPU", "8"), "512", ""),
      .message = "512MiB of shared memory are little for 8 GPUs" },
    { .code = "DT1326",
      .group = P4D,
      .job = "nodes = 2\nenv = { FI_EFA_USE_DEVICE_RDMA = \"0\" }\n",
      .raw = DEFINITION(NEED("GPU", "8"), "49152", "{ Name = \"FI_EFA_USE_DEVICE_RDMA\", Value = \"0\" }"),
      .message = "`FI_EFA_USE_DEVICE_RDMA` is \"0\": libfabric then emulates what the interface does by RDMA; "
                 "aws-ofi-nccl 1.7.4 and later can stop with an error" },
};

static Str text_of(Arena *arena, const char *cluster, const char *group, const char *job, const char *resources) {
    Str jobs = job == NULL ? STR("")
                           : str_format(arena,
                                        "job pretrain on train {\n"
                                        "image = \"public.ecr.aws/hpc-cloud/nccl-tests:latest\"\n%s}\n",
                                        job);
    return str_format(arena,
                      "dt 1\nnetwork lab { zones = [\"us-east-1a\"] }\n"
                      "cluster train on batch {\nnetwork = lab\n%snodes gpu {\n%s}\n%s}\n%.*s",
                      cluster == NULL ? "" : cluster, group, resources, STR_ARG(jobs));
}

static void assert_finding(Str text, const char *code, const char *message) {
    const BuiltText built = build_text(text);
    const Diags *diags = &built.session->diags;
    if (diags->items.count != 1) {
        print_error("%s: %u findings\n", code, diags->items.count);
    }
    assert_int_equal(diags->items.count, 1);
    assert_string_equal(diag_row(diags->items.items[0]->id)->code, code);
    assert_text(diags->items.items[0]->message, message);
    session_destroy(built.session);
}

static void test_one_rule_finds_a_fault_in_both_forms(void **state) {
    (void)state;
    Session *session = session_create();

    for (size_t i = 0; i < COUNT_OF(FAULTS); i++) {
        const Fault *fault = &FAULTS[i];
        const Str declared = text_of(session->arena, fault->cluster, fault->group, fault->job, "");
        const bool is_of_group = strstr(fault->raw, "AWS::Batch::JobDefinition") != NULL; // and needs its type
        const Str raw = text_of(session->arena, NULL, is_of_group ? P4D : G5, NULL, fault->raw);
        const char *other = fault->message_raw == NULL ? fault->message : fault->message_raw;

        assert_finding(declared, fault->code, fault->message);
        assert_finding(raw, fault->code_raw == NULL ? fault->code : fault->code_raw, other);
    }
    session_destroy(session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_rule_finds_a_fault_in_both_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
