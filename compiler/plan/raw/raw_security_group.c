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

// Whether a rule lets all traffic between the group and itself pass.
static PlanAnswer answer_of(const RawStack *stack, const RawMap *rule, const RawResource *group, const char *peer) {
    const PlanField protocol = raw_field(stack, rule, "IpProtocol");
    const PlanField other = raw_field(stack, rule, peer);
    bool is_other_late = other.state == FIELD_LATE && other.resource == NULL;
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
    if (rule->is_changed || (of.state == FIELD_LATE && of.resource == NULL)) {
        return ANSWER_MAYBE;
    }
    PlanSecurityGroup *group = of.state != FIELD_LATE ? NULL : str_map_get_mutable(groups, of.resource->id);
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
    *unknown = (PlanSecurityGroup){ .span = SPAN_NONE, .open_egress = SPAN_NONE, .others = "a security group" };
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, INGRESS.resource) || resource->is_changed) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const PlanField of = raw_field(stack, &properties, "GroupId");
        PlanSecurityGroup *group = of.resource == NULL ? NULL : str_map_get_mutable(groups, of.resource->id);
        add_openings(stack, resource->subject, &properties, group == NULL ? unknown : group);
    }
    vec_push(stack->arena, &stack->parts.security_groups, (const PlanSecurityGroup *)unknown);
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
                                            .others = "a security group" };
        group.group->allows_ingress = inline_rules(stack, &group, &INGRESS);
        group.group->allows_egress = inline_rules(stack, &group, &EGRESS);
        add_inline_openings(stack, &group);
        vec_push(stack->arena, &stack->security_groups, group);
        vec_push(stack->arena, &stack->parts.security_groups, (const PlanSecurityGroup *)group.group);
        str_map_add(&groups, resource->id, group.group);
    }
    add_rules_alone(stack, &groups, &INGRESS);
    add_rules_alone(stack, &groups, &EGRESS);
    add_openings_alone(stack, &groups);
}
