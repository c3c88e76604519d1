// Rules about what Karpenter makes nodes from: a NodePool says which, and an EC2NodeClass how they start. What a launch
// has as well, such as user data, the rules about launches look at.
// Source: the validation rules of pkg/apis/crds of aws/karpenter-provider-aws@1d927085, 2026-08-21, and its documentation,
// NodePools, NodeClasses and ODCRs, read 2026-11.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/nics.h"
#include "compiler/plan/model/names.h"
#include "compiler/plan/model/node_room.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/model/pool_requirements.h"
#include "compiler/plan/model/vpc.h"
#include "compiler/plan/rules/device_name.h"
#include "compiler/plan/rules/rule_word.h"
#include "compiler/plan/rules/type_name.h"
#include "schema/instances.h"
#include "schema/names.h"
#include "schema/pod_devices.h"

typedef struct {
    const Rules *rules;
    const PlanObject *object;
    const Value *spec;         // of the nodes that a NodePool makes, or of an EC2NodeClass
    const Value *requirements; // of a NodePool
} NodePoolCheck;

static bool is_text(const Value *value, const char *text) {
    return str_is(object_text(value), text);
}

static bool is_kind(const PlanObject *object, const char *type) {
    return str_is(object->resource->type, type);
}

static const Value *name_of(const PlanObject *object) {
    return object_get(object_get(object->fields, "metadata"), "name");
}

// Where its name stands; an object without one is pointed to as a whole.
static Span place_of(const PlanObject *object) {
    const Value *name = name_of(object);
    return name == NULL ? object->subject->span : name->span;
}

// What stands behind a key in the file: `key: value` of YAML, or `key = value`.
static const char *sign_of(const NodePoolCheck *check) {
    return check->object->is_manifest ? ":" : " =";
}

// ---- requirements ------------------------------------------------------------------------------------------------

static const char TYPE_KEY[] = "node.kubernetes.io/instance-type";
static const char ARCHITECTURE_KEY[] = "kubernetes.io/arch";
static const char ZONE_KEY[] = "topology.kubernetes.io/zone";
static const char CAPACITY_KEY[] = "karpenter.sh/capacity-type";

// The values of an `In` of a label; NULL of another operator, and where there is none.
static const Value *values_in(const NodePoolCheck *check, const char *key) {
    return requirements_in(check->requirements, str_of(key));
}

static bool has_value(const Value *values, const char *text) {
    for (uint32_t i = 0; i < object_count(values); i++) {
        if (is_text(values->list.items[i], text)) {
            return true;
        }
    }
    return false;
}

static bool has_late(const Value *list) {
    for (uint32_t i = 0; i < object_count(list); i++) {
        if (list->list.items[i]->kind != VALUE_STRING) {
            return true;
        }
    }
    return list != NULL && list->kind != VALUE_LIST;
}

static void check_empty(const NodePoolCheck *check) {
    for (uint32_t i = 0; i < object_count(check->requirements); i++) {
        const Value *item = check->requirements->list.items[i];
        const Value *operator= object_get(item, "operator");
        const Value *values = object_get(item, "values");
        const bool is_empty = values == NULL || (values->kind == VALUE_LIST && values->list.count == 0);
        if (item->kind == VALUE_MAP && is_text(operator, "In") && is_empty) {
            const Value *key = object_get(item, "key");
            Diag *diag = plan_report(check->rules->session, check->object->subject, operator->span,
                                     DIAG(pool_empty_requirement), STR_ARG(object_text(key)));
            diag_help(check->rules->session, diag, "write the values, or `operator%s %s` for any", sign_of(check),
                      check->object->is_manifest ? "Exists" : "\"Exists\"");
        }
    }
}

// Its domains are Karpenter's own, so that no label of an author can be there.
static void check_key(const NodePoolCheck *check, const Value *key) {
    static const char *const DOMAINS[] = { "karpenter.k8s.aws/", "karpenter.sh/" };
    Session *session = check->rules->session;
    const Str text = object_text(key);
    bool is_own = str_starts_with_any(text, DOMAINS, COUNT_OF(DOMAINS));
    if (!is_own || names_have(NAMES_KARPENTER_LABELS, text)) {
        return;
    }
    const NameList labels = names_of(NAMES_KARPENTER_LABELS);
    Suggestion suggestion = suggest_for(session, text);
    for (size_t i = 0; i < labels.count; i++) {
        suggest_offer(&suggestion, str_of(labels.items[i]));
    }
    Diag *diag = plan_report(session, check->object->subject, key->span, DIAG(pool_refused),
                             "it has no such label of instance types");
    if (!suggest_say(session, diag, &suggestion, key->span)) {
        diag_help(session, diag, "leave it out, or ask for a label that it has, such as `%s`", labels.items[0]);
    }
}

// `Gt` and its like have one whole number, which is not below 0.
static void check_bound(const NodePoolCheck *check, const Value *item) {
    static const char *const OPERATORS[] = { "Gt", "Gte", "Lt", "Lte" };
    const Value *values = object_get(item, "values");
    bool is_bound = false;
    for (size_t i = 0; i < COUNT_OF(OPERATORS); i++) {
        is_bound = is_bound || is_text(object_get(item, "operator"), OPERATORS[i]);
    }
    if (!is_bound || values == NULL || has_late(values)) {
        return;
    }
    const Str text = object_count(values) == 1 ? object_text(values->list.items[0]) : STR_NONE;
    bool is_number = text.len > 0;
    for (size_t i = 0; i < text.len; i++) {
        is_number = is_number && char_is_digit(text.data[i]);
    }
    if (!is_number) {
        Diag *diag = plan_report(check->rules->session, check->object->subject,
                                 object_count(values) == 1 ? values->list.items[0]->span : values->span,
                                 DIAG(pool_refused), "the operator takes one whole number");
        diag_help(check->rules->session, diag, "write a number%s, or the operator `In` before these values",
                  check->object->is_manifest ? " in quotes" : "");
    }
}

// A type in the place of its family: `p5.48xlarge`.
static void check_family(const NodePoolCheck *check, const Value *key, const Value *value) {
    const Str text = object_text(value);
    if (is_text(key, "karpenter.k8s.aws/instance-family") && schema_instance(check->rules->session, text) != NULL) {
        Arena *arena = check->rules->session->arena;
        const Str family = str_slice(text, 0, str_find(text, STR("."), 0));
        const Str asked = str_format(arena, "In %.*s", STR_ARG(text));
        Diag *diag = plan_report(check->rules->session, check->object->subject, value->span, DIAG(pool_no_type),
                                 STR_ARG(key->string), STR_ARG(asked));
        rule_write_at(check->rules, diag, value->span, text, family);
    }
}

static void check_values(const NodePoolCheck *check, const Value *item) {
    const Value *least = object_get(item, "minValues");
    const Value *values = object_get(item, "values");
    for (uint32_t i = 0; is_text(object_get(item, "operator"), "In") && i < object_count(values); i++) {
        check_family(check, object_get(item, "key"), values->list.items[i]);
    }
    if (is_text(object_get(item, "operator"), "In") && least != NULL && least->kind == VALUE_INT && values != NULL &&
        values->kind == VALUE_LIST && least->integer > values->list.count) {
        Diag *diag = plan_report(check->rules->session, check->object->subject, least->span, DIAG(pool_refused),
                                 "`minValues` is more than there are values");
        diag_help(check->rules->session, diag, "write %" PRIu32 ", or more values", values->list.count);
    }
}

static void check_requirements(const NodePoolCheck *check) {
    for (uint32_t i = 0; i < object_count(check->requirements); i++) {
        const Value *key = object_get(check->requirements->list.items[i], "key");
        if (object_text(key).len > 0) {
            check_key(check, key);
        }
        check_bound(check, check->requirements->list.items[i]);
        check_values(check, check->requirements->list.items[i]);
    }
}

static void check_types(const NodePoolCheck *check) {
    const Value *requirement = requirements_on(check->requirements, str_of(TYPE_KEY));
    rules_type_names(check->rules, check->object, object_get(requirement, "values"));
    rules_types_of_architecture(check->rules, check->object, values_in(check, TYPE_KEY),
                                values_in(check, ARCHITECTURE_KEY));
}

// ---- limits ------------------------------------------------------------------------------------------------------

// Karpenter makes no node of a type that has more than what is left: kubernetes-sigs/karpenter@22664681,
// filterByRemainingResources, 2026-08. It takes a node to have a part of its memory, 92.5 % by default. A limit of 0 keeps
// a pool empty, and is meant.
static void check_limits(const NodePoolCheck *check) {
    static const struct {
        const char *name;
        double part; // of what the type has
    } LIMITS[] = { { "cpu", 1 },
                   { "memory", 0.8 },
                   { "nvidia.com/gpu", 1 },
                   { "aws.amazon.com/neuron", 1 },
                   { "vpc.amazonaws.com/efa", 1 } };
    const Value *spec = object_get(check->object->fields, "spec");
    Session *session = check->rules->session;
    PoolTypes *types = pool_types_of(session, check->requirements);
    const bool are_known = types->are_known && types->is_of_names && pool_types_narrow(types) == NULL;
    for (size_t i = 0; are_known && object_get(spec, "replicas") == NULL && i < COUNT_OF(LIMITS); i++) {
        const Value *limit = object_get(object_get(spec, "limits"), LIMITS[i].name);
        double least = 0;
        const InstanceRow *type = limit == NULL ? NULL : pool_types_least(types, LIMITS[i].name, &least);
        double most;
        if (type == NULL || !quantity_read(limit, &most) || most <= 0 || most >= least * LIMITS[i].part) {
            continue;
        }
        const Str has = node_amount_text(session->arena, LIMITS[i].name, least);
        Diag *diag =
            plan_report(session, check->object->subject, limit->span, DIAG(pool_limit),
                        STR_ARG(node_amount_text(session->arena, LIMITS[i].name, most)), LIMITS[i].name, STR_ARG(has));
        diag_label(session, diag, pool_types_place(types, type), "`%s` has %.*s", type->name, STR_ARG(has));
        diag_help(session, diag, "write at least %.*s, times the nodes that are wanted", STR_ARG(has));
        return;
    }
}

// A limit of a resource that no node has limits nothing.
static void check_names_of_limits(const NodePoolCheck *check) {
    const Value *limits = object_get(object_get(check->object->fields, "spec"), "limits");
    for (uint32_t i = 0; limits != NULL && limits->kind == VALUE_MAP && i < limits->map.count; i++) {
        rules_device_name(check->rules, check->object, &limits->map.entries[i]);
    }
}

// ---- one zone ----------------------------------------------------------------------------------------------------

// Whether all types of the pool are known, and EFA is the point of each.
static bool are_for_efa(const NodePoolCheck *check, const Value *types) {
    bool is_all = object_count(types) > 0;
    for (uint32_t i = 0; i < object_count(types); i++) {
        const InstanceRow *row = schema_instance(check->rules->session, object_text(types->list.items[i]));
        is_all = is_all && row != NULL && nics_efa_is_the_point(row);
    }
    return is_all;
}

// Names of zones, or what somebody took for them: ids have a label of their own, and rule label_words speaks of those.
static bool are_names(const Value *zones) {
    bool are = object_count(zones) > 0 && !has_late(zones);
    for (uint32_t i = 0; are && i < object_count(zones); i++) {
        const Str zone = object_text(zones->list.items[i]);
        are = zone.len > 0 && zone.data[0] >= 'a' && zone.data[0] <= 'z' && str_find(zone, STR("-az"), 0) == zone.len &&
              schema_region(zone) == NULL;
    }
    return are;
}

static void check_zones(const NodePoolCheck *check) {
    const Value *types = values_in(check, TYPE_KEY);
    const Value *zones = values_in(check, ZONE_KEY);
    if (is_text(object_get(object_get(check->spec, "nodeClassRef"), "kind"), "EC2NodeClass") && are_names(zones)) {
        rule_vpc_zones(check->rules,
                       &(PlanVpc){ .subject = check->object->subject, .zones = zones, .what = "NodePool" });
    }
    if (object_count(zones) < 2 || has_late(zones) || !are_for_efa(check, types)) {
        return;
    }
    Session *session = check->rules->session;
    Diag *diag = plan_report(session, check->object->subject, zones->span, DIAG(pool_zones), object_count(zones));
    diag_label(session, diag, types->list.items[0]->span, "made for EFA");
    diag_help(session, diag, "write one zone, and another NodePool for each other zone");
}

// Whether a pool has accelerators, as far as its requirements say.
static bool has_accelerators(const NodePoolCheck *check) {
    for (uint32_t i = 0; i < object_count(check->requirements); i++) {
        const Value *item = check->requirements->list.items[i];
        const Str key = object_text(object_get(item, "key"));
        const Value *values = object_get(item, "values");
        const bool is_of_types = str_ends_with(key, STR("/instance-type"));
        const bool is_of_family = str_ends_with(key, STR("/instance-family"));
        for (uint32_t k = 0; k < object_count(values) && (is_of_types || is_of_family); k++) {
            const Str name = object_text(values->list.items[k]);
            const InstanceRow *row = is_of_types ? schema_instance(check->rules->session, name) : NULL;
            const bool is_training = str_starts_with(name, STR("p")) || str_starts_with(name, STR("trn"));
            if ((row != NULL && row->accelerators > 0) || (is_of_family && is_training)) {
                return true;
            }
        }
    }
    return false;
}

// ---- the class of a pool -----------------------------------------------------------------------------------------

enum { COMPARED_MAX = 2000 };

static uint32_t count_beside(const PlanObject *object) {
    return object->beside->count < COMPARED_MAX ? object->beside->count : COMPARED_MAX;
}

// The class that the pool names; NULL where there is none here. `*others`: how many classes there are.
static const PlanObject *class_of(const NodePoolCheck *check, Str name, uint32_t *others, Suggestion *suggestion) {
    for (uint32_t i = 0; i < count_beside(check->object); i++) {
        const PlanObject *object = check->object->beside->items[i];
        if (!is_kind(object, "karpenter.k8s.aws/v1/EC2NodeClass")) {
            continue;
        }
        const Str other = plan_name_of_object(object);
        if (other.len == 0 || str_equal(other, name)) {
            return object;
        }
        (*others)++;
        suggest_offer(suggestion, other);
    }
    return NULL;
}

// A reservation is used where the class selects it and the pool takes the capacity type `reserved`.
static void check_reserved(const NodePoolCheck *check, const PlanObject *class) {
    const Value *types = values_in(check, CAPACITY_KEY);
    const Value *terms = object_get(object_get(class->fields, "spec"), "capacityReservationSelectorTerms");
    Session *session = check->rules->session;
    if (types == NULL || has_late(types) || class->is_changed) {
        return;
    }
    if (object_count(terms) > 0 && !has_value(types, "reserved")) {
        Diag *diag = plan_report(session, check->object->subject, types->span, DIAG(pool_reserved),
                                 "the reservations of its class are never used");
        diag_label(session, diag, terms->span, "selected here");
        diag_help(session, diag, "add `reserved` to the values");
    } else if (terms == NULL && has_value(types, "reserved")) {
        Diag *diag = plan_report(session, check->object->subject, types->span, DIAG(pool_reserved),
                                 object_count(types) == 1 ? "its class selects no reservation, so that it makes no node"
                                                          : "its class selects no reservation, so that none is used");
        diag_label(session, diag, place_of(class), "the class");
        diag_help(session, diag, "write `capacityReservationSelectorTerms` into the class");
    }
}

// A new image replaces all nodes, and so it ends what trains on them.
static void check_image(const NodePoolCheck *check, const PlanObject *class) {
    const Value *terms = object_get(object_get(class->fields, "spec"), "amiSelectorTerms");
    const bool is_asked = object_count(terms) > 0 && !class->is_changed && has_accelerators(check);
    for (uint32_t i = 0; is_asked && i < object_count(terms); i++) {
        const Value *alias = object_get(terms->list.items[i], "alias");
        const Str text = object_text(alias);
        if (!str_ends_with(text, STR("@latest"))) {
            continue;
        }
        Session *session = check->rules->session;
        Diag *diag = plan_report(session, class->subject, alias->span, DIAG(class_moves), STR_ARG(text));
        diag_label(session, diag, place_of(check->object), "has accelerators");
        diag_help(session, diag, "name the version that you tested: `%.*s@v…`", (int)str_find(text, STR("@"), 0),
                  text.data);
    }
}

// Classes of AWS, and the groups that have them. Those of other clouds are others.
static void check_reference(const NodePoolCheck *check, const Value *reference) {
    static const struct {
        const char *kind;
        const char *group;
    } CLASSES[] = { { "EC2NodeClass", "karpenter.k8s.aws" }, { "NodeClass", "eks.amazonaws.com" } };
    const Value *kind = object_get(reference, "kind");
    const Value *group = object_get(reference, "group");
    const char *kind_of_group = NULL;
    const char *group_of_kind = NULL;
    for (size_t i = 0; i < COUNT_OF(CLASSES); i++) {
        kind_of_group = is_text(group, CLASSES[i].group) ? CLASSES[i].kind : kind_of_group;
        group_of_kind = is_text(kind, CLASSES[i].kind) ? CLASSES[i].group : group_of_kind;
    }
    const bool is_of_form = str_find(object_text(group), STR("/"), 0) == object_text(group).len; // else DT1949
    const bool is_told = object_text(kind).len > 0 && object_text(group).len > 0 && is_of_form;
    const Value *wrong = is_told && kind_of_group != NULL && !is_text(kind, kind_of_group)    ? kind
                         : is_told && group_of_kind != NULL && !is_text(group, group_of_kind) ? group
                                                                                              : NULL;
    if (wrong != NULL) {
        const char *word = wrong == group ? group_of_kind : kind_of_group;
        Diag *diag = plan_report(check->rules->session, check->object->subject, wrong->span, DIAG(pool_reserved),
                                 wrong == group ? "its kind of class is of another group"
                                                : "the group has no such kind of class");
        rule_write_at(check->rules, diag, wrong->span, wrong->string, str_of(word));
    }
}

static void check_class(const NodePoolCheck *check) {
    const Value *reference = object_get(check->spec, "nodeClassRef");
    check_reference(check, reference);
    const Value *name = object_get(reference, "name");
    Suggestion suggestion = suggest_for(check->rules->session, object_text(name));
    uint32_t others = 0;
    if (object_text(name).len == 0 || !is_text(object_get(reference, "kind"), "EC2NodeClass")) {
        return;
    }
    const PlanObject *class = class_of(check, object_text(name), &others, &suggestion);
    if (class != NULL) {
        check_reserved(check, class);
        check_image(check, class);
    } else if (others > 0) {
        Diag *diag = plan_report(check->rules->session, check->object->subject, name->span, DIAG(pool_without_class),
                                 STR_ARG(object_text(name)));
        if (!suggest_say(check->rules->session, diag, &suggestion, name->span)) {
            diag_help(check->rules->session, diag, "write the name of a class, or add one called so");
        }
    }
}

// ---- jobs that are moved -----------------------------------------------------------------------------------------

// The device that a pod trains on; NULL without.
static const Value *device_of(const Value *pod) {
    const Value *containers = object_get(pod, "containers");
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *limits = object_get(object_get(containers->list.items[i], "resources"), "limits");
        for (size_t k = 0; k < POD_DEVICE_COUNT; k++) {
            const Value *device = object_get(limits, POD_DEVICES[k].name);
            if (device != NULL && POD_DEVICES[k].accelerator != ACCELERATOR_NONE) {
                return device;
            }
        }
    }
    return NULL;
}

static bool may_be_moved(const PlanPod *pod) {
    const Value *annotations = object_get(object_get(pod->around, "metadata"), "annotations");
    return object_get(annotations, "karpenter.sh/do-not-disrupt") == NULL &&
           (annotations == NULL || annotations->kind == VALUE_MAP);
}

// Where its annotations stand, or are to stand.
static Span metadata_of(const PlanPod *pod) {
    const ValueEntry *metadata = value_entry(pod->around->map.entries, pod->around->map.count, "metadata");
    return metadata != NULL ? metadata->key_span : pod->span;
}

// A pod that asks for another pool stays out of this one.
static bool is_elsewhere(const NodePoolCheck *check, const Value *pod) {
    const Value *selector = object_get(pod, "nodeSelector");
    const Value *pool = object_get(selector, "karpenter.sh/nodepool");
    const Value *type = object_get(selector, TYPE_KEY);
    const Value *types = values_in(check, TYPE_KEY);
    const bool is_other_type = type != NULL && types != NULL && object_text(type).len > 0 &&
                               !has_value(types, str_c(check->rules->session->arena, object_text(type)));
    return (pool != NULL && !str_equal(object_text(pool), object_text(name_of(check->object)))) || is_other_type;
}

static void check_job(const NodePoolCheck *check, const PlanObject *job, Span policy) {
    for (uint32_t i = 0; i < job->pods.count; i++) {
        const PlanPod *pod = &job->pods.items[i];
        const Value *device = device_of(pod->spec);
        if (device == NULL || pod->is_part || is_elsewhere(check, pod->spec) || !may_be_moved(pod)) {
            continue;
        }
        Session *session = check->rules->session;
        Diag *diag = plan_report(session, job->subject, metadata_of(pod), DIAG(pool_disrupts),
                                 STR_ARG(object_text(name_of(check->object))));
        diag_label(session, diag, policy, "it moves pods of nodes that are not full");
        diag_help(session, diag, "write `karpenter.sh/do-not-disrupt: \"true\"` into the `annotations` of the pods");
        return;
    }
}

static void check_disruption(const NodePoolCheck *check) {
    const Value *disruption = object_get(object_get(check->object->fields, "spec"), "disruption");
    const Value *policy = object_get(disruption, "consolidationPolicy");
    const Value *after = object_get(disruption, "consolidateAfter");
    const bool moves = is_text(policy, "WhenEmptyOrUnderutilized") || is_text(policy, "Balanced");
    if (!moves || is_text(after, "Never") || object_get(disruption, "budgets") != NULL || !has_accelerators(check)) {
        return;
    }
    for (uint32_t i = 0; i < count_beside(check->object); i++) {
        const PlanObject *object = check->object->beside->items[i];
        if (plan_object_is(object, IS_JOB) && !object->is_changed) {
            check_job(check, object, policy->span);
        }
    }
}

// source: kubernetes-sigs/karpenter@22664681 pkg/controllers/static/provisioning, limits of nodes, 2026-08-20, read 2026-11
static void check_static(const NodePoolCheck *check) {
    Session *session = check->rules->session;
    const Value *spec = object_get(check->object->fields, "spec");
    const Value *count = object_get(spec, "replicas");
    const Value *limit = object_get(object_get(spec, "limits"), "nodes");
    double most;
    if (count == NULL || count->kind != VALUE_INT || limit == NULL || !quantity_read(limit, &most) ||
        (double)count->integer <= most || most < 0) {
        return;
    }
    Diag *diag =
        plan_report(session, check->object->subject, limit->span, DIAG(static_nodes), count->integer, (int64_t)most);
    diag_label(session, diag, count->span, "the nodes");
    diag_help(session, diag, "write %" PRId64 ", or fewer `replicas`", count->integer);
}

void rule_node_pool(const Rules *rules, const PlanObject *object) {
    const Value *template = object_get(object_get(object->fields, "spec"), "template");
    const Value *spec = object_get(template, "spec");
    const NodePoolCheck check = {
        .rules = rules, .object = object, .spec = spec, .requirements = object_get(spec, "requirements")
    };
    const bool is_pool = is_kind(object, "karpenter.sh/v1/NodePool");
    const bool is_older = is_kind(object, "karpenter.sh/v1beta1/NodePool");
    if ((!is_pool && !is_older) || object->is_changed) {
        return;
    }
    check_empty(&check); // these fields are the same in both
    check_requirements(&check);
    check_types(&check);
    check_limits(&check);
    check_names_of_limits(&check);
    check_zones(&check);
    if (is_pool) {
        check_static(&check);
        check_class(&check);
        check_disruption(&check);
    }
}
