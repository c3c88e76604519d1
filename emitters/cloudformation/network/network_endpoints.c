// VPC endpoints. S3 and DynamoDB have gateway endpoints, which are routes; all other services have interface endpoints,
// which are addresses in the private subnets.
#include "emitters/cloudformation/network/network_parts.h"

#include "compiler/plan/model/endpoints.h"
#include "compiler/plan/model/region.h"
#include "emitters/cloudformation/template/intrinsic.h"
#include "emitters/cloudformation/template/partition.h"

typedef struct {
    const char *partition;
    const char *prefix;   // of the services below; the others are com.amazonaws there too
    const char *services; // with a blank around each
} PrefixRow;

static const PrefixRow PREFIX_ROWS[] = {
#define ENDPOINT_PREFIX(partition, prefix, services) { partition, prefix, services },
#include "schema/endpoint_prefixes.def"
#undef ENDPOINT_PREFIX
};

static const char *prefix_in(Arena *arena, const char *partition, const char *service) {
    const Str word = str_format(arena, " %s ", service);
    for (size_t i = 0; i < COUNT_OF(PREFIX_ROWS); i++) {
        const PrefixRow *row = &PREFIX_ROWS[i];
        const Str services = str_of(row->services);
        if (strcmp(row->partition, partition) == 0 && str_find(services, word, 0) < services.len) {
            return row->prefix;
        }
    }
    return "com.amazonaws";
}

static DocNode *name_with(Stack *stack, const char *prefix, const char *service) {
    return intrinsic_sub(stack, WHY_NETWORK_ENDPOINT,
                         str_format(stack->arena, "%s.${AWS::Region}.%s", prefix, service));
}

static DocNode *service_name(Stack *stack, const char *service) {
    const char *prefix = prefix_in(stack->arena, partition_of(stack), service);
    const char *in_china = prefix_in(stack->arena, "aws-cn", service);
    if (strcmp(prefix, in_china) == 0) {
        return name_with(stack, prefix, service);
    }
    return partition_choice(stack, WHY_NETWORK_ENDPOINT, name_with(stack, in_china, service),
                            name_with(stack, prefix, service));
}

static DocNode *route_tables(const Network *network) {
    Stack *stack = network->stack;
    DocNode *tables = doc_list(stack->doc);
    if (network->has_public) {
        doc_add(stack->doc, tables, intrinsic_ref(stack, network_id(network, "PublicRouteTable", 0)));
    }
    for (uint32_t i = 0; i < network_private_tables(network); i++) {
        Str id = network_id(network, "PrivateRouteTable", network_table_number(network, i));
        doc_add(stack->doc, tables, intrinsic_ref(stack, id));
    }
    return tables;
}

// EC2 refuses the subnet of a zone that the service is not in; nodes of other zones reach the endpoint by its name.
// Where all are such zones, rule endpoints_in_zones has said so.
static DocNode *private_subnets(const Network *network) {
    Stack *stack = network->stack;
    DocNode *subnets = doc_list(stack->doc);
    const bool has_home = !plan_is_outer_zone(network->zones[plan_home_zone(network->plan)].zone);
    for (uint32_t i = 0; i < network->zone_count; i++) {
        const PlanZone *zone = &network->zones[i];
        if (!has_home || !plan_is_outer_zone(zone->zone)) {
            doc_add(stack->doc, subnets, intrinsic_ref(stack, network_id(network, "PrivateSubnet", zone->number)));
        }
    }
    return subnets;
}

static void add_endpoint(const Network *network, const EndpointRow *row) {
    Stack *stack = network->stack;
    DocNode *endpoint = stack_resource(stack, (StackResource){
                                                  .id = network_id(network, row->id, 0),
                                                  .type = "AWS::EC2::VPCEndpoint",
                                              });
    tree_put(stack->doc, endpoint, "VpcId", intrinsic_ref(stack, network_id(network, "VPC", 0)));
    tree_put(stack->doc, endpoint, "ServiceName", service_name(stack, row->service));
    tree_put_text(stack->doc, endpoint, "VpcEndpointType", WHY_NETWORK_ENDPOINT,
                  row->is_gateway ? "Gateway" : "Interface");
    if (row->is_gateway) {
        doc_because(stack->doc, network->plan->made.public->origin); // whether there is a public table
        tree_put(stack->doc, endpoint, "RouteTableIds", route_tables(network));
        doc_unbecause(stack->doc);
    } else {
        tree_put(stack->doc, endpoint, "PrivateDnsEnabled", tree_bool(stack->doc, WHY_NETWORK_ENDPOINT, true));
        tree_put(stack->doc, endpoint, "SubnetIds", private_subnets(network));
        DocNode *group = intrinsic_ref(stack, network_id(network, "EndpointSecurityGroup", 0));
        tree_put(stack->doc, endpoint, "SecurityGroupIds", tree_list_of(stack->doc, group));
    }
    network_put_tags(network, endpoint);
}

void network_add_endpoints(const Network *network) {
    Stack *stack = network->stack;
    const Value *words = network->plan->made.endpoints;
    bool has_group = false;
    for (uint32_t i = 0; i < words->list.count; i++) {
        const Value *word = words->list.items[i];
        doc_because(stack->doc, word->origin);
        for (size_t k = 0; k < ENDPOINT_ROW_COUNT; k++) {
            if (!str_is(word->string, ENDPOINT_ROWS[k].word)) {
                continue;
            }
            if (!ENDPOINT_ROWS[k].is_gateway && !has_group) {
                network_add_endpoint_group(network);
                has_group = true;
            }
            add_endpoint(network, &ENDPOINT_ROWS[k]);
        }
        doc_unbecause(stack->doc);
    }
}
