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

static PlanAnswer inline_rules(const RawStack *stack, const RawGroup *group, const DirectionRow *row) {
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

static PlanAnswer rules_alone(const RawStack *stack, const RawGroup *group, const DirectionRow *row) {
    PlanAnswer answer = ANSWER_NO;
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, row->resource)) {
            continue;
        }
        const RawMap properties = raw_properties(resource);
        const PlanField of = raw_field(stack, &properties, "GroupId");
        if (resource->is_changed || (of.state == FIELD_LATE && of.resource == NULL)) {
            answer = better(answer, ANSWER_MAYBE);
        } else if (raw_refers(&of, group->resource)) {
            answer = better(answer, answer_of(stack, &properties, group->resource, row->peer));
            if (row == &EGRESS && is_open(stack, &properties)) {
                group->group->open_egress = resource->span;
            }
        }
    }
    return answer;
}

// ---- who comes in ------------------------------------------------------------------------------------------------

enum { PORTS = 65536 };

static void add_openings(RawStack *stack, const Subject *subject, const RawMap *rule) {
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
        PlanOpening *own = arena_new(stack->arena, PlanOpening);
        *own = opening;
        vec_push(stack->arena, &stack->parts.openings, (const PlanOpening *)own);
    }
}

static void add_all_openings(RawStack *stack) {
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        const RawMap properties = raw_properties(resource);
        if (str_is(resource->type, INGRESS.resource) && !resource->is_changed) {
            add_openings(stack, resource->subject, &properties);
        }
        if (!str_is(resource->type, "AWS::EC2::SecurityGroup") || resource->is_changed) {
            continue;
        }
        FieldState state = FIELD_ABSENT;
        Span key = SPAN_NONE;
        const RawMaps list = raw_maps(stack, &properties, INGRESS.list, &state, &key);
        for (uint32_t k = 0; k < list.count; k++) {
            add_openings(stack, resource->subject, &list.items[k]);
        }
    }
}

void raw_add_groups(RawStack *stack) {
    add_all_openings(stack);
    for (uint32_t i = 0; i < stack->resources.count; i++) {
        const RawResource *resource = stack->resources.items[i];
        if (!str_is(resource->type, "AWS::EC2::SecurityGroup") || resource->is_changed) {
            continue;
        }
        const RawGroup group = { .resource = resource, .group = arena_new(stack->arena, PlanSecurityGroup) };
        *group.group =
            (PlanSecurityGroup){ .subject = resource->subject, .name = resource->name, .span = resource->span };
        group.group->allows_ingress =
            better(inline_rules(stack, &group, &INGRESS), rules_alone(stack, &group, &INGRESS));
        group.group->allows_egress = better(inline_rules(stack, &group, &EGRESS), rules_alone(stack, &group, &EGRESS));
        vec_push(stack->arena, &stack->groups, group);
    }
}
