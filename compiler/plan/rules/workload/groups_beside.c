// Rules about files that were given together: the pods of a manifest, and the groups of nodes in files beside it. A pod
// that no group can take waits, and no error is shown. What is not known of a group counts as if it could.
#include "compiler/plan/rules/together_channels.h"

#include "compiler/base/suggest.h"
#include "compiler/plan/model/allow.h"
#include "compiler/plan/model/node_room.h"
#include "compiler/plan/model/kubernetes_quantity.h"
#include "compiler/plan/model/object_value.h"
#include "compiler/plan/rules/pod_count.h"
#include "compiler/plan/rules/workload/pod_fabric.h"
#include "compiler/plan/rules/workload/workload_group.h"
#include "compiler/plan/model/pod_type.h"
#include "compiler/plan/rules/toleration.h"
#include "schema/instances.h"
#include "schema/pod_devices.h"

enum { OFFERS_MAX = 500, PODS_MAX = 100000 };

typedef VEC(const PlanGroup *) Offers;

typedef struct {
    Session *session;
    const FilesTogether *together;
    Offers offers;
    const PlanObject *object;
    const PlanPod *pod;
    const Value *type; // the one that the pod names; NULL
} PodGroupsCheck;

// ---- what there is -----------------------------------------------------------------------------------------------

static bool is_seen(const Offers *offers, const PlanGroup *offer) {
    for (uint32_t i = 0; i < offers->count; i++) {
        if (span_equal(offers->items[i]->span, offer->span)) {
            return true; // of another way to deploy the same template
        }
    }
    return false;
}

static void add_offers(PodGroupsCheck *check, const Plan *plan) {
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->groups.count && check->offers.count < OFFERS_MAX; k++) {
            if (group_takes_pods(raw->groups.items[k]) && !is_seen(&check->offers, raw->groups.items[k])) {
                vec_push(check->session->arena, &check->offers, raw->groups.items[k]);
            }
        }
    }
}

bool together_has_groups(const Plan *plan) {
    for (uint32_t i = 0; i < plan->raw.count; i++) {
        const PlanRaw *raw = plan->raw.items[i];
        for (uint32_t k = 0; k < raw->groups.count; k++) {
            if (group_takes_pods(raw->groups.items[k])) {
                return true;
            }
        }
    }
    return false;
}

bool together_makes_nodes(const Plan *plan) {
    static const char *const STARTS[] = { "karpenter.", "eks.amazonaws.com/", "cluster.x-k8s.io/" };
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        for (size_t k = 0; k < COUNT_OF(STARTS); k++) {
            if (str_starts_with(plan->objects.items[i]->resource->type, str_of(STARTS[k]))) {
                return true;
            }
        }
    }
    return false;
}

// ---- which groups can take a pod ---------------------------------------------------------------------------------

static const char *const DEVICES[] = { "nvidia.com/gpu", "aws.amazon.com/neuron", "vpc.amazonaws.com/efa" };

// How many of a device all containers of the pod ask for; -1: not known.
static int64_t asked(const Value *pod, const char *device) {
    const Value *containers = object_get(pod, "containers");
    double sum = 0;
    for (uint32_t i = 0; i < object_count(containers); i++) {
        const Value *limits = object_get(object_get(containers->list.items[i], "resources"), "limits");
        const Value *value = object_get(limits, device);
        double amount = 0;
        if (value != NULL && !quantity_read(value, &amount)) {
            return -1;
        }
        sum += amount;
    }
    return sum >= 0 && sum < 1e6 ? (int64_t)sum : -1;
}

// The type of the group whose nodes have the most of a resource; NULL: not known.
static const InstanceRow *most_type(const PlanGroup *offer, const char *name) {
    const InstanceRow *most = NULL;
    for (uint32_t i = 0; i < offer->types.count; i++) {
        const InstanceRow *row = offer->types.items[i].row;
        if (offer->has_other_types || node_amount(row, name) < 0) {
            return NULL;
        }
        most = most == NULL || node_amount(row, name) > node_amount(most, name) ? row : most;
    }
    return most;
}

// The most that a node of the group has of a resource; -1: not known.
static double most_of(const PlanGroup *offer, const char *name) {
    const InstanceRow *row = most_type(offer, name);
    return row == NULL ? -1 : node_amount(row, name);
}

static bool has_type(const PlanGroup *offer, Str name) {
    bool has = offer->has_other_types || offer->types.count == 0;
    for (uint32_t i = 0; i < offer->types.count && !has; i++) {
        has = str_is(name, offer->types.items[i].row->name);
    }
    return has;
}

static const Value *label_of(const PlanGroup *offer, Str key) {
    return offer->labels != NULL && offer->labels->kind == VALUE_MAP ? value_find(offer->labels, key) : NULL;
}

static bool is_name_label(Str key) {
    return str_is(key, "alpha.eksctl.io/nodegroup-name") || str_is(key, "eks.amazonaws.com/nodegroup");
}

// Labels that somebody else gives to nodes, as Kubernetes, EKS and device plugins do.
static bool is_given(Str key) {
    return str_find(key, STR("/"), 0) < key.len;
}

static const char TYPE_LABEL[] = "node.kubernetes.io/instance-type";

static bool fits_label(const PlanGroup *offer, const ValueEntry *entry) {
    if (entry->value->kind != VALUE_STRING || (offer->labels != NULL && offer->labels->kind != VALUE_MAP)) {
        return true;
    }
    if (str_is_word(entry->key, TYPE_LABEL)) {
        return has_type(offer, entry->value->string);
    }
    const Value *label = label_of(offer, entry->key);
    if (is_name_label(entry->key)) {
        return offer->name.len == 0 || str_equal(offer->name, entry->value->string);
    }
    return label != NULL ? label->kind != VALUE_STRING || str_equal(label->string, entry->value->string)
                         : is_given(entry->key);
}

// By what the pod selects, and by the devices that it cannot be without.
static bool fits(const PodGroupsCheck *check, const PlanGroup *offer) {
    const Value *selector = object_get(check->pod->spec, "nodeSelector");
    bool is_fit = object_text(check->type).len == 0 || has_type(offer, check->type->string);
    for (uint32_t i = 0; selector != NULL && selector->kind == VALUE_MAP && i < selector->map.count; i++) {
        is_fit = is_fit && fits_label(offer, &selector->map.entries[i]);
    }
    for (size_t i = 0; i < COUNT_OF(DEVICES); i++) {
        is_fit = is_fit && (asked(check->pod->spec, DEVICES[i]) <= 0 || most_of(offer, DEVICES[i]) != 0);
    }
    return is_fit;
}

// The only group that can take the pod; NULL where there are several, or none.
static const PlanGroup *only_group(const PodGroupsCheck *check) {
    const PlanGroup *only = NULL;
    for (uint32_t i = 0; i < check->offers.count; i++) {
        const bool is_fit = fits(check, check->offers.items[i]);
        if (is_fit && only != NULL) {
            return NULL;
        }
        only = is_fit ? check->offers.items[i] : only;
    }
    return only;
}

// ---- labels ------------------------------------------------------------------------------------------------------

static Diag *say_selector(const PodGroupsCheck *check, Span span, Str key, Str value) {
    return plan_report(check->session, check->object->subject, span, DIAG(pod_selector),
                       STR_ARG(check->offers.items[0]->cluster), STR_ARG(key), STR_ARG(value));
}

static void say_type(const PodGroupsCheck *check, const Value *type) {
    const PlanGroup *first = check->offers.items[0];
    Diag *diag = say_selector(check, type->span, str_of(TYPE_LABEL), type->string);
    for (uint32_t i = 0; i < check->offers.count && i < 3; i++) {
        const PlanGroup *offer = check->offers.items[i];
        diag_label(check->session, diag, offer->types.items[0].field.span, "a group has these");
    }
    diag_help(check->session, diag, "write a type of the cluster, such as `%s`", first->types.items[0].row->name);
}

static bool check_type(const PodGroupsCheck *check, const Value *type) {
    const Str name = object_text(type);
    bool has = name.len == 0 || schema_instance(check->session, name) == NULL;
    for (uint32_t i = 0; i < check->offers.count; i++) {
        has = has || has_type(check->offers.items[i], name);
    }
    if (!has) {
        say_type(check, type);
    }
    return has;
}

// A label that some group would have to be given. Of names of groups, those that there are may be offered.
static bool check_label(const PodGroupsCheck *check, const ValueEntry *entry) {
    Session *session = check->session;
    Suggestion suggestion = suggest_for(session, object_text(entry->value));
    const PlanGroup *other = NULL; // has the label with another value
    for (uint32_t i = 0; i < check->offers.count; i++) {
        const PlanGroup *offer = check->offers.items[i];
        if (fits_label(offer, entry)) {
            return true;
        }
        const Value *label = label_of(offer, entry->key);
        other = other == NULL && label != NULL ? offer : other;
        suggest_offer(&suggestion, is_name_label(entry->key) ? offer->name : object_text(label));
    }
    Diag *diag = say_selector(check, entry->value->span, entry->key, entry->value->string);
    if (other != NULL) {
        diag_label(session, diag, label_of(other, entry->key)->span, "a group has this");
    }
    if (!suggest_say(session, diag, &suggestion, entry->value->span)) {
        diag_help(session, diag, "write a label that a group has, or give one this label");
    }
    return false;
}

// But for the type, which an affinity may name as well.
static bool check_labels(const PodGroupsCheck *check, const Value *labels) {
    bool are = true;
    for (uint32_t i = 0; labels != NULL && labels->kind == VALUE_MAP && i < labels->map.count; i++) {
        const ValueEntry *entry = &labels->map.entries[i];
        are = (str_is_word(entry->key, TYPE_LABEL) || check_label(check, entry)) && are;
    }
    return are;
}

// Kueue has the pods of a flavor select its nodes by these.
static void check_flavor(const PodGroupsCheck *check) {
    if (str_starts_with(check->object->resource->type, STR("kueue.x-k8s.io/")) &&
        str_is(str_after_last(check->object->resource->type, '/'), "ResourceFlavor")) {
        const Value *labels = object_get(object_get(check->object->fields, "spec"), "nodeLabels");
        check_type(check, object_get(labels, TYPE_LABEL));
        check_labels(check, labels);
    }
}

// ---- devices -----------------------------------------------------------------------------------------------------

static void check_amount(const PodGroupsCheck *check, const PlanGroup *offer, const char *name) {
    Session *session = check->session;
    const Value *place = NULL;
    const double amount = pod_asks(check->pod->spec, str_of(name), &place);
    const double most = most_of(offer, name);
    if (place == NULL || most <= 0 || node_room(most_type(offer, name), name, KEEPS_KUBELET) >= amount) {
        return;
    }
    const Str has = node_amount_text(session->arena, name, most);
    Diag *diag = plan_report(session, check->object->subject, place->span, DIAG(pod_request),
                             STR_ARG(node_amount_text(session->arena, name, amount)), STR_ARG(str_of(name)),
                             STR_ARG(node_most_text(session->arena, name, most, amount)));
    diag_label(session, diag, offer->types.items[0].field.span, "has %.*s", STR_ARG(has));
    diag_help(session, diag, "ask for %s%.*s%s, or take a larger type",
              pod_device(str_of(name)) == NULL ? "less than " : "", STR_ARG(has),
              pod_device(str_of(name)) == NULL ? "" : " at most");
}

// Of a pod that names its type rule pod_types says it.
static void check_amounts(const PodGroupsCheck *check, const PlanGroup *offer) {
    for (size_t i = 0; i < COUNT_OF(DEVICES) && check->type == NULL; i++) {
        check_amount(check, offer, DEVICES[i]);
    }
    if (check->type == NULL && object_get(check->pod->spec, "resources") == NULL) {
        check_amount(check, offer, "cpu");
        check_amount(check, offer, "memory");
    }
}

// Of a pod that names its type rule pod_devices says it. Whether a group has EFA that no pod asks for is not known.
static void check_fabric(const PodGroupsCheck *check, const PlanGroup *offer) {
    const Value *containers = object_get(check->pod->spec, "containers");
    const bool is_one = offer->types.count == 1 && !offer->has_other_types && check->type == NULL;
    for (uint32_t i = 0; is_one && i < object_count(containers); i++) {
        const PodNode node = { .row = offer->types.items[0].row, .span = offer->types.items[0].field.span };
        if (pod_fabric_count(containers->list.items[i]) > 0) {
            pod_fabric_check(check->session, check->object, check->pod, containers->list.items[i], &node);
        }
    }
}

// Of the containers that run on the group.
static void check_workloads(const PodGroupsCheck *check, const PlanGroup *offer) {
    for (uint32_t i = 0; i < check->object->workloads.count; i++) {
        if (check->object->workloads.items[i]->pod == check->pod->spec) {
            workload_check_on_group(check->session, check->object->workloads.items[i], offer);
        }
    }
}

// ---- taints ------------------------------------------------------------------------------------------------------

// EKS tolerates a device's own taint for pods that ask for the device.
static bool is_tolerated(const PodGroupsCheck *check, const Taint *taint) {
    const char *key = str_c(check->session->arena, taint->key->string);
    return toleration_is_in(check->pod->spec, taint) || asked(check->pod->spec, key) != 0;
}

// A pod that asks for nothing may run on nodes that no file shows.
static bool asks_for_nodes(const PodGroupsCheck *check) {
    bool asks = check->type != NULL || object_get(check->pod->spec, "nodeSelector") != NULL;
    for (size_t i = 0; i < COUNT_OF(DEVICES); i++) {
        asks = asks || asked(check->pod->spec, DEVICES[i]) > 0;
    }
    return asks;
}

static void say_taint(const PodGroupsCheck *check, const PlanGroup *offer, const Taint *taint, Span span) {
    Session *session = check->session;
    const Value *near = toleration_near(check->pod->spec, taint);
    const Str text = taint_text(session->arena, taint, near);
    Diag *diag = plan_report(session, check->object->subject, near == NULL ? check->pod->span : near->span,
                             DIAG(pod_not_tolerated), STR_ARG(offer->cluster), STR_ARG(text));
    diag_label(session, diag, span, "the taint");
    if (near != NULL) {
        diag_help(session, diag, "write the value and the effect of the taint, or `operator: Exists` in their place");
    } else {
        diag_help(session, diag, "write `tolerations: [{key: %.*s, operator: Exists}]` beside `containers`",
                  STR_ARG(text));
    }
}

static void check_taints(const PodGroupsCheck *check, const PlanGroup *offer) {
    for (uint32_t i = 0; asks_for_nodes(check) && i < object_count(offer->taints); i++) {
        const Taint taint = taint_of(offer->taints->list.items[i]);
        if (object_text(taint.key).len > 0 && taint_keeps_off(&taint) && !is_tolerated(check, &taint)) {
            say_taint(check, offer, &taint, offer->taints->list.items[i]->span);
            return;
        }
    }
}

// ---- how many ----------------------------------------------------------------------------------------------------

// How many pods of the template run at once; -1: not known.
static int64_t pods_of(const PodGroupsCheck *check) {
    const WorkloadKind *kind = check->object->kind;
    const bool varies = kind == NULL || plan_value_at(check->object->fields, workload_path(kind->varies)) != NULL;
    const int64_t pods = varies ? -1 : pods_of_template(check->object, check->pod->spec);
    return pods < PODS_MAX ? pods : -1;
}

// A pod that takes all accelerators of its node.
static bool fills_node(const PodGroupsCheck *check, const PlanGroup *offer) {
    for (size_t i = 0; i < COUNT_OF(DEVICES); i++) {
        const bool is_efa = pod_device(str_of(DEVICES[i]))->accelerator == ACCELERATOR_NONE;
        const int64_t most = is_efa ? -1 : (int64_t)most_of(offer, DEVICES[i]);
        if (most > 0 && offer->types.count == 1 && asked(check->pod->spec, DEVICES[i]) == most) {
            return true;
        }
    }
    return false;
}

// `*count` of the pods of an object so far that fill a node of `*of`, which is their only group; -1: not known.
static void count_pods(const PodGroupsCheck *check, const PlanGroup *offer, const PlanGroup **of, int64_t *count) {
    if (*count < 0 || !fills_node(check, offer)) {
        return;
    }
    const int64_t pods = pods_of(check);
    *count = pods < 0 || (*of != NULL && *of != offer) ? -1 : *count + pods;
    *of = offer;
}

static void check_count(const PodGroupsCheck *check, const PlanGroup *offer, int64_t count) {
    int64_t most = 0;
    if (offer == NULL || !field_integer(&offer->most, &most) || count <= most || most < 1) {
        return;
    }
    Diag *diag = plan_report(check->session, check->object->subject, check->object->subject->span, DIAG(together_count),
                             count, STR_ARG(offer->name), most);
    diag_label(check->session, diag, offer->most.span, "the most");
    diag_help(check->session, diag, "write %" PRId64 " there, or fewer pods here", count);
}

// ------------------------------------------------------------------------------------------------------------------

static void check_pods(PodGroupsCheck *check) {
    const PlanGroup *of = NULL;
    int64_t count = 0;
    for (uint32_t i = 0; i < check->object->pods.count; i++) {
        check->pod = &check->object->pods.items[i];
        check->type = pod_type(check->pod->spec);
        const bool is_there =
            check_type(check, check->type) && check_labels(check, object_get(check->pod->spec, "nodeSelector"));
        const PlanGroup *only = is_there ? only_group(check) : NULL;
        if (only != NULL) {
            check_amounts(check, only);
            check_fabric(check, only);
            check_workloads(check, only);
            if (!check->pod->is_part) {
                check_taints(check, only);
            }
            count_pods(check, only, &of, &count);
        }
    }
    check_count(check, of, count);
}

// ---- NVLink between nodes ----------------------------------------------------------------------------------------

static bool is_of_ultraserver(const InstanceRow *row) {
    return row != NULL && row->accelerator == ACCELERATOR_NVIDIA && row->ultraserver_sizes[0] > 0;
}

static PodOnFabric fabric_of_group(const PlanGroup *offer) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < offer->types.count; i++) {
        count += is_of_ultraserver(offer->types.items[i].row);
    }
    const bool is_known = offer->types.count > 0 && !offer->has_other_types;
    return is_known && count == offer->types.count ? FABRIC_CERTAIN
           : is_known && count == 0                ? FABRIC_NONE
                                                   : FABRIC_PERHAPS;
}

static PodOnFabric fabric_of_pod(const PodGroupsCheck *check) {
    if (check->type != NULL && check->type->kind == VALUE_STRING) {
        return is_of_ultraserver(pod_row(check->session, check->type->string)) ? FABRIC_CERTAIN : FABRIC_NONE;
    }
    if (pod_types(check->pod->spec) != NULL) {
        return FABRIC_NONE; // of several types, with or without NVLink between nodes
    }
    const bool is_open = check->offers.count == 0 || check->together->is_open;
    PodOnFabric most = is_open ? FABRIC_PERHAPS : FABRIC_NONE;
    uint32_t fitting = 0;
    for (uint32_t i = 0; i < check->offers.count && !is_open; i++) {
        if (fits(check, check->offers.items[i])) {
            const PodOnFabric own = fabric_of_group(check->offers.items[i]);
            most = fitting++ == 0 ? own : own == most ? most : FABRIC_PERHAPS;
        }
    }
    return most;
}

static void check_channels(PodGroupsCheck *check) {
    for (uint32_t i = 0; i < check->object->pods.count; i++) {
        check->pod = &check->object->pods.items[i];
        check->type = pod_type(check->pod->spec);
        channels_check(check->session, check->together, check->object, check->pod->spec, fabric_of_pod(check));
    }
}

// ------------------------------------------------------------------------------------------------------------------

void together_check(Session *session, const Plan *plan, const FilesTogether *together) {
    PodGroupsCheck check = { .session = session, .together = together };
    together_check_names(session, plan, together);
    for (uint32_t i = 0; i < together->plans.count; i++) {
        add_offers(&check, together->plans.items[i]);
    }
    for (uint32_t i = 0; i < plan->objects.count; i++) {
        check.object = plan->objects.items[i];
        const bool is_daemon = plan_object_is(check.object, IS_DAEMON);
        if (check.offers.count > 0 && !together->is_open && !is_daemon && !check.object->is_changed) {
            check_pods(&check);
            check_flavor(&check);
        }
        check_channels(&check);
    }
}
