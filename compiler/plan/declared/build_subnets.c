// The subnets of a group's nodes: chosen from those of the network, by the zone that the author names.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/network_ids.h"

const Value *build_item(Builder *builder, const Value *list, uint32_t index, const Origin *origin) {
    if (list->kind == VALUE_LIST) {
        return list->list.items[index];
    }
    const Value **parts = arena_new_array(builder->arena, const Value *, 1);
    parts[0] = list;
    Late *late = arena_new(builder->arena, Late);
    const Type *type = list->late->type; // NULL of a choice
    *late = (Late){
        .kind = LATE_ITEM, .type = type == NULL ? NULL : type->element, .parts = parts, .part_count = 1, .index = index
    };
    Value *value = value_new(builder->arena, VALUE_LATE, list->span, origin);
    value->late = late;
    return value;
}

static void zone_missing(Builder *builder, const PlanNodes *nodes, const PlanNetwork *network, uint32_t count) {
    const char *otherwise = plan_way_without_zone(nodes);
    Diag *diag = report(builder->session, nodes->head.subject->name_span, DIAG(zone_missing), STR_ARG(nodes->head.id),
                        STR_ARG(network->head.id), count);
    diag_primary_label(builder->session, diag,
                       nodes->fabric.efa_count > 0 ? "uses EFA" : "has a cluster placement group");
    if (network->zones != NULL) {
        diag_label(builder->session, diag, network->zones->span, "one of these");
        diag_help(builder->session, diag, "write `zone = \"…\"`, one of the network's%s", otherwise);
    } else {
        diag_help(builder->session, diag, "write `subnet = \"…\"`, one of the network's%s", otherwise);
    }
}

// The place of the group's zone in the network's list; -1: all of them, or none, which is reported here or by rule group_zone.
static int64_t subnet_index(Builder *builder, PlanNodes *nodes, const PlanNetwork *network, uint32_t count) {
    const Value *zone = subject_value(nodes->head.subject, NODES_ZONE);
    if (zone != NULL) {
        for (uint32_t i = 0;
             network->zones != NULL && network->zones->kind == VALUE_LIST && i < network->zones->list.count; i++) {
            const Value *other = network->zones->list.items[i];
            bool is_same = value_equal(other, zone) || (other->kind == VALUE_LATE && zone->kind == VALUE_LATE &&
                                                        other->late->param == zone->late->param);
            if (is_same && i < count) {
                return i;
            }
        }
        nodes->subnets.is_zone_elsewhere = read_known(builder, nodes->head.block, NODES_ZONE) != NULL;
        return -1;
    }
    if (count > 1 && plan_wants_one_zone(nodes)) {
        zone_missing(builder, nodes, network, count);
        return -1;
    }
    return count == 1 ? 0 : -1;
}

static const Value *one_subnet(Builder *builder, const Value *subnet) {
    const Value **items = arena_new_array(builder->arena, const Value *, 1);
    items[0] = subnet;
    return value_list(builder->arena, subnet->span, NULL, items, 1);
}

void build_subnets(Builder *builder, PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    const Block *block = nodes->head.block;
    const Value *subnet = read_given(builder, block, NODES_SUBNET);
    const Value *zone = block_value(block, NODES_ZONE);
    const Origin *origin = origin_join(builder->arena, network->head.origin, zone == NULL ? NULL : zone->origin);
    uint32_t count = plan_subnet_count(network);
    const Value *private_ids = network->given.private;
    if (network->mode != NETWORK_GIVEN) {
        private_ids = plan_network_output(builder->arena, network, "private", origin);
        nodes->security_group = plan_network_output(builder->arena, network, "security_group", network->head.origin);
    } else {
        nodes->security_group = network->given.security_group;
    }
    if (subnet != NULL) {
        nodes->subnets.ids = one_subnet(builder, subnet);
        return;
    }
    if (private_ids == NULL || (private_ids->kind == VALUE_LIST && private_ids->list.count == 0)) {
        // About the network, so that it is said once for all groups.
        Diag *diag = report(builder->session, network->head.subject->name_span, DIAG(network_without_private),
                            STR_ARG(network->head.id));
        diag_label(builder->session, diag, block->subject.name_span, "would be in one of them");
        if (network->given.vpc == NULL && network->given.public == NULL && network->given.security_group != NULL) {
            diag_label(builder->session, diag, subject_key(network->head.subject, NETWORK_SECURITY_GROUP),
                       "so the network is there already");
            diag_help(builder->session, diag, "leave `security_group` out: a network that is made has one of its own");
        }
        diag_help(builder->session, diag, "give `private = [\"subnet-…\"]` to the network, or `subnet` to the group");
        nodes->subnets.ids = value_list(builder->arena, block->subject.name_span, NULL, NULL, 0);
        return;
    }
    int64_t index = subnet_index(builder, nodes, network, count);
    bool picks = index >= 0 && count > 1;
    nodes->subnets.ids =
        picks ? one_subnet(builder, build_item(builder, private_ids, (uint32_t)index, origin)) : private_ids;
    if (nodes->subnets.ids->kind != VALUE_LIST) {
        nodes->subnets.ids = one_subnet(builder, nodes->subnets.ids);
    }
}
