// The subnets of a group of eksctl.
#include "compiler/readers/eksctl/eksctl_read.h"

#include "compiler/base/cidr.h"
#include "schema/instances.h"
#include "schema/limits.h"

// eksctl cuts the block of a VPC that it makes into 8 subnets, or into 16 for more than 4 zones: a public and a private one
// in each zone.
// source: eksctl-io/eksctl@99984adb pkg/vpc/vpc.go, SetSubnets and getSubnetNetworkSize, 2026-08-21, read 2026-11
static PlanNodeSubnets subnets_of_group(const EksctlRead *read, const RawMap *map, const PlanEksctlGroup *group) {
    const PlanClusterConfig *config = read->config;
    PlanNodeSubnets subnets = { .key = span_is_none(group->zones.key) ? group->name.span : group->zones.key,
                                .free_addresses = -1,
                                .blocks = SPAN_NONE,
                                .public_span = SPAN_NONE,
                                .network_zones = SPAN_NONE };
    const bool is_all = group->zones.state == FIELD_ABSENT;
    const bool is_known = config->has_one_block && config->zones.state == FIELD_KNOWN &&
                          (is_all || group->zones.state == FIELD_KNOWN) && group->subnets.state == FIELD_ABSENT &&
                          raw_presence(map, "localZones").state == FIELD_ABSENT &&
                          raw_presence(map, "outpostARN").state == FIELD_ABSENT;
    Cidr cidr;
    const PlanField *block = config->vpc->blocks.count == 0 ? NULL : &config->vpc->blocks.items[0].block;
    if (is_known && block != NULL && !span_is_none(block->span) && cidr_parse(block->text, &cidr)) {
        const int bits = 32 - cidr.prefix - (config->zones.count <= 4 ? 3 : 4);
        const uint32_t count = is_all ? config->zones.count : group->zones.count;
        subnets.free_addresses = bits < 4 ? -1 : count * ((INT64_C(1) << bits) - LIMIT_SUBNET_ADDRESSES_KEPT);
    }
    return subnets;
}

static bool is_listed(const Value *list, Str zone) {
    bool is = false;
    for (uint32_t i = 0; i < list->list.count; i++) {
        const Value *item = list->list.items[i];
        is = is || item->kind != VALUE_STRING || str_equal(item->string, zone);
    }
    return is;
}

// eksctl gives a node an interface for each EFA of its type. NULL where one has a single EFA, or nobody knows.
static const PlanType *type_of_several(const PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->types.count; i++) {
        if (launch->types.items[i].row->efa_max < 2) {
            return NULL;
        }
    }
    return launch->types.count == 0 || launch->has_other_types ? NULL : &launch->types.items[0];
}

// Whether all subnets that the group names are known to be among the public ones of the file.
static bool names_public(const EksctlRead *read, const PlanEksctlGroup *group, const RawMap *subnets) {
    const RawMap public = raw_map(subnets, "public");
    const RawMap private = raw_map(subnets, "private");
    for (uint32_t i = 0; i < group->subnets.count; i++) {
        const PlanField *field = &group->subnets.items[i];
        const char *name = field->state == FIELD_KNOWN ? str_c(read->stack->arena, field->text) : "";
        if (raw_presence(&public, name).state == FIELD_ABSENT || raw_presence(&private, name).state != FIELD_ABSENT) {
            return false;
        }
    }
    return group->subnets.count > 0;
}

// Where a group says nothing of its subnets, eksctl puts it into the public ones.
static void read_public(const EksctlRead *read, const PlanEksctlGroup *written, PlanGroup *group) {
    const RawMap *vpc = &read->network;
    const RawMap subnets = raw_map(vpc, "subnets");
    const bool is_named = names_public(read, written, &subnets);
    const bool is_written = field_is(&written->is_private, "false");
    const bool is_public =
        written->subnets.state == FIELD_ABSENT && (written->is_private.state == FIELD_ABSENT || is_written);
    const PlanType *type = type_of_several(group->launch);
    if (!group->launch->efa.is_wanted || written->has_template || type == NULL) {
        return;
    }
    group->interfaces = type->row->efa_max;
    group->span_of_interfaces = field_place(&type->field);
    if (read->config->is_all_private || (!is_public && !is_named)) {
        return;
    }
    const PlanField *place = is_named ? &written->subnets.items[0] : is_written ? &written->is_private : &written->name;
    const bool has_private = subnets.state == FIELD_ABSENT || raw_map(&subnets, "private").state != FIELD_ABSENT;
    group->subnets.public = *place;
    group->subnets.public.state = FIELD_KNOWN;
    if (!is_named && has_private) {
        group->subnets.private = is_written ? written->is_private : (PlanField){ .name = "privateNetworking" };
    }
    group->subnets.private_help = is_named ? "name a private subnet" : "write `privateNetworking: true` into the group";
}

// eksctl makes subnets in the zones of the cluster, and looks for those of a group among them.
static void read_zones(const EksctlRead *read, const PlanEksctlGroup *written, PlanGroup *group) {
    const PlanClusterConfig *config = read->config;
    const Value *list = config->zone_list;
    const bool is_known =
        config->zones.state == FIELD_KNOWN && list != NULL && list->kind == VALUE_LIST && list->list.count > 0;
    for (uint32_t i = 0; is_known && i < written->zones.count; i++) {
        const PlanField *zone = &written->zones.items[i];
        if (zone->state != FIELD_KNOWN || is_listed(list, zone->text)) {
            continue;
        }
        vec_push(read->stack->arena, &group->subnets.zones_elsewhere, *zone);
        const Str help =
            str_format(read->stack->arena, "write one of these, or add `%.*s` to them", STR_ARG(zone->text));
        group->subnets.zone_help = str_c(read->stack->arena, help);
    }
    group->subnets.network = config->name;
    group->subnets.network_zones = config->zones.span;
    group->subnets.network_label = "its zones, in which eksctl makes subnets";
}

void eksctl_read_subnets(const EksctlRead *read, const RawMap *map, const PlanEksctlGroup *written, PlanGroup *group) {
    group->subnets = subnets_of_group(read, map, written);
    read_public(read, written, group);
    read_zones(read, written, group);
}
