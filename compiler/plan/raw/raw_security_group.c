// From raw security groups to what they let pass. The rules of one stand in it or are resources of their own, as they
// must be where a group refers to itself; both count.
#include "compiler/plan/raw/raw.h"

typedef struct {
    const char *list;     // "SecurityGroupIngress"
    const char *resource; // of a rule that stands alone
    const char *peer;     // who is at the other end
} DirectionRow;

static const DirectionRow INGRESS = { "SecurityGroupIngress", "AWS::EC2::SecurityGroupIngress",
                                      "SourceSecurityGroupId" };
static const DirectionRow EGRESS = { "SecurityGroupEgress", "AWS::EC2::SecurityGroupEgress",
                                     "DestinationSecurityGroupId" };

// Whether a value is given to the stack: a group that the stack makes is not there yet when somebody gives it.
static bool is_given(const RawMap *map, const char *key) {
    Span span;
    const Value *argument;
    const Value *value = raw_value(map, key, &span);
    return value != NULL && ((value->kind == VALUE_LATE && value->late->kind == LATE_PARAM) ||
                             str_is(raw_intrinsic(value, &argument), "Ref"));
}

// Whether a rule lets all traffic between the group and itself pass.
static PlanAnswer answer_of(const RawStack *stack, const RawMap *rule, const RawResource *group, const char *peer) {
    const PlanField protocol = raw_field(stack, rule, "IpProtocol");
    const PlanField other = raw_field(stack, rule, peer);
    const bool is_other_late = other.state == FIELD_LATE && other.resource == NULL && !is_given(rule, peer);
    if (!raw_refers(&other, group) && !is_other_late) {
        return ANSWER_NO;
    }
    if (protocol.state == FIELD_KNOWN && !field_is(&protocol, "-1")) {
        return ANSWER_NO;
    }
    return protocol.state == FIELD_KNOWN && !is_other_late ? ANSWER_YES : ANSWER_MAYBE;
}

static PlanAnswer better(PlanAnswer a, PlanAnswer b) {
    return a == ANSWER_YES || b == ANSWER_YES       ? ANSWER_YES
           : a == ANSWER_MAYBE || b == ANSWER_MAYBE ? ANSWER_MAYBE
                                                    : ANSWER_NO;
}

static bool is_open(const RawStack *stack, const RawMap *rule) {
    const PlanField protocol = raw_field(stack, rule, "IpProtocol");
    const PlanField cidr = raw_field(stack, rule, "CidrIp");
    return field_is(&protocol, "-1") && field_is(&cidr, "0.0.0.0/0");
}

static PlanAnswer inline_rules(const RawStack *stack, const RawSecurityGroup *group, const DirectionRow *row) {
    const RawMap properties = raw_properties(group->resource);
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps rules = raw_maps(stack, &properties, row->list, &state, &key);
    PlanAnswer answer = state == FIELD_LATE ? ANSWER_MAYBE : ANSWER_NO;
    for (uint32_t i = 0; i < rules.count; i++) {
        answer = better(answer, answer_of(stack, &rules.items[i], group->resource, row->peer));
        if (row == &EGRESS && is_open(stack, &rules.items[i])) {
            group->group->open_egress = rules.items[i].span;
        }
    }
    return answer;
}

static PlanAnswer *answer_in(PlanSecurityGroup *group, const DirectionRow *row) {
    return row == &INGRESS ? &group->allows_ingress : &group->allows_egress;
}

// Adds a rule that stands alone to its group; where nobody knows which that is, returns what it may be for all.
static PlanAnswer add_rule_alone(const RawStack *stack, const StrMap *groups, const RawResource *rule,
                                 const DirectionRow *row) {
    const RawMap properties = raw_properties(rule);
    const PlanField of = raw_field(stack, &properties, "GroupId");
    if (rule->is_changed || (of.state == FIELD_LATE && of.resource == NULL && !is_given(&properties, "GroupId"))) {
        return ANSWER_MAYBE;
    }
    PlanSecurityGroup *group = of.resource == NULL ? NULL : str_map_get_mutable(groups, of.resource->id);
    if (group != NULL) {
        PlanAnswer *answer = answer_in(group, row);
        *answer = better(*answer, answer_of(stack, &properties, of.resource, row->peer));
        if (row == &EGRESS && is_open(stack, &properties)) {
            group->open_egress = rule->span;
        }
    }
    return ANSWER_NO;
}

static void add_rules_alone(const RawStack *stack, const StrMap *groups, const DirectionRow *row) {
    PlanAnswer of_all = ANSWER_NO;
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (str_is(resource->type, row->resource)) {
            of_all = better(of_all, add_rule_alone(stack, groups, resource, row));
        }
    }
    for (uint32_t i = 0; i < stack->security_groups.count; i++) {
        PlanAnswer *answer = answer_in(stack->security_groups.items[i].group, row);
        *answer = better(*answer, of_all);
    }
}

// ---- all rules, as they are written ----------------------------------------------------------------------------------

// The same text for two values that are one when the stack is made; false where that is not known.
static bool add_same(const RawStack *stack, StrBuf *same, const PlanField *field) {
    if (field->state == FIELD_ABSENT) {
        strbuf_add(same, STR("|"));
        return true;
    }
    if (field->state == FIELD_KNOWN) {
        strbuf_add_format(same, "|=%.*s", STR_ARG(field->text));
        return true;
    }
    const Str written = field->resource != NULL ? field->resource->id : source_text(stack->session, field->span);
    strbuf_add_format(same, "|%s%.*s", field->resource != NULL ? "&" : "!", STR_ARG(written));
    return written.len > 0 && !field->may_be_null;
}

// Source: EC2 API Reference, IpPermission, IpProtocol, 2026-11, read 2026-11
static Str protocol_of(const PlanField *protocol) {
    static const char *const NAMES[][2] = {
        { "6", "tcp" }, { "17", "udp" }, { "1", "icmp" }, { "58", "icmpv6" }, { "all", "-1" }
    };
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        if (field_is(protocol, NAMES[i][0])) {
            return str_of(NAMES[i][1]);
        }
    }
    return protocol->text;
}

// Who may stand at the other end.
static const char *const PEERS[] = { "CidrIp",
                                     "CidrIpv6",
                                     "SourcePrefixListId",
                                     "DestinationPrefixListId",
                                     "SourceSecurityGroupId",
                                     "SourceSecurityGroupName",
                                     "DestinationSecurityGroupId" };

// One that a condition leaves out is written.
static bool has_other_end(const RawStack *stack, const RawMap *rule, Span whole) {
    const Str written = source_text(stack->session, whole);
    const PlanField owner = raw_field(stack, rule, "SourceSecurityGroupOwnerId");
    bool has = owner.state != FIELD_ABSENT;
    for (size_t i = 0; i < COUNT_OF(PEERS); i++) {
        const PlanField peer = raw_field(stack, rule, PEERS[i]);
        has = has || peer.state != FIELD_ABSENT || str_has(written, PEERS[i]);
    }
    return has;
}

// EC2 takes no second rule with the same protocol, ports and other end, whatever describes it.
static Str same_of(const RawStack *stack, const RawMap *rule, const PlanPermission *permission,
                   const PlanField *group) {
    StrBuf same = { .arena = stack->arena };
    const Str protocol = protocol_of(&permission->protocol);
    strbuf_add_format(&same, "%d|%.*s", permission->is_egress ? 1 : 0, STR_ARG(protocol));
    bool is_known = permission->protocol.state == FIELD_KNOWN && add_same(stack, &same, group);
    if (!str_is(protocol, "-1")) {
        is_known = is_known && add_same(stack, &same, &permission->first) && add_same(stack, &same, &permission->last);
    }
    bool has_peer = false;
    for (size_t i = 0; i < COUNT_OF(PEERS) && is_known; i++) {
        const PlanField peer = raw_field(stack, rule, PEERS[i]);
        has_peer = has_peer || peer.state != FIELD_ABSENT;
        is_known = add_same(stack, &same, &peer);
    }
    return is_known && has_peer ? strbuf_str(&same) : STR_NONE;
}

// `of` is the resource of a rule that stands alone; NULL: the rule is in the list of its group.
static void add_permission(const RawStack *stack, PlanSecurityGroup *group, const RawMap *rule, bool is_egress,
                           const RawResource *of) {
    const PlanField id = of == NULL ? (PlanField){ 0 } : raw_field(stack, rule, "GroupId");
    const bool is_here = group->name.len > 0;
    const PlanField none = { 0 };
    const PlanField peer = raw_field(stack, rule, is_egress ? "DestinationSecurityGroupId" : "SourceSecurityGroupId");
    PlanPermission permission = {
        .subject = of == NULL ? group->subject : of->subject,
        .span = of == NULL ? rule->span : of->span,
        .is_egress = is_egress,
        .is_with_itself = is_here && peer.resource != NULL && str_equal(peer.resource->id, group->name),
        .protocol = raw_field(stack, rule, "IpProtocol"),
        .first = raw_field(stack, rule, "FromPort"),
        .last = raw_field(stack, rule, "ToPort"),
    };
    permission.has_other_end = has_other_end(stack, rule, of == NULL ? rule->span : of->whole);
    permission.same = same_of(stack, rule, &permission, is_here ? &none : &id);
    vec_push(stack->arena, &group->permissions, permission);
}

static void add_inline_permissions(const RawStack *stack, const RawSecurityGroup *group, const DirectionRow *row) {
    const RawMap properties = raw_properties(group->resource);
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps list = raw_maps(stack, &properties, row->list, &state, &key);
    for (uint32_t k = 0; k < list.count; k++) {
        add_permission(stack, group->group, &list.items[k], row == &EGRESS, NULL);
    }
}

// ---- who comes in ------------------------------------------------------------------------------------------------

enum { PORTS = 65536 };

static void add_openings(const RawStack *stack, const Subject *subject, const RawMap *rule, PlanSecurityGroup *group) {
    static const char *const ranges[] = { "CidrIp", "CidrIpv6" };
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        PlanOpening opening = {
            .subject = subject,
            .range = raw_field(stack, rule, ranges[i]),
            .protocol = raw_field(stack, rule, "IpProtocol"),
        };
        if (opening.range.state != FIELD_KNOWN) {
            continue;
        }
        const PlanField first = raw_field(stack, rule, "FromPort");
        const PlanField last = raw_field(stack, rule, "ToPort");
        opening.first_port = field_number(&first, -1);
        opening.last_port = field_number(&last, -1);
        opening.is_all_ports = field_is(&opening.protocol, "-1") ||
                               (opening.first_port >= 0 && opening.first_port <= 1 && opening.last_port >= PORTS - 1);
        vec_push(stack->arena, &group->openings, opening);
    }
}

static void add_inline_openings(const RawStack *stack, const RawSecurityGroup *group) {
    const RawMap properties = raw_properties(group->resource);
    FieldState state = FIELD_ABSENT;
    Span key = SPAN_NONE;
    const RawMaps list = raw_maps(stack, &properties, INGRESS.list, &state, &key);
    for (uint32_t k = 0; k < list.count; k++) {
        add_openings(stack, group->resource->subject, &list.items[k], group->group);
    }
}

// Rules that stand alone: those of a group that another file makes are a group of their own.
static void add_openings_alone(RawStack *stack, const StrMap *groups) {
    PlanSecurityGroup *unknown = arena_new(stack->arena, PlanSecurityGroup);
    *unknown = (PlanSecurityGroup){ .span = SPAN_NONE,
                                    .open_egress = SPAN_NONE,
                                    .name_of_efa = SPAN_NONE,
                                    .use_of_efa = SPAN_NONE,
                                    .others = "a security group" };
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        const bool is_egress = str_is(resource->type, EGRESS.resource);
        if (!(is_egress || str_is(resource->type, INGRESS.resource)) || resource->is_changed) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const PlanField of = raw_field(stack, &properties, "GroupId");
        PlanSecurityGroup *known = of.resource == NULL ? NULL : str_map_get_mutable(groups, of.resource->id);
        PlanSecurityGroup *group = known == NULL ? unknown : known;
        add_permission(stack, group, &properties, is_egress, resource);
        if (!is_egress) {
            add_openings(stack, resource->subject, &properties, group);
        }
    }
    vec_push(stack->arena, &stack->parts.security_groups, (const PlanSecurityGroup *)unknown);
}

// ---- EFA ---------------------------------------------------------------------------------------------------------------

// Whether "EFA" is a word of a text: of `EfaSecurityGroup` and `efa-nodes`, but not of `default`.
static bool has_efa(Str text) {
    for (size_t at = 0; at + 3 <= text.len; at++) {
        const Str word = str_slice(text, at, at + 3);
        const char before = at == 0 ? ' ' : text.data[at - 1];
        const char behind = str_at(text, at + 3);
        const bool begins = !char_is_of_name(before) || before == '_' || char_is_digit(before) ||
                            (text.data[at] == 'E' && before >= 'a' && before <= 'z');
        if (str_equal_in_any_case(word, STR("efa")) && begins && !(behind >= 'a' && behind <= 'z')) {
            return true;
        }
    }
    return false;
}

static Span name_of_efa(const RawStack *stack, const RawResource *resource) {
    const RawMap properties = raw_properties(resource);
    const PlanField name = raw_field(stack, &properties, "GroupName");
    const PlanField description = raw_field(stack, &properties, "GroupDescription");
    return has_efa(resource->name)     ? resource->span
           : has_efa(name.text)        ? name.span
           : has_efa(description.text) ? description.span
                                       : SPAN_NONE;
}

static void use_for_efa(const RawStack *stack, const PlanFields *groups, Span use) {
    for (uint32_t i = 0; !span_is_none(use) && i < groups->count; i++) {
        for (uint32_t k = 0; k < stack->security_groups.count; k++) {
            if (raw_refers(&groups->items[i], stack->security_groups.items[k].resource)) {
                stack->security_groups.items[k].group->use_of_efa = use;
            }
        }
    }
}

// An interface that stands alone, and a file system that clients reach by EFA.
// Source: FSx for Lustre User Guide, Working with EFA-enabled file systems, 2026-11, read 2026-11
static void add_efa_uses(const RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawMap properties = raw_properties(stack->resources.items[i]);
        const Str type = stack->resources.items[i]->type;
        if (str_is(type, "AWS::EC2::NetworkInterface")) {
            const PlanField kind = raw_field(stack, &properties, "InterfaceType");
            const PlanFields groups = raw_fields(stack, &properties, "GroupSet");
            use_for_efa(stack, &groups, field_is(&kind, "efa") || field_is(&kind, "efa-only") ? kind.span : SPAN_NONE);
        } else if (str_is(type, "AWS::FSx::FileSystem")) {
            const PlanField has = raw_field_at(stack, &properties, "LustreConfiguration.EfaEnabled");
            const PlanFields groups = raw_fields(stack, &properties, "SecurityGroupIds");
            use_for_efa(stack, &groups, field_is(&has, "true") ? has.span : SPAN_NONE);
        }
    }
}

// ----------------------------------------------------------------------------------------------------------------------

void raw_add_security_groups(RawStack *stack) {
    StrMap groups = { .arena = stack->arena };
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, "AWS::EC2::SecurityGroup") || resource->is_changed) {
            continue;
        }
        const RawSecurityGroup group = { .resource = resource, .group = arena_new(stack->arena, PlanSecurityGroup) };
        *group.group = (PlanSecurityGroup){ .subject = resource->subject,
                                            .name = resource->name,
                                            .span = resource->span,
                                            .open_egress = SPAN_NONE,
                                            .name_of_efa = name_of_efa(stack, resource),
                                            .use_of_efa = SPAN_NONE,
                                            .others = "a security group" };
        group.group->allows_ingress = inline_rules(stack, &group, &INGRESS);
        group.group->allows_egress = inline_rules(stack, &group, &EGRESS);
        add_inline_openings(stack, &group);
        add_inline_permissions(stack, &group, &INGRESS);
        add_inline_permissions(stack, &group, &EGRESS);
        vec_push(stack->arena, &stack->security_groups, group);
        vec_push(stack->arena, &stack->parts.security_groups, (const PlanSecurityGroup *)group.group);
        str_map_add(&groups, resource->id, group.group);
    }
    add_rules_alone(stack, &groups, &INGRESS);
    add_rules_alone(stack, &groups, &EGRESS);
    add_openings_alone(stack, &groups);
    add_efa_uses(stack);
}
