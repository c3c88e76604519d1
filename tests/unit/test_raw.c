#include "compiler/plan/raw/raw.h"
#include "compiler/plan/declared/build.h"

#include "tests/support/check.h"

// The view of what stands in one network block, read from source text.
typedef struct {
    Session *session;
    const Plan *plan;
    const RawStack *stack;
} View;

static View view_of(const char *resources) {
    View view = { .session = session_create() };
    const Inputs inputs = { 0 };
    Str text = str_format(
        view.session->arena,
        "dt 1\nlate param card : int\nlate param maybe : int?\nlate param is_on : bool\nlet kind = \"p5.48xlarge\"\n"
        "network lab {\n  zones = [\"us-east-1a\"]\n%s\n}\n",
        resources);
    Program *program = program_load_text(view.session, STR("main.dt"), text, &inputs);
    program_resolve(view.session, program);
    program_evaluate(view.session, program);
    program_check(view.session, program);
    assert_int_equal(view.session->diags.error_count, 0);
    const Plan *plan = plan_build(view.session, program, NULL);
    view.plan = plan;
    view.stack = raw_stack(view.session, NULL, &plan->parts);
    return view;
}

static const RawTemplate *template_of(const View *view) {
    assert_int_equal(view->stack->templates.count, 1);
    return view->stack->templates.items[0];
}

static const PlanLaunch *launch_of(const View *view) {
    return template_of(view)->launch;
}

static void test_numbers_and_texts_of_numbers_are_the_same(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = { NetworkInterfaces = ["
                              "{ DeviceIndex = 1, AssociatePublicIpAddress = \"true\" },"
                              "{ DeviceIndex = \"1\", AssociatePublicIpAddress = true }] } }");
    const PlanLaunch *launch = launch_of(&view);

    assert_int_equal(launch->interface_count, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(launch->interfaces[i].device_index, 1);
        assert_true(field_is(&launch->interfaces[i].public_ip, "true"));
    }
    session_destroy(view.session);
}

static void test_what_is_late_is_no_number(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = { NetworkInterfaces = ["
                              "{ NetworkCardIndex = card, DeviceIndex = maybe }] } }");
    const PlanInterface *interface = &launch_of(&view)->interfaces[0];

    assert_int_equal(interface->card_index, -1);
    assert_false(interface->card.may_be_null);
    assert_int_equal(interface->device.state, FIELD_LATE);
    assert_true(interface->device.may_be_null);
    session_destroy(view.session);
}

static void test_a_list_in_place_of_a_text_is_not_absent(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = { NetworkInterfaces = ["
                              "{ DeviceIndex = [1] }] } }");

    assert_int_equal(launch_of(&view)->interfaces[0].device.state, FIELD_LATE);
    session_destroy(view.session);
}

static void test_an_absent_number_is_what_the_caller_says(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = { NetworkInterfaces = [{ "
                              "DeviceIndex = null }] } }");
    const PlanInterface *interface = &launch_of(&view)->interfaces[0];

    assert_int_equal(interface->card_index, 0);
    assert_int_equal(interface->device_index, -1);
    assert_int_equal(interface->device.state, FIELD_ABSENT);
    session_destroy(view.session);
}

static void test_numbers_that_are_none_are_unknown(void **state) {
    (void)state;
    const PlanField negative = { .state = FIELD_KNOWN, .text = STR("-1") };
    const PlanField empty = { .state = FIELD_KNOWN };
    const PlanField long_one = { .state = FIELD_KNOWN, .text = STR("1234567890123") };

    assert_int_equal(field_number(&negative, 0), -1);
    assert_int_equal(field_number(&empty, 0), -1);
    assert_int_equal(field_number(&long_one, 0), -1);
}

static void test_an_integer_may_be_below_zero(void **state) {
    (void)state;
    const PlanField negative = { .state = FIELD_KNOWN, .text = STR("-12") };
    const PlanField sign = { .state = FIELD_KNOWN, .text = STR("-") };
    const PlanField late = { .state = FIELD_LATE };
    int64_t integer = 0;

    assert_true(field_integer(&negative, &integer));
    assert_int_equal(integer, -12);
    assert_false(field_integer(&sign, &integer));
    assert_false(field_integer(&late, &integer));
}

static void test_a_late_interface_leaves_their_number_open(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = { NetworkInterfaces = ["
                              "{ InterfaceType = \"efa\" }, is_on ? { InterfaceType = \"efa\" } : null] } }");
    const PlanLaunch *launch = launch_of(&view);

    assert_int_equal(launch->interface_count, 1);
    assert_int_equal(launch->interfaces_state, FIELD_LATE);
    assert_int_equal(launch_efa_count(launch), -1);
    assert_true(launch_has_efa(launch));
    session_destroy(view.session);
}

static void test_references_of_every_spelling_are_the_same(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::SecurityGroup\" fabric { GroupDescription = \"x\" }\n"
                              "resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = { NetworkInterfaces = [{"
                              "Groups = [fabric, fabric.GroupId, { Ref = \"LabFabric\" }, \"${fabric}\","
                              "{ \"Fn::GetAtt\" = \"LabFabric.GroupId\" },"
                              "{ \"Fn::GetAtt\" = [\"LabFabric\", \"GroupId\"] }] }] } }");
    const PlanFields *groups = &launch_of(&view)->interfaces[0].groups;

    assert_int_equal(groups->count, 6);
    for (uint32_t i = 0; i < groups->count; i++) {
        assert_true(raw_refers(&groups->items[i], view.stack->security_groups.items[0].resource));
    }
    session_destroy(view.session);
}

static void test_an_interface_has_an_address_by_each_name(void **state) {
    (void)state;
    static const char *const NAMES[] = {
        "PrivateIpAddress", "PrivateIpAddresses",        "SecondaryPrivateIpAddressCount",
        "Ipv6Addresses",    "Ipv6AddressCount",          "Ipv4PrefixCount",
        "Ipv4Prefixes",     "Ipv6PrefixCount",           "Ipv6Prefixes",
        "PrimaryIpv6",      "AssociateCarrierIpAddress", "ConnectionTrackingSpecification",
    };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        char text[200];
        snprintf(
            text, sizeof(text),
            "resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = { NetworkInterfaces = [{ %s = 1 }] } }",
            NAMES[i]);
        const View view = view_of(text);
        const PlanField *address = &launch_of(&view)->interfaces[0].address;

        assert_int_equal(address->state, FIELD_KNOWN);
        assert_string_equal(address->name, NAMES[i]);
        session_destroy(view.session);
    }
}

// Of a group that is like another one, too: it shares that one's interfaces where they are the same.
static void test_the_interfaces_of_a_group_are_its_own(void **state) {
    (void)state;
    const View view = view_of("}\ncluster c on batch {\n  network = lab\n"
                              "  nodes a { instance = \"p5.48xlarge\", count = 0..2 }\n"
                              "  nodes b like a {}\n"
                              "  nodes most like a { efa_layout = max_bandwidth }\n"
                              "  nodes one like a { efa = 1 }\n"
                              "  nodes none like a { efa = none }\n");
    const PlanCluster *cluster = view.plan->clusters.items[0];
    assert_int_equal(cluster->nodes.count, 5);
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const PlanNodes *nodes = cluster->nodes.items[i];
        assert_int_equal(nodes->launch->interface_count, nodes->fabric.nics.count);
        for (int k = 0; k < nodes->fabric.nics.count; k++) {
            const Nic *nic = &nodes->fabric.nics.items[k];
            const PlanInterface *interface = &nodes->launch->interfaces[k];
            assert_int_equal(interface->card_index, nic->card);
            assert_int_equal(interface->device_index, nic->device);
            assert_true(field_is(&interface->type, nic_kind_name(nic->kind)));
        }
    }
    assert_ptr_equal(cluster->nodes.items[0]->launch->interfaces, cluster->nodes.items[1]->launch->interfaces);
    session_destroy(view.session);
}

static void test_no_value_is_absent(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = {"
                              "InstanceType = { Ref = \"AWS::NoValue\" } } }");

    assert_int_equal(template_of(&view)->instance_type.state, FIELD_ABSENT);
    session_destroy(view.session);
}

static void test_late_data_is_late_in_every_part(void **state) {
    (void)state;
    const View view =
        view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = {"
                "\"Fn::If\" = [\"C\", { InstanceType = \"p5.48xlarge\" }, { Ref = \"AWS::NoValue\" }] } }");
    const PlanLaunch *launch = launch_of(&view);

    assert_int_equal(template_of(&view)->instance_type.state, FIELD_LATE);
    assert_int_equal(launch->interfaces_state, FIELD_LATE);
    assert_true(launch->reservation.has_target);
    session_destroy(view.session);
}

static void test_a_control_plane_stands_in_the_zones_of_its_subnets(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::VPC\" net { CidrBlock = \"10.0.0.0/16\" }\n"
                              "resource \"AWS::EC2::Subnet\" a { VpcId = net, CidrBlock = \"10.0.0.0/20\","
                              "AvailabilityZone = \"us-east-1a\" }\n"
                              "resource \"AWS::EC2::Subnet\" b { VpcId = net, CidrBlock = \"10.0.16.0/20\","
                              "AvailabilityZone = \"us-east-1a\" }\n"
                              "resource \"AWS::EKS::Cluster\" control { ResourcesVpcConfig = { SubnetIds = [a, b] },"
                              "KubernetesNetworkConfig = { ServiceIpv4Cidr = \"10.0.64.0/20\" } }");
    const PlanControlPlane *plane = view.stack->parts.control_planes.items[0];

    assert_int_equal(plane->zones.count, 2);
    assert_true(field_is(&plane->alike, "us-east-1a"));
    assert_ptr_equal(plane->vpc, view.stack->parts.vpcs.items[0]);
    assert_true(field_is(&plane->services.items[0], "10.0.64.0/20"));
    assert_int_equal(plane->vpc->subnets.count, 2);
    session_destroy(view.session);
}

static void test_openings_are_those_of_their_group(void **state) {
    (void)state;
    const View view =
        view_of("resource \"AWS::EC2::SecurityGroup\" ssh { GroupDescription = \"x\" }\n"
                "resource \"AWS::EC2::SecurityGroupIngress\" ssh-in {"
                "GroupId = ssh, IpProtocol = \"tcp\", FromPort = 22, ToPort = 22, CidrIp = \"0.0.0.0/0\" }\n"
                "resource \"AWS::EC2::SecurityGroupIngress\" elsewhere {"
                "GroupId = \"sg-0c4f8a1be72d9365e\", IpProtocol = \"-1\", CidrIp = \"0.0.0.0/0\" }");
    const PlanSecurityGroup *group = view.stack->parts.security_groups.items[0];
    const PlanSecurityGroup *unknown = view.stack->parts.security_groups.items[1];

    assert_int_equal(group->openings.count, 1);
    assert_int_equal(group->openings.items[0].last_port, 22);
    assert_int_equal(unknown->name.len, 0);
    assert_true(unknown->openings.items[0].is_all_ports);
    session_destroy(view.session);
}

static void test_rules_of_a_group_count_wherever_they_stand(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::SecurityGroup\" fabric { GroupDescription = \"x\","
                              "SecurityGroupEgress = [{ IpProtocol = \"-1\", CidrIp = \"0.0.0.0/0\" },"
                              "{ IpProtocol = -1, DestinationSecurityGroupId = fabric }] }\n"
                              "resource \"AWS::EC2::SecurityGroupIngress\" in-tcp {"
                              "GroupId = fabric, IpProtocol = \"tcp\", SourceSecurityGroupId = fabric }");
    const PlanSecurityGroup *group = view.stack->security_groups.items[0].group;

    assert_int_equal(group->allows_egress, ANSWER_YES);
    assert_int_equal(group->allows_ingress, ANSWER_NO);
    assert_false(span_is_none(group->open_egress));
    session_destroy(view.session);
}

static void test_rules_inside_a_group_are_known_as_far_as_they_are_written(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::SecurityGroup\" fabric { GroupDescription = \"x\","
                              "SecurityGroupIngress = [{ IpProtocol = \"-1\", SourceSecurityGroupId = fabric }],"
                              "SecurityGroupEgress = { \"Fn::If\" = [\"C\", [], []] } }");
    const PlanSecurityGroup *group = view.stack->security_groups.items[0].group;

    assert_int_equal(group->allows_ingress, ANSWER_YES);
    assert_int_equal(group->allows_egress, ANSWER_MAYBE);
    session_destroy(view.session);
}

static void test_egress_to_some_or_by_one_protocol_is_not_open(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::SecurityGroup\" fabric { GroupDescription = \"x\","
                              "SecurityGroupEgress = [{ IpProtocol = \"-1\", CidrIp = \"10.0.0.0/8\" },"
                              "{ IpProtocol = \"tcp\", FromPort = 0, ToPort = 65535, CidrIp = \"0.0.0.0/0\" }] }");

    assert_true(span_is_none(view.stack->security_groups.items[0].group->open_egress));
    session_destroy(view.session);
}

static void test_a_field_is_own_where_it_stands_in_the_resource(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateName = \"mine\","
                              "LaunchTemplateData = { InstanceType = kind } }");

    assert_true(template_of(&view)->name.is_own);
    assert_false(template_of(&view)->instance_type.is_own);
    session_destroy(view.session);
}

static void test_user_data_is_known_as_far_as_it_is_written(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = {"
                              "UserData = { \"Fn::Base64\" = { \"Fn::Sub\" = \"a \\${!b} \\${AWS::Region} c\" } } } }");
    const PlanUserData *data = &launch_of(&view)->user_data;

    assert_text(data->start, "a ${b} ");
    assert_false(data->is_whole);
    assert_int_equal(data->bytes_min, strlen("a ${b}  c"));
    session_destroy(view.session);
}

static void test_user_data_in_base64_is_decoded(void **state) {
    (void)state;
    const View view =
        view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = { UserData = \"IyEvYmluL3NoCg==\" } }");
    const PlanUserData *data = &launch_of(&view)->user_data;

    assert_text(data->start, "#!/bin/sh\n");
    assert_true(data->is_whole);
    session_destroy(view.session);
}

static void test_a_patch_adds_a_resource_or_makes_one_unknown(void **state) {
    (void)state;
    const View view = view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateData = {} }\n"
                              "patch { \"Resources.LabA.Properties.LaunchTemplateData.ImageId\" = \"ami-1\","
                              "\"Resources.LabB\" = { Type = \"AWS::EC2::LaunchTemplate\","
                              "Properties = { LaunchTemplateData = { InstanceType = \"p5.48xlarge\" } } } }");

    assert_int_equal(view.stack->resources.count, 2);
    assert_true(view.stack->resources.items[0]->is_changed);
    assert_true(field_is(&template_of(&view)->instance_type, "p5.48xlarge"));
    session_destroy(view.session);
}

static void test_a_template_knows_the_environments_that_use_it(void **state) {
    (void)state;
    const View view =
        view_of("resource \"AWS::EC2::LaunchTemplate\" a { LaunchTemplateName = \"mine\", LaunchTemplateData = {} }\n"
                "resource \"AWS::Batch::ComputeEnvironment\" by-id {"
                "ComputeResources = { LaunchTemplate = { LaunchTemplateId = a, Version = \"1\" } } }\n"
                "resource \"AWS::Batch::ComputeEnvironment\" by-name {"
                "ComputeResources = { LaunchTemplate = { LaunchTemplateName = \"mine\" } } }\n"
                "resource \"AWS::Batch::ComputeEnvironment\" other {"
                "ComputeResources = { LaunchTemplate = { LaunchTemplateName = \"yours\" } } }");

    assert_int_equal(template_of(&view)->groups.count, 2);
    assert_int_equal(view.stack->of_batch.items[2]->batch->template_name.len, 0);
    session_destroy(view.session);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers_and_texts_of_numbers_are_the_same),
        cmocka_unit_test(test_what_is_late_is_no_number),
        cmocka_unit_test(test_a_list_in_place_of_a_text_is_not_absent),
        cmocka_unit_test(test_an_absent_number_is_what_the_caller_says),
        cmocka_unit_test(test_numbers_that_are_none_are_unknown),
        cmocka_unit_test(test_an_integer_may_be_below_zero),
        cmocka_unit_test(test_a_late_interface_leaves_their_number_open),
        cmocka_unit_test(test_references_of_every_spelling_are_the_same),
        cmocka_unit_test(test_an_interface_has_an_address_by_each_name),
        cmocka_unit_test(test_the_interfaces_of_a_group_are_its_own),
        cmocka_unit_test(test_no_value_is_absent),
        cmocka_unit_test(test_late_data_is_late_in_every_part),
        cmocka_unit_test(test_a_control_plane_stands_in_the_zones_of_its_subnets),
        cmocka_unit_test(test_openings_are_those_of_their_group),
        cmocka_unit_test(test_rules_of_a_group_count_wherever_they_stand),
        cmocka_unit_test(test_rules_inside_a_group_are_known_as_far_as_they_are_written),
        cmocka_unit_test(test_egress_to_some_or_by_one_protocol_is_not_open),
        cmocka_unit_test(test_a_field_is_own_where_it_stands_in_the_resource),
        cmocka_unit_test(test_user_data_is_known_as_far_as_it_is_written),
        cmocka_unit_test(test_user_data_in_base64_is_decoded),
        cmocka_unit_test(test_a_patch_adds_a_resource_or_makes_one_unknown),
        cmocka_unit_test(test_a_template_knows_the_environments_that_use_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
