// Holds what a pod selects, tolerates and asks for against each group of nodes. A pod that no group can take waits, and no
// error is shown.
#include "compiler/plan/rules/places/pod_places.h"

#include "compiler/plan/rules/places/node_label.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/group_zones.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/managed_group.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/model/pool_requirements.h"
#include "compiler/plan/rules/toleration.h"
#include "compiler/plan/rules/places/pod_types.h"
#include "schema/instances.h"
#include "schema/names.h"
#include "schema/pod_devices.h"

typedef struct {
    Session *session;
    const PodGroups *groups;
    const PlanObject *object;
    const PlanPod *pod; // NULL: labels alone are asked for
    bool *is_out;       // of each group: it cannot take the pod
} PlaceCheck;

// ---- labels ------------------------------------------------------------------------------------------------------

// Where a group says what its nodes have of a label; SPAN_NONE: nowhere.
static Span place_of_label(const PlanGroup *group, Str key) {
    const NodeLabelKind kind = node_label_kind(key);
    const Value *label = group_label(group, key);
    const Span required = requirements_place(group->requirements, key);
    if (!span_is_none(required)) {
        return required;
    }
    if (kind == LABEL_ZONE && group_zones(group).count > 0) {
        return group_zones(group).items[0].span;
    }
    if ((kind == LABEL_NODE_TYPE || kind == LABEL_ARCHITECTURE) && group->types.count > 0) {
        return group->types.items[0].field.span;
    }
    return label != NULL ? label->span : SPAN_NONE;
}

// The places in the groups that say something else, and what could be written.
static void label_groups(const PlaceCheck *check, Diag *diag, Str key, Suggestion *suggestion) {
    enum { LABELS_MAX = 3 };
    const NodeLabelKind kind = node_label_kind(key);
    int labels = 0;
    for (uint32_t i = 0; i < check->groups->items.count; i++) {
        const PlanGroup *group = check->groups->items.items[i];
        suggest_offer(suggestion, kind == LABEL_GROUP ? group->name : object_text(group_label(group, key)));
        const PlanFields zones = group_zones(group);
        for (uint32_t k = 0; kind == LABEL_ZONE && k < zones.count; k++) {
            suggest_offer(suggestion, zones.items[k].text);
        }
        const Span place = place_of_label(group, key);
        if (!span_is_none(place) && labels++ < LABELS_MAX) {
            diag_label(check->session, diag, place, "nodes have this");
        }
    }
}

static void help_with_label(const PlaceCheck *check, Diag *diag, Str key) {
    const PlanGroup *first = check->groups->items.items[0];
    if (node_label_kind(key) == LABEL_NODE_TYPE && first->types.count > 0) {
        diag_help(check->session, diag, "write a type of the cluster, such as `%s`", first->types.items[0].row->name);
    } else if (first->requirements != NULL && node_label_kind(key) == LABEL_OTHER && !node_label_is_given(key)) {
        diag_help(check->session, diag, "write it into `spec.template.metadata.labels` of the pool, or leave it out");
    } else if (first->requirements != NULL) {
        diag_help(check->session, diag, "write what the requirements of `%.*s` allow, or ask for another pool",
                  STR_ARG(check->groups->name));
    } else {
        diag_help(check->session, diag, "write a label that a group has, or give one this label");
    }
}

static void report_label(const PlaceCheck *check, Str key, const Value *wanted) {
    const Str what = str_format(check->session->arena, "has `%.*s` = \"%.*s\"", STR_ARG(key), STR_ARG(wanted->string));
    Diag *diag = plan_report(check->session, check->object->subject, wanted->span, DIAG(pod_selector),
                             STR_ARG(check->groups->name), STR_ARG(what));
    Suggestion suggestion = suggest_for(check->session, wanted->string);
    label_groups(check, diag, key, &suggestion);
    if (!suggest_say(check->session, diag, &suggestion, wanted->span)) {
        help_with_label(check, diag, key);
    }
}

// What no node is: "has `team` other than \"ml\"", "is without `team`".
static Str expression_text(Arena *arena, Str key, Str operator, const Value * values) {
    const Str first = object_count(values) == 0 ? STR_NONE : object_text(values->list.items[0]);
    const char *more = object_count(values) > 1 ? ", …" : "";
    return str_is(operator, "NotIn")
               ? str_format(arena, "has a `%.*s` other than \"%.*s\"%s", STR_ARG(key), STR_ARG(first), more)
           : str_is(operator, "Exists")       ? str_format(arena, "has `%.*s`", STR_ARG(key))
           : str_is(operator, "DoesNotExist") ? str_format(arena, "is without `%.*s`", STR_ARG(key))
                                              : str_format(arena, "has a `%.*s` %s %.*s", STR_ARG(key),
                                                           str_is(operator, "Gt") ? "above" : "below", STR_ARG(first));
}

static void report_expression(const PlaceCheck *check, const Value *expression) {
    const Value *key = object_get(expression, "key");
    const Str operator= object_text(object_get(expression, "operator"));
    const Value *values = object_get(expression, "values");
    const Str what = expression_text(check->session->arena, key->string, operator, values);
    Diag *diag = plan_report(check->session, check->object->subject, values != NULL ? values->span : key->span,
                             DIAG(pod_selector), STR_ARG(check->groups->name), STR_ARG(what));
    Suggestion none = suggest_for(check->session, STR_NONE);
    label_groups(check, diag, key->string, &none);
    if (str_is(operator, "Exists")) {
        help_with_label(check, diag, key->string);
    } else {
        diag_help(check->session, diag, "leave the expression out, or write what nodes of `%.*s` have",
                  STR_ARG(check->groups->name));
    }
}

// Of a type that no row has, of which another rule speaks where it is a manifest's, nothing is said.
static bool is_to_judge(const PlaceCheck *check, Str key, const Value *wanted) {
    return object_text(wanted).len > 0 && (node_label_kind(key) != LABEL_NODE_TYPE || !check->object->is_manifest ||
                                           schema_instance(check->session, wanted->string) != NULL);
}

// False where something was reported. Each label is looked for by itself.
static bool select_groups(const PlaceCheck *check, const Value *labels) {
    bool are_found = true;
    for (uint32_t i = 0; labels != NULL && labels->kind == VALUE_MAP && i < labels->map.count; i++) {
        const ValueEntry *entry = &labels->map.entries[i];
        if (!is_to_judge(check, entry->key, entry->value)) {
            continue;
        }
        bool is_found = false;
        for (uint32_t k = 0; k < check->groups->items.count; k++) {
            const bool has =
                node_label_has(check->groups, check->groups->items.items[k], entry->key, entry->value->string);
            check->is_out[k] = check->is_out[k] || !has;
            is_found = is_found || has;
        }
        if (!is_found) {
            report_label(check, entry->key, entry->value);
        }
        are_found = are_found && is_found;
    }
    return are_found;
}

// ---- nodes of others ---------------------------------------------------------------------------------------------

static bool is_of_others(Str key) {
    return names_have(NAMES_LABELS_OF_OTHER_NODES, key) ||
           names_have(NAMES_DOMAINS_OF_OTHER_NODES, str_slice(key, 0, str_find(key, STR("/"), 0)));
}

static bool is_wanted(const Value *expression) {
    const Str operator= object_text(object_get(expression, "operator"));
    return is_of_others(object_text(object_get(expression, "key"))) &&
           (str_is(operator, "In") || str_is(operator, "Exists"));
}

// Where there may be other nodes, whether the pod asks for these. One with a `nodeName` passes by the scheduler.
static bool asks_for_others(const PlaceCheck *check) {
    const Value *selector = object_get(check->pod->spec, "nodeSelector");
    bool asks = object_get(check->pod->spec, "nodeName") != NULL;
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        asks = asks || is_of_others(selector->map.entries[i].key);
    }
    const Value *terms = pod_required_terms(check->pod->spec);
    for (uint32_t i = 0; i < object_count(terms); i++) {
        const Value *expressions = object_get(terms->list.items[i], "matchExpressions");
        for (uint32_t k = 0; k < object_count(expressions); k++) {
            asks = asks || is_wanted(expressions->list.items[k]);
        }
    }
    return asks && !check->groups->is_whole;
}

// ---- required affinity -------------------------------------------------------------------------------------------

// Whether no node of the group has one of the values of an `In`, as far as these are known.
static bool lacks_values(const PlaceCheck *check, const PlanGroup *group, Str key, const Value *values) {
    for (uint32_t i = 0; i < object_count(values); i++) {
        const Value *value = values->list.items[i];
        if (!is_to_judge(check, key, value) || node_label_has(check->groups, group, key, value->string)) {
            return false;
        }
    }
    return object_count(values) > 0;
}

// The first expression of a term that no node of the group meets; NULL where one meets all, or may do so.
static const Value *unmet_expression(const PlaceCheck *check, const PlanGroup *group, const Value *term) {
    const Value *expressions = object_get(term, "matchExpressions");
    for (uint32_t i = 0; i < object_count(expressions); i++) {
        const Value *item = expressions->list.items[i];
        const Str key = object_text(object_get(item, "key"));
        const bool is_in = str_is(object_text(object_get(item, "operator")), "In");
        const bool is_unmet = key.len > 0 && (is_in ? lacks_values(check, group, key, object_get(item, "values"))
                                                    : !node_label_meets(check->session, check->groups, group, item));
        if (is_unmet) {
            return item;
        }
    }
    return NULL;
}

static void report_unmet(const PlaceCheck *check, const Value *expression) {
    if (str_is(object_text(object_get(expression, "operator")), "In")) {
        report_label(check, object_get(expression, "key")->string, object_get(expression, "values")->list.items[0]);
    } else {
        report_expression(check, expression);
    }
}

// A node that meets one of the terms is enough. False where something was reported.
static bool meet_affinity(const PlaceCheck *check) {
    const Value *terms = pod_required_terms(check->pod->spec);
    const Value *first = NULL;
    bool has_place = object_count(terms) == 0;
    for (uint32_t k = 0; object_count(terms) > 0 && k < check->groups->items.count; k++) {
        bool is_met = false;
        for (uint32_t i = 0; i < object_count(terms) && !is_met; i++) {
            const Value *unmet = unmet_expression(check, check->groups->items.items[k], terms->list.items[i]);
            is_met = unmet == NULL;
            first = first == NULL ? unmet : first;
        }
        has_place = has_place || is_met;
        check->is_out[k] = check->is_out[k] || !is_met;
    }
    if (!has_place && first != NULL) {
        report_unmet(check, first);
    }
    return has_place || first == NULL;
}

// ---- devices that a pod cannot be without --------------------------------------------------------------------------

static const char *const DEVICES[] = { "nvidia.com/gpu", "aws.amazon.com/neuron", "vpc.amazonaws.com/efa" };

// Where some group has them, one without is out.
static void leave_without_devices(const PlaceCheck *check) {
    for (size_t i = 0; i < COUNT_OF(DEVICES); i++) {
        const bool are_needed = pod_limit(check->pod->spec, str_of(DEVICES[i])) > 0;
        bool has_place = false;
        for (uint32_t k = 0; are_needed && k < check->groups->items.count; k++) {
            has_place =
                has_place || (!check->is_out[k] && group_room(check->groups->items.items[k], DEVICES[i]).room != 0);
        }
        for (uint32_t k = 0; has_place && k < check->groups->items.count; k++) {
            check->is_out[k] = check->is_out[k] || group_room(check->groups->items.items[k], DEVICES[i]).room == 0;
        }
    }
}

// ---- taints ------------------------------------------------------------------------------------------------------

static void report_taint(const PlaceCheck *check, const Value *written) {
    Session *session = check->session;
    const Taint taint = taint_of(written);
    const Value *near = toleration_near(check->pod->spec, &taint);
    const Str text = taint_text(session->arena, &taint, near);
    Diag *diag = plan_report(session, check->object->subject, near == NULL ? check->pod->span : near->span,
                             DIAG(pod_not_tolerated), STR_ARG(check->groups->name), STR_ARG(text));
    diag_label(session, diag, written->span, "the taint");
    if (near != NULL) {
        diag_help(session, diag, "write the value and the effect of the taint, or `operator: Exists` in their place");
    } else {
        diag_help(session, diag,
                  check->object->is_manifest
                      ? "write `tolerations: [{key: %.*s, operator: Exists}]` beside `containers`"
                      : "write `tolerations = [{ key = \"%.*s\", operator = \"Exists\" }]` beside `containers`",
                  STR_ARG(text));
    }
}

// A pod that asks for nothing may run on nodes that no file shows.
static bool asks_for_nodes(const PlaceCheck *check) {
    bool asks = check->groups->is_whole || pod_types(check->pod->spec) != NULL ||
                object_get(check->pod->spec, "nodeSelector") != NULL;
    for (size_t i = 0; i < COUNT_OF(DEVICES); i++) {
        asks = asks || pod_limit(check->pod->spec, str_of(DEVICES[i])) > 0;
    }
    return asks;
}

// Where some group takes the pod, those whose taints keep it off are out.
static void leave_tainted(const PlaceCheck *check) {
    const uint32_t count = check->groups->items.count;
    const Value **taints = arena_new_array(check->session->arena, const Value *, count);
    const Value *first = NULL;
    bool has_place = false;
    for (uint32_t i = 0; i < count; i++) {
        const Value *written = check->groups->items.items[i]->taints;
        taints[i] = check->is_out[i] ? NULL : taint_of_no_toleration(written, check->pod->spec);
        has_place = has_place || (!check->is_out[i] && taints[i] == NULL);
        first = first == NULL ? taints[i] : first;
    }
    for (uint32_t i = 0; has_place && i < count; i++) {
        check->is_out[i] = check->is_out[i] || taints[i] != NULL;
    }
    if (!has_place && first != NULL) {
        report_taint(check, first);
    }
}

// ---- amounts -----------------------------------------------------------------------------------------------------

static void report_amount(const PlaceCheck *check, const PlanGroup *group, const char *name, double amount,
                          const Value *asked) {
    Session *session = check->session;
    const GroupRoom best = group_room(group, name);
    const Str has = node_amount_text(session->arena, name, best.has);
    const PodDevice *device = pod_device(str_of(name));
    const bool is_efa = device != NULL && device->accelerator == ACCELERATOR_NONE;
    Diag *diag = plan_report(session, check->object->subject, asked->span, DIAG(pod_request),
                             STR_ARG(node_amount_text(session->arena, name, amount)), STR_ARG(str_of(name)),
                             STR_ARG(node_most_text(session->arena, name, best.has, amount)));
    diag_label(session, diag, best.place, "has %.*s", STR_ARG(has));
    if (is_efa && group->efa_help.len > 0 && best.type->row->efa_max >= amount) {
        diag_help(session, diag, "%.*s", STR_ARG(group->efa_help));
    } else if (best.room > 0) {
        diag_help(session, diag, "ask for %.*s at most, or take a larger %s",
                  STR_ARG(pod_room_text(session->arena, name, best.room)), best.type == NULL ? "volume" : "type");
    }
}

// What all nodes of a pool may have of a resource together; -1: it has no limit, or one that is meant to keep it empty.
static double limit_of(const PlanGroup *group, const char *name) {
    const Value *limit = object_get(group->limits, name);
    double most = -1;
    return limit != NULL && quantity_read(limit, &most) && most > 0 ? most : -1;
}

// Rule node_pool speaks of a limit below what one node has.
static bool is_limit_told(const PlaceCheck *check, const PlanGroup *group, const char *name) {
    PoolTypes *types = pool_types_of(check->session, group->requirements);
    double least = 0;
    return types->are_known && types->is_of_names && pool_types_narrow(types) == NULL &&
           pool_types_least(types, name, &least) != NULL && limit_of(group, name) < least;
}

static void report_limit(const PlaceCheck *check, const PlanGroup *group, const char *name, double amount,
                         const Value *asked) {
    Session *session = check->session;
    const Str most = node_amount_text(session->arena, name, limit_of(group, name));
    if (is_limit_told(check, group, name)) {
        return;
    }
    Diag *diag =
        plan_report(session, check->object->subject, asked->span, DIAG(pod_request),
                    STR_ARG(node_amount_text(session->arena, name, amount)), STR_ARG(str_of(name)), STR_ARG(most));
    diag_label(session, diag, object_get(group->limits, name)->span, "for all nodes of the pool together");
    diag_help(session, diag, "write a larger limit, or ask for %.*s at most", STR_ARG(most));
}

// Nodes of a pool with a limit have no more than that, whatever their type.
static double room_of(const PlaceCheck *check, const PlanGroup *group, const char *name) {
    const PodDevice *device = pod_device(str_of(name));
    const double room = group_room(group, name).room;
    const double limit = limit_of(group, name);
    const bool is_gpu = device != NULL && device->accelerator == ACCELERATOR_NVIDIA;
    if (is_gpu && room > 0 && check->groups->are_gpus_shared) {
        return -1;
    }
    return limit >= 0 && (room < 0 || limit < room) ? limit : room;
}

static void check_amount(const PlaceCheck *check, const char *name) {
    const Value *asked = NULL;
    const double amount = pod_asks(check->pod->spec, str_of(name), &asked);
    double most = -1;
    const PlanGroup *best = NULL;
    for (uint32_t i = 0; asked != NULL && i < check->groups->items.count; i++) {
        const double room = check->is_out[i] ? 0 : room_of(check, check->groups->items.items[i], name);
        if (!check->is_out[i] && (room < 0 || room >= amount)) {
            return;
        }
        if (!check->is_out[i] && room > most) {
            most = room;
            best = check->groups->items.items[i];
        }
    }
    const double limit = best == NULL ? -1 : limit_of(best, name);
    if (best != NULL && limit >= 0 && limit <= most) {
        report_limit(check, best, name, amount, asked);
    } else if (best != NULL) {
        report_amount(check, best, name, amount, asked);
    }
}

// Of a manifest's pod that names its types rule pod_types says it.
static void check_amounts(const PlaceCheck *check) {
    static const char *const NAMES[] = { "hugepages-2Mi", "hugepages-1Gi", "cpu", "memory" };
    check_amount(check, "ephemeral-storage");
    if (check->object->is_manifest && pod_types(check->pod->spec) != NULL) {
        return;
    }
    for (size_t i = 0; i < POD_DEVICE_COUNT; i++) {
        check_amount(check, POD_DEVICES[i].name);
    }
    for (size_t i = 0; i < COUNT_OF(NAMES) && object_get(check->pod->spec, "resources") == NULL; i++) {
        check_amount(check, NAMES[i]);
    }
}

// ------------------------------------------------------------------------------------------------------------------

static bool is_one_group(const PlanGroup *a, const PlanGroup *b) {
    return a == b || (!span_is_none(a->span) && span_equal(a->span, b->span));
}

// The same group in another way to deploy its template counts once.
static const PlanGroup *only_group(const PlaceCheck *check) {
    const PlanGroup *only = NULL;
    for (uint32_t i = 0; i < check->groups->items.count; i++) {
        const PlanGroup *group = check->groups->items.items[i];
        if (!check->is_out[i] && only != NULL && !is_one_group(only, group)) {
            return NULL;
        }
        only = check->is_out[i] || only != NULL ? only : group;
    }
    return only;
}

const PlanGroup *pod_places_check(Session *session, const PodGroups *groups, const PlanObject *object,
                                  const PlanPod *pod) {
    const PlaceCheck check = { .session = session,
                               .groups = groups,
                               .object = object,
                               .pod = pod,
                               .is_out = arena_new_array(session->arena, bool, groups->items.count) };
    if (asks_for_others(&check) || !select_groups(&check, object_get(pod->spec, "nodeSelector")) ||
        !meet_affinity(&check)) {
        return NULL;
    }
    leave_without_devices(&check);
    if (!groups->are_taints_told && !pod->is_part && asks_for_nodes(&check)) {
        leave_tainted(&check);
    }
    check_amounts(&check);
    return only_group(&check);
}

void pod_places_check_labels(Session *session, const PodGroups *groups, const PlanObject *object, const Value *labels) {
    const PlaceCheck check = { .session = session,
                               .groups = groups,
                               .object = object,
                               .is_out = arena_new_array(session->arena, bool, groups->items.count) };
    select_groups(&check, labels);
}

bool pod_places_fit(const PodGroups *groups, const PlanPod *pod, const PlanGroup *group) {
    const Value *selector = object_get(pod->spec, "nodeSelector");
    bool is_fit = true;
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        const ValueEntry *entry = &selector->map.entries[i];
        is_fit = is_fit && (entry->value->kind != VALUE_STRING ||
                            node_label_has(groups, group, entry->key, entry->value->string));
    }
    for (size_t i = 0; i < COUNT_OF(DEVICES); i++) {
        is_fit = is_fit && (pod_limit(pod->spec, str_of(DEVICES[i])) <= 0 || group_room(group, DEVICES[i]).room != 0);
    }
    return is_fit;
}
