// The network of a cluster: a new one, an existing one, or another stack's exports. The attributes that the author
// gives decide which of the three it is.
#include "compiler/plan/declared/builder.h"

#include "compiler/plan/declared/read.h"
#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/region.h"

// Attributes of one mode beside one that decides for another.
static void exclude(Builder *builder, const Block *block, int given, const int *others, size_t count,
                    const char *mode) {
    const char *given_mode = given == NETWORK_STACK ? "is another stack's" : "is there already";
    for (size_t i = 0; i < count; i++) {
        if (block_value(block, others[i]) == NULL) {
            continue;
        }
        const char *other_name = block->kind->attributes[others[i]].name;
        const char *given_name = block->kind->attributes[given].name;
        Diag *diag = report(builder->session, block->subject.attribute_spans[others[i]], DIAG(network_modes),
                            other_name, mode, given_name, given_mode);
        diag_label(builder->session, diag, block->subject.attribute_spans[given], "%s", given_mode);
        diag_help(builder->session, diag, "remove `%s` or `%s`", other_name, given_name);
    }
}

static int first_given(const Block *block, const int *attributes, size_t count) {
    size_t i = 0;
    while (i + 1 < count && block_value(block, attributes[i]) == NULL) {
        i++;
    }
    return attributes[i];
}

static bool is_none(const Value *value) {
    return value != NULL && value->kind == VALUE_WORD && str_is(value->string, "none");
}

static NetworkMode mode_of(const Block *block) {
    if (block_value(block, NETWORK_STACK) != NULL) {
        return NETWORK_IMPORTED;
    }
    const Value *public = block_value(block, NETWORK_PUBLIC);
    bool has_ids = block_value(block, NETWORK_VPC) != NULL || block_value(block, NETWORK_PRIVATE) != NULL ||
                   block_value(block, NETWORK_SECURITY_GROUP) != NULL || (public != NULL && !is_none(public));
    return has_ids ? NETWORK_GIVEN : NETWORK_MADE;
}

// One /16, the largest block that EC2 takes, holds up to three zones, with a /18 for each one's private subnet. With
// more zones the private subnets would be smaller than that. Then each two zones get a /16 of their own, as long as
// most accounts may have so many blocks.
static const Value *default_cidr(Builder *builder, const Block *block, uint32_t zone_count) {
    enum { ONE_BLOCK_ZONES_MAX = 3 };
    const Origin *origin = plan_schema_origin(builder, block, NETWORK_CIDR);
    uint32_t count = zone_count <= ONE_BLOCK_ZONES_MAX ? 1 : plan_blocks_needed(zone_count);
    const Value **items = arena_new_array(builder->arena, const Value *, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = value_string(builder->arena, block->subject.name_span, origin,
                                str_format(builder->arena, "10.%" PRIu32 ".0.0/16", i));
    }
    return value_list(builder->arena, block->subject.name_span, NULL, items, count);
}

// The author's tags; Name is the block's name where they have none.
static const Value *tags_with_name(Builder *builder, const Block *block) {
    const Value *tags = read_map(builder, block, NETWORK_TAGS);
    if (value_get(tags, "Name") != NULL) {
        return tags;
    }
    uint32_t count = tags->map.count + 1;
    ValueEntry *entries = arena_new_array(builder->arena, ValueEntry, count);
    entries[0] =
        (ValueEntry){ .key = STR("Name"),
                      .value = value_string(builder->arena, block->subject.name_span, block->origin, block->name) };
    for (uint32_t i = 1; i < count; i++) {
        entries[i] = tags->map.entries[i - 1];
    }
    Value *value = value_new(builder->arena, VALUE_MAP, block->subject.name_span, NULL);
    value->map.entries = entries;
    value->map.count = count;
    return value;
}

static NatMode nat_mode(const Value *word) {
    return str_is(word->string, "none") ? NAT_NONE : str_is(word->string, "one") ? NAT_ONE : NAT_PER_ZONE;
}

static const Value *default_endpoints(Builder *builder, const Block *block) {
    const Value **items = arena_new_array(builder->arena, const Value *, 1);
    items[0] = read_word(builder, block, NETWORK_ENDPOINTS, "s3");
    return value_list(builder->arena, block->subject.name_span, items[0]->origin, items, 1);
}

// Every subnet is made in its zone, so none of them may be absent.
static void check_zones(Builder *builder, const Value *zones) {
    for (uint32_t i = 0; i < zones->list.count; i++) {
        if (value_may_be_null(zones->list.items[i])) {
            Diag *diag = report(builder->session, zones->list.items[i]->span, DIAG(late_optional), "zones");
            diag_label(builder->session, diag, zones->span, "used here");
            diag_help(builder->session, diag, "declare the zone without `?`");
        }
    }
}

// An empty list, and reported, where the network does not say them.
static const Value *zones_of_new(Builder *builder, const Block *block) {
    const Value *zones = block_value(block, NETWORK_ZONES);
    if (zones != NULL && zones->kind == VALUE_LIST && zones->list.count > 0) {
        check_zones(builder, zones);
        return zones;
    }
    if (zones != NULL && zones->kind == VALUE_LATE) {
        read_known(builder, block, NETWORK_ZONES); // reports
    } else {
        Diag *diag = report(builder->session, zones == NULL ? block->subject.name_span : zones->span,
                            DIAG(network_without_zones), STR_ARG(block->name));
        diag_help(builder->session, diag, "write `zones = [\"us-east-1a\"]`");
    }
    return value_list(builder->arena, block->subject.name_span, NULL, NULL, 0);
}

// Without zones too all the rest is read: rules about the nodes in it ask.
static void build_new(Builder *builder, const Block *block, PlanNetwork *network) {
    const Value *zones = zones_of_new(builder, block);
    network->zones = zones;
    const Value *cidr = read_known(builder, block, NETWORK_CIDR);
    network->made.cidr = cidr != NULL ? cidr : default_cidr(builder, block, zones->list.count);
    const Value *public = block_value(block, NETWORK_PUBLIC);
    Value *has_public = value_new(builder->arena, VALUE_BOOL, block->subject.name_span,
                                  public != NULL ? public->origin : block->subject.null_origins[NETWORK_PUBLIC]);
    has_public->boolean = !is_none(public);
    network->made.public = has_public;
    network->made.nat_value = read_word(builder, block, NETWORK_NAT, "one");
    network->made.nat = has_public->boolean ? nat_mode(network->made.nat_value) : NAT_NONE;
    const Value *endpoints = read_known(builder, block, NETWORK_ENDPOINTS);
    const bool is_list = endpoints != NULL && endpoints->kind == VALUE_LIST; // else `all`, for build_endpoints()
    network->made.endpoints = is_list ? endpoints : default_endpoints(builder, block);
    const Value *flow_logs = read_known(builder, block, NETWORK_FLOW_LOGS);
    network->made.flow_logs =
        flow_logs != NULL ? flow_logs : value_new(builder->arena, VALUE_NULL, block->subject.name_span, NULL);
    network->made.lustre = read_bool(builder, block, NETWORK_LUSTRE, false);
    network->made.export = read_bool(builder, block, NETWORK_EXPORT, true);
    network->made.tags = tags_with_name(builder, block);
}

static void decide_new(Builder *builder, const Block *block, const PlanNetwork *network) {
    builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                         "a security group with EFA's rules, all traffic in from itself and out to itself");
    const uint32_t home = plan_home_zone(network);
    if (block_value(block, NETWORK_NAT) == NULL && network->made.nat == NAT_ONE && home > 0) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "one NAT gateway, in the public subnet of %.*s",
                             STR_ARG(value_print(builder->arena, network->zones->list.items[home])));
    } else if (block_value(block, NETWORK_NAT) == NULL && network->made.nat == NAT_ONE) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "one NAT gateway, in the first public subnet");
    }
    if (block_value(block, NETWORK_ENDPOINTS) == NULL) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "gateway endpoint for S3");
    }
}

// A default may name another stack than the one that the author has deployed, and only the deployment would say so.
static void decide_imported(Builder *builder, const Block *block, const Value *stack) {
    const Value *by_default = stack == NULL ? NULL : value_by_default(stack);
    if (by_default != NULL && by_default != stack && by_default->kind == VALUE_STRING) {
        builder_add_decision(builder, block->subject.name_span, builder_subject(builder, block),
                             "is the network of the stack %.*s, unless the deployment names another one",
                             STR_ARG(by_default->string));
    }
}

static PlanNetwork *network_made(Builder *builder, const Block *block) {
    static const int OF_NEW[] = { NETWORK_CIDR,   NETWORK_NAT,    NETWORK_ENDPOINTS, NETWORK_FLOW_LOGS,
                                  NETWORK_LUSTRE, NETWORK_EXPORT, NETWORK_NAME,      NETWORK_TAGS };
    static const int OF_IDS[] = { NETWORK_VPC, NETWORK_PRIVATE, NETWORK_PUBLIC, NETWORK_SECURITY_GROUP };
    PlanNetwork *network = arena_new(builder->arena, PlanNetwork);
    network->head = builder_head(builder, block, NETWORK_NAME);
    network->mode = mode_of(block);
    network->is_used_module = block->is_used;
    network->region = read_known(builder, block, NETWORK_REGION);
    network->zones = block_value(block, NETWORK_ZONES);
    switch (network->mode) {
    case NETWORK_MADE:
        if (!block->is_used) {
            build_new(builder, block, network);
            decide_new(builder, block, network);
        }
        break;
    case NETWORK_GIVEN:
        exclude(builder, block, first_given(block, OF_IDS, COUNT_OF(OF_IDS)), OF_NEW, COUNT_OF(OF_NEW), "is made");
        network->given.vpc = read_given(builder, block, NETWORK_VPC);
        network->given.public = is_none(block_value(block, NETWORK_PUBLIC)) ? NULL : block_value(block, NETWORK_PUBLIC);
        network->given.private = read_given(builder, block, NETWORK_PRIVATE);
        network->given.security_group = read_given(builder, block, NETWORK_SECURITY_GROUP);
        break;
    case NETWORK_IMPORTED:
        exclude(builder, block, NETWORK_STACK, OF_NEW, COUNT_OF(OF_NEW), "is made");
        exclude(builder, block, NETWORK_STACK, OF_IDS, COUNT_OF(OF_IDS), "is taken by its ids");
        network->stack = read_given(builder, block, NETWORK_STACK);
        decide_imported(builder, block, network->stack);
        break;
    }
    return network;
}

const PlanNetwork *build_network(Builder *builder, const Block *block) {
    const PlanNetwork *there = plan_network(builder->plan, block);
    if (there != NULL) {
        return there;
    }
    PlanNetwork *network = network_made(builder, block);
    plan_add_network(builder->arena, builder->plan, network);
    return network;
}
