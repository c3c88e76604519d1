// From raw launch templates and instances to launches.
#include "compiler/plan/raw/raw.h"

#include "compiler/base/gzip.h"
#include "compiler/plan/model/launcher.h"

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
static void add_text(RawStack *stack, PlanUserData *data, Str text) {
    if (data->is_whole) {
        data->start = str_format(stack->arena, "%.*s%.*s", STR_ARG(data->start), STR_ARG(text));
    }
    data->bytes_min += text.len;
}

// The text of Fn::Sub: what stands between `${` and `}` is late, but for `${!`, which is a `${`.
static void add_sub(RawStack *stack, PlanUserData *data, Str text) {
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

static void add_value(RawStack *stack, PlanUserData *data, const Value *value);

static void add_joined(RawStack *stack, PlanUserData *data, const Value *sign, const Value *list) {
    for (uint32_t i = 0; i < list->list.count; i++) {
        if (i > 0) {
            add_value(stack, data, sign);
        }
        add_value(stack, data, list->list.items[i]);
    }
}

static void add_value(RawStack *stack, PlanUserData *data, const Value *value) {
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
    } else if (str_is(raw_intrinsic(value, &argument), "Fn::Join") && argument->kind == VALUE_LIST &&
               argument->list.count == 2 && argument->list.items[1]->kind == VALUE_LIST) {
        add_joined(stack, data, argument->list.items[0], argument->list.items[1]);
    } else {
        data->is_whole = false;
    }
}

// Base64 has neither blanks nor any of these signs.
static bool is_script(Str text) {
    return str_starts_with(text, STR("#!")) || str_starts_with(text, STR("#cloud-config")) ||
           str_starts_with(text, STR("MIME-Version:")) || str_starts_with(text, STR("Content-Type:"));
}

// A text that is the base64 of a script.
static bool is_encoded(Arena *arena, Str text) {
    Str decoded = STR_NONE;
    return text.len > 0 && decode_base64(arena, str_trim(text), &decoded) && is_script(decoded);
}

// The one text that the value is made of; NULL where several are joined, or none is known.
static const Value *whole_text(const Value *value) {
    const Value *argument = NULL;
    if (value->kind != VALUE_STRING && str_is(raw_intrinsic(value, &argument), "Fn::Sub")) {
        const bool has_map = argument->kind == VALUE_LIST && argument->list.count == 2;
        value = has_map ? argument->list.items[0] : argument;
    }
    return value->kind == VALUE_STRING ? value : NULL;
}

static void keep_text(PlanUserData *data, const Value *text) {
    if (text != NULL) {
        data->written = text->string;
        data->text = text->span;
    }
}

// What only the deployment knows is `${VALUE}`, like a name in Fn::Sub. What is put between two parts has the place of all.
static void write_part(RawStack *stack, StrBuf *all, PlanUserData *data, const Value *part) {
    const Value *text = whole_text(part);
    const bool is_own = text != NULL && (text->span.start != data->text.start || text->span.end != data->text.end);
    if (is_own) {
        const PlanUserPiece piece = { .at = all->len, .text = text->span };
        vec_push(stack->arena, &data->pieces, piece);
    }
    strbuf_add(all, text == NULL ? STR("${VALUE}") : text->string);
}

// A text that Fn::Join puts together from what stands in the file.
static void keep_joined(RawStack *stack, PlanUserData *data, const Value *value) {
    if (value->kind != VALUE_LATE || value->late->kind != LATE_TEXT) {
        return;
    }
    StrBuf all = { .arena = stack->arena };
    data->text = value->span;
    data->is_joined = true;
    for (uint32_t i = 0; i < value->late->part_count; i++) {
        write_part(stack, &all, data, value->late->parts[i]);
    }
    data->written = strbuf_str(&all);
}

// Only a text is kept: gzip is for cloud-init to unpack.
static void keep_decoded(Arena *arena, PlanUserData *data) {
    size_t bad = 0;
    const bool is_text = data->start.len > 0 && str_is_utf8(data->start, &bad) &&
                         memchr(data->start.data, '\0', data->start.len) == NULL;
    data->is_twice = is_encoded(arena, data->start);
    if (is_text && !data->is_twice) {
        data->written = data->start;
        data->text = data->field.span;
    }
}

// A text that may have been base64: one word, and no name that somebody fills in.
static bool is_near_base64(Str text) {
    enum { SHORTEST = 24, OTHERS_MAX = 2 };
    size_t others = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char c = text.data[i];
        if (strchr("${}<>%_ \t", c) != NULL) {
            return false;
        }
        others += base64_digit(c) < 0 && strchr("=\n\r", c) == NULL;
    }
    return text.len >= SHORTEST && others > 0 && others <= OTHERS_MAX;
}

// EC2 refuses the first. Of the second cloud-init reads nothing.
static const char *fault_of(Arena *arena, const PlanUserData *data, bool is_decoded) {
    if (!is_decoded) {
        return is_near_base64(data->field.text) ? "has a sign that base64 does not have" : NULL;
    }
    const bool is_gzip = str_starts_with(data->start, STR("\x1f\x8b\x08"));
    return is_gzip && gzip_is_broken(arena, data->start) ? "is gzip that is cut off or has other bytes" : NULL;
}

static PlanUserData read_user_data(RawStack *stack, const RawMap *properties) {
    PlanUserData data = { .field = raw_field(stack, properties, "UserData"), .is_whole = true };
    Span key = SPAN_NONE;
    const Value *value = raw_value(properties, "UserData", &key);
    if (value == NULL) {
        return data;
    }
    const Value *argument = NULL;
    Str intrinsic = raw_intrinsic(value, &argument);
    if (str_is(intrinsic, "Fn::Base64")) {
        add_value(stack, &data, argument);
        keep_text(&data, whole_text(argument));
        keep_joined(stack, &data, argument);
        data.field.span = argument->span;
        data.is_twice = data.is_whole && is_encoded(stack->arena, data.start);
        data.is_literal = argument->kind == VALUE_STRING;
    } else if (data.field.state != FIELD_KNOWN || !decode_base64(stack->arena, data.field.text, &data.start)) {
        const Value *text = whole_text(value);
        data.is_plain = text != NULL && is_script(text->string);
        data.fault = text != NULL && data.field.state == FIELD_KNOWN ? fault_of(stack->arena, &data, false) : NULL;
        data.text = data.is_plain ? text->span : SPAN_NONE;
        data.is_whole = false;
        return data;
    } else {
        keep_decoded(stack->arena, &data);
        data.fault = fault_of(stack->arena, &data, true);
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

static PlanInterface read_interface(const RawStack *stack, const RawMap *map) {
    PlanInterface interface = {
        .span = map->span,
        .card = raw_field(stack, map, "NetworkCardIndex"),
        .device = raw_field(stack, map, "DeviceIndex"),
        .type = raw_field(stack, map, "InterfaceType"),
        .public_ip = raw_field(stack, map, "AssociatePublicIpAddress"),
        .groups = raw_fields(stack, map, "Groups"),
    };
    interface.card_index = field_number(&interface.card, 0);
    interface.device_index = field_number(&interface.device, -1);
    for (size_t i = 0; i < COUNT_OF(ADDRESSES) && interface.address.state == FIELD_ABSENT; i++) {
        Span key = SPAN_NONE;
        const Value *value = raw_value(map, ADDRESSES[i], &key);
        if (value != NULL && !value_may_be_null(value)) {
            interface.address =
                (PlanField){ .state = FIELD_KNOWN, .name = ADDRESSES[i], .key = key, .span = value->span };
        }
    }
    return interface;
}

static void read_interfaces(RawStack *stack, const RawMap *data, PlanLaunch *launch) {
    const RawMaps maps = raw_maps(stack, data, "NetworkInterfaces", &launch->interfaces_state, &launch->interfaces_key);
    PlanInterface *interfaces = arena_new_array(stack->arena, PlanInterface, maps.count);
    for (uint32_t i = 0; i < maps.count; i++) {
        interfaces[i] = read_interface(stack, &maps.items[i]);
    }
    launch->interfaces = interfaces;
    launch->interface_count = maps.count;
}

static bool is_efa(const PlanInterface *interface) {
    NicKind kind = NIC_INTERFACE;
    return launch_nic_kind(interface, &kind) && kind != NIC_INTERFACE;
}

// A template without EFA asks for none: one may be written for nodes that stand alone.
static void read_wish(PlanLaunch *launch) {
    const int count = launch_efa_count(launch);
    launch->efa = (PlanEfaWish){ .count = count > 0 ? count : -1, .is_listed = true, .span = launch->interfaces_key };
    for (uint32_t i = 0; i < launch->interface_count && !launch->efa.is_wanted; i++) {
        launch->efa.is_wanted = is_efa(&launch->interfaces[i]);
        launch->efa.field = launch->interfaces[i].type;
    }
}

PlanSecurityGroup *raw_security_group(const RawStack *stack, const PlanField *field) {
    for (uint32_t i = 0; i < stack->security_groups.count; i++) {
        if (raw_refers(field, stack->security_groups.items[i].resource)) {
            return stack->security_groups.items[i].group;
        }
    }
    return NULL;
}

// A group is there once, however many interfaces name it.
void raw_add_efa_group(const RawStack *stack, PlanLaunch *launch, const PlanField *field) {
    PlanSecurityGroup *group = raw_security_group(stack, field);
    bool is_seen = group == NULL;
    for (uint32_t i = 0; i < launch->efa_groups.count; i++) {
        is_seen = is_seen || launch->efa_groups.items[i].group == group;
    }
    if (!is_seen) {
        group->is_of_nodes = true;
        vec_push(stack->arena, &launch->efa_groups, (PlanEfaSecurityGroup){ .group = group, .span = field->span });
    }
}

static void add_efa_groups(const RawStack *stack, PlanLaunch *launch) {
    for (uint32_t i = 0; i < launch->interface_count; i++) {
        const PlanFields *groups = &launch->interfaces[i].groups;
        for (uint32_t k = 0; is_efa(&launch->interfaces[i]) && k < groups->count; k++) {
            raw_add_efa_group(stack, launch, &groups->items[k]);
        }
    }
}

// A reservation that the stack makes too may have been made for its placement group.
static PlanReservation read_reservation(const RawStack *stack, const RawMap *data) {
    const RawMap market = raw_map(data, "InstanceMarketOptions");
    const RawMap specification = raw_map(data, "CapacityReservationSpecification");
    const RawMap target = raw_map(&specification, "CapacityReservationTarget");
    const PlanField kind = raw_field(stack, &market, "MarketType");
    const PlanField id = raw_field(stack, &target, "CapacityReservationId");
    const PlanField group = raw_field(stack, &target, "CapacityReservationResourceGroupArn");
    PlanReservation source = { .is_block = field_is(&kind, "capacity-block"), .field = kind, .group = group };
    source.has_target = target.state != FIELD_ABSENT && (id.state != FIELD_ABSENT || group.state != FIELD_ABSENT);
    source.takes_named = !source.is_block;
    const PlanField *reservation = id.state != FIELD_ABSENT ? &id : &group;
    source.is_reserved = (field_is_there(&id) || field_is_there(&group)) && reservation->resource == NULL;
    if (!source.is_block && source.is_reserved) {
        source.field = *reservation;
        source.field.text = STR("reservation");
    }
    return source;
}

static void add_purchase(const RawStack *stack, PlanLaunch *launch, CapacityKind kind, const PlanField *field,
                         const char *word) {
    const PlanPurchase purchase = { .kind = kind, .word = str_of(word), .field = *field };
    vec_push(stack->arena, &launch->purchases, purchase);
}

// On demand is what holds where nothing is said, and whoever launches from the template may say something else.
static void add_purchases(const RawStack *stack, const RawMap *data, PlanLaunch *launch) {
    const RawMap market = raw_map(data, "InstanceMarketOptions");
    const PlanField kind = raw_field(stack, &market, "MarketType");
    if (field_is(&kind, "spot")) {
        add_purchase(stack, launch, CAPACITY_SPOT, &kind, "spot");
    } else if (launch->reservation.is_block) {
        add_purchase(stack, launch, CAPACITY_BLOCK, &kind, "capacity-block");
    } else if (kind.state == FIELD_ABSENT && launch->reservation.is_reserved) {
        add_purchase(stack, launch, CAPACITY_RESERVATION, &launch->reservation.field, "reservation");
    }
}

PlanPlacementGroup raw_placement_group(const RawStack *stack, const PlanField *group) {
    PlanPlacementGroup placement = { .field = *group };
    if (group->resource != NULL && str_is(group->resource->type, "AWS::EC2::PlacementGroup")) {
        const RawMap properties = raw_properties(group->resource);
        const PlanField strategy = raw_field(stack, &properties, "Strategy");
        placement.is_new = true;
        placement.strategy = group->resource->is_changed ? placement.strategy : strategy;
        placement.is_cluster = field_is(&strategy, "cluster") && !group->resource->is_changed;
    }
    return placement;
}

void raw_add_placement_group(const RawStack *stack, PlanLaunch *launch, const PlanField *group) {
    if (field_is_there(group)) {
        vec_push(stack->arena, &launch->placement_groups, raw_placement_group(stack, group));
    }
}

// Nobody asks for a token where the service is off. What an instance takes from a launch template is not known here.
static void read_metadata(const RawStack *stack, const RawMap *data, PlanLaunch *launch) {
    const RawMap options = raw_map(data, "MetadataOptions");
    const RawMap template = raw_map(data, "LaunchTemplate");
    const PlanField endpoint = raw_field(stack, &options, "HttpEndpoint");
    launch->metadata_key = options.state == FIELD_KNOWN ? options.key : SPAN_NONE;
    launch->endpoint = endpoint;
    launch->tokens = raw_field(stack, &options, "HttpTokens");
    const bool is_elsewhere = launch->tokens.state == FIELD_ABSENT && template.state != FIELD_ABSENT;
    if (is_elsewhere || (endpoint.state != FIELD_ABSENT && !field_is(&endpoint, "enabled"))) {
        launch->tokens = (PlanField){ .state = FIELD_LATE };
    }
}

static void read_disks(const RawStack *stack, const RawMap *data, PlanLaunch *launch) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps disks = raw_maps(stack, data, "BlockDeviceMappings", &state, &key);
    for (uint32_t i = 0; i < disks.count; i++) {
        const RawMap volume = raw_map(&disks.items[i], "Ebs");
        if (volume.state != FIELD_ABSENT) {
            const bool is_of_snapshot = raw_presence(&volume, "SnapshotId").state != FIELD_ABSENT;
            const PlanField late = { .state = FIELD_LATE };
            const PlanDisk disk = { .device = raw_field(stack, &disks.items[i], "DeviceName"),
                                    .size = is_of_snapshot ? late : raw_field(stack, &volume, "VolumeSize") };
            vec_push(stack->arena, &launch->disks, disk);
        }
    }
}

static PlanLaunch *make_launch(RawStack *stack, const RawResource *resource, const RawMap *data) {
    const RawMap placement = raw_map(data, "Placement");
    PlanLaunch *launch = arena_new(stack->arena, PlanLaunch);
    *launch = (PlanLaunch){
        .form = FORM_RESOURCE,
        .subject = resource->subject,
        .maker = resource->subject,
        .layout = LAYOUT_MIN_IP,
        .groups = raw_fields(stack, data, "SecurityGroupIds"),
        .reservation = read_reservation(stack, data),
        .reserved = raw_reserved(stack, data),
        .tenancy = raw_field(stack, &placement, "Tenancy"),
        .image = raw_field(stack, data, "ImageId"),
        .profile = raw_presence(data, "IamInstanceProfile"),
        .user_data = read_user_data(stack, data),
        .user_key = SPAN_NONE,
    };
    if (stack->parts.resources.count > 0) {
        launch->region = stack->parts.resources.items[0]->region;
        launch->region_span = stack->parts.resources.items[0]->region_span;
    }
    launch->launcher = launcher_of_user_data(stack->session, &launch->user_data);
    read_metadata(stack, data, launch);
    read_disks(stack, data, launch);
    if (launch->groups.state == FIELD_ABSENT) {
        launch->groups = raw_fields(stack, data, "SecurityGroups");
    }
    const PlanField group = raw_either(stack, &placement, "GroupName", "GroupId");
    raw_add_placement_group(stack, launch, &group);
    add_purchases(stack, data, launch);
    read_interfaces(stack, data, launch);
    read_wish(launch);
    add_efa_groups(stack, launch);
    return launch;
}

static PlanField subnet_of(const RawStack *stack, const RawMap *data) {
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps interfaces = raw_maps(stack, data, "NetworkInterfaces", &state, &key);
    for (uint32_t i = 0; i < interfaces.count; i++) {
        const PlanField subnet = raw_field(stack, &interfaces.items[i], "SubnetId");
        if (subnet.state != FIELD_ABSENT) {
            return subnet;
        }
    }
    return (PlanField){ .state = FIELD_ABSENT, .key = SPAN_NONE, .span = SPAN_NONE };
}

static PlanLaunch *add_template(RawStack *stack, const RawResource *resource, const RawMap *data,
                                const PlanField *name) {
    const RawMap market = raw_map(data, "InstanceMarketOptions");
    RawTemplate *template = arena_new(stack->arena, RawTemplate);
    *template = (RawTemplate){
        .resource = resource,
        .name = *name,
        .instance_type = raw_field(stack, data, "InstanceType"),
        .image = raw_field(stack, data, "ImageId"),
        .market = raw_field(stack, &market, "MarketType"),
        .profile = raw_presence(data, "IamInstanceProfile"),
        .subnet = subnet_of(stack, data),
        .launch = make_launch(stack, resource, data),
    };
    vec_push(stack->arena, &stack->templates, template);
    vec_push(stack->arena, &stack->parts.launches, template->launch);
    return template->launch;
}

static void add_launch_template(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const RawMap data = raw_map(&properties, "LaunchTemplateData");
    const PlanField name = raw_field(stack, &properties, "LaunchTemplateName");
    add_template(stack, resource, &data, &name);
}

// It has the words of a launch template beside its name, and none for interfaces, so that its nodes have one without EFA.
// source: CloudFormation Template Reference, AWS::AutoScaling::LaunchConfiguration, read 2026-11
static void add_launch_configuration(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const PlanField name = raw_field(stack, &properties, "LaunchConfigurationName");
    const PlanField price = raw_field(stack, &properties, "SpotPrice");
    PlanLaunch *launch = add_template(stack, resource, &properties, &name);
    launch->tenancy = raw_field(stack, &properties, "PlacementTenancy");
    if (field_is_there(&price)) {
        add_purchase(stack, launch, CAPACITY_SPOT, &price, "spot");
    }
}

// An instance is its own launch: no service adds something to it. Its words are those of a launch template, but for
// those of its place.
static void add_instance(RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    PlanLaunch *launch = make_launch(stack, resource, &properties);
    const PlanField type = raw_field(stack, &properties, "InstanceType");
    const InstanceRow *row = raw_type(stack, &type);
    launch->tenancy = raw_field(stack, &properties, "Tenancy");
    launch->has_other_types = row == NULL;
    if (row != NULL) {
        vec_push(stack->arena, &launch->types, (PlanType){ .row = row, .field = type });
    }
    RawTemplate *own = arena_new(stack->arena, RawTemplate);
    *own = (RawTemplate){ .resource = resource, .instance_type = type, .launch = launch };
    vec_push(stack->arena, &stack->instances, own);
    vec_push(stack->arena, &stack->parts.launches, launch);
}

void raw_add_templates(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, "AWS::EC2::LaunchTemplate") && !resource->is_changed) {
            add_launch_template(stack, resource);
        }
        if (str_is(resource->type, "AWS::AutoScaling::LaunchConfiguration") && !resource->is_changed) {
            add_launch_configuration(stack, resource);
        }
        if (str_is(resource->type, "AWS::EC2::Instance") && !resource->is_changed) {
            add_instance(stack, resource);
        }
    }
}
