// Reads what nodes of a group have of a label: its labels, its zones and types, and the requirements of a pool of Karpenter.
#include "compiler/plan/rules/places/node_label.h"

#include "compiler/plan/model/group_zones.h"
#include "compiler/plan/model/managed_group.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/model/pool_requirements.h"
#include "schema/pod_devices.h"

static const struct {
    const char *key;
    NodeLabelKind kind;
} KINDS[] = {
    { "node.kubernetes.io/instance-type", LABEL_NODE_TYPE },
    { "beta.kubernetes.io/instance-type", LABEL_NODE_TYPE },
    { "kubernetes.io/arch", LABEL_ARCHITECTURE },
    { "topology.kubernetes.io/zone", LABEL_ZONE },
    { "failure-domain.beta.kubernetes.io/zone", LABEL_ZONE },
    { "alpha.eksctl.io/nodegroup-name", LABEL_GROUP },
    { "eks.amazonaws.com/nodegroup", LABEL_GROUP },
    { "eks.amazonaws.com/capacityType", LABEL_CAPACITY },
};

NodeLabelKind node_label_kind(Str key) {
    for (size_t i = 0; i < COUNT_OF(KINDS); i++) {
        if (str_is_word(key, KINDS[i].key)) {
            return KINDS[i].kind;
        }
    }
    return LABEL_OTHER;
}

bool node_label_is_given(Str key) {
    static const char *const DOMAINS[] = { "kubernetes.io", "k8s.io",       "amazonaws.com", "eksctl.io",
                                           "nvidia.com",    "karpenter.sh", "k8s.aws" };
    const Str domain = str_slice(key, 0, str_find(key, STR("/"), 0));
    bool is = false;
    for (size_t i = 0; i < COUNT_OF(DOMAINS) && domain.len < key.len; i++) {
        is = is || str_ends_with(domain, str_of(DOMAINS[i]));
    }
    return is;
}

// Whether any group has the label. Those with a domain may come from people and plugins, and nothing is known of these.
static bool is_said(const PodGroups *groups, Str key) {
    bool is = false;
    for (uint32_t i = 0; i < groups->items.count; i++) {
        is = is || group_label(groups->items.items[i], key) != NULL;
    }
    return is;
}

// Whether one of the types has the value for a label that says what a type is, or may have it.
static bool has_type(const PlanGroup *group, Str key, Str wanted) {
    bool has = group->has_other_types || group->types.count == 0;
    for (uint32_t i = 0; i < group->types.count && !has; i++) {
        has = type_may_have(group->types.items[i].row, key, wanted);
    }
    return has;
}

static bool has_zone(const PlanGroup *group, Str wanted) {
    const PlanFields zones = group_zones(group);
    bool has = zones.count == 0 || group->subnets.has_other_zones;
    for (uint32_t i = 0; i < zones.count && !has; i++) {
        has = zones.items[i].state != FIELD_KNOWN || str_equal(zones.items[i].text, wanted);
    }
    return has;
}

// The label is EKS's own, of its managed groups.
static bool has_capacity(const PlanGroup *group, Str wanted) {
    const bool is_known = group->is_managed && (group->managed == NULL || group->managed->capacity.state != FIELD_LATE);
    const bool is_spot = group_spot(group) != NULL;
    return !is_known || (str_is(wanted, "SPOT") ? is_spot : !str_is(wanted, "ON_DEMAND") || !is_spot);
}

// Whether nodes of the group have, or may have, a label of which no service says what it is.
static bool has_other_label(const PodGroups *groups, const PlanGroup *group, Str key, Str wanted) {
    if (group->labels != NULL && group->labels->kind != VALUE_MAP) {
        return true;
    }
    const Value *label = group_label(group, key);
    if (label != NULL) {
        return label->kind != VALUE_STRING || str_equal(label->string, wanted);
    }
    const bool is_required = requirements_on(group->requirements, key) != NULL;
    const bool has_domain = str_find(key, STR("/"), 0) < key.len;
    const bool may_have = is_required || node_label_is_given(key) || (has_domain && !is_said(groups, key));
    const bool is_of_types = group->requirements != NULL; // Karpenter alone gives the labels of type_label()
    return may_have && requirements_allow(group->requirements, key, wanted) &&
           (!is_of_types || has_type(group, key, wanted));
}

bool node_label_has(const PodGroups *groups, const PlanGroup *group, Str key, Str wanted) {
    switch (node_label_kind(key)) {
    case LABEL_NODE_TYPE:
        return has_type(group, STR("node.kubernetes.io/instance-type"), wanted);
    case LABEL_ARCHITECTURE:
        return has_type(group, key, wanted) && requirements_allow(group->requirements, key, wanted);
    case LABEL_ZONE:
        return has_zone(group, wanted) && requirements_allow(group->requirements, key, wanted);
    case LABEL_GROUP:
        return group->name.len == 0 || group->form == GROUP_DECLARED || str_equal(group->name, wanted);
    case LABEL_CAPACITY:
        return has_capacity(group, wanted);
    case LABEL_OTHER:
        break;
    }
    return has_other_label(groups, group, key, wanted);
}

// ---- other operators -------------------------------------------------------------------------------------------------

static bool is_in(const Value *values, Str text) {
    for (uint32_t i = 0; i < object_count(values); i++) {
        if (str_equal(object_text(values->list.items[i]), text)) {
            return true;
        }
    }
    return false;
}

// Whether a list has nothing but what is in the other one. Not of an empty list, nor of one with what nobody knows.
static bool are_all_in(const Value *own, const Value *values) {
    bool are = object_count(own) > 0;
    for (uint32_t i = 0; are && i < object_count(own); i++) {
        const Str text = object_text(own->list.items[i]);
        are = text.len > 0 && is_in(values, text);
    }
    return are;
}

static bool are_zones_in(const PlanGroup *group, const Value *values) {
    const PlanFields zones = group_zones(group);
    bool are = zones.count > 0 && !group->subnets.has_other_zones;
    for (uint32_t i = 0; are && i < zones.count; i++) {
        are = zones.items[i].state == FIELD_KNOWN && is_in(values, zones.items[i].text);
    }
    return are;
}

// Whether each node has one of these values, so that none is left.
static bool has_only(const PlanGroup *group, Str key, const Value *values) {
    const Value *label = group_label(group, key);
    return is_in(values, object_text(label)) || are_all_in(requirements_in(group->requirements, key), values) ||
           (node_label_kind(key) == LABEL_ZONE && are_zones_in(group, values));
}

// Labels that each node of Karpenter has.
static bool is_of_each(Str key) {
    static const char *const KEYS[] = { "karpenter.sh/nodepool", "karpenter.sh/capacity-type", "kubernetes.io/os",
                                        "kubernetes.io/hostname" };
    for (size_t i = 0; i < COUNT_OF(KEYS); i++) {
        if (str_is(key, KEYS[i])) {
            return true;
        }
    }
    return false;
}

static bool may_lack(const PlanGroup *group, Str key) {
    const Str required = object_text(object_get(requirements_on(group->requirements, key), "operator"));
    const NodeLabelKind kind = node_label_kind(key);
    const bool is_required = required.len > 0 && !str_is(required, "NotIn") && !str_is(required, "DoesNotExist");
    const bool is_given = kind == LABEL_NODE_TYPE || kind == LABEL_ARCHITECTURE || kind == LABEL_ZONE;
    return group_label(group, key) == NULL && !is_required && !is_given && (!group_is_pool(group) || !is_of_each(key));
}

static bool may_have_key(const PodGroups *groups, const PlanGroup *group, Str key) {
    const Value *required = requirements_on(group->requirements, key);
    if (required != NULL) {
        return !str_is(object_text(object_get(required, "operator")), "DoesNotExist");
    }
    const bool has_domain = str_find(key, STR("/"), 0) < key.len;
    return (group->labels != NULL && group->labels->kind != VALUE_MAP) || group_label(group, key) != NULL ||
           node_label_is_given(key) || (has_domain && !is_said(groups, key));
}

// A number that each value of the label is not above, or not below. What is no number is neither.
static bool may_be_beyond(const PlanGroup *group, Str key, bool is_above, int64_t bound) {
    const Value *label = group_label(group, key);
    const Value *list = requirements_in(group->requirements, key);
    const uint32_t count = label != NULL ? 1 : object_count(list);
    for (uint32_t i = 0; i < count; i++) {
        const PlanField field = { .state = FIELD_KNOWN,
                                  .text = object_text(label != NULL ? label : list->list.items[i]) };
        int64_t number = 0;
        if (!field_integer(&field, &number) || (is_above ? number > bound : number < bound)) {
            return true;
        }
    }
    return count == 0;
}

static bool may_be_of_bound(const PlanGroup *group, Str key, bool is_above, const Value *values) {
    const PlanField field = { .state = FIELD_KNOWN,
                              .text = object_count(values) == 1 ? object_text(values->list.items[0]) : STR_NONE };
    int64_t bound = 0;
    return !field_integer(&field, &bound) || may_be_beyond(group, key, is_above, bound);
}

// Of a label that says what a type is. Other nodes than Karpenter's have only those of Kubernetes.
static bool has_type_for(Session *session, const PlanGroup *group, Str key, const Value *expression) {
    const NodeLabelKind kind = node_label_kind(key);
    const bool is_known = group_is_pool(group) || kind == LABEL_NODE_TYPE || kind == LABEL_ARCHITECTURE;
    bool has = group->has_other_types || group->types.count == 0 || !is_known;
    for (uint32_t i = 0; !has && i < group->types.count; i++) {
        has = type_may_meet_expression(session, group->types.items[i].row, expression);
    }
    return has;
}

bool node_label_meets(Session *session, const PodGroups *groups, const PlanGroup *group, const Value *expression) {
    const Str key = object_text(object_get(expression, "key"));
    const Str word = object_text(object_get(expression, "operator"));
    const Value *values = object_get(expression, "values");
    const bool is_label = key.len > 0 && (group->labels == NULL || group->labels->kind == VALUE_MAP);
    if (!is_label) {
        return true;
    }
    const bool may = str_is(word, "NotIn")          ? !has_only(group, key, values)
                     : str_is(word, "Exists")       ? may_have_key(groups, group, key)
                     : str_is(word, "DoesNotExist") ? may_lack(group, key)
                     : str_is(word, "Gt")           ? may_be_of_bound(group, key, true, values)
                     : str_is(word, "Lt")           ? may_be_of_bound(group, key, false, values)
                                                    : true;
    return may && has_type_for(session, group, key, expression);
}
