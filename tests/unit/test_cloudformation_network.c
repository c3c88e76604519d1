#include "emitters/cloudformation/cloudformation.h"

#include "tests/support/cloudformation_plan.h"

// A network `lab` with the least there is: private subnets, no endpoints, no logs.
static PlanNetwork *a_network(Session *session, Plan *plan, uint32_t zone_count, uint32_t block_count) {
    static const char *const ZONES[] = { "us-east-1a", "us-east-1b", "us-east-1c" };
    static const char *const BLOCKS[] = { "10.0.0.0/16", "10.1.0.0/16", "10.2.0.0/16" };
    const Value *zones[COUNT_OF(ZONES)];
    const Value *blocks[COUNT_OF(BLOCKS)];
    for (size_t i = 0; i < COUNT_OF(ZONES); i++) {
        zones[i] = a_string(session, ZONES[i]);
        blocks[i] = a_string(session, BLOCKS[i]);
    }
    PlanNetwork *network = arena_new(session->arena, PlanNetwork);
    *network = (PlanNetwork){
        .head = a_head(session, "lab", &KIND_ROWS[KIND_NETWORK]),
        .mode = NETWORK_MADE,
        .zones = a_list(session, zone_count, zones),
        .made.cidr = a_list(session, block_count, blocks),
        .made.public = a_bool(session, false),
        .made.nat = NAT_NONE,
        .made.nat_value = a_word(session, "none"),
        .made.endpoints = a_list(session, 0, NULL),
        .made.flow_logs = a_null(session),
        .made.lustre = a_bool(session, false),
        .made.export = a_bool(session, true),
        .made.tags = a_map(session, "Name", a_string(session, "lab")),
    };
    plan_add_network(session->arena, plan, network);
    return network;
}

static Str emitted(Session *session, const Plan *plan) {
    Output output = { .format = FORMAT_YAML };
    cloudformation_emit(session, plan, &output);
    return output.artifacts.count == 0 ? STR_NONE : output.artifacts.items[0].content;
}

// The lines of a template that hold a text, one after the other.
static Str lines_with(Session *session, Str content, const char *text) {
    StrBuf lines = { .arena = session->arena };
    size_t start = 0;
    while (start < content.len) {
        size_t end = str_find(content, STR("\n"), start);
        Str line = str_slice(content, start, end);
        if (str_find(line, str_of(text), 0) < line.len) {
            strbuf_add(&lines, str_trim(line));
            strbuf_add_char(&lines, '\n');
        }
        start = end + 1;
    }
    return strbuf_str(&lines);
}

static void test_private_network_of_one_zone(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    a_network(session, plan, 1, 2);

    Str text = emitted(session, plan);

    assert_text(text, "# Written by dtc from its source. Do not edit: change the source.\n"
                      "AWSTemplateFormatVersion: \"2010-09-09\"\n"
                      "Description: \"VPC lab: private subnets in 1 zone\"\n"
                      "Metadata:\n"
                      "  cfn-lint:\n"
                      "    config:\n"
                      "      ignore_checks:\n"
                      "      - W3010\n"
                      "Resources:\n"
                      "  LabVPC:\n"
                      "    Type: AWS::EC2::VPC\n"
                      "    Properties:\n"
                      "      CidrBlock: 10.0.0.0/16\n"
                      "      EnableDnsHostnames: true\n"
                      "      EnableDnsSupport: true\n"
                      "      Tags:\n"
                      "      - Key: Name\n"
                      "        Value: lab\n"
                      "  LabVPCCidrBlock1:\n"
                      "    Type: AWS::EC2::VPCCidrBlock\n"
                      "    Properties:\n"
                      "      VpcId: !Ref LabVPC\n"
                      "      CidrBlock: 10.1.0.0/16\n"
                      "  LabPrivateSubnet:\n"
                      "    Type: AWS::EC2::Subnet\n"
                      "    DependsOn: LabVPCCidrBlock1\n"
                      "    Properties:\n"
                      "      VpcId: !Ref LabVPC\n"
                      "      CidrBlock: 10.1.0.0/17\n"
                      "      AvailabilityZone: us-east-1a\n"
                      "      Tags:\n"
                      "      - Key: Name\n"
                      "        Value: lab Private Subnet - us-east-1a\n"
                      "  LabPrivateRouteTable:\n"
                      "    Type: AWS::EC2::RouteTable\n"
                      "    Properties:\n"
                      "      VpcId: !Ref LabVPC\n"
                      "  LabPrivateSubnetRouteTableAssociation:\n"
                      "    Type: AWS::EC2::SubnetRouteTableAssociation\n"
                      "    Properties:\n"
                      "      SubnetId: !Ref LabPrivateSubnet\n"
                      "      RouteTableId: !Ref LabPrivateRouteTable\n"
                      "  LabSecurityGroup:\n"
                      "    Type: AWS::EC2::SecurityGroup\n"
                      "    Properties:\n"
                      "      GroupDescription: \"EFA: all traffic between members, and out\"\n"
                      "      VpcId: !Ref LabVPC\n"
                      "  LabEFASecurityGroupIngress:\n"
                      "    Type: AWS::EC2::SecurityGroupIngress\n"
                      "    Properties:\n"
                      "      GroupId: !Ref LabSecurityGroup\n"
                      "      IpProtocol: \"-1\"\n"
                      "      SourceSecurityGroupId: !Ref LabSecurityGroup\n"
                      "  LabEFASecurityGroupEgress:\n"
                      "    Type: AWS::EC2::SecurityGroupEgress\n"
                      "    Properties:\n"
                      "      GroupId: !Ref LabSecurityGroup\n"
                      "      IpProtocol: \"-1\"\n"
                      "      DestinationSecurityGroupId: !Ref LabSecurityGroup\n"
                      "  LabOpenSecurityGroupEgress:\n"
                      "    Type: AWS::EC2::SecurityGroupEgress\n"
                      "    Properties:\n"
                      "      GroupId: !Ref LabSecurityGroup\n"
                      "      IpProtocol: \"-1\"\n"
                      "      CidrIp: 0.0.0.0/0\n"
                      "Outputs:\n"
                      "  VPC:\n"
                      "    Description: The VPC\n"
                      "    Value: !Ref LabVPC\n"
                      "    Export:\n"
                      "      Name: !Sub ${AWS::StackName}-VPC\n"
                      "  PrivateSubnet:\n"
                      "    Description: Private subnets, one for each zone, joined by commas\n"
                      "    Value: !Ref LabPrivateSubnet\n"
                      "    Export:\n"
                      "      Name: !Sub ${AWS::StackName}-PrivateSubnet\n"
                      "  SecurityGroup:\n"
                      "    Description: Security group that lets EFA traffic pass between its members\n"
                      "    Value: !Ref LabSecurityGroup\n"
                      "    Export:\n"
                      "      Name: !Sub ${AWS::StackName}-SecurityGroup\n");
}

static void test_one_zone_takes_the_first_half_of_each_block(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 2);
    network->made.public = a_bool(session, true);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, " CidrBlock: "), "CidrBlock: 10.0.0.0/16\n"
                                                           "CidrBlock: 10.1.0.0/16\n"
                                                           "CidrBlock: 10.0.0.0/17\n"
                                                           "CidrBlock: 10.1.0.0/17\n");
}

static void test_one_zone_shares_a_single_block(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 1);
    network->made.public = a_bool(session, true);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, " CidrBlock: "), "CidrBlock: 10.0.0.0/16\n"
                                                           "CidrBlock: 10.0.0.0/17\n"
                                                           "CidrBlock: 10.0.128.0/17\n");
}

static void test_several_zones_take_small_public_and_large_private_subnets(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 3, 3);
    network->made.public = a_bool(session, true);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, " CidrBlock: "), "CidrBlock: 10.0.0.0/16\n"
                                                           "CidrBlock: 10.1.0.0/16\n"
                                                           "CidrBlock: 10.2.0.0/16\n"
                                                           "CidrBlock: 10.0.0.0/24\n"
                                                           "CidrBlock: 10.0.1.0/24\n"
                                                           "CidrBlock: 10.0.2.0/24\n"
                                                           "CidrBlock: 10.1.0.0/17\n"
                                                           "CidrBlock: 10.1.128.0/17\n"
                                                           "CidrBlock: 10.2.0.0/17\n");
}

static void test_several_zones_share_a_single_block(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 3, 1);
    network->made.public = a_bool(session, true);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, " CidrBlock: "), "CidrBlock: 10.0.0.0/16\n"
                                                           "CidrBlock: 10.0.0.0/24\n"
                                                           "CidrBlock: 10.0.1.0/24\n"
                                                           "CidrBlock: 10.0.2.0/24\n"
                                                           "CidrBlock: 10.0.64.0/18\n"
                                                           "CidrBlock: 10.0.128.0/18\n"
                                                           "CidrBlock: 10.0.192.0/18\n");
}

static void test_smallest_single_block_of_two_zones(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 2, 1);
    network->made.cidr = a_list(session, 1, (const Value *[]){ a_string(session, "10.0.0.0/25") });
    network->made.public = a_bool(session, true);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, " CidrBlock: "), "CidrBlock: 10.0.0.0/25\n"
                                                           "CidrBlock: 10.0.0.0/28\n"
                                                           "CidrBlock: 10.0.0.16/28\n"
                                                           "CidrBlock: 10.0.0.32/27\n"
                                                           "CidrBlock: 10.0.0.64/27\n");
}

static void test_nat_in_each_zone_has_a_route_of_its_own(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 2, 2);
    network->made.public = a_bool(session, true);
    network->made.nat = NAT_PER_ZONE;

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, "NatGatewayId: "), "NatGatewayId: !Ref LabNATGateway1\n"
                                                             "NatGatewayId: !Ref LabNATGateway2\n");
    assert_text(lines_with(session, text, "RouteTableId: !Ref LabPrivate"),
                "RouteTableId: !Ref LabPrivateRouteTable1\n"
                "RouteTableId: !Ref LabPrivateRouteTable2\n"
                "RouteTableId: !Ref LabPrivateRouteTable1\n"
                "RouteTableId: !Ref LabPrivateRouteTable2\n");
}

static void test_nat_and_public_route_wait_for_the_gateway(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 2);
    network->made.public = a_bool(session, true);
    network->made.nat = NAT_ONE;

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, "DependsOn: LabGateway"), "DependsOn: LabGatewayToInternet\n"
                                                                    "DependsOn: LabGatewayToInternet\n");
}

static void test_zone_id_is_no_zone_name(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 2);
    network->zones = a_list(session, 1, (const Value *[]){ a_string(session, "use1-az4") });

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, "AvailabilityZone"), "AvailabilityZoneId: use1-az4\n");
}

static void test_words_of_several_services_make_several_endpoints_and_one_group(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 2);
    const Value *words[] = { a_word(session, "s3"), a_word(session, "ecr"), a_word(session, "logs") };
    network->made.endpoints = a_list(session, 3, words);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, "ServiceName: "), "ServiceName: !Sub com.amazonaws.${AWS::Region}.s3\n"
                                                            "ServiceName: !Sub com.amazonaws.${AWS::Region}.ecr.api\n"
                                                            "ServiceName: !Sub com.amazonaws.${AWS::Region}.ecr.dkr\n"
                                                            "ServiceName: !Sub com.amazonaws.${AWS::Region}.logs\n");
    assert_text(lines_with(session, text, "LabEndpointSecurityGroup:"), "LabEndpointSecurityGroup:\n");
}

static void test_flow_log_names_the_group_that_is_made(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 2);
    network->made.flow_logs = a_quantity(session, VALUE_DURATION, INT64_C(7) * 24 * 3600 * 1000);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, "LabFlowLogsGroup"), "LabFlowLogsGroup:\n"
                                                               "Resource: !GetAtt LabFlowLogsGroup.Arn\n"
                                                               "LogGroupName: !Ref LabFlowLogsGroup\n");
    assert_text(lines_with(session, text, "RetentionInDays"), "RetentionInDays: 7\n");
}

static void test_lustre_opens_both_port_ranges_to_every_block(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 1);
    network->made.lustre = a_bool(session, true);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, "Port: "), "FromPort: 988\n"
                                                     "ToPort: 988\n"
                                                     "FromPort: 1018\n"
                                                     "ToPort: 1023\n"
                                                     "FromPort: 988\n"
                                                     "ToPort: 988\n"
                                                     "FromPort: 1018\n"
                                                     "ToPort: 1023\n");
}

static void test_without_export_outputs_stay(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 2);
    network->made.export = a_bool(session, false);

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, "Export"), "");
    assert_text(lines_with(session, text, "Value: !Ref LabVPC"), "Value: !Ref LabVPC\n");
}

static void test_other_tags_are_on_all_that_takes_tags(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 2);
    network->made.tags = a_map(session, "Team", a_string(session, "ml"));

    Str text = emitted(session, plan);

    // VPC, subnet, route table, security group.
    assert_text(lines_with(session, text, "Key: Team"), "- Key: Team\n- Key: Team\n- Key: Team\n- Key: Team\n");
}

static void test_smallest_block_that_can_be_halved(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 1);
    network->made.cidr = a_list(session, 1, (const Value *[]){ a_string(session, "10.0.0.0/27") });

    Str text = emitted(session, plan);

    assert_text(lines_with(session, text, " CidrBlock: "), "CidrBlock: 10.0.0.0/27\nCidrBlock: 10.0.0.16/28\n");
}

static void test_network_of_a_used_file_has_its_stack_already(void **state) {
    Session *session = *state;
    Plan *plan = a_plan(session);
    PlanNetwork *network = a_network(session, plan, 1, 2);
    network->is_used_module = true;

    assert_text(emitted(session, plan), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        session_test(test_private_network_of_one_zone),
        session_test(test_one_zone_takes_the_first_half_of_each_block),
        session_test(test_one_zone_shares_a_single_block),
        session_test(test_several_zones_take_small_public_and_large_private_subnets),
        session_test(test_several_zones_share_a_single_block),
        session_test(test_smallest_single_block_of_two_zones),
        session_test(test_nat_in_each_zone_has_a_route_of_its_own),
        session_test(test_nat_and_public_route_wait_for_the_gateway),
        session_test(test_zone_id_is_no_zone_name),
        session_test(test_words_of_several_services_make_several_endpoints_and_one_group),
        session_test(test_flow_log_names_the_group_that_is_made),
        session_test(test_lustre_opens_both_port_ranges_to_every_block),
        session_test(test_without_export_outputs_stay),
        session_test(test_other_tags_are_on_all_that_takes_tags),
        session_test(test_smallest_block_that_can_be_halved),
        session_test(test_network_of_a_used_file_has_its_stack_already),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
