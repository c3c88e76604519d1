// Claims about endpoints and routes of a VPC.
#include "compiler/plan/model/vpc_endpoint.h"

#include "tests/support/check.h"

static void test_service_stands_behind_the_region(void **state) {
    (void)state;
    assert_text(endpoint_service_in(STR("com.amazonaws.us-east-1.ecr.api")), "ecr.api");
    assert_text(endpoint_service_in(STR("com.amazonaws.${AWS::Region}.s3")), "s3");
    assert_text(endpoint_service_in(STR("${}.${}.logs")), "logs");
    assert_text(endpoint_service_in(STR("cn.com.amazonaws.cn-north-1.sts")), "sts");
}

static void test_service_of_another_text_is_not_known(void **state) {
    (void)state;
    assert_int_equal(endpoint_service_in(STR("com.amazonaws.us-east-1.${Service}")).len, 0);
    assert_int_equal(endpoint_service_in(STR("com.amazonaws.us-east-1")).len, 0);
    assert_int_equal(endpoint_service_in(STR("s3")).len, 0);
    assert_int_equal(endpoint_service_in(STR("${}")).len, 0);
}

static void test_endpoint_without_a_type_is_a_gateway(void **state) {
    (void)state;
    const PlanVpcEndpoint unwritten = { .type = { .state = FIELD_ABSENT } };
    const PlanVpcEndpoint late = { .type = { .state = FIELD_LATE } };
    const PlanVpcEndpoint other = { .type = field_known("VpcEndpointType", SPAN_NONE, STR("Interface")) };
    assert_int_equal(endpoint_is_gateway(&unwritten), ANSWER_YES);
    assert_int_equal(endpoint_is_gateway(&late), ANSWER_MAYBE);
    assert_int_equal(endpoint_is_gateway(&other), ANSWER_NO);
}

static void test_endpoint_has_names_where_they_are_on(void **state) {
    (void)state;
    const PlanField interface = field_known("VpcEndpointType", SPAN_NONE, STR("Interface"));
    const PlanVpcEndpoint unwritten = { .type = interface };
    const PlanVpcEndpoint on = { .type = interface, .names = field_known("names", SPAN_NONE, STR("true")) };
    const PlanVpcEndpoint late = { .type = interface, .names = { .state = FIELD_LATE } };
    const PlanVpcEndpoint in_zone = { .type = interface, .has_zones = true };
    const PlanVpcEndpoint gateway = { .type = { .state = FIELD_ABSENT } };
    assert_false(endpoint_is_named(&unwritten));
    assert_true(endpoint_is_named(&on));
    assert_true(endpoint_is_named(&late));
    assert_true(endpoint_is_named(&in_zone));
    assert_true(endpoint_is_named(&gateway));
}

// A subnet with one table that has these routes.
static PlanWay way_of(PlanRoute *routes, uint32_t count) {
    PlanRouteTable table = { .routes = { .items = routes, .count = count } };
    PlanTableOfSubnet of = { .table = &table };
    const PlanVpcSubnet subnet = { .tables = { .items = &of, .count = 1 } };
    return subnet_way(&subnet);
}

static void test_default_route_is_the_way(void **state) {
    (void)state;
    PlanRoute nat[] = { { .way = WAY_OTHER }, { .way = WAY_NAT, .is_default = true } };
    PlanRoute internet[] = { { .way = WAY_INTERNET, .is_default = true } };
    PlanRoute peer[] = { { .way = WAY_OTHER } };
    assert_int_equal(way_of(nat, 2), WAY_NAT);
    assert_int_equal(way_of(internet, 1), WAY_INTERNET);
    assert_int_equal(way_of(peer, 1), WAY_OTHER);
    assert_int_equal(way_of(NULL, 0), WAY_NONE);
}

static void test_way_of_a_table_of_others_is_not_known(void **state) {
    (void)state;
    PlanTableOfSubnet of = { .table = NULL };
    const PlanVpcSubnet subnet = { .tables = { .items = &of, .count = 1 } };
    assert_int_equal(subnet_way(&subnet), WAY_UNKNOWN);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_service_stands_behind_the_region),
        cmocka_unit_test(test_service_of_another_text_is_not_known),
        cmocka_unit_test(test_endpoint_without_a_type_is_a_gateway),
        cmocka_unit_test(test_endpoint_has_names_where_they_are_on),
        cmocka_unit_test(test_default_route_is_the_way),
        cmocka_unit_test(test_way_of_a_table_of_others_is_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
