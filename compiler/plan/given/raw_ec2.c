// The view of launch templates and security groups. A security group's rules stand in it or are resources of their own,
// as they must be where a group refers to itself; both count.
#include "compiler/plan/given/raw.h"

// ---- user data -------------------------------------------------------------------------------------------------

enum { BASE64_BITS = 6, BYTE_BITS = 8 };

static int base64_digit(char c) {
    if (c >= 'A' && c <= 'Z') {
        return c - 'A';
    }
    if (c >= 'a' && c <= 'z') {
        return c - 'a' + 26;
    }
    if (c >= '0' && c <= '9') {
        return c - '0' + 52;
    }
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

// False where it is no base64.
static bool decode_base64(Arena *arena, Str text, Str *decoded) {
    StrBuf out = { .arena = arena };
    uint32_t bits = 0;
    int held = 0;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.data[i];
        if (c == '=' || c == '\n' || c == '\r') {
            continue;
        }
        int digit = base64_digit(c);
        if (digit < 0) {
            return false;
        }
        bits = (bits << BASE64_BITS | (uint32_t)digit) & 0xffffu;
        held += BASE64_BITS;
        if (held >= BYTE_BITS) {
            held -= BYTE_BITS;
            strbuf_add_char(&out, (char)(bits >> held & 0xffu));
        }
    }
    *decoded = strbuf_str(&out);
    return true;
}

// Adds a text that is known in part: as `start` while nothing late stood before it, and to the length in any case.
static void add_text(RawStack *stack, RawUserData *data, Str text) {
    if (data->is_whole) {
        data->start = str_format(stack->arena, "%.*s%.*s", STR_ARG(data->start), STR_ARG(text));
    }
    data->bytes_min += text.len;
}

// The text of Fn::Sub: what stands between `${` and `}` is late, but for `${!`, which is a `${`.
static void add_sub(RawStack *stack, RawUserData *data, Str text) {
    for (size_t at = 0; at < text.len;) {
        size_t found = str_find(text, STR("${"), at);
        add_text(stack, data, str_slice(text, at, found));
        if (found == text.len) {
            return;
        }
        bool is_literal = found + 2 < text.len && text.data[found + 2] == '!';
        if (is_literal) {
            add_text(stack, data, STR("${"));
            at = found + 3;
            continue;
        }
        data->is_whole = false;
        at = str_find(text, STR("}"), found) + 1;
    }
}

static void add_value(RawStack *stack, RawUserData *data, const Value *value) {
    const Value *argument = NULL;
    if (value->kind == VALUE_STRING) {
        add_text(stack, data, value->string);
    } else if (value->kind == VALUE_LATE && value->late->kind == LATE_TEXT) {
        for (uint32_t i = 0; i < value->late->part_count; i++) {
            add_value(stack, data, value->late->parts[i]);
        }
    } else if (str_is(raw_intrinsic(value, &argument), "Fn::Sub")) {
        bool has_map = argument->kind == VALUE_LIST && argument->list.count == 2;
        const Value *text = has_map ? argument->list.items[0] : argument;
        if (text->kind == VALUE_STRING) {
            add_sub(stack, data, text->string);
            return;
        }
        data->is_whole = false;
    } else {
        data->is_whole = false;
    }
}

static RawUserData read_user_data(RawStack *stack, const RawMap *properties) {
    RawUserData data = { .field = raw_field(stack, properties, "UserData"), .is_whole = true };
    Span key = SPAN_NONE;
    const Value *value = raw_value(properties, "UserData", &key);
    if (value == NULL) {
        return data;
    }
    const Value *argument = NULL;
    Str intrinsic = raw_intrinsic(value, &argument);
    if (str_is(intrinsic, "Fn::Base64")) {
        add_value(stack, &data, argument);
        data.field.span = argument->span;
    } else if (data.field.state != RAW_KNOWN || !decode_base64(stack->arena, data.field.text, &data.start)) {
        data.is_whole = false;
        return data;
    }
    data.bytes_min = data.bytes_min > data.start.len ? data.bytes_min : data.start.len;
    return data;
}

// ---- launch templates ------------------------------------------------------------------------------------------

// What gives an interface an address, or describes one. EC2 API Reference,
// LaunchTemplateInstanceNetworkInterfaceSpecificationRequest, 2026-11.
static const char *const ADDRESSES[] = {
    "PrivateIpAddress", "PrivateIpAddresses",        "SecondaryPrivateIpAddressCount",
    "Ipv6Addresses",    "Ipv6AddressCount",          "Ipv4PrefixCount",
    "Ipv4Prefixes",     "Ipv6PrefixCount",           "Ipv6Prefixes",
    "PrimaryIpv6",      "AssociateCarrierIpAddress", "ConnectionTrackingSpecification",
};

static RawInterface read_interface(const RawStack *stack, const RawMap *map) {
    RawInterface interface = {
        .span = map->span,
        .card = raw_field(stack, map, "NetworkCardIndex"),
        .device = raw_field(stack, map, "DeviceIndex"),
        .type = raw_field(stack, map, "InterfaceType"),
        .public_ip = raw_field(stack, map, "AssociatePublicIpAddress"),
        .groups = raw_fields(stack, map, "Groups"),
    };
    for (size_t i = 0; i < COUNT_OF(ADDRESSES) && interface.address.state == RAW_ABSENT; i++) {
        Span key = SPAN_NONE;
        const Value *value = raw_value(map, ADDRESSES[i], &key);
        if (value != NULL && !value_may_be_null(value)) {
            interface.address = (RawField){ .state = RAW_KNOWN, .name = ADDRESSES[i], .key = key, .span = value->span };
        }
    }
    return interface;
}

static void read_interfaces(RawStack *stack, const RawMap *data, RawLaunchTemplate *template) {
    const RawMaps maps =
        raw_maps(stack, data, "NetworkInterfaces", &template->interfaces_state, &template->interfaces_key);
    RawInterface *interfaces = arena_new_array(stack->arena, RawInterface, maps.count);
    for (uint32_t i = 0; i < maps.count; i++) {
        interfaces[i] = read_interface(stack, &maps.items[i]);
    }
    template->interfaces = interfaces;
    template->interface_count = maps.count;
}

static void add_template(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap data = raw_map(stack, &properties, "LaunchTemplateData");
    const RawMap market = raw_map(stack, &data, "InstanceMarketOptions");
    const RawMap reservation = raw_map(stack, &data, "CapacityReservationSpecification");
    const RawMap target = raw_map(stack, &reservation, "CapacityReservationTarget");
    const RawMap placement = raw_map(stack, &data, "Placement");
    RawLaunchTemplate *template = arena_new(stack->arena, RawLaunchTemplate);
    *template = (RawLaunchTemplate){
        .resource = resource,
        .name = raw_field(stack, &properties, "LaunchTemplateName"),
        .instance_type = raw_field(stack, &data, "InstanceType"),
        .image = raw_field(stack, &data, "ImageId"),
        .groups = raw_fields(stack, &data, "SecurityGroupIds"),
        .market_type = raw_field(stack, &market, "MarketType"),
        .reservation = raw_field(stack, &target, "CapacityReservationId"),
        .reservation_group = raw_field(stack, &target, "CapacityReservationResourceGroupArn"),
        .target_state = target.state,
        .placement_group = raw_either(stack, &placement, "GroupName", "GroupId"),
        .tenancy = raw_field(stack, &placement, "Tenancy"),
        .user_data = read_user_data(stack, &data),
    };
    if (template->groups.state == RAW_ABSENT) {
        template->groups = raw_fields(stack, &data, "SecurityGroups");
    }
    read_interfaces(stack, &data, template);
    vec_push(stack->arena, &stack->templates, template);
}

void raw_add_templates(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EC2::LaunchTemplate") && !resource->is_changed) {
            add_template(stack, resource);
        }
    }
}

// ---- security groups -------------------------------------------------------------------------------------------

typedef struct {
    const char *list;     // "SecurityGroupIngress"
    const char *resource; // of a rule that stands alone
    const char *peer;     // who is at the other end
} DirectionRow;

static const DirectionRow INGRESS = { "SecurityGroupIngress", "AWS::EC2::SecurityGroupIngress",
                                      "SourceSecurityGroupId" };
static const DirectionRow EGRESS = { "SecurityGroupEgress", "AWS::EC2::SecurityGroupEgress",
                                     "DestinationSecurityGroupId" };

// Whether a rule lets all traffic between the group and itself pass.
static RawAnswer answer_of(const RawStack *stack, const RawMap *rule, const RawResource *group, const char *peer) {
    const RawField protocol = raw_field(stack, rule, "IpProtocol");
    const RawField other = raw_field(stack, rule, peer);
    bool is_other_late = other.state == RAW_LATE && other.resource == NULL;
    if (!raw_refers(&other, group) && !is_other_late) {
        return RAW_NO;
    }
    if (protocol.state == RAW_KNOWN && !raw_is(&protocol, "-1")) {
        return RAW_NO;
    }
    return protocol.state == RAW_KNOWN && !is_other_late ? RAW_YES : RAW_MAYBE;
}

static RawAnswer better(RawAnswer a, RawAnswer b) {
    return a == RAW_YES || b == RAW_YES ? RAW_YES : a == RAW_MAYBE || b == RAW_MAYBE ? RAW_MAYBE : RAW_NO;
}

static bool is_open(const RawStack *stack, const RawMap *rule) {
    const RawField protocol = raw_field(stack, rule, "IpProtocol");
    const RawField cidr = raw_field(stack, rule, "CidrIp");
    return raw_is(&protocol, "-1") && raw_is(&cidr, "0.0.0.0/0");
}

static RawAnswer inline_rules(RawStack *stack, RawSecurityGroup *group, const DirectionRow *row) {
    const RawMap properties = raw_properties(group->resource);
    RawState state = RAW_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps rules = raw_maps(stack, &properties, row->list, &state, &key);
    RawAnswer answer = state == RAW_LATE ? RAW_MAYBE : RAW_NO;
    for (uint32_t i = 0; i < rules.count; i++) {
        answer = better(answer, answer_of(stack, &rules.items[i], group->resource, row->peer));
        if (row == &EGRESS && is_open(stack, &rules.items[i])) {
            group->open_egress = rules.items[i].span;
        }
    }
    return answer;
}

static RawAnswer rules_alone(RawStack *stack, RawSecurityGroup *group, const DirectionRow *row) {
    RawAnswer answer = RAW_NO;
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, row->resource)) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const RawField of = raw_field(stack, &properties, "GroupId");
        if (resource->is_changed || (of.state == RAW_LATE && of.resource == NULL)) {
            answer = better(answer, RAW_MAYBE);
        } else if (raw_refers(&of, group->resource)) {
            answer = better(answer, answer_of(stack, &properties, group->resource, row->peer));
            if (row == &EGRESS && is_open(stack, &properties)) {
                group->open_egress = resource->span;
            }
        }
    }
    return answer;
}

void raw_add_groups(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, "AWS::EC2::SecurityGroup") || resource->is_changed) {
            continue;
        }
        RawSecurityGroup *group = arena_new(stack->arena, RawSecurityGroup);
        *group = (RawSecurityGroup){ .resource = resource };
        group->allows_ingress = better(inline_rules(stack, group, &INGRESS), rules_alone(stack, group, &INGRESS));
        group->allows_egress = better(inline_rules(stack, group, &EGRESS), rules_alone(stack, group, &EGRESS));
        vec_push(stack->arena, &stack->groups, group);
    }
}
