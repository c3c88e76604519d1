#include "emitters/cloudformation/nodes/node_group.h"

#include "compiler/base/json.h"
#include "compiler/base/pattern.h"
#include "tests/support/build_text.h"

static int arena_setup(void **state) {
    *state = arena_create();
    return 0;
}

static int arena_teardown(void **state) {
    arena_destroy(*state);
    return 0;
}

// ---- the stack of one group ------------------------------------------------------------------------------------

// What CloudFormation is given for `cluster train` with a group `gpu`, of whose lines the callers give some. The source
// is in the arena.
static const Data *template_of(Arena *arena, BuiltText *built, const char *cluster, const char *group) {
    const Str text = str_format(arena,
                                "dt 1\n"
                                "late param desired : int = 3\n"
                                "late param role : label_value\n"
                                "network lab { region = \"us-west-2\", vpc = \"vpc-0123456789abcdef0\", "
                                "private = [\"subnet-0123456789abcdef0\"] }\n"
                                "cluster train on eks {\n"
                                "  existing = \"shared\"\n"
                                "  network  = lab\n"
                                "  version  = \"1.36\"\n"
                                "  %s\n"
                                "  nodes gpu {\n"
                                "    group    = stack\n"
                                "    instance = \"p5.48xlarge\"\n"
                                "    %s\n"
                                "  }\n"
                                "}\n",
                                cluster, group);
    *built = build_text(text);
    const Artifact *artifact = artifact_of(built, "train.cfn.json");
    assert_non_null(artifact);
    return json_read(built->session, source_add(built->session, artifact->name, artifact->content));
}

// What stands at the end of a path of keys; NULL where it ends before.
static const Data *at(const Data *data, const char *const *keys, size_t count) {
    for (size_t i = 0; i < count && data != NULL; i++) {
        data = data_get(data, keys[i]);
    }
    return data;
}
#define AT(data, ...) at((data), (const char *const[]){ __VA_ARGS__ }, COUNT_OF(((const char *const[]){ __VA_ARGS__ })))

static Str user_data_of(const Data *template) {
    const Data *text = AT(template, "Resources", "TrainGpuLaunchTemplate", "Properties", "LaunchTemplateData",
                          "UserData", "Fn::Base64", "Fn::Sub");
    assert_non_null(text);
    return text->kind == DATA_STRING ? text->string : text->items[0]->string;
}

static bool holds(Str text, const char *part) {
    return str_find(text, str_of(part), 0) < text.len;
}

// ---- waiting for nodes -----------------------------------------------------------------------------------------

static void test_creating_waits_for_the_nodes_that_are_desired(void **state) {
    BuiltText built;

    const Data *template = template_of(*state, &built, "", "count = 1..4, desired = 2");

    assert_int_equal(
        AT(template, "Resources", "TrainGpuAutoScalingGroup", "CreationPolicy", "ResourceSignal", "Count")->integer, 2);
    session_destroy(built.session);
}

static void test_creating_waits_for_as_many_as_the_deployment_desires(void **state) {
    BuiltText built;

    const Data *template = template_of(*state, &built, "", "count = 0..4, desired = desired");

    assert_text(
        AT(template, "Resources", "TrainGpuAutoScalingGroup", "CreationPolicy", "ResourceSignal", "Count", "Ref")
            ->string,
        "Desired");
    session_destroy(built.session);
}

static void test_creating_waits_for_nobody_where_no_node_is_desired(void **state) {
    BuiltText built;

    const Data *template = template_of(*state, &built, "", "count = 0..4");

    assert_null(AT(template, "Resources", "TrainGpuAutoScalingGroup", "CreationPolicy"));
    session_destroy(built.session);
}

static void test_update_takes_a_node_away_before_its_successor_comes(void **state) {
    BuiltText built;

    const Data *template = template_of(*state, &built, "", "count = 0..4");

    const Data *update =
        AT(template, "Resources", "TrainGpuAutoScalingGroup", "UpdatePolicy", "AutoScalingRollingUpdate");
    assert_int_equal(data_get(update, "MinInstancesInService")->integer, 0);
    assert_int_equal(data_get(update, "MaxBatchSize")->integer, 1);
    session_destroy(built.session);
}

static void test_update_waits_for_the_signal_that_the_user_data_sends(void **state) {
    BuiltText built;

    const Data *template = template_of(*state, &built, "", "count = 0..4");

    assert_true(AT(template, "Resources", "TrainGpuAutoScalingGroup", "UpdatePolicy", "AutoScalingRollingUpdate",
                   "WaitOnResourceSignals")
                    ->boolean);
    assert_true(holds(user_data_of(template), "resource=TrainGpuAutoScalingGroup\n"));
    session_destroy(built.session);
}

static void test_node_speaks_before_the_stack_stops_listening(void **state) {
    BuiltText built;

    const Data *template = template_of(*state, &built, "", "count = 1");

    assert_text(
        AT(template, "Resources", "TrainGpuAutoScalingGroup", "CreationPolicy", "ResourceSignal", "Timeout")->string,
        "PT30M");
    assert_true(holds(user_data_of(template), "\nminutes=25\n"));
    session_destroy(built.session);
}

// ---- joining ---------------------------------------------------------------------------------------------------

static void test_late_label_is_substituted_inside_of_its_flag(void **state) {
    BuiltText built;

    const Data *template = template_of(*state, &built, "", "count = 1, labels = { role = \"${role}-1\", a = \"b\" }");

    assert_true(holds(user_data_of(template), "- \"--node-labels=role=${Role}-1,a=b\"\n"));
    session_destroy(built.session);
}

static void test_nodes_are_in_the_own_group_of_the_cluster(void **state) {
    BuiltText built;

    const Data *template =
        template_of(*state, &built, "control_plane_security_group = \"sg-0123456789abcdef0\"", "count = 1");

    const Data *interfaces =
        AT(template, "Resources", "TrainGpuLaunchTemplate", "Properties", "LaunchTemplateData", "NetworkInterfaces");
    const Data *groups = data_get(interfaces->items[0], "Groups");
    assert_int_equal(groups->count, 2);
    assert_text(data_get(groups->items[1], "Ref")->string, "ClusterSecurityGroup");
    session_destroy(built.session);
}

static void test_group_of_our_own_is_not_tagged_as_the_cluster_s(void **state) {
    BuiltText built;

    const Data *template =
        template_of(*state, &built, "control_plane_security_group = \"sg-0123456789abcdef0\"", "count = 1");

    assert_null(AT(template, "Resources", "TrainSecurityGroup", "Properties", "Tags"));
    session_destroy(built.session);
}

static PatternResult takes_services(Arena *arena, const char *block) {
    BuiltText built;
    const Data *template = template_of(arena, &built, "", "count = 1");
    const Str pattern = AT(template, "Parameters", "ServiceCidr", "AllowedPattern")->string;
    const PatternResult result = pattern_match(built.session, pattern, str_of(block), NULL);
    session_destroy(built.session);
    return result;
}

static void test_services_are_a_block_of_ipv4(void **state) {
    assert_int_equal(takes_services(*state, "10.100.0.0/16"), PATTERN_YES);
}

static void test_services_of_ipv6_are_refused(void **state) {
    assert_int_equal(takes_services(*state, "fd00:1::/108"), PATTERN_NO);
}

static void test_services_that_eks_does_not_have_are_refused(void **state) {
    assert_int_equal(takes_services(*state, "None"), PATTERN_NO);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, arena_setup, arena_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_creating_waits_for_the_nodes_that_are_desired),
        TEST(test_creating_waits_for_as_many_as_the_deployment_desires),
        TEST(test_creating_waits_for_nobody_where_no_node_is_desired),
        TEST(test_update_takes_a_node_away_before_its_successor_comes),
        TEST(test_update_waits_for_the_signal_that_the_user_data_sends),
        TEST(test_node_speaks_before_the_stack_stops_listening),
        TEST(test_late_label_is_substituted_inside_of_its_flag),
        TEST(test_nodes_are_in_the_own_group_of_the_cluster),
        TEST(test_group_of_our_own_is_not_tagged_as_the_cluster_s),
        TEST(test_services_are_a_block_of_ipv4),
        TEST(test_services_of_ipv6_are_refused),
        TEST(test_services_that_eks_does_not_have_are_refused),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
