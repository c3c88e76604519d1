// Answers of endpoints: what they are for.
#include "compiler/plan/model/vpc_endpoint.h"

PlanAnswer endpoint_is_gateway(const PlanVpcEndpoint *endpoint) {
    return endpoint->type.state == FIELD_LATE                                             ? ANSWER_MAYBE
           : endpoint->type.state == FIELD_ABSENT || field_is(&endpoint->type, "Gateway") ? ANSWER_YES
                                                                                          : ANSWER_NO;
}

// source: CloudFormation Template Reference, AWS::EC2::VPCEndpoint, PrivateDnsEnabled, 2026-11, read 2026-11
bool endpoint_is_named(const PlanVpcEndpoint *endpoint) {
    const bool has_none = endpoint->names.state == FIELD_ABSENT || field_is(&endpoint->names, "false");
    return endpoint_is_gateway(endpoint) != ANSWER_NO || endpoint->has_zones || !has_none;
}

bool endpoint_has_table(const PlanVpcEndpoint *endpoint, const PlanRouteTable *table) {
    for (uint32_t i = 0; i < endpoint->tables.count; i++) {
        if (endpoint->tables.items[i] == table) {
            return true;
        }
    }
    return false;
}

bool endpoint_serves(const PlanVpcEndpoint *endpoint, const PlanVpcSubnet *subnet) {
    for (uint32_t i = 0; i < subnet->tables.count; i++) {
        if (endpoint_has_table(endpoint, subnet->tables.items[i].table)) {
            return true;
        }
    }
    return endpoint->has_other_tables || endpoint->tables.count == 0;
}

// Where nothing says the prefix, the last part that is not known is the region.
Str endpoint_service_in(Str name) {
    const Str start = STR("com.amazonaws.");
    const Str hole = STR("${}.");
    const size_t at = str_find(name, start, 0);
    size_t end = at >= name.len ? name.len : str_find(name, STR("."), at + start.len);
    for (size_t i = 0; at >= name.len && (i = str_find(name, hole, i)) < name.len; i += hole.len) {
        end = i + hole.len - 1;
    }
    const Str service = str_slice(name, end + 1, name.len);
    return str_find(service, STR("{"), 0) < service.len ? STR_NONE : service;
}
