// Rules about where pods can go. They are about the labels that pods ask for, the taints that they tolerate, and what a
// node of each group has for them. Silent where nodes can join that this build does not make: those of a cluster that
// is there already, and those of Karpenter. A pod with an affinity is judged as if it had none, which keeps what is
// found certain.
#include "compiler/plan/rules/rules.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/declared_group.h"
#include "compiler/plan/model/network_ids.h"
#include "compiler/plan/model/node_room.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "schema/pod_devices.h"

typedef struct {
    const Rules *rules;
    const PlanCluster *cluster;
    const PlanObject *object;
    const PlanPod *pod;
    bool *is_out; // of each group: the pod cannot go there
} SelectionCheck;

// ---- labels ----------------------------------------------------------------------------------------------------

typedef enum { LABEL_OTHER, LABEL_TYPE, LABEL_ARCHITECTURE, LABEL_ZONE } LabelKind;

static LabelKind label_kind(Str key) {
    if (str_is(key, "node.kubernetes.io/instance-type") || str_is(key, "beta.kubernetes.io/instance-type")) {
        return LABEL_TYPE;
    }
    if (str_is(key, "topology.kubernetes.io/zone") || str_is(key, "failure-domain.beta.kubernetes.io/zone")) {
        return LABEL_ZONE;
    }
    return str_is(key, "kubernetes.io/arch") ? LABEL_ARCHITECTURE : LABEL_OTHER;
}

// Whether any group has the label. Other labels come from plugins and people, and nothing is known of these.
static bool is_said(const PlanCluster *cluster, Str key) {
    for (uint32_t i = 0; i < cluster->nodes.count; i++) {
        const Value *labels = cluster->nodes.items[i]->eks->labels;
        if (labels != NULL && labels->kind == VALUE_MAP && value_find(labels, key) != NULL) {
            return true;
        }
    }
    return false;
}

// A group without a zone can be in any zone of a network that dtc makes. Nothing is known of another network.
static bool may_be_in_zone(const PlanNodes *nodes, Str wanted) {
    const PlanNetwork *network = nodes->cluster->network;
    if (nodes->subnets.zone != NULL) {
        return nodes->subnets.zone->kind != VALUE_STRING || str_equal(nodes->subnets.zone->string, wanted);
    }
    bool may_be = subject_value(nodes->head.subject, NODES_SUBNET) != NULL || network == NULL ||
                  network->mode != NETWORK_MADE || network->zones == NULL || network->zones->kind != VALUE_LIST;
    for (uint32_t i = 0; !may_be && i < network->zones->list.count; i++) {
        const Value *zone = network->zones->list.items[i];
        may_be = zone->kind != VALUE_STRING || str_equal(zone->string, wanted);
    }
    return may_be;
}

// Whether nodes of the group have, or may have, the label with the value.
static bool has_label(const PlanNodes *nodes, Str key, Str wanted) {
    switch (label_kind(key)) {
    case LABEL_TYPE:
        return plan_has_type(nodes, wanted);
    case LABEL_ARCHITECTURE:
        return nodes->instance->architecture == ARCHITECTURE_UNKNOWN ||
               str_is(wanted, nodes->instance->architecture == ARCHITECTURE_ARM64 ? "arm64" : "amd64");
    case LABEL_ZONE:
        return may_be_in_zone(nodes, wanted);
    case LABEL_OTHER:
        break;
    }
    const Value *value = nodes->eks->labels != NULL && nodes->eks->labels->kind == VALUE_MAP
                             ? value_find(nodes->eks->labels, key)
                             : NULL;
    return value != NULL && (value->kind != VALUE_STRING || str_equal(value->string, wanted));
}

static void report_label(const SelectionCheck *check, Str key, const Value *wanted) {
    Session *session = check->rules->session;
    Diag *diag = plan_report(session, check->object->subject, wanted->span, DIAG(pod_selector),
                             STR_ARG(check->cluster->head.id), STR_ARG(key), STR_ARG(wanted->string));
    Suggestion suggestion = suggest_for(session, wanted->string);
    for (uint32_t i = 0; i < check->cluster->nodes.count; i++) {
        const PlanNodes *nodes = check->cluster->nodes.items[i];
        const Value *label = nodes->eks->labels != NULL && nodes->eks->labels->kind == VALUE_MAP
                                 ? value_find(nodes->eks->labels, key)
                                 : NULL;
        if (label_kind(key) == LABEL_ZONE && nodes->subnets.zone != NULL && nodes->subnets.zone->kind == VALUE_STRING) {
            suggest_offer(&suggestion, nodes->subnets.zone->string);
            diag_label(session, diag, nodes->subnets.zone->span, "nodes in this zone");
        } else if (label_kind(key) == LABEL_TYPE) {
            for (uint32_t k = 0; k < nodes->types.count; k++) {
                suggest_offer(&suggestion, nodes->types.items[k].name->string);
                diag_label(session, diag, nodes->types.items[k].name->span, "nodes of this type");
            }
        } else if (label != NULL && label->kind == VALUE_STRING) {
            suggest_offer(&suggestion, label->string);
            diag_label(session, diag, label->span, "nodes with this label");
        }
    }
    suggest_say(session, diag, &suggestion, wanted->span);
}

static bool is_known_label(const SelectionCheck *check, Str key) {
    return label_kind(key) != LABEL_OTHER || is_said(check->cluster, key);
}

// False where something was reported.
static bool select_groups(const SelectionCheck *check) {
    const Value *selector = object_get(check->pod->spec, "nodeSelector");
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        const ValueEntry *entry = &selector->map.entries[i];
        if (entry->value->kind != VALUE_STRING || !is_known_label(check, entry->key)) {
            continue;
        }
        bool is_found = false;
        for (uint32_t k = 0; k < check->cluster->nodes.count; k++) {
            const bool has = has_label(check->cluster->nodes.items[k], entry->key, entry->value->string);
            check->is_out[k] = check->is_out[k] || !has;
            is_found = is_found || has;
        }
        if (!is_found) {
            report_label(check, entry->key, entry->value);
            return false;
        }
    }
    return true;
}

// ---- required affinity -------------------------------------------------------------------------------------------

// The first value of an expression of a label that no node of the group has; NULL where one has, or may have, it.
static const Value *unmet_value(const SelectionCheck *check, const PlanNodes *nodes, const Value *expression) {
    const Value *key = object_get(expression, "key");
    const Value *how = object_get(expression, "operator");
    const Value *values = object_get(expression, "values");
    const bool is_in = how != NULL && how->kind == VALUE_STRING && str_is(how->string, "In");
    if (!is_in || key == NULL || key->kind != VALUE_STRING || !is_known_label(check, key->string)) {
        return NULL;
    }
    for (uint32_t i = 0; i < object_count(values); i++) {
        const Value *value = values->list.items[i];
        if (value->kind != VALUE_STRING || has_label(nodes, key->string, value->string)) {
            return NULL;
        }
    }
    return object_count(values) > 0 ? values->list.items[0] : NULL;
}

// What of a term a group does not meet: its key and a value; false where it may meet all.
static bool is_unmet(const SelectionCheck *check, const PlanNodes *nodes, const Value *term, Str *key,
                     const Value **value) {
    const Value *expressions = object_get(term, "matchExpressions");
    for (uint32_t i = 0; i < object_count(expressions); i++) {
        *value = unmet_value(check, nodes, expressions->list.items[i]);
        if (*value != NULL) {
            *key = object_get(expressions->list.items[i], "key")->string;
            return true;
        }
    }
    return false;
}

// A node that meets one of the terms is enough. False where something was reported.
static bool meet_affinity(const SelectionCheck *check) {
    const Value *affinity = object_get(object_get(check->pod->spec, "affinity"), "nodeAffinity");
    const Value *required = object_get(affinity, "requiredDuringSchedulingIgnoredDuringExecution");
    const Value *terms = object_get(required, "nodeSelectorTerms");
    const Value *first = NULL;
    Str first_key = STR_NONE;
    for (uint32_t i = 0; i < object_count(terms); i++) {
        for (uint32_t k = 0; k < check->cluster->nodes.count; k++) {
            const Value *value = NULL;
            Str key = STR_NONE;
            if (!is_unmet(check, check->cluster->nodes.items[k], terms->list.items[i], &key, &value)) {
                return true;
            }
            first_key = first == NULL ? key : first_key;
            first = first == NULL ? value : first;
        }
    }
    if (first != NULL) {
        report_label(check, first_key, first);
    }
    return first == NULL;
}

// ---- taints ----------------------------------------------------------------------------------------------------

enum { TAINT_KEY, TAINT_VALUE, TAINT_EFFECT };

static bool is_same(const Value *written, const Value *own) {
    return written == NULL || written->kind != VALUE_STRING || own->kind != VALUE_STRING ||
           str_equal(written->string, own->string);
}

// A toleration without a key tolerates every taint, one without an effect each of the key's.
static bool is_tolerated(const Value *tolerations, const Value *taint) {
    if (tolerations != NULL && tolerations->kind != VALUE_LIST) {
        return true; // perhaps
    }
    for (uint32_t i = 0; i < object_count(tolerations); i++) {
        const Value *toleration = tolerations->list.items[i];
        const Value *how = object_get(toleration, "operator");
        const bool is_equal = how == NULL || (how->kind == VALUE_STRING && str_is(how->string, "Equal"));
        const Value *value = object_get(toleration, "value");
        const bool has_value = !is_equal || value != NULL;
        if (toleration->kind != VALUE_MAP ||
            (is_same(object_get(toleration, "key"), taint->tag.arguments[TAINT_KEY]) &&
             is_same(object_get(toleration, "effect"), taint->tag.arguments[TAINT_EFFECT]) && has_value &&
             (!is_equal || is_same(value, taint->tag.arguments[TAINT_VALUE])))) {
            return true;
        }
    }
    return false;
}

// EKS adds one toleration by itself. It is for a taint with the name of a resource that the pod asks for (admission
// controller ExtendedResourceToleration, EKS User Guide, Platform versions, 2026-11).
static bool is_of_device(const PlanPod *pod, const Value *taint) {
    const Value *key = taint->tag.arguments[TAINT_KEY];
    const Value *effect = taint->tag.arguments[TAINT_EFFECT];
    const Value *largest = NULL;
    return key->kind == VALUE_STRING && effect->kind == VALUE_STRING && str_is(effect->string, "NoSchedule") &&
           pod_asks(pod->spec, key->string, &largest) > 0;
}

static const Value *repelling_taint(const PlanNodes *nodes, const PlanPod *pod) {
    const Value *tolerations = object_get(pod->spec, "tolerations");
    for (uint32_t i = 0; i < object_count(nodes->eks->taints); i++) {
        const Value *taint = nodes->eks->taints->list.items[i];
        const Value *effect = taint->tag.arguments[TAINT_EFFECT];
        const bool is_hard = effect->kind == VALUE_STRING && !str_is(effect->string, "PreferNoSchedule");
        if (is_hard && !is_tolerated(tolerations, taint) && !is_of_device(pod, taint)) {
            return taint;
        }
    }
    return NULL;
}

// False where something was reported.
static bool leave_tainted(const SelectionCheck *check) {
    const Value *first = NULL;
    bool has_place = false;
    for (uint32_t i = 0; i < check->cluster->nodes.count; i++) {
        const Value *taint = check->is_out[i] ? NULL : repelling_taint(check->cluster->nodes.items[i], check->pod);
        has_place = has_place || (!check->is_out[i] && taint == NULL);
        first = first == NULL ? taint : first;
        check->is_out[i] = check->is_out[i] || taint != NULL;
    }
    if (has_place || first == NULL) {
        return has_place;
    }
    Session *session = check->rules->session;
    const Str key = first->tag.arguments[TAINT_KEY]->string;
    Diag *diag = plan_report(session, check->object->subject, check->pod->span, DIAG(pod_not_tolerated),
                             STR_ARG(check->cluster->head.id), STR_ARG(key));
    diag_label(session, diag, first->span, "a taint");
    diag_help(session, diag, "write `tolerations = [{ key = \"%.*s\", operator = \"Exists\" }]` beside `containers`",
              STR_ARG(key));
    return false;
}

// ---- amounts ---------------------------------------------------------------------------------------------------

static bool is_addon_off(const PlanCluster *cluster, const char *name) {
    for (uint32_t i = 0; i < cluster->eks->addons.count; i++) {
        const PlanAddon *addon = cluster->eks->addons.items[i];
        if (str_is(addon->head.id, name) && addon->off != NULL && addon->off->boolean) {
            return true;
        }
    }
    return false;
}

// The most of a resource that pods can have on a node of the group; below 0 where that is not known. A plugin that is
// not ours may offer a device several times.
static double amount_of(const PlanNodes *nodes, const char *name) {
    const InstanceRow *row = nodes->instance;
    const bool is_plain = nodes->ami.given == NULL && nodes->setup.count == 0;
    const PodDevice *device = pod_device(str_of(name));
    if (device != NULL && device->accelerator == ACCELERATOR_NONE) {
        return (double)nodes->fabric.efa_count;
    }
    if (device != NULL) {
        const int64_t count = pod_device_amount(device, row);
        const bool is_nvidia = device->accelerator == ACCELERATOR_NVIDIA;
        return is_nvidia && count > 0 && is_addon_off(nodes->cluster, "nvidia") ? -1 : (double)count;
    }
    if (str_starts_with(str_of(name), STR("hugepages-"))) {
        // Images with EFA's software reserve pages of 2 MiB; others none.
        return is_plain && row->accelerator == ACCELERATOR_NONE && nodes->fabric.efa_count == 0 ? 0 : -1;
    }
    double most = 0;
    for (uint32_t i = 0; i < nodes->types.count && most >= 0; i++) {
        const double room = node_room(nodes->types.items[i].row, name, is_plain ? KEEPS_KUBELET : KEEPS_KERNEL);
        most = room < 0 ? -1 : room > most ? room : most;
    }
    return most;
}

static Str amount_text(Arena *arena, Str name, double amount) {
    if (str_is(name, "memory") || str_starts_with(name, STR("hugepages-"))) {
        return str_format(arena, "%.0fMi", amount / 0x1p20);
    }
    return str_format(arena, "%.10g", amount);
}

// A group that could have as many EFA interfaces, and has none by default; NULL if there is none.
static const PlanNodes *group_without_efa(const SelectionCheck *check, double amount) {
    for (uint32_t i = 0; i < check->cluster->nodes.count; i++) {
        const PlanNodes *nodes = check->cluster->nodes.items[i];
        if (!check->is_out[i] && plan_leaves_efa(nodes) && nodes->instance->efa_max >= amount) {
            return nodes;
        }
    }
    return NULL;
}

// Nodes with EFA are in one zone, which has to be said where the network has several.
static void help_with_efa(Session *session, Diag *diag, const PlanNodes *nodes) {
    const PlanNetwork *network = nodes->cluster->network;
    const Subject *subject = nodes->head.subject;
    const bool is_said = subject_value(subject, NODES_ZONE) != NULL || subject_value(subject, NODES_SUBNET) != NULL;
    const Value *zones = network == NULL ? NULL : network->zones;
    const Value *zone = zones != NULL && zones->kind == VALUE_LIST ? zones->list.items[0] : NULL;
    if (is_said || network == NULL || plan_subnet_count(network) < 2) {
        diag_help(session, diag, "write `efa = all` into `%.*s`", STR_ARG(nodes->head.id));
    } else if (zone != NULL && zone->kind == VALUE_STRING) {
        diag_help(session, diag, "write `efa = all, zone = \"%.*s\"` into `%.*s`, or another zone of the network",
                  STR_ARG(zone->string), STR_ARG(nodes->head.id));
    } else {
        diag_help(session, diag,
                  "write `efa = all` into `%.*s`, and `zone` or `subnet`: nodes with EFA are in one zone",
                  STR_ARG(nodes->head.id));
    }
}

static void check_amount(const SelectionCheck *check, const char *resource) {
    const Str name = str_of(resource);
    const Value *asked = NULL;
    const double amount = pod_asks(check->pod->spec, name, &asked);
    double most = -1;
    const PlanNodes *best = NULL;
    for (uint32_t i = 0; asked != NULL && i < check->cluster->nodes.count; i++) {
        const double has = check->is_out[i] ? 0 : amount_of(check->cluster->nodes.items[i], resource);
        if (!check->is_out[i] && (has < 0 || has >= amount)) {
            return;
        }
        if (!check->is_out[i] && has > most) {
            most = has;
            best = check->cluster->nodes.items[i];
        }
    }
    if (best == NULL) {
        return;
    }
    Session *session = check->rules->session;
    Diag *diag = plan_report(session, check->object->subject, asked->span, DIAG(pod_request),
                             STR_ARG(amount_text(session->arena, name, amount)), STR_ARG(name),
                             STR_ARG(amount_text(session->arena, name, most)));
    const Subject *group = best->head.subject;
    const bool is_efa = str_is(name, "vpc.amazonaws.com/efa");
    const bool is_written = is_efa && group->values[NODES_EFA] != NULL;
    diag_label(session, diag, is_written ? subject_key(group, NODES_EFA) : best->instance_value->span, "has the most");
    const PlanNodes *other = is_efa ? group_without_efa(check, amount) : NULL;
    if (other != NULL) {
        help_with_efa(session, diag, other);
    }
}

static void check_amounts(const SelectionCheck *check) {
    static const char *const NAMES[] = { "hugepages-2Mi", "hugepages-1Gi", "cpu", "memory" };
    for (size_t i = 0; i < POD_DEVICE_COUNT; i++) {
        check_amount(check, POD_DEVICES[i].name);
    }
    for (size_t i = 0; i < COUNT_OF(NAMES); i++) {
        check_amount(check, NAMES[i]);
    }
}

// ----------------------------------------------------------------------------------------------------------------

// Whether all nodes of the cluster are those of its groups.
static bool is_whole(const PlanCluster *cluster) {
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        if (str_starts_with(cluster->eks->objects.items[i]->resource->type, STR("karpenter."))) {
            return false;
        }
    }
    return cluster->eks->existing == NULL && cluster->nodes.count > 0;
}

void rule_places_of_pods(const Rules *rules, const PlanCluster *cluster) {
    if (!is_whole(cluster)) {
        return;
    }
    for (uint32_t i = 0; i < cluster->eks->objects.count; i++) {
        const PlanObject *object = cluster->eks->objects.items[i];
        for (uint32_t k = 0; !object->is_changed && k < object->pods.count; k++) {
            const SelectionCheck check = {
                .rules = rules,
                .cluster = cluster,
                .object = object,
                .pod = &object->pods.items[k],
                .is_out = arena_new_array(rules->session->arena, bool, cluster->nodes.count),
            };
            if (select_groups(&check) && meet_affinity(&check) && (check.pod->is_part || leave_tainted(&check))) {
                check_amounts(&check);
            }
        }
    }
}
