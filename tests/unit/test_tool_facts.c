#include "emitters/tool/tool_facts.h"

#include "tests/support/build_text.h"

static int set_up(void **state) {
    *state = arena_create();
    return 0;
}

static int tear_down(void **state) {
    arena_destroy(*state);
    return 0;
}

// A network of this build that says no region of its own but by its zone, and a cluster of ParallelCluster in it.
static const char LAB[] = "dt 1\n"
                          "network lab { zones = [\"us-east-1a\"] }\n"
                          "cluster train on parallelcluster {\n"
                          "  network = lab\n"
                          "  head { instance = \"m5.8xlarge\" }\n"
                          "  nodes gpu { instance = \"g5.12xlarge\", count = 0..1 }\n"
                          "}\n";

// An image that a pod of EKS runs, and a storage that it mounts.
static const char EKS[] = "dt 1\n"
                          "network lab { vpc = \"vpc-0123456789abcdef0\", zones = [\"us-west-2a\", \"us-west-2b\"], "
                          "private = [\"subnet-0123456789abcdef0\", \"subnet-0123456789abcdef1\"] }\n"
                          "storage fsx { kind = lustre, size = 1200GiB, mount = \"/fsx\" }\n"
                          "storage other { kind = efs, existing = \"fs-0123456789abcdef0\", mount = \"/other\" }\n"
                          "image trainer { repository = \"lab/trainer\", tag = \"v2\" }\n"
                          "cluster llm on eks {\n"
                          "  network = lab\n"
                          "  version = \"1.36\"\n"
                          "  storage = [fsx]\n"
                          "  nodes gpu { instance = \"g5.12xlarge\", count = 1, zone = \"us-west-2a\" }\n"
                          "  resource \"v1/ConfigMap\" names { data = { uri = trainer.uri, again = trainer.uri, "
                          "repository = trainer.repository, claim = %s.claim } }\n"
                          "}\n";

// What describe-stacks says of one stack. `outputs` are pairs of a key and a value.
static Str stack_of(Arena *arena, const char *name, const char *id, const char *status, const char *outputs) {
    return str_format(arena,
                      "{\"Stacks\": [{\"StackName\": \"%s\", \"StackId\": \"%s\", \"StackStatus\": \"%s\", "
                      "\"Outputs\": [%s]}]}",
                      name, id, status, outputs);
}

static const char VPC_AND_SUBNETS[] =
    "{\"OutputKey\": \"V\", \"OutputValue\": \"vpc-0123456789abcdef0\", \"ExportName\": \"lab-VPC\"},"
    "{\"OutputKey\": \"P\", \"OutputValue\": \"subnet-0123456789abcdef0\", \"ExportName\": \"lab-PrivateSubnet\"},"
    "{\"OutputKey\": \"U\", \"OutputValue\": \"subnet-0123456789abcdef1\", \"ExportName\": \"lab-PublicSubnet\"}";

static const char HERE[] = "arn:aws:cloudformation:us-east-1:123456789012:stack/lab/1";

static void assert_codes(const BuiltText *built, const char *codes) {
    assert_text(codes_of(built->session, SEVERITY_ERROR), codes);
}

// ---- what is missing --------------------------------------------------------------------------------------------

static void test_what_no_fact_tells_is_noted_once_and_a_stack_is_needed_once(void **state) {
    (void)state;
    BuiltText built = build_text(str_of(LAB));
    assert_codes(&built, "");
    const Artifact *artifact = artifact_of(&built, "train.pcluster.yaml");

    assert_int_equal(artifact->content.len, 0);
    assert_int_equal(artifact->step.needs.count, 1);
    assert_text(artifact->step.needs.items[0], "lab");
    for (uint32_t i = 0; i < artifact->missing.count; i++) {
        assert_text(artifact->missing.items[i].stack, "lab");
        assert_text(artifact->missing.items[i].region, "us-east-1");
        for (uint32_t k = 0; k < i; k++) {
            assert_false(str_equal(artifact->missing.items[i].name, artifact->missing.items[k].name));
        }
    }
    assert_int_equal(artifact->missing.count, 2);
    session_destroy(built.session);
}

static void test_facts_of_one_stack_stand_together(void **state) {
    (void)state;
    Session *session = session_create();
    ToolFile file = { .session = session };
    static const char *const MISSED[][2] = { { "one", "A" }, { "two", "A" }, { "one", "B" }, { "three", "A" },
                                             { "two", "A" }, { "one", "A" }, { "two", "B" } };
    for (size_t i = 0; i < COUNT_OF(MISSED); i++) {
        tool_miss(&file, (MissingFact){ .stack = str_of(MISSED[i][0]), .name = str_of(MISSED[i][1]) });
    }
    StrBuf text = { .arena = session->arena };
    for (uint32_t i = 0; i < file.missing.count; i++) {
        const MissingFact *fact = &file.missing.items[i];
        strbuf_add_format(&text, "%.*s-%.*s ", STR_ARG(fact->stack), STR_ARG(fact->name));
    }

    assert_text(strbuf_str(&text), "one-A one-B two-A two-B three-A ");
    session_destroy(session);
}

// ---- what is told -----------------------------------------------------------------------------------------------

static BuiltText build_lab(Arena *arena, const char *id, const char *status, const char *outputs) {
    return build_text_with(str_of(LAB), stack_of(arena, "lab", id, status, outputs));
}

static void test_a_file_whose_facts_are_there_is_written(void **state) {
    BuiltText built = build_lab(*state, HERE, "UPDATE_COMPLETE", VPC_AND_SUBNETS);
    assert_codes(&built, "");
    const Artifact *artifact = artifact_of(&built, "train.pcluster.yaml");

    assert_int_equal(artifact->missing.count, 0);
    assert_true(str_find(artifact->content, STR("subnet-0123456789abcdef0"), 0) < artifact->content.len);
    session_destroy(built.session);
}

static void test_a_stack_that_cannot_be_relied_on_is_reported(void **state) {
    static const struct {
        const char *id;
        const char *status;
        const char *codes;
    } CASES[] = {
        { HERE, "ROLLBACK_COMPLETE", "DT0943" },
        { HERE, "", "DT0940" },
        { "arn:aws:cloudformation:us-east-2:123456789012:stack/lab/1", "CREATE_COMPLETE", "DT0948" },
        { "", "CREATE_COMPLETE", "" }, // written by hand
    };
    for (size_t i = 0; i < COUNT_OF(CASES); i++) {
        BuiltText built = build_lab(*state, CASES[i].id, CASES[i].status, VPC_AND_SUBNETS);
        assert_codes(&built, CASES[i].codes);
        session_destroy(built.session);
    }
}

static void test_an_output_that_is_not_there_or_empty_is_reported(void **state) {
    BuiltText without = build_lab(*state, HERE, "CREATE_COMPLETE", "");
    assert_codes(&without, "DT0944");
    session_destroy(without.session);

    BuiltText empty = build_lab(*state, HERE, "CREATE_COMPLETE",
                                "{\"OutputKey\": \"P\", \"OutputValue\": \"\", \"ExportName\": \"lab-PrivateSubnet\"},"
                                "{\"OutputKey\": \"U\", \"OutputValue\": \"subnet-0123456789abcdef1\", "
                                "\"ExportName\": \"lab-PublicSubnet\"}");
    assert_codes(&empty, "DT0944");
    session_destroy(empty.session);
}

// ---- images and claims of EKS -----------------------------------------------------------------------------------

static BuiltText build_eks(Arena *arena, const char *claim, const char *id) {
    const Str text = str_format(arena, EKS, claim);
    const char *outputs = "{\"OutputKey\": \"ClusterSecurityGroupId\", \"OutputValue\": \"sg-0123456789abcdef0\"},"
                          "{\"OutputKey\": \"SubnetsPrivate\", \"OutputValue\": "
                          "\"subnet-0123456789abcdef0,subnet-0123456789abcdef1\", \"ExportName\": \"x\"}";
    return build_text_with(text, id == NULL ? STR_NONE
                                            : stack_of(arena, "eksctl-llm-cluster", id, "CREATE_COMPLETE", outputs));
}

static void test_an_image_is_in_the_account_of_the_stack(void **state) {
    BuiltText built =
        build_eks(*state, "fsx", "arn:aws:cloudformation:us-west-2:210987654321:stack/eksctl-llm-cluster/1");
    assert_codes(&built, "");
    const Str text = artifact_of(&built, "llm.k8s.yaml")->content;

    assert_true(str_find(text, STR("210987654321.dkr.ecr.us-west-2.amazonaws.com/lab/trainer:v2"), 0) < text.len);
    assert_true(str_find(text, STR("repository: lab/trainer\n"), 0) < text.len);
    assert_true(str_find(text, STR("claim: fsx-claim\n"), 0) < text.len);
    session_destroy(built.session);
}

static void test_without_a_fact_the_account_is_missing(void **state) {
    BuiltText built = build_eks(*state, "fsx", NULL);
    assert_codes(&built, "");
    const Artifact *artifact = artifact_of(&built, "llm.k8s.yaml");
    uint32_t accounts = 0;
    for (uint32_t i = 0; i < artifact->missing.count; i++) {
        assert_text(artifact->missing.items[i].stack, "eksctl-llm-cluster");
        accounts += str_is(artifact->missing.items[i].name, "StackId") ? 1 : 0;
    }

    assert_int_equal(accounts, 1);
    session_destroy(built.session);
}

static void test_a_stack_without_an_arn_tells_no_account(void **state) {
    BuiltText built = build_eks(*state, "fsx", "");
    assert_codes(&built, "DT0944");
    session_destroy(built.session);
}

static void test_a_claim_is_of_a_storage_of_the_cluster(void **state) {
    BuiltText built = build_eks(*state, "other", NULL);
    assert_codes(&built, "DT0530");
    session_destroy(built.session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_no_fact_tells_is_noted_once_and_a_stack_is_needed_once),
        cmocka_unit_test(test_facts_of_one_stack_stand_together),
        cmocka_unit_test(test_a_file_whose_facts_are_there_is_written),
        cmocka_unit_test(test_a_stack_that_cannot_be_relied_on_is_reported),
        cmocka_unit_test(test_an_output_that_is_not_there_or_empty_is_reported),
        cmocka_unit_test(test_an_image_is_in_the_account_of_the_stack),
        cmocka_unit_test(test_without_a_fact_the_account_is_missing),
        cmocka_unit_test(test_a_stack_without_an_arn_tells_no_account),
        cmocka_unit_test(test_a_claim_is_of_a_storage_of_the_cluster),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
