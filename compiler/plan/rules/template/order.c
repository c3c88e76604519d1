// Rules about the order in which CloudFormation makes the resources of a template. It follows references and `DependsOn`;
// what has neither is made at the same time.
#include "compiler/plan/rules/rule_insert.h"

#include "compiler/base/cidr.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/rules/condition_space.h"

typedef struct {
    const Rules *rules;
    const PlanTemplate *template;
    const PlanUse *const *uses; // of resources by resources, in the order of those that they stand in
    uint32_t *first;            // by PlanNamed.index: the first of `uses`; one more at the end
    uint8_t *state;             // likewise
    uint32_t *budget;           // steps that may still be taken
    bool has_guarded;           // circles may have uses that do not always count
    bool has_circle;            // one was told
    uint32_t asked;             // how often it was worked out what is together
} Order;

enum { NEW, OPEN, DONE };

enum {
    STEPS_MAX = 20000000, // of one file; a rule that would need more stays silent
    DEPTH_MAX = 500,      // of resources that wait for each other
};

static bool is_edge(const PlanUse *use) {
    return use->from != NULL && use->from->kind == NAMED_RESOURCE && use->to != NULL &&
           use->to->kind == NAMED_RESOURCE && use->kind != USE_TEXT && use->kind != USE_CONDITION;
}

// Uses stand in the order of what they are in.
static Order order_of(const Rules *rules, const PlanTemplate *template) {
    Arena *arena = rules->session->arena;
    const uint32_t count = template->named.count;
    Order order = { .rules = rules,
                    .template = template,
                    .first = arena_new_array(arena, uint32_t, (size_t)count + 1),
                    .state = arena_new_array(arena, uint8_t, count) };
    const PlanUse **uses = arena_new_array(arena, const PlanUse *, template->uses.count);
    uint32_t used = 0;
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        order.first[i] = used;
        for (; at < template->uses.count && template->uses.items[at]->from == template->named.items[i]; at++) {
            if (is_edge(template->uses.items[at])) {
                uses[used++] = template->uses.items[at];
            }
        }
    }
    order.first[count] = used;
    order.uses = uses;
    return order;
}

// Walks from a resource, each resource once. Where there is more than can be walked, it is taken to be so.
static bool reaches(const Order *order, const PlanNamed *from, const PlanNamed *to, int depth) {
    if (from == to || depth > DEPTH_MAX) {
        return true;
    }
    order->state[from->index] = DONE;
    for (uint32_t i = order->first[from->index]; i < order->first[from->index + 1]; i++) {
        const PlanNamed *next = order->uses[i]->to;
        if (order->state[next->index] != DONE && reaches(order, next, to, depth + 1)) {
            return true;
        }
    }
    return false;
}

static bool spend(const Order *order, uint32_t steps) {
    const bool is_enough = *order->budget >= steps;
    *order->budget = is_enough ? *order->budget - steps : 0;
    return is_enough;
}

static bool waits_for(const Order *order, const PlanNamed *from, const PlanNamed *to) {
    if (!spend(order, order->template->named.count)) {
        return true;
    }
    memset(order->state, NEW, order->template->named.count);
    return reaches(order, from, to, 0);
}

// ---- circles -----------------------------------------------------------------------------------------------------

// The resources of the circle, from the one that is open: "`A`, `B`".
static void report_circle(Order *order, const PlanUse **path, uint32_t length, const PlanUse *last) {
    Session *session = order->rules->session;
    uint32_t start = 0;
    while (start < length && path[start]->from != last->to) {
        start++;
    }
    path[length] = last;
    if (order->has_guarded && !uses_meet(session->arena, path + start, length + 1 - start, &order->asked)) {
        return;
    }
    order->has_circle = true;
    StrBuf names = { .arena = session->arena };
    for (uint32_t i = start; i < length; i++) {
        strbuf_add_format(&names, "`%.*s` needs ", STR_ARG(path[i]->from->name));
    }
    strbuf_add_format(&names, "`%.*s` needs `%.*s`", STR_ARG(last->from->name), STR_ARG(last->to->name));
    Diag *diag = plan_report(session, last->subject, last->span, DIAG(dependency_circle), STR_ARG(strbuf_str(&names)));
    for (uint32_t i = start; i < length; i++) {
        diag_label(session, diag, path[i]->span, "%s", "");
    }
}

static void find_circle(Order *order, const PlanNamed *named, const PlanUse **path, uint32_t length) {
    order->state[named->index] = OPEN;
    for (uint32_t i = order->first[named->index]; i < order->first[named->index + 1]; i++) {
        const PlanUse *use = order->uses[i];
        if (use->guard != NULL && !order->has_guarded) {
            continue;
        }
        if (order->state[use->to->index] == OPEN) {
            report_circle(order, path, length, use);
        } else if (order->state[use->to->index] == NEW && length < DEPTH_MAX) {
            path[length] = use;
            find_circle(order, use->to, path, length + 1);
        }
    }
    order->state[named->index] = DONE;
}

// ---- what is used too early --------------------------------------------------------------------------------------

// Whether a property of a resource is a reference to another one.
static bool has_reference(const Order *order, const PlanNamed *from, const char *key, const PlanNamed *to) {
    for (uint32_t i = order->first[from->index]; i < order->first[from->index + 1]; i++) {
        const PlanUse *use = order->uses[i];
        if (use->to == to && str_is(use->key, key)) {
            return true;
        }
    }
    return false;
}

// Of a key, the resource that it refers to; NULL without one.
static const PlanUse *reference(const Order *order, const PlanNamed *from, const char *key, const char *type) {
    for (uint32_t i = order->first[from->index]; i < order->first[from->index + 1]; i++) {
        const PlanUse *use = order->uses[i];
        if (str_is(use->key, key) && str_is(use->to->type, type)) {
            return use;
        }
    }
    return NULL;
}

static void report_early(const Order *order, const PlanUse *use, const PlanNamed *late, const char *why) {
    Session *session = order->rules->session;
    Diag *diag = plan_report(session, use->subject, use->from->span, DIAG(made_too_early), STR_ARG(use->from->name),
                             STR_ARG(late->name), why);
    diag_primary_label(session, diag, "has no `DependsOn` for it");
    diag_label(session, diag, use->span, "works only with `%.*s`", STR_ARG(late->name));
    diag_label(session, diag, late->span, "nothing says that this comes first");
    diag_help(session, diag, "write `DependsOn: %.*s` into `%.*s`", STR_ARG(late->name), STR_ARG(use->from->name));
    const DataEntry *type = data_entry(use->from->data, "Type");
    rule_insert_beside(order->rules, diag, type == NULL ? SPAN_NONE : type->key_span, STR("DependsOn"), late->name);
}

// A property of a resource, and another resource that refers to the same thing without which the first does not work.
typedef struct {
    const char *type;
    const char *key;
    const char *target; // type of what the key refers to
    const char *other;  // type of what has to come first
    const char *other_key;
    const char *why;
} EarlyRow;

static const EarlyRow EARLY_ROWS[] = {
    { "AWS::EC2::Route", "GatewayId", "AWS::EC2::InternetGateway", "AWS::EC2::VPCGatewayAttachment",
      "InternetGatewayId", "a route to a gateway that is in no VPC yet is refused" },
    { "AWS::EC2::NatGateway", "AllocationId", "AWS::EC2::EIP", "AWS::EC2::VPCGatewayAttachment", NULL,
      "a NAT gateway in a VPC without an internet gateway fails" },
    { "AWS::EC2::EIP", "InstanceId", "AWS::EC2::Instance", "AWS::EC2::VPCGatewayAttachment", NULL,
      "an address in a VPC without a gateway is refused" },
    { "AWS::EC2::EIPAssociation", "InstanceId", "AWS::EC2::Instance", "AWS::EC2::VPCGatewayAttachment", NULL,
      "an address in a VPC without a gateway is refused" },
    { "AWS::EC2::Route", "GatewayId", "AWS::EC2::VPNGateway", "AWS::EC2::VPCGatewayAttachment", "VpnGatewayId",
      "a route to a gateway that is in no VPC yet is refused" },
    { "AWS::EC2::VPNGatewayRoutePropagation", "VpnGatewayId", "AWS::EC2::VPNGateway", "AWS::EC2::VPCGatewayAttachment",
      "VpnGatewayId", "a gateway that is in no VPC yet spreads no routes" },
    { "AWS::EC2::Route", "TransitGatewayId", "AWS::EC2::TransitGateway", "AWS::EC2::TransitGatewayAttachment",
      "TransitGatewayId", "a route to a transit gateway that the VPC is not attached to is refused" },
    { "AWS::EC2::Subnet", "VpcId", "AWS::EC2::VPC", "AWS::EC2::VPCCidrBlock", "VpcId",
      "a subnet in a block that the VPC does not have yet is refused" },
    { "AWS::ECS::Service", "TargetGroupArn", "AWS::ElasticLoadBalancingV2::TargetGroup",
      "AWS::ElasticLoadBalancingV2::Listener", "TargetGroupArn",
      "ECS refuses a service whose target group no load balancer has yet" },
    { "AWS::S3::Bucket", "Function", "AWS::Lambda::Function", "AWS::Lambda::Permission", "FunctionName",
      "S3 refuses a notification to a function that it may not call yet" },
    { "AWS::Batch::ComputeEnvironment", "ServiceRole", "AWS::IAM::Role", "AWS::IAM::Policy", "Roles",
      "without its rights Batch calls the compute environment invalid, and cannot delete it" },
    { "AWS::EKS::Cluster", "RoleArn", "AWS::IAM::Role", "AWS::IAM::Policy", "Roles",
      "without its rights EKS cannot delete what it made" },
    { "AWS::FSx::FileSystem", "SecurityGroupIds", "AWS::EC2::SecurityGroup", "AWS::EC2::SecurityGroupIngress",
      "GroupId", "FSx refuses a file system whose security groups do not let Lustre in" },
};

// A security group that lets something in by itself.
static bool has_own_rules(const PlanNamed *group) {
    const Data *properties = data_get(group->data, "Properties");
    return str_is(group->type, "AWS::EC2::SecurityGroup") && properties != NULL &&
           data_get(properties, "SecurityGroupIngress") != NULL;
}

// FSx looks at the ports of Lustre alone.
static bool is_of_another_kind(const PlanNamed *named) {
    const Data *properties = data_get(named->data, "Properties");
    return str_is(named->type, "AWS::FSx::FileSystem") && properties != NULL &&
           !str_is(data_text(properties, "FileSystemType"), "LUSTRE");
}

// Whether a rule of a group lets in the group itself, as the servers of a file system reach each other.
static bool is_of_itself(const Order *order, const PlanNamed *rule, const PlanNamed *group) {
    return has_reference(order, rule, "SourceSecurityGroupId", group);
}

// Whether one of the others is what has to come first: of the rules of a group those that let in the group itself, where
// there are any.
static bool has_of_itself(const Order *order, const EarlyRow *row, const PlanNamed *group) {
    for (uint32_t i = 0; i < order->template->named.count; i++) {
        const PlanNamed *other = order->template->named.items[i];
        if (other->kind == NAMED_RESOURCE && str_is(other->type, row->other) && row->other_key != NULL &&
            has_reference(order, other, row->other_key, group) && is_of_itself(order, other, group)) {
            return true;
        }
    }
    return false;
}

static Str literal_of(const PlanNamed *named, const char *key) {
    const Data *properties = data_get(named->data, "Properties");
    return properties == NULL || properties->kind != DATA_MAP ? STR_NONE : data_text(properties, key);
}

static bool has_property(const PlanNamed *named, const char *key) {
    const Data *properties = data_get(named->data, "Properties");
    return properties != NULL && properties->kind == DATA_MAP && data_get(properties, key) != NULL;
}

// Whether a subnet lies in a further block of its VPC: as both say, or as it has addresses of IPv6, which the VPC has by
// this block alone.
static bool is_block_of(const PlanNamed *subnet, const PlanNamed *vpc, const PlanNamed *block) {
    Cidr own;
    Cidr first;
    Cidr further;
    const bool is_known = cidr_parse(literal_of(subnet, "CidrBlock"), &own) &&
                          cidr_parse(literal_of(vpc, "CidrBlock"), &first) &&
                          cidr_parse(literal_of(block, "CidrBlock"), &further);
    return (is_known && cidr_is_within(own, further) && !cidr_is_within(own, first)) ||
           (has_property(subnet, "Ipv6CidrBlock") && has_property(block, "AmazonProvidedIpv6CidrBlock"));
}

// Of all that refers to the same thing: whether this resource needs it.
static bool is_needed(const PlanNamed *named, const PlanNamed *target, const PlanNamed *other) {
    return !str_is(other->type, "AWS::EC2::VPCCidrBlock") || is_block_of(named, target, other);
}

// Whoever waits for one of the others knows of the order, and may do without the rest.
static void check_early(const Order *order, const EarlyRow *row, const PlanNamed *named) {
    const PlanUse *use = is_of_another_kind(named) ? NULL : reference(order, named, row->key, row->target);
    const bool is_chosen = use != NULL && use->guard != NULL && use->guard->choice != NULL; // it may never count
    if (use == NULL || is_chosen || has_own_rules(use->to) || !spend(order, order->template->named.count)) {
        return;
    }
    const PlanNamed *first = NULL;
    const bool is_narrow = has_of_itself(order, row, use->to);
    for (uint32_t i = 0; i < order->template->named.count; i++) {
        const PlanNamed *other = order->template->named.items[i];
        const bool is_other = (!is_narrow || is_of_itself(order, other, use->to)) && other->kind == NAMED_RESOURCE &&
                              str_is(other->type, row->other) &&
                              (row->other_key == NULL || has_reference(order, other, row->other_key, use->to)) &&
                              is_needed(named, use->to, other);
        if (is_other && (waits_for(order, named, other) || waits_for(order, other, named))) {
            return;
        }
        first = is_other && first == NULL ? other : first;
    }
    if (first != NULL) {
        report_early(order, use, first, row->why);
    }
}

static void find_circles(Order *order) {
    const PlanUse *path[DEPTH_MAX + 1];
    for (uint32_t i = 0; i < order->template->named.count; i++) {
        const PlanNamed *named = order->template->named.items[i];
        if (named->kind == NAMED_RESOURCE && order->state[i] == NEW) {
            find_circle(order, named, path, 0);
        }
    }
}

void rule_template_order(const Rules *rules, const PlanFile *file) {
    const PlanTemplate *template = file->names;
    if (template == NULL || template->is_open) {
        return;
    }
    uint32_t budget = STEPS_MAX;
    Order order = order_of(rules, template);
    order.budget = &budget;
    find_circles(&order);
    if (!order.has_circle && !template->has_rules) { // those of some deployments alone
        order.has_guarded = true;
        memset(order.state, NEW, template->named.count);
        find_circles(&order);
    }
    for (uint32_t i = 0; i < template->named.count; i++) {
        for (size_t k = 0; k < COUNT_OF(EARLY_ROWS); k++) {
            if (template->named.items[i]->kind == NAMED_RESOURCE &&
                str_is(template->named.items[i]->type, EARLY_ROWS[k].type)) {
                check_early(&order, &EARLY_ROWS[k], template->named.items[i]);
            }
        }
    }
}
